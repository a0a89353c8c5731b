//! `sempre ltl simplify`: rewrites formulas to smaller equivalent ones.

use crate::Exit;
use crate::input::{Failure, FormulaInput};
use crate::limits::Limits;
use crate::output::{FormulaOutput, Output};
use anyhow::Result;
use sempre::ltl::Formula;
use sempre::ltl::rewrite::simplify::{Level, Simplifier, Step};
use std::io::Write;
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl simplify 'F(a U (b | false))'
  Fb

  $ sempre ltl simplify --level basic 'a U G F b'
  a U GFb

  $ sempre ltl simplify --explain 'F(a U b)'
  F(a U b)
    F(a U b) ≡ Fb  (idempotence: a nested operator that waits for the same adds nothing)
  Fb";

/// Rewrite formulas to smaller equivalent ones.
///
/// The rules have three levels; each includes those before. Level 1, basic, has identities that
/// hold for all operands. Level 2, pure, adds rules for pure eventualities and universalities.
/// Level 3, implication, adds rules that use syntactic implications between subformulas.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Simplify {
    #[command(flatten)]
    input: FormulaInput,

    /// The level of the rules: 1 (basic), 2 (pure) or 3 (implication).
    #[arg(
        short,
        long,
        default_value = Level::default().name(),
        value_parser = level,
        help_heading = "Rewriting"
    )]
    level: Level,

    /// Print the formula, each step with its rule, and the result.
    ///
    /// Steps rewrite subformulas in negation normal form.
    #[arg(long, help_heading = "Output")]
    explain: bool,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    output: FormulaOutput,
}

/// Parses the name or number of a level.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    text.parse().map_err(|error: sempre::ltl::Error| error.to_string())
}

impl Simplify {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut out = self.output.open()?;
        let mut simplifier = Simplifier::new(self.level);
        let mut first = true;
        let bad = self.input.for_each(&mut out, |formula, out| {
            let what = || format!("a formula of {} nodes", formula.size());
            let simplify = || {
                Ok(out.whole(|out| -> Result<(), Failure> {
                    if !self.explain {
                        return self.output.write(out, &simplifier.simplify(&formula));
                    }
                    if !first {
                        out.end_line()?;
                    }
                    let (result, steps) = simplifier.explain(&formula);
                    self.write_steps(out, &formula, &steps, &result)
                }))
            };
            self.limits.run(what, simplify)??;
            first = false;
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        Ok(bad.exit_code())
    }

    fn write_steps(
        &self,
        out: &mut Output,
        formula: &Formula,
        steps: &[Step],
        result: &Formula,
    ) -> Result<(), Failure> {
        self.output.write(out, formula)?;
        for Step { rule, before, after } in steps {
            let (before, after) = (self.shown(before)?, self.shown(after)?);
            write!(out, "  {before} ≡ {after}  ({}: {})", rule.name, rule.why)?;
            out.end_line()?;
        }
        self.output.write(out, result)
    }

    /// Returns the text of a formula within a step, abbreviated if it is large.
    fn shown(&self, formula: &Formula) -> Result<String, Failure> {
        match formula.size() {
            0..=LARGEST_SHOWN => Ok(self.output.print(formula)?.to_string()),
            size => Ok(format!("(a formula of {size} nodes)")),
        }
    }
}

/// The maximal size of the formulas that a step shows.
const LARGEST_SHOWN: u64 = 200;
