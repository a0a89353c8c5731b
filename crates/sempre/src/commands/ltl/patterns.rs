//! `sempre ltl patterns`: formulas from the literature.

use crate::Exit;
use crate::output::FormulaOutput;
use anyhow::{Context, Result};
use clap::builder::{PossibleValue, PossibleValuesParser};
use sempre::ltl::generate::patterns::PatternSet;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl patterns eh | head -n 2
  a U (b & Gc)
  a U (b & X(c U d))

  $ sempre ltl patterns dac beem | sempre ltl filter --class safety --count
  15";

/// Write sets of formulas from the literature.
///
/// --list shows the sets and their sources.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Patterns {
    /// The names of the sets.
    #[arg(
        value_name = "SET",
        value_parser = sets(),
        hide_possible_values = true,
        required_unless_present = "list"
    )]
    sets: Vec<String>,

    /// List the sets.
    #[arg(long, conflicts_with = "sets")]
    list: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

fn sets() -> PossibleValuesParser {
    let value = |set: &'static PatternSet| PossibleValue::new(set.name).help(set.about);
    PossibleValuesParser::new(PatternSet::all().iter().map(value))
}

impl Patterns {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut out = self.output.open()?;
        for name in &self.sets {
            let set = PatternSet::by_name(name).context("no set has this name")?;
            for formula in set.formulas() {
                self.output.write(&mut out, &formula)?;
            }
        }
        if self.list {
            let width = PatternSet::all().iter().map(|set| set.name.len()).max().unwrap_or(0);
            for set in PatternSet::all() {
                let count = set.formulas().count();
                write!(out, "{:<width$}  {count:>4}  {}", set.name, set.about)?;
                out.end_line()?;
            }
        }
        out.finish()?;
        Ok(Exit::Success)
    }
}
