//! `sempre ltl compare`: are two formulas equivalent, and if not, which words distinguish them?

use crate::Exit;
use crate::input::syntaxes;
use crate::limits::Limits;
use crate::output::{OutputOptions, printable};
use crate::report::{Located, Place};
use anyhow::Result;
use sempre::ltl::{Formula, Syntax, Word, syntax};
use sempre::translate::satisfiability::Comparison;
use serde::Serialize;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl compare 'a U b' 'b | (a & X(a U b))'
  equivalent

  $ sempre ltl compare 'F G a' 'G F a'
  not equivalent: the first implies the second
  only the second: cycle{a; !a}
  ? 1";

/// Compare two formulas: equivalent, one implies the other, or neither.
///
/// The exit code is 0 if the formulas are equivalent, else 1. For each implication that fails, a
/// word shows it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Compare {
    /// The first formula.
    first: String,

    /// The second formula.
    second: String,

    /// The syntax of the formulas.
    #[arg(long, default_value = "auto", value_parser = syntaxes(), help_heading = "Input")]
    syntax: Syntax,

    /// Print one line of JSON.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Serialize)]
struct Answer {
    first: String,
    second: String,
    equivalent: bool,
    first_implies_second: bool,
    second_implies_first: bool,
    only_first: Option<String>,
    only_second: Option<String>,
}

impl Compare {
    pub(crate) fn run(&self) -> Result<Exit> {
        let first = self.parse(&self.first, 1)?;
        let second = self.parse(&self.second, 2)?;
        let what = || format!("the comparison of `{first}` and `{second}`");
        let comparison = self.limits.run(what, || Ok(Comparison::of(&first, &second)))?;
        let mut out = self.output.open()?;
        let Comparison { only_left, only_right } = &comparison;
        if self.json {
            let text = |word: &Option<Word>| word.as_ref().map(Word::to_string);
            let answer = Answer {
                first: printable(&first)?.to_string(),
                second: printable(&second)?.to_string(),
                equivalent: comparison.is_equivalence(),
                first_implies_second: only_left.is_none(),
                second_implies_first: only_right.is_none(),
                only_first: text(only_left),
                only_second: text(only_right),
            };
            serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
            out.end_line()?;
        } else {
            writeln!(
                out,
                "{}",
                match (only_left, only_right) {
                    (None, None) => "equivalent",
                    (None, Some(_)) => "not equivalent: the first implies the second",
                    (Some(_), None) => "not equivalent: the second implies the first",
                    (Some(_), Some(_)) => "not equivalent: neither implies the other",
                }
            )?;
            for (word, side) in [(only_left, "first"), (only_right, "second")] {
                if let Some(word) = word {
                    writeln!(out, "only the {side}: {word}")?;
                }
            }
        }
        out.finish()?;
        Ok(if comparison.is_equivalence() { Exit::Success } else { Exit::Violated })
    }

    fn parse(&self, text: &str, argument: usize) -> Result<Formula> {
        syntax::parse(text, self.syntax)
            .map_err(|error| Located::new(&Place::Argument(argument), text, error).into())
    }
}
