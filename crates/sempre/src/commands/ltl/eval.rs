//! `sempre ltl eval`: does a word satisfy a formula, and why?

use crate::Exit;
use crate::input::{Failure, InputOptions};
use crate::output::{Output, OutputOptions, printable, printable_nodes};
use crate::report::{self, Located, Place};
use anyhow::{Result, ensure};
use sempre::ltl::semantics::holds;
use sempre::ltl::semantics::proof::{self, Proof, Step};
use sempre::ltl::{Error, Formula, Word};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl eval 'a U b' 'a; cycle{b}'
  true

  $ sempre ltl eval --explain 'G F b' 'a; b; cycle{a}'
  false

  position 0: !b
  position 1: b
  position 2: !b   for ever

  [1] GFb fails at 0: Fb fails at 2 [2]
  [2] Fb fails at 2: b fails for ever, at 2
  ? 1";

/// Tell whether a word satisfies a formula; the exit code is 0 if it does and 1 if not.
///
/// A word is a finite prefix and a cycle that is repeated for ever: `a&!b; cycle{b; !a}` has one
/// letter before the cycle and two in it. A letter is a conjunction of literals; propositions that
/// it does not mention are false, and `1` mentions none.
///
/// Without FORMULA, formulas are read from -F or from standard input, there is an answer for each,
/// and the exit code is 0 if the word satisfies them all.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = "sempre ltl eval [OPTIONS] [FORMULA] <WORD>")]
pub(crate) struct Eval {
    /// The word, and before it the formula, unless formulas are read from elsewhere.
    #[arg(required = true, num_args = 1..=2, value_name = "WORD")]
    arguments: Vec<String>,

    /// Evaluate at this position of the word instead of its beginning, 0.
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    at: usize,

    /// Print a proof or refutation that a person can follow.
    ///
    /// It has been found by another algorithm than the answer, and accepted by a checker that
    /// knows nothing but the rules of proof. Positions count from --at.
    #[arg(long, help_heading = "Output")]
    explain: bool,

    /// Print one JSON object per formula and line.
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Print nothing: the exit code tells.
    #[arg(short, long, conflicts_with_all = ["json", "explain"], help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    input: InputOptions,

    #[command(flatten)]
    output: OutputOptions,
}

impl Eval {
    pub(crate) fn run(&self) -> Result<Exit> {
        let (formula, text) = self.formula_and_word();
        let word = Word::parse(text).map_err(|error| bad_word(formula.is_empty(), text, error))?;
        let word = word.suffix(self.at);
        let mut out = self.output.open()?;
        let (mut all_hold, mut first) = (true, true);
        let bad =
            self.input.for_each_with_source(formula, self.quiet, &mut out, |formula, _, out| {
                let holds = holds(&formula, &word);
                all_hold &= holds;
                if self.explain && !self.json && !first {
                    out.end_line()?;
                }
                first = false;
                if !self.quiet {
                    self.answer(out, &formula, &word, holds)?;
                }
                Ok(ControlFlow::Continue(()))
            })?;
        out.finish()?;
        Ok(match bad.exit_code() {
            Exit::Success if !all_hold => Exit::Violated,
            exit => exit,
        })
    }

    /// The formula, if there is one, and the text of the word.
    fn formula_and_word(&self) -> (&[String], &str) {
        match &*self.arguments {
            [formula @ .., word] => (formula, word),
            [] => unreachable!("the word is required"),
        }
    }

    fn answer(
        &self,
        out: &mut Output,
        formula: &Formula,
        word: &Word,
        holds: bool,
    ) -> Result<(), Failure> {
        let proof = if self.explain { Some(prove(formula, word, holds)?) } else { None };
        if self.json {
            if let Some(proof) = &proof {
                let sizes = proof.steps().iter().flat_map(|step| {
                    step.premises.iter().map(|p| p.formula.size()).chain([step.formula.size()])
                });
                printable_nodes("proof", sizes.fold(0, u64::saturating_add))?;
            }
            let answer = Answer {
                formula: printable(formula)?.to_string(),
                word: self.formula_and_word().1,
                position: self.at,
                holds,
                proof: proof.as_ref().map(|proof| proof.steps().iter().map(Claim::new).collect()),
            };
            serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
        } else {
            write!(out, "{holds}")?;
            if let Some(proof) = proof {
                write!(out, "\n\n{}", proof.to_string().trim_end())?;
            }
        }
        Ok(out.end_line()?)
    }
}

fn bad_word(is_alone: bool, word: &str, error: Error) -> anyhow::Error {
    if is_alone {
        report::note("a single argument is the word; formulas are read from elsewhere then");
    }
    Located::new(&Place::Named("word"), word, error).into()
}

/// A proof that has been checked and says what the evaluation says.
fn prove(formula: &Formula, word: &Word, holds: bool) -> Result<Proof> {
    let proof = proof::explain(formula, word);
    proof::check(&proof, formula, word)?;
    ensure!(
        proof.holds() == holds,
        "evaluation and proof disagree on `{formula}`: this is a defect of Sempre, please report it"
    );
    Ok(proof)
}

/// An answer, for machines.
#[derive(Serialize)]
struct Answer<'a> {
    formula: String,
    word: &'a str,
    position: usize,
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Vec<Claim>>,
}

/// A step of a proof: a claim and what it follows from.
#[derive(Serialize)]
struct Claim {
    formula: String,
    position: usize,
    holds: bool,
    premises: Vec<Premise>,
}

/// A formula holds, or fails, at so many positions from the first on.
#[derive(Serialize)]
struct Premise {
    formula: String,
    holds: bool,
    first: usize,
    count: usize,
}

impl Claim {
    fn new(step: &Step) -> Self {
        let premises = step.premises.iter().map(|premise| Premise {
            formula: premise.formula.to_string(),
            holds: premise.holds,
            first: premise.first,
            count: premise.count,
        });
        Claim {
            formula: step.formula.to_string(),
            position: step.position,
            holds: step.holds,
            premises: premises.collect(),
        }
    }
}
