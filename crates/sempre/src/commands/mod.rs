//! The commands, one file each.

mod aut;
mod certificate;
mod check;
mod completions;
mod convert;
mod cross;
mod explore;
mod generate;
mod info;
mod ltl;
mod man;
mod replay;
mod simulate;
mod translate;

use crate::Exit;
use anyhow::Result;

/// The version, commit and target, from the build script.
const VERSION: &str = include_str!(concat!(env!("OUT_DIR"), "/version.txt"));

const HELP: &str = "\
Examples:
  $ sempre ltl simplify 'F(a U (b | false))'
  Fb

  $ sempre ltl eval 'a U b' 'a; cycle{b}'
  true

Exit codes:
  0  success; the property holds
  1  the property is violated, or there is a difference
  2  an error in the command line or the input, or a limit was reached

--help of each command shows its options and examples.";

/// Check systems against linear-time temporal logic (LTL).
#[derive(clap::Parser, Debug)]
#[command(name = "sempre", version, long_version = VERSION)]
#[command(after_help = HELP, arg_required_else_help = true)]
pub(crate) struct Sempre {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Check(Box<check::Check>),
    Ltl(Box<ltl::Ltl>),
    Translate(Box<translate::Translate>),
    Aut(Box<aut::Aut>),
    Explore(Box<explore::Explore>),
    Info(info::Info),
    Simulate(simulate::Simulate),
    Replay(replay::Replay),
    Certificate(certificate::Certificate),
    Convert(Box<convert::Convert>),
    Cross(Box<cross::Cross>),
    Generate(generate::Generate),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Sempre {
    /// Does what the command line asks.
    pub(crate) fn run(mut self) -> Result<Exit> {
        match &mut self.command {
            Command::Check(command) => {
                command.choose_format();
                command.run()
            }
            Command::Ltl(command) => command.run(),
            Command::Translate(command) => command.run(),
            Command::Aut(command) => command.run(),
            Command::Explore(command) => command.run(),
            Command::Info(command) => command.run(),
            Command::Simulate(command) => command.run(),
            Command::Replay(command) => command.run(),
            Command::Certificate(command) => command.run(),
            Command::Convert(command) => command.run(),
            Command::Cross(command) => command.run(),
            Command::Generate(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}
