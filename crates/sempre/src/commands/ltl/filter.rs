//! `sempre ltl filter`: selects formulas by their properties.

use super::class::Class;
use super::classify::FRAGMENTS;
use super::language::is_stutter_invariant;
use crate::Exit;
use crate::input::FormulaInput;
use crate::limits::Limits;
use crate::output::FormulaOutput;
use crate::range::Range;
use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rustc_hash::FxHashSet;
use sempre::ltl::rewrite::rename::canonical;
use sempre::ltl::{Formula, Syntax, Traits};
use sempre::translate::satisfiability::{implies, is_valid, satisfying_word};
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
  G(!a | b | (!c W b))

  $ sempre ltl filter --equivalent-to 'G F a' 'F G a' 'G(b -> F a) & G(!b -> F a)'
  G(b -> Fa) & G(!b -> Fa)";

/// Select the formulas that have all the given properties.
///
/// The properties are syntactic, as in `sempre ltl classify`, except for those of the language,
/// which are decided with automata.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Filter {
    #[command(flatten)]
    input: FormulaInput,

    #[command(flatten)]
    criteria: Criteria,

    #[command(flatten)]
    language: LanguageCriteria,

    #[command(flatten)]
    limits: Limits,

    /// Select the formulas that lack one of the properties.
    #[arg(short = 'v', long, help_heading = "Selection")]
    invert: bool,

    /// Drop duplicates.
    #[arg(long, help_heading = "Selection")]
    unique: bool,

    /// Drop formulas that equal an earlier one up to the names of propositions.
    #[arg(long, help_heading = "Selection")]
    unique_up_to_renaming: bool,

    /// Stop after N formulas.
    #[arg(long, value_name = "N", help_heading = "Selection")]
    max_count: Option<u64>,

    /// Print only the number of formulas.
    #[arg(short, long, help_heading = "Output")]
    count: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

/// The syntactic properties of the selection.
#[derive(clap::Args, Debug)]
struct Criteria {
    /// The size is in this range, such as 5, 3..8, 3.. or ..8.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    size: Option<Range>,

    /// The temporal depth is in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    temporal_depth: Option<Range>,

    /// The number of propositions is in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    props: Option<Range>,

    /// In this class; if several are given, in all of them.
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

    /// In this fragment: LTL(F,G), LTL(Fs,Gs) or LTL\GUX; if several are given, in all of them.
    #[arg(
        long,
        value_name = "FRAGMENT",
        value_delimiter = ',',
        value_parser = fragments(),
        help_heading = "Properties"
    )]
    fragment: Vec<Traits>,
}

/// The properties of the language for the selection.
#[derive(clap::Args, Debug)]
struct LanguageCriteria {
    /// Equivalent to this formula.
    #[arg(
        long,
        value_name = "FORMULA",
        value_parser = formula,
        help_heading = "Properties of the language"
    )]
    equivalent_to: Option<Formula>,

    /// Implies this formula.
    #[arg(
        long,
        value_name = "FORMULA",
        value_parser = formula,
        help_heading = "Properties of the language"
    )]
    implies: Option<Formula>,

    /// Stutter-invariant: repeating letters of a word does not change the value.
    #[arg(long, help_heading = "Properties of the language")]
    stutter_invariant: bool,

    /// Satisfiable and not valid.
    #[arg(long, help_heading = "Properties of the language")]
    drop_trivial: bool,
}

/// Parses a formula of an option, in any syntax.
fn formula(text: &str) -> Result<Formula, sempre::ltl::Error> {
    sempre::ltl::syntax::parse(text, Syntax::Auto)
}

impl LanguageCriteria {
    fn is_empty(&self) -> bool {
        let LanguageCriteria { equivalent_to, implies, stutter_invariant, drop_trivial } = self;
        equivalent_to.is_none() && implies.is_none() && !stutter_invariant && !drop_trivial
    }

    fn admit(&self, formula: &Formula) -> bool {
        let trivial = || satisfying_word(formula).is_none() || is_valid(formula);
        !(self.drop_trivial && trivial())
            && self.implies.as_ref().is_none_or(|other| implies(formula, other))
            && self
                .equivalent_to
                .as_ref()
                .is_none_or(|other| implies(formula, other) && implies(other, formula))
            && (!self.stutter_invariant || is_stutter_invariant(formula))
    }
}

fn fragments() -> impl TypedValueParser<Value = Traits> {
    PossibleValuesParser::new(FRAGMENTS.map(|(name, _, _)| name)).map(|name| {
        let fragment = FRAGMENTS.iter().find(|(known, _, _)| *known == name);
        fragment.map_or(Traits::empty(), |&(_, _, traits)| traits)
    })
}

impl Criteria {
    /// Returns the criteria that are traits of formulas.
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
            // Counting propositions traverses the formula, so only if requested.
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
            let admitted = self.criteria.admit(&formula)
                && (self.language.is_empty()
                    || self
                        .limits
                        .run(|| format!("`{formula}`"), || Ok(self.language.admit(&formula)))?);
            if admitted == self.invert {
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
