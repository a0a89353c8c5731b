//! `sempre aut`: read automata, select, measure, convert, draw.

mod drawing;
mod measure;
mod random;
mod select;
mod show;

use crate::Exit;
use crate::automata::AutomatonInput;
use crate::output::{Output, OutputOptions};
use anyhow::{Result, bail};
use drawing::FormatOption;
use measure::{Figures, Template};
use sempre::automata::{AnyAutomaton, Automaton};
use std::io::Write;
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre aut random -n 100 --states 5 | sempre aut --deterministic --count
  4

  $ sempre aut random --props a --states 3 | sempre aut --stats '%s states, %e edges, %g'
  3 states, 6 edges, Inf(0)

  $ sempre aut random --props a --states 3 | sempre aut --format svg -o automaton.svg

Escapes of --stats:
  %s states          %e edges           %t transitions, one per valuation
  %a marks           %g the acceptance  %c strongly connected components
  %d 1 if deterministic, else 0         %p 1 if complete, else 0
  %n nondeterministic states            %x propositions
  %m the name
  %% a percent sign";

/// Read automata; select, measure, convert and draw them.
///
/// Without --stats, --csv, --json and --count, the automata that pass are written in the format
/// asked for. Each result is written before the next automaton is read.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Aut {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    work: Work,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Show(show::Show),
    Random(random::Random),
}

#[derive(clap::Args, Debug)]
struct Work {
    #[command(flatten)]
    input: AutomatonInput,

    #[command(flatten)]
    criteria: select::Criteria,

    #[command(flatten)]
    output: AutomatonOutput,
}

/// How results are written, and where.
#[derive(clap::Args, Debug)]
struct AutomatonOutput {
    #[command(flatten)]
    format: FormatOption,

    /// Draw strongly connected components as boxes (DOT, SVG).
    #[arg(long, help_heading = "Output")]
    scc: bool,

    /// Print a line about each automaton, made from TEMPLATE by the escapes below.
    #[arg(long, value_name = "TEMPLATE", help_heading = "Output", conflicts_with_all = ["csv", "json", "count"])]
    stats: Option<Template>,

    /// Print the figures of each automaton as a line of CSV, after a line of titles.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "count"])]
    csv: bool,

    /// Print the figures of each automaton as a JSON object on a line.
    #[arg(long, help_heading = "Output", conflicts_with = "count")]
    json: bool,

    /// Print only how many automata pass.
    #[arg(short, long, help_heading = "Output")]
    count: bool,

    #[command(flatten)]
    output: OutputOptions,
}

impl Aut {
    pub(crate) fn run(&self) -> Result<Exit> {
        match &self.command {
            Some(Command::Show(command)) => command.run(),
            Some(Command::Random(command)) => command.run(),
            None => self.work.run(),
        }
    }
}

impl Work {
    fn run(&self) -> Result<Exit> {
        let criteria = self.criteria.compile()?;
        let mut out = self.output.output.open()?;
        let mut passed = 0u64;
        if self.output.csv {
            write!(out, "{}", Figures::TITLES)?;
            out.end_line()?;
        }
        let bad = self.input.for_each(&mut out, |automaton, out| {
            if criteria.is_done(passed) {
                return Ok(ControlFlow::Break(()));
            }
            if criteria.admit(&automaton)? {
                passed += 1;
                self.output.write(&automaton, out)?;
            }
            Ok(match criteria.is_done(passed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })?;
        if self.output.count {
            write!(out, "{passed}")?;
            out.end_line()?;
        }
        out.finish()?;
        Ok(bad.exit_code())
    }
}

impl AutomatonOutput {
    fn write(&self, automaton: &AnyAutomaton, out: &mut Output) -> Result<()> {
        if self.count {
            return Ok(());
        }
        if let Some(template) = &self.stats {
            template.write(&Figures::of(nondeterministic(automaton)?), out)?;
            return Ok(out.end_line()?);
        }
        if self.csv {
            Figures::of(nondeterministic(automaton)?).write_csv(out)?;
            return Ok(out.end_line()?);
        }
        if self.json {
            serde_json::to_writer(&mut *out, &Figures::of(nondeterministic(automaton)?))
                .map_err(std::io::Error::from)?;
            return Ok(out.end_line()?);
        }
        self.format.format.write(automaton, self.scc, out)
    }
}

/// The automaton, if it is not alternating: most questions are about runs, not trees.
fn nondeterministic(automaton: &AnyAutomaton) -> Result<&Automaton> {
    match automaton {
        AnyAutomaton::Nondeterministic(automaton) => Ok(automaton),
        AnyAutomaton::Alternating(_) => {
            bail!("the automaton is alternating: it can only be written in HOA and DOT")
        }
    }
}
