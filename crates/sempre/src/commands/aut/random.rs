//! `sempre aut random`: random automata from a seed.

use super::drawing::{Boxes, FormatOption};
use crate::Exit;
use crate::output::OutputOptions;
use anyhow::Result;
use sempre::automata::random::{RandomAcceptance, RandomAutomata};
use sempre::automata::{AnyAutomaton, Named};

const EXAMPLES: &str = "\
Examples:
  $ sempre aut random --props a,b --states 4 --acceptance 2 --seed 1 --format hoa | head -n 1
  HOA: v1";

/// Generate random automata; the same seed gives the same automata on every machine.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Random {
    /// The number of automata.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    count: usize,

    /// The propositions, separated by commas.
    #[arg(long, value_name = "PROPS", value_delimiter = ',', default_value = "a,b")]
    props: Vec<String>,

    /// The number of states, at most 10,000.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    states: u32,

    /// The probability of an edge between two states.
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.2, value_parser = probability)]
    density: f64,

    /// The acceptance condition: buchi, co-buchi, generalized-buchi:N, rabin:N, streett:N, all, or
    /// a number of marks for a random condition over them.
    #[arg(long, value_name = "CONDITION", default_value = "buchi", value_parser = acceptance)]
    acceptance: RandomAcceptance,

    /// The probability of each mark on each edge.
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.2, value_parser = probability)]
    marks: f64,

    /// Generate deterministic automata.
    #[arg(long)]
    deterministic: bool,

    /// Generate complete automata.
    #[arg(long)]
    complete: bool,

    /// Put the same marks on all edges of a state.
    #[arg(long)]
    state_based: bool,

    /// The seed.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    format: FormatOption,

    #[command(flatten)]
    output: OutputOptions,
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// The maximal number of marks of random automata.
const MAX_MARKS: u32 = 64;

fn acceptance(text: &str) -> Result<RandomAcceptance, String> {
    let number = |text: &str| match text.parse::<u32>() {
        Ok(number) if number <= MAX_MARKS => Ok(number),
        _ => Err(format!("expected a number from 0 to {MAX_MARKS}, not `{text}`")),
    };
    let (name, size) = match text.split_once(':') {
        Some((name, size)) => (name, Some(number(size)?)),
        None => (text, None),
    };
    Ok(match (name, size) {
        ("all", None) => Named::All.into(),
        ("buchi", None) => Named::Buchi.into(),
        ("co-buchi", None) => Named::CoBuchi.into(),
        ("generalized-buchi", Some(marks)) => Named::GeneralizedBuchi(marks).into(),
        ("rabin", Some(pairs)) => Named::Rabin(pairs.min(MAX_MARKS / 2)).into(),
        ("streett", Some(pairs)) => Named::Streett(pairs.min(MAX_MARKS / 2)).into(),
        (marks, None) => RandomAcceptance::Condition(number(marks)?),
        _ => return Err(format!("unknown acceptance condition `{text}`")),
    })
}

impl Random {
    pub(super) fn run(&self) -> Result<Exit> {
        let format = self.format.of(&self.output);
        format.check_count((self.count as u64).saturating_sub(1))?;
        let mut out = self.output.open()?;
        let automata = RandomAutomata::over(self.props.iter().map(String::as_str))?
            .states(self.states as usize)
            .density(self.density)
            .acceptance(self.acceptance.clone())
            .mark_probability(self.marks)
            .deterministic(self.deterministic)
            .complete(self.complete)
            .state_based(self.state_based)
            .seed(self.seed);
        for automaton in automata.generate().take(self.count) {
            format.write(&AnyAutomaton::Nondeterministic(automaton), Boxes::default(), &mut out)?;
        }
        out.finish()?;
        Ok(Exit::Success)
    }
}
