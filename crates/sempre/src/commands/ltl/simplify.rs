//! `sempre ltl simplify`: smaller formulas with the same meaning.

use crate::Exit;
use crate::input::{Failure, FormulaInput};
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

/// Write smaller formulas with the same meaning.
///
/// The rules come in three levels, each of which includes those before: 1 or basic has the
/// identities that need no knowledge of the operands, 2 or pure adds the rules for pure
/// eventualities and universalities, 3 or implication adds those that rest on syntactic
/// implications between subformulas.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Simplify {
    #[command(flatten)]
    input: FormulaInput,

    /// How much to try: 1 (basic), 2 (pure) or 3 (implication).
    #[arg(
        short,
        long,
        default_value = Level::default().name(),
        value_parser = level,
        help_heading = "Rewriting"
    )]
    level: Level,

    /// Print the formula, each step with the rule that justifies it, and the result.
    ///
    /// Steps are those from subformulas in negation normal form.
    #[arg(long, help_heading = "Output")]
    explain: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

/// The level of that name or number.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    text.parse().map_err(|error: sempre::ltl::Error| error.to_string())
}

impl Simplify {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut out = self.output.open()?;
        let mut simplifier = Simplifier::new(self.level);
        let mut first = true;
        let bad = self.input.for_each(&mut out, |formula, out| {
            if self.explain {
                if !first {
                    out.end_line()?;
                }
                let (result, steps) = simplifier.explain(&formula);
                self.write_steps(out, &formula, &steps, &result)?;
            } else {
                self.output.write(out, &simplifier.simplify(&formula))?;
            }
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

    /// A formula within a step: large ones are not printed again and again.
    fn shown(&self, formula: &Formula) -> Result<String, Failure> {
        match formula.size() {
            0..=LARGEST_SHOWN => Ok(self.output.print(formula)?.to_string()),
            size => Ok(format!("(a formula of {size} nodes)")),
        }
    }
}

/// The size up to which the formulas of a step are shown.
const LARGEST_SHOWN: u64 = 200;
