//! The hierarchy of Manna and Pnueli, as a syntactic class of formulas.

use sempre::ltl::{Formula, Traits};

/// A class of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Class {
    /// Every violation has a bad finite prefix.
    Safety,
    /// Every satisfying word has a good finite prefix.
    Guarantee,
    /// A Boolean combination of safety and guarantee.
    Obligation,
    /// Some state formula holds for ever from some position on.
    Persistence,
    /// Some state formula holds infinitely often.
    Recurrence,
    /// A Boolean combination of persistence and recurrence; contains every formula.
    Reactivity,
}

impl Class {
    /// All classes; a class precedes those that include it.
    pub(crate) const ALL: [Class; 6] = [
        Class::Safety,
        Class::Guarantee,
        Class::Obligation,
        Class::Persistence,
        Class::Recurrence,
        Class::Reactivity,
    ];

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Persistence => "persistence",
            Class::Recurrence => "recurrence",
            Class::Reactivity => "reactivity",
        }
    }

    /// True if the formula is syntactically in the class.
    pub(crate) fn contains(self, formula: &Formula) -> bool {
        match self {
            Class::Safety => formula.is(Traits::SAFETY),
            Class::Guarantee => formula.is(Traits::GUARANTEE),
            // The intersection of persistence and recurrence is obligation (Manna and Pnueli 1990).
            Class::Obligation => {
                formula.is(Traits::OBLIGATION)
                    || formula.is(Traits::PERSISTENCE | Traits::RECURRENCE)
            }
            Class::Persistence => formula.is(Traits::PERSISTENCE),
            Class::Recurrence => formula.is(Traits::RECURRENCE),
            Class::Reactivity => true,
        }
    }

    /// Returns the syntactic classes of the formula.
    pub(crate) fn all_of(formula: &Formula) -> impl Iterator<Item = Class> {
        Class::ALL.into_iter().filter(|class| class.contains(formula))
    }

    /// Returns the name of the smallest class, which may be both safety and guarantee.
    pub(crate) fn smallest(formula: &Formula) -> &'static str {
        if formula.is(Traits::SAFETY | Traits::GUARANTEE) {
            return "safety and guarantee";
        }
        Class::all_of(formula).next().unwrap_or(Class::Reactivity).name()
    }
}
