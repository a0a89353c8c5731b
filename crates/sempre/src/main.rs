//! The `sempre` command.

mod automata;
mod commands;
mod editor;
mod follow;
mod input;
mod lanes;
mod limits;
mod models;
mod output;
mod pictures;
mod progress;
mod range;
mod report;
mod saved;
mod schema;
mod signals;
mod symbolic;
mod trace;

use clap::Parser;
use std::io;
use std::process::ExitCode;

/// How a run ends, as the exit code tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All went well; what was asked holds.
    Success = 0,
    /// All went well; what was asked does not hold.
    Violated = 1,
    /// The input or the command line is wrong, or a limit ended the work.
    Error = 2,
    /// An interrupt from the keyboard has ended the work, and what was known has been told.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

fn main() -> ExitCode {
    let outcome = commands::Sempre::parse().run();
    signals::settle();
    match outcome {
        Ok(Exit::Interrupted) => signals::die_of_interrupt(),
        Ok(exit) => exit.into(),
        Err(error) if is_closed_pipe(&error) => signals::die_of_closed_pipe(),
        Err(error) => {
            report::error(&error);
            Exit::Error.into()
        }
    }
}

/// True if the reader of our output has gone.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref().map(io::Error::kind));
    kinds.into_iter().any(|kind| kind == io::ErrorKind::BrokenPipe)
}
