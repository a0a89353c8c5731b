//! `sempre completions`: what a shell needs to complete our commands and options.

use super::Sempre;
use crate::Exit;
use crate::output::OutputOptions;
use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  $ sempre completions bash -o sempre.bash

  $ sempre completions zsh > _sempre";

/// Write the completions of a shell.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,

    #[command(flatten)]
    output: OutputOptions,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<Exit> {
        // Into memory first: the generator knows no other answer to a closed pipe than a panic.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Sempre::command(), "sempre", &mut script);
        let mut out = self.output.open()?;
        out.write_all(&script)?;
        out.finish()?;
        Ok(Exit::Success)
    }
}
