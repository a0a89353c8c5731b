//! `sempre ltl convert`: converts formulas to another notation, to negation normal form, or to
//! fewer operators.

use super::operators::operator;
use crate::Exit;
use crate::input::FormulaInput;
use crate::output::FormulaOutput;
use crate::unread::Unread;
use anyhow::Result;
use sempre::ltl::rewrite::{ExclusiveSet, conjunction, nnf, refine, unabbreviate};
use sempre::ltl::{Formula, Op};
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl convert --to spin 'G(request -> F grant)'
  [](request -> <>grant)

  $ echo 'G i p0 F p1' | sempre ltl convert --to unicode
  □(p0 → ◇p1)

  $ sempre ltl convert --nnf '!(a U X b)'
  !a R X!b

  $ sempre ltl convert --negate --nnf 'G(a -> F b)'
  F(a & G!b)

  $ sempre ltl convert --exclusive-ap a,b,c 'F(Ga | (GFb <-> GFc))'
  F(Ga | (GFb <-> GFc)) & G(!(a & b) & !(a & c) & !(b & c))

  $ sempre ltl convert --remove W,M 'a W b' 'a M b'
  b R (a | b)
  b U (a & b)";

/// Write formulas in another notation or with other operators.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    #[command(flatten)]
    input: FormulaInput,

    /// Negate the formulas first.
    #[arg(long, help_heading = "Rewriting")]
    negate: bool,

    /// Add the constraint that at most one of these propositions holds at a time, for those that a
    /// formula has; may be repeated.
    #[arg(long, value_name = "NAMES", help_heading = "Rewriting")]
    exclusive_ap: Vec<ExclusiveSet>,

    /// Add the same constraint for the propositions `Process@location` of each process.
    #[arg(long, help_heading = "Rewriting")]
    exclusive_locations: bool,

    /// Convert to negation normal form: negations only before propositions.
    #[arg(long, help_heading = "Rewriting")]
    nnf: bool,

    /// Remove these operators, such as W,M,xor, as the last step.
    ///
    /// The operators are X, F, G, Fs, Gs, U, R, W, M, !, &, |, ->, <->, xor. It is an error if the
    /// others cannot express the formulas.
    #[arg(
        long,
        value_name = "OPERATORS",
        value_delimiter = ',',
        value_parser = operator,
        allow_hyphen_values = true,
        help_heading = "Rewriting"
    )]
    remove: Vec<Op>,

    #[command(flatten)]
    output: FormulaOutput,
}

impl Convert {
    pub(crate) fn run(&self) -> Result<Exit> {
        // A set of operators that cannot be removed is an error of the command line.
        unabbreviate(&Formula::tt(), &self.remove)?;
        let mut out = self.output.open()?;
        let named = self.exclusive_ap.iter().flat_map(|set| set.props());
        let mut unread = Unread::new(named.cloned());
        let bad = self.input.for_each(&mut out, |mut formula, out| {
            if self.negate {
                formula = Formula::not(formula);
            }
            if !self.exclusive_ap.is_empty() || self.exclusive_locations {
                let props = formula.props();
                unread.see(&props);
                let mut sets = self.exclusive_ap.clone();
                if self.exclusive_locations {
                    sets.extend(ExclusiveSet::of_locations(&props));
                }
                let constraints = sets.iter().map(|set| set.among(&props).constraint());
                let constraints = constraints.filter(|constraint| !constraint.is_true());
                formula = refine(&formula, &conjunction(constraints));
            }
            if self.nnf {
                formula = nnf(&formula);
            }
            if !self.remove.is_empty() {
                formula = unabbreviate(&formula, &self.remove)?;
            }
            self.output.write(out, &formula)?;
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        if !self.input.is_quiet() {
            unread.report("formula");
        }
        Ok(bad.exit_code())
    }
}
