//! `sempre ltl eval`: evaluates formulas on a word, with proofs.

use crate::Exit;
use crate::input::{Failure, InputOptions, Reading};
use crate::limits::Limits;
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

/// Evaluate a formula on a word; the exit code is 0 if the word satisfies it, else 1.
///
/// A word is a finite prefix and a cycle that repeats for ever: `a&!b; cycle{b; !a}` has one letter
/// in the prefix and two in the cycle. A letter is a conjunction of literals. Propositions that it
/// does not mention are false; `1` mentions none.
///
/// Without FORMULA, formulas are read from -F or from standard input, with one answer each. The
/// exit code is then 0 if the word satisfies them all.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = "sempre ltl eval [OPTIONS] [FORMULA] <WORD>")]
pub(crate) struct Eval {
    /// The formula and the word; only the word if formulas are read from -F or standard input.
    #[arg(required = true, num_args = 1..=2, value_name = "WORD")]
    arguments: Vec<String>,

    /// The position at which to evaluate, from 0.
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    at: usize,

    /// Print a proof or a refutation.
    ///
    /// It is computed independently of the answer, and verified by a checker of the proof rules.
    /// Positions count from --at.
    #[arg(long, help_heading = "Output")]
    explain: bool,

    /// Print one line of JSON per formula.
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Print nothing; the exit code is the answer.
    #[arg(short, long, conflicts_with_all = ["json", "explain"], help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    input: InputOptions,

    #[command(flatten)]
    limits: Limits,

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
        let bad = self.input.for_each_with_source(
            formula,
            Reading::any(self.quiet),
            &mut out,
            |formula, _, out| {
                let what = || format!("a formula of {} nodes", formula.size());
                let evaluate = || {
                    let holds = holds(&formula, &word);
                    all_hold &= holds;
                    Ok(out.whole(|out| -> Result<(), Failure> {
                        if self.explain && !self.json && !first {
                            out.end_line()?;
                        }
                        match self.quiet {
                            true => Ok(()),
                            false => self.answer(out, &formula, &word, holds),
                        }
                    }))
                };
                self.limits.run(what, evaluate)??;
                first = false;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        out.finish()?;
        Ok(match bad.exit_code() {
            Exit::Success if !all_hold => Exit::Violated,
            exit => exit,
        })
    }

    /// Returns the formula, if there is one, and the text of the word.
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
        report::note(
            "a single argument is the word; formulas are then read from -F or standard input",
        );
    }
    Located::new(&Place::Named("word"), word, error).into()
}

/// Returns a checked proof that agrees with the evaluation.
fn prove(formula: &Formula, word: &Word, holds: bool) -> Result<Proof> {
    let proof = proof::explain(formula, word);
    proof::check(&proof, formula, word)?;
    ensure!(
        proof.holds() == holds,
        "evaluation and proof disagree on `{formula}`: this is a defect of Sempre, please report it"
    );
    Ok(proof)
}

/// An answer in JSON.
#[derive(Serialize)]
struct Answer<'a> {
    formula: String,
    word: &'a str,
    position: usize,
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Vec<Claim>>,
}

/// A step of a proof: a claim and its premises.
#[derive(Serialize)]
struct Claim {
    formula: String,
    position: usize,
    holds: bool,
    premises: Vec<Premise>,
}

/// A claim that a formula holds, or fails, at `count` positions from `first` on.
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
