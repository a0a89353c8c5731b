//! Refinement: the automaton of a negated property under facts that the model satisfies.
//!
//! Each run of the system satisfies the facts, so the automaton may accept any words besides: the
//! product, and with it the verdict, is the same. Blahoudek: Automata for Formal Methods: Little
//! Steps Towards Perfection, 2018, chapter 4.

use sempre_automata::reduce::Level;
use sempre_automata::to_ba::to_ba;
use sempre_automata::{Automaton, GeneralizedBuchi, constraint};
use sempre_ltl::rewrite::refine;
use sempre_ltl::{Formula, interrupt};
use sempre_models::facts::{self, Fact};
use sempre_translate::{Effort, Kind, NegationKind, Translator};

/// How facts about a model refine the automaton of a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Refine {
    /// By formula and by automaton; the smallest automaton is kept.
    Auto,
    /// The formula is translated in conjunction with the constraints.
    Formula,
    /// The automaton is restricted to words that satisfy the facts, then reduced.
    Automaton,
    /// Not at all.
    #[default]
    Off,
}

impl Refine {
    /// All ways.
    pub const ALL: [Refine; 4] = [Refine::Auto, Refine::Formula, Refine::Automaton, Refine::Off];

    /// Returns the name in options and output.
    pub const fn name(self) -> &'static str {
        match self {
            Refine::Auto => "auto",
            Refine::Formula => "formula",
            Refine::Automaton => "automaton",
            Refine::Off => "off",
        }
    }
}

/// The work of one refinement by [`Refine::Auto`], in units of [`interrupt::within`].
const BUDGET: u64 = 1 << 10;

/// The largest automaton that [`Refine::Auto`] works on, in states.
const MAX_STATES: usize = 500;

/// Refines the automaton of the negation of a formula.
pub(crate) fn refined<K: NegationKind>(
    negation: K::Negation,
    formula: &Formula,
    kind: K,
    facts: &[Fact],
    way: Refine,
) -> K::Negation {
    if facts.is_empty() || way == Refine::Off {
        return negation;
    }
    let by_formula = || {
        // The negation of this is the conjunction of the negated formula with the constraints.
        let constraint = facts::constraint(facts);
        let refined = Formula::not(refine(&Formula::not(formula.clone()), &constraint));
        kind.of_formula(&refined).ok().filter(|_| !constraint.is_true())
    };
    // Facts are about valuations; the letters of testing automata are changes.
    let by_automaton = |negation: &K::Negation| {
        let (kind, automaton) = kind.over_valuations().zip(K::valuations(negation))?;
        Some(restricted(automaton, kind, facts))
    };
    match way {
        Refine::Off => negation,
        Refine::Formula => by_formula().unwrap_or(negation),
        Refine::Automaton => by_automaton(&negation).map_or(negation, K::Negation::from),
        Refine::Auto => {
            let Some(original) = K::valuations(&negation) else { return negation };
            if original.state_count() > MAX_STATES {
                return negation;
            }
            let found = [
                interrupt::within(BUDGET, || by_automaton(&negation)),
                interrupt::within(BUDGET, || {
                    by_formula().and_then(|refined| by_automaton(&refined))
                }),
            ];
            let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
            let found = found.into_iter().filter_map(|refined| refined.ok().flatten());
            match found.min_by_key(size) {
                Some(refined) if size(&refined) < size(original) => refined.into(),
                _ => negation,
            }
        }
    }
}

/// Restricts an automaton to the words that satisfy the facts, reduces it, and shortens its labels.
/// The result is of the same kind, and not larger.
fn restricted(automaton: &Automaton, kind: Kind, facts: &[Fact]) -> Automaton {
    let always = facts::constraint(facts);
    // An unsatisfiable constraint means that a detector is wrong; the automaton stays as it is.
    let Ok(mut refined) = constraint::restrict(automaton, &always) else {
        return automaton.clone();
    };
    for fact in facts.iter().filter(|fact| !fact.kind.is_constraint()) {
        let assumption = Translator::new().effort(Effort::Low).translate(&fact.formula);
        refined = constraint::assume(&refined, &assumption);
    }
    if refined.initial().is_empty() || refined.state_count() == 0 {
        return nothing(kind);
    }
    let small = constraint::reduced(&refined, Level::High);
    let small = match kind {
        Kind::Ba if !small.is_state_based() => to_ba(&small),
        _ => small,
    };
    let is_suitable = constraint::size(&small) <= constraint::size(&refined)
        && (kind == Kind::Det || GeneralizedBuchi::of(&small).is_ok());
    let refined = if is_suitable { small } else { refined };
    constraint::simplify_labels(&refined, &always).unwrap_or(refined)
}

/// The automaton of the empty language, as translations have it.
fn nothing(kind: Kind) -> Automaton {
    Translator::new().kind(kind).translate(&Formula::ff())
}

/// The decision about a property by the facts alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanity {
    /// The facts decide nothing.
    Open,
    /// All words that satisfy the facts satisfy the property: it says nothing about the model.
    Valid,
    /// No word that satisfies the facts satisfies the property.
    Unsatisfiable,
}

impl Sanity {
    /// Examines a formula, with a bound on the work.
    pub fn of(formula: &Formula, facts: &[Fact]) -> Sanity {
        let is_empty = |formula: &Formula| {
            let work = || {
                let automaton = Translator::new().translate(formula);
                restricted(&automaton, Kind::Tgba, facts)
            };
            interrupt::within(BUDGET, work)
                .is_ok_and(|automaton| sempre_automata::prune::trim(&automaton).state_count() == 0)
        };
        if is_empty(&Formula::not(formula.clone())) {
            return Sanity::Valid;
        }
        match is_empty(formula) {
            true => Sanity::Unsatisfiable,
            false => Sanity::Open,
        }
    }
}

#[cfg(test)]
#[path = "refine_tests.rs"]
mod tests;
