//! `sempre ltl filter`: the formulas that have some properties.

use super::class::Class;
use super::classify::FRAGMENTS;
use crate::Exit;
use crate::input::FormulaInput;
use crate::output::FormulaOutput;
use crate::range::Range;
use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rustc_hash::FxHashSet;
use sempre::ltl::rewrite::rename::canonical;
use sempre::ltl::{Formula, Traits};
use std::io::Write;
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl filter --class safety 'G a' 'F a' 'a W b'
  Ga
  a W b

  $ printf 'a U b\\nb U a\\nG a\\n' | sempre ltl filter --unique-up-to-renaming --count
  2

  $ sempre ltl patterns dac | sempre ltl filter --size 10.. --next-free --max-count 2
  G(!a | b | G!b | (!c U b))
  G(!a | b | (!c W b))";

/// Pass on the formulas that have all the properties asked for.
///
/// The properties are syntactic, as with `sempre ltl classify`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Filter {
    #[command(flatten)]
    input: FormulaInput,

    #[command(flatten)]
    criteria: Criteria,

    /// Pass on the formulas that lack one of the properties.
    #[arg(short = 'v', long, help_heading = "Selection")]
    invert: bool,

    /// Drop formulas that have been passed on before.
    #[arg(long, help_heading = "Selection")]
    unique: bool,

    /// Drop formulas that, but for the names of propositions, have been passed on before.
    #[arg(long, help_heading = "Selection")]
    unique_up_to_renaming: bool,

    /// Stop after N formulas.
    #[arg(long, value_name = "N", help_heading = "Selection")]
    max_count: Option<u64>,

    /// Print only how many formulas there are.
    #[arg(short, long, help_heading = "Output")]
    count: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

/// The properties a formula must have to pass.
#[derive(clap::Args, Debug)]
struct Criteria {
    /// The size lies in this range, such as 5, 3..8, 3.. or ..8.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    size: Option<Range>,

    /// The temporal depth lies in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    temporal_depth: Option<Range>,

    /// The number of propositions lies in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    props: Option<Range>,

    /// In this class; if there are several, in all of them.
    #[arg(long, value_name = "CLASS", value_delimiter = ',', help_heading = "Properties")]
    class: Vec<Class>,

    /// A pure eventuality.
    #[arg(long, help_heading = "Properties")]
    eventual: bool,

    /// A pure universality.
    #[arg(long, help_heading = "Properties")]
    universal: bool,

    /// Without X, Fs and Gs.
    #[arg(long, help_heading = "Properties")]
    next_free: bool,

    /// In negation normal form.
    #[arg(long, help_heading = "Properties")]
    nnf: bool,

    /// Without temporal operators.
    #[arg(long, help_heading = "Properties")]
    boolean: bool,

    /// In this fragment: LTL(F,G), LTL(Fs,Gs) or LTL\GUX; if there are several, in all of them.
    #[arg(
        long,
        value_name = "FRAGMENT",
        value_delimiter = ',',
        value_parser = fragments(),
        help_heading = "Properties"
    )]
    fragment: Vec<Traits>,
}

fn fragments() -> impl TypedValueParser<Value = Traits> {
    PossibleValuesParser::new(FRAGMENTS.map(|(name, _, _)| name)).map(|name| {
        let fragment = FRAGMENTS.iter().find(|(known, _, _)| *known == name);
        fragment.map_or(Traits::empty(), |&(_, _, traits)| traits)
    })
}

impl Criteria {
    /// What can be asked of the traits of a formula alone.
    fn traits(&self) -> Traits {
        let mut wanted: Traits = self.fragment.iter().copied().collect();
        wanted.set(Traits::EVENTUAL, self.eventual);
        wanted.set(Traits::UNIVERSAL, self.universal);
        wanted.set(Traits::NEXT_FREE, self.next_free);
        wanted.set(Traits::NNF, self.nnf);
        wanted.set(Traits::BOOLEAN, self.boolean);
        wanted
    }

    fn admit(&self, formula: &Formula) -> bool {
        let within = |range: Option<Range>, number: u64| range.is_none_or(|r| r.contains(number));
        formula.is(self.traits())
            && self.class.iter().all(|class| class.contains(formula))
            && within(self.size, formula.size())
            && within(self.temporal_depth, formula.temporal_depth().into())
            // Counting propositions is a walk through the formula, so only if it is asked for.
            && self.props.is_none_or(|range| range.contains(formula.props().len() as u64))
    }
}

impl Filter {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut out = self.output.open()?;
        let mut seen = FxHashSet::default();
        let mut count = 0;
        let limit = self.max_count.unwrap_or(u64::MAX);
        let bad = self.input.for_each(&mut out, |formula, out| {
            if count >= limit {
                return Ok(ControlFlow::Break(()));
            }
            if self.criteria.admit(&formula) == self.invert {
                return Ok(ControlFlow::Continue(()));
            }
            let new = match (self.unique_up_to_renaming, self.unique) {
                (true, _) => seen.insert(canonical(&formula)),
                (false, true) => seen.insert(formula.clone()),
                (false, false) => true,
            };
            if new {
                count += 1;
                if !self.count {
                    self.output.write(out, &formula)?;
                }
            }
            let enough = count >= limit;
            Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        if self.count {
            write!(out, "{count}")?;
            out.end_line()?;
        }
        out.finish()?;
        Ok(bad.exit_code())
    }
}
