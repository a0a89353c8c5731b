//! The `sempre` command.

mod automata;
mod commands;
mod editor;
mod follow;
mod input;
mod lanes;
mod limits;
mod models;
mod origin;
mod output;
mod pictures;
mod progress;
mod range;
mod report;
mod saved;
mod schema;
mod search;
mod signals;
mod symbolic;
mod trace;
mod unreached;
mod unread;

use clap::{CommandFactory, FromArgMatches};
use std::io::{self, Write};
use std::process::ExitCode;

/// The result of a command, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Success; the property holds.
    Success = 0,
    /// Success; the property is violated, or there is a difference.
    Violated = 1,
    /// An error in the input or the command line, or a limit was reached.
    Error = 2,
    /// An interrupt from the keyboard; the results so far have been printed.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

fn main() -> ExitCode {
    let outcome = match parsed() {
        Ok(command) => command.run(),
        Err(error) => answer(&error),
    };
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

/// Reads the command line.
fn parsed() -> Result<commands::Sempre, clap::Error> {
    let arguments = commands::Sempre::command().try_get_matches()?;
    limits::declare(&arguments);
    commands::Sempre::from_arg_matches(&arguments)
}

/// Prints help, a version or an error of usage.
fn answer(error: &clap::Error) -> anyhow::Result<Exit> {
    error.print()?;
    io::stdout().flush()?;
    Ok(if error.exit_code() == 0 { Exit::Success } else { Exit::Error })
}

/// True if the reader of the output has closed the pipe.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref().map(io::Error::kind));
    kinds.into_iter().any(|kind| kind == io::ErrorKind::BrokenPipe)
}
