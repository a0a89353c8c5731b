//! The hierarchy of Manna and Pnueli, as far as the syntax of a formula shows it.

use sempre::ltl::{Formula, Traits};

/// A class of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Class {
    /// A violation shows after finitely many positions.
    Safety,
    /// The satisfaction shows after finitely many positions.
    Guarantee,
    /// A Boolean combination of safety and guarantee.
    Obligation,
    /// Something holds from some position on for ever.
    Persistence,
    /// Something holds again and again.
    Recurrence,
    /// A Boolean combination of persistence and recurrence: every formula is.
    Reactivity,
}

impl Class {
    /// All classes; a class comes before those that include it.
    pub(crate) const ALL: [Class; 6] = [
        Class::Safety,
        Class::Guarantee,
        Class::Obligation,
        Class::Persistence,
        Class::Recurrence,
        Class::Reactivity,
    ];

    /// Its name.
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

    /// True if the syntax of the formula puts it into the class.
    pub(crate) fn contains(self, formula: &Formula) -> bool {
        match self {
            Class::Safety => formula.is(Traits::SAFETY),
            Class::Guarantee => formula.is(Traits::GUARANTEE),
            // What is both persistence and recurrence is an obligation (Manna and Pnueli 1990).
            Class::Obligation => {
                formula.is(Traits::OBLIGATION)
                    || formula.is(Traits::PERSISTENCE | Traits::RECURRENCE)
            }
            Class::Persistence => formula.is(Traits::PERSISTENCE),
            Class::Recurrence => formula.is(Traits::RECURRENCE),
            Class::Reactivity => true,
        }
    }

    /// The classes that the syntax of the formula puts it into.
    pub(crate) fn all_of(formula: &Formula) -> impl Iterator<Item = Class> {
        Class::ALL.into_iter().filter(|class| class.contains(formula))
    }

    /// The smallest of them, by name: it may be both safety and guarantee.
    pub(crate) fn smallest(formula: &Formula) -> &'static str {
        if formula.is(Traits::SAFETY | Traits::GUARANTEE) {
            return "safety and guarantee";
        }
        Class::all_of(formula).next().unwrap_or(Class::Reactivity).name()
    }
}
