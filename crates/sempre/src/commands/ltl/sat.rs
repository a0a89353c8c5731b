//! `sempre ltl sat`: decides satisfiability, with a satisfying word.

use crate::Exit;
use crate::input::FormulaInput;
use crate::limits::Limits;
use crate::output::{OutputOptions, printable};
use anyhow::Result;
use sempre::translate::satisfiability::{is_valid, satisfying_word};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl sat 'a & X(!a U b)'
  satisfiable: a&!b; !a&b; cycle{!a&!b}

  $ sempre ltl sat 'F a & G !a'
  unsatisfiable
  ? 1

  $ sempre ltl sat 'F a | G !a'
  valid: cycle{1}";

/// Decide whether formulas are satisfiable, with a satisfying word for each.
///
/// The answer is `satisfiable` or `valid`, with a word, or `unsatisfiable`. The exit code is 0 if
/// all formulas are satisfiable, else 1.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sat {
    #[command(flatten)]
    input: FormulaInput,

    /// Print one line of JSON per formula.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Serialize)]
struct Answer {
    formula: String,
    satisfiable: bool,
    valid: bool,
    word: Option<String>,
}

impl Sat {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut out = self.output.open()?;
        let mut all_satisfiable = true;
        let bad = self.input.for_each(&mut out, |formula, out| {
            let decide = || Ok((satisfying_word(&formula), is_valid(&formula)));
            let (word, valid) = self.limits.run(|| format!("`{formula}`"), decide)?;
            all_satisfiable &= word.is_some();
            let satisfiable = word.is_some();
            let word = word.map(|word| word.to_string());
            if self.json {
                let formula = printable(&formula)?.to_string();
                let answer = Answer { formula, satisfiable, valid, word };
                serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
            } else {
                match (word, valid) {
                    (Some(word), true) => write!(out, "valid: {word}")?,
                    (Some(word), false) => write!(out, "satisfiable: {word}")?,
                    (None, _) => write!(out, "unsatisfiable")?,
                }
            }
            out.end_line()?;
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        Ok(match bad.exit_code() {
            Exit::Success if !all_satisfiable => Exit::Violated,
            exit => exit,
        })
    }
}
