//! `sempre man`: manual pages, generated from the descriptions of `--help`.

use super::Sempre;
use crate::Exit;
use crate::output::{Output, OutputOptions};
use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ sempre man > sempre.1

  $ sempre man -o pages && ls pages | head -2
  sempre-aut-random.1
  sempre-aut-show.1";

/// Write the manual: its main page, or one page per command.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Man {
    /// Write one page per command into DIR, which is created if needed; by default, the main page
    /// goes to standard output.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut command = Sempre::command().disable_help_subcommand(true);
        command.build();
        match &self.output {
            None => {
                let mut out = Output::standard();
                page(&command, &mut out)?;
                out.finish()?;
            }
            Some(folder) => {
                fs::create_dir_all(folder)
                    .with_context(|| format!("cannot create {}", folder.display()))?;
                pages(&command, folder)?;
            }
        }
        Ok(Exit::Success)
    }
}

/// Writes the page of a command and those of its subcommands.
fn pages(command: &Command, folder: &Path) -> Result<()> {
    let name = clap_mangen::Man::new(command.clone()).get_filename();
    let file = OutputOptions { output: Some(folder.join(name)) };
    let mut out = file.open()?;
    page(command, &mut out)?;
    out.finish()?;
    command.get_subcommands().try_for_each(|subcommand| pages(subcommand, folder))
}

/// Writes the page of one command.
fn page(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let text = command.get_after_help().map(ToString::to_string);
    // The commit and the date of the build would make equal pages differ.
    let plain = command.clone().after_help("").long_version(None::<&str>);
    let man = clap_mangen::Man::new(plain).manual("Sempre").date("");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    if let Some(text) = text {
        sections(&text, out)?;
    }
    if command.get_version().is_some() {
        man.render_version_section(out)?;
    }
    Ok(())
}

/// Writes the text after the options: lines that end in a colon become titles, the text below them
/// is preformatted.
fn sections(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let is_title = |line: &str| !line.starts_with(' ') && line.ends_with(':');
    for line in text.lines() {
        if is_title(line) {
            writeln!(out, ".fi\n.SH {}\n.nf", line.trim_end_matches(':').to_uppercase())?;
        } else {
            writeln!(out, "\\&{}", line.replace('\\', "\\e").replace('-', "\\-"))?;
        }
    }
    writeln!(out, ".fi")
}
