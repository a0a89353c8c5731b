//! `sempre completions`: command-line completions for shells.

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
        // Into memory first, since the generator panics on a closed pipe.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Sempre::command(), "sempre", &mut script);
        let mut out = self.output.open()?;
        out.write_all(&script)?;
        out.finish()?;
        Ok(Exit::Success)
    }
}
