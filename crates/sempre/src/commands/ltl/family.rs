//! `sempre ltl family`: formulas of parametric families.

use crate::Exit;
use crate::output::FormulaOutput;
use crate::range::Range;
use anyhow::{Context, Result, anyhow};
use clap::builder::{PossibleValue, PossibleValuesParser};
use sempre::ltl::generate::family::Family as Formulas;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl family and-fg 1..3
  FGa1
  FGa1 & FGa2
  FGa1 & FGa2 & FGa3

  $ sempre ltl family --list | head -n 1
  and-fg     FG a1 & … & FG an";

/// Write the formulas of a parametric family.
///
/// The families are common benchmarks of translations in the literature; --list lists them.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Family {
    /// The name of the family.
    #[arg(
        value_parser = families(),
        hide_possible_values = true,
        required_unless_present = "list"
    )]
    name: Option<String>,

    /// The parameter, or a range of parameters.
    #[arg(value_name = "N|A..B", required_unless_present = "list")]
    numbers: Option<Range>,

    /// List the families.
    #[arg(long, conflicts_with_all = ["name", "numbers"])]
    list: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

fn families() -> PossibleValuesParser {
    let family =
        |family: &'static Formulas| PossibleValue::new(family.name).aliases(family.aliases);
    PossibleValuesParser::new(Formulas::all().iter().map(family))
}

impl Family {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut out = self.output.open()?;
        if let (Some(name), Some(numbers)) = (&self.name, self.numbers) {
            let family = Formulas::by_name(name).context("no family has this name")?;
            let (from, to) = numbers.bounded().map_err(|error| anyhow!(error))?;
            for number in from..=to {
                self.output.write(&mut out, &family.formula(number)?)?;
            }
        } else {
            let width = Formulas::all().iter().map(|family| family.name.len()).max().unwrap_or(0);
            for family in Formulas::all() {
                write!(out, "{:<width$}  {}", family.name, family.about)?;
                out.end_line()?;
            }
        }
        out.finish()?;
        Ok(Exit::Success)
    }
}
