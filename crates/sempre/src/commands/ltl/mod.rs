//! `sempre ltl`: commands for formulas.

mod class;
mod classify;
mod compare;
mod convert;
mod eval;
mod family;
mod filter;
mod language;
mod operators;
mod patterns;
mod random;
mod rename;
mod sat;
mod simplify;

use crate::Exit;
use anyhow::Result;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl random -n 1000 | sempre ltl filter --class safety | sempre ltl simplify | head -n 3
  1
  XG(p0 & !p1)
  p0 | Gp1

  $ sempre ltl patterns dac | sempre ltl filter --unique-up-to-renaming --count
  55";

/// Convert, simplify, classify, evaluate, compare, generate and filter formulas.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Ltl {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Convert(convert::Convert),
    Simplify(simplify::Simplify),
    Classify(classify::Classify),
    Eval(eval::Eval),
    Sat(sat::Sat),
    Compare(compare::Compare),
    Random(random::Random),
    Family(family::Family),
    Patterns(patterns::Patterns),
    Filter(filter::Filter),
    Rename(rename::Rename),
}

impl Ltl {
    pub(crate) fn run(&self) -> Result<Exit> {
        match &self.command {
            Command::Convert(command) => command.run(),
            Command::Simplify(command) => command.run(),
            Command::Classify(command) => command.run(),
            Command::Eval(command) => command.run(),
            Command::Sat(command) => command.run(),
            Command::Compare(command) => command.run(),
            Command::Random(command) => command.run(),
            Command::Family(command) => command.run(),
            Command::Patterns(command) => command.run(),
            Command::Filter(command) => command.run(),
            Command::Rename(command) => command.run(),
        }
    }
}
