//! `sempre generate`: Petri nets of parametric families.

use crate::Exit;
use crate::models::languages;
use crate::output::OutputOptions;
use anyhow::{Result, anyhow};
use sempre::models::generate::{self, Family};
use sempre::models::petri::{Net, text};
use sempre::models::{Language, Languages, Model};
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  $ sempre generate counter 1
  net {counter-1}
  pl zero_0 (1)
  pl one_0
  tr add_0 zero_0 -> one_0
  tr restart one_0 -> zero_0

  $ sempre generate philosophers 5 -o philosophers.pnml && sempre explore philosophers.pnml
  states: 2164
  transitions: 9655
  deadlocks: 2
  depth: 12";

/// Write a net of a parametric family.
///
/// The families are common benchmarks of the literature, with known numbers of reachable markings;
/// --list describes them.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Generate {
    /// The name of the family.
    #[arg(required_unless_present = "list")]
    family: Option<String>,

    /// The parameter of the net.
    #[arg(value_name = "N", required_unless_present = "list")]
    number: Option<u32>,

    /// Describe the families.
    #[arg(long, conflicts_with_all = ["family", "number"])]
    list: bool,

    /// The format of the net; by default, the ending of the output file decides, else .net.
    #[arg(long, value_name = "FORMAT", value_parser = languages(writes_nets), help_heading = "Output")]
    format: Option<&'static Language>,

    #[command(flatten)]
    output: OutputOptions,
}

/// True if the language can write nets.
fn writes_nets(language: &Language) -> bool {
    ["pnml", "net"].contains(&language.name)
}

impl Generate {
    pub(crate) fn run(&self) -> Result<Exit> {
        let written = match (&self.family, self.number) {
            (Some(family), Some(number)) => {
                let net = generate::family(family)
                    .and_then(|family| family.net(number))
                    .map_err(|error| anyhow!(error))?;
                self.written(net)
            }
            _ => generate::families().iter().map(explained).collect::<Vec<_>>().join("\n"),
        };
        let mut out = self.output.open()?;
        out.write_all(written.as_bytes())?;
        out.finish()?;
        Ok(Exit::Success)
    }

    fn written(&self, net: Net) -> String {
        let languages = Languages::default();
        let by_name = || languages.of_path(self.output.output.as_deref()?);
        let write = self.format.or_else(by_name).and_then(|language| language.write);
        let text = text::write(&net);
        write.and_then(|write| write(&Model::from(net))).unwrap_or(text)
    }
}

/// The width of a description, in columns.
const WIDTH: usize = 88;

/// Returns the description of a family, with the meaning and the range of its parameter.
fn explained(family: &Family) -> String {
    let (least, greatest) = (family.range().start().to_owned(), family.range().end().to_owned());
    let mut text = format!("{} N\n", family.name());
    let number = format!("N is the {}, from {least} to {greatest}.", family.parameter());
    for paragraph in [family.description(), &number] {
        let mut line = String::from("   ");
        for word in paragraph.split_whitespace() {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                text.push_str(&line);
                text.push('\n');
                line = String::from("   ");
            }
            line.push(' ');
            line.push_str(word);
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}
