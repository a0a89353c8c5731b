//! What can be chosen about a translation, with the names of the choices.

use crate::deterministic::Wanted;
use sempre_automata::{Automaton, Named};
use sempre_ltl::Error;
use std::fmt;
use std::str::FromStr;

/// Gives the names of an enumeration's values to all that read and print them.
macro_rules! named {
    ($choice:ident, $what:literal, $($value:ident => $name:literal),+ $(,)?) => {
        impl $choice {
            /// All of them.
            pub const ALL: [$choice; [$($name),+].len()] = [$($choice::$value),+];

            /// The name in options and texts.
            pub const fn name(self) -> &'static str {
                match self { $($choice::$value => $name),+ }
            }
        }

        impl fmt::Display for $choice {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.name())
            }
        }

        impl FromStr for $choice {
            type Err = Error;

            fn from_str(name: &str) -> Result<Self, Error> {
                let known = $choice::ALL.into_iter().find(|choice| choice.name() == name);
                known.ok_or_else(|| {
                    Error::new(format!(concat!("{:?} is no ", $what, "; there are {}"), name, [$($name),+].join(", ")))
                })
            }
        }
    };
}

/// The construction that makes automata from formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Couvreur's [tableau](mod@crate::tableau).
    #[default]
    Tableau,
    /// Through [very weak alternating automata](mod@crate::alternating).
    Alternating,
    /// The [classic tableau](mod@crate::classic).
    Classic,
}

named!(Method, "method",
    Tableau => "tableau",
    Alternating => "alternating",
    Classic => "classic",
);

/// What kind of automaton is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Generalised Büchi acceptance on transitions.
    #[default]
    Tgba,
    /// Büchi acceptance on transitions.
    Tba,
    /// Büchi acceptance on states.
    Ba,
    /// Generalised Büchi acceptance on states.
    Gba,
    /// A deterministic automaton without acceptance condition: it rejects as soon as no way to
    /// continue would satisfy the formula.
    Monitor,
    /// Co-Büchi acceptance, where a way to it is found; generalised Büchi acceptance otherwise.
    CoBuchi,
    /// Büchi acceptance on states, and no cycle with both accepting and other states, where that is
    /// found; generalised Büchi acceptance otherwise. Persistences have such automata.
    Weak,
    /// Büchi acceptance on states, and every word is accepted from accepting states, where that is
    /// found; generalised Büchi acceptance otherwise. Guarantees have such automata.
    Terminal,
    /// Deterministic, with any acceptance condition.
    Det,
    /// Deterministic, with parity acceptance.
    Dpa,
    /// Deterministic, with Rabin acceptance.
    Dra,
    /// Deterministic, with generalized Rabin acceptance.
    Dgra,
}

named!(Kind, "kind of automata",
    Tgba => "tgba",
    Tba => "tba",
    Ba => "ba",
    Gba => "gba",
    Monitor => "monitor",
    CoBuchi => "cobuchi",
    Weak => "weak",
    Terminal => "terminal",
    Det => "det",
    Dpa => "dpa",
    Dra => "dra",
    Dgra => "dgra",
);

impl Kind {
    /// The acceptance condition, if the kind is one of deterministic automata.
    pub fn deterministic(self) -> Option<Wanted> {
        match self {
            Kind::Det => Some(Wanted::Any),
            Kind::Dpa => Some(Wanted::Parity),
            Kind::Dra => Some(Wanted::Rabin),
            Kind::Dgra => Some(Wanted::GeneralizedRabin),
            _ => None,
        }
    }

    /// True if the automaton, which was made for some formula, is of this kind. There are formulas
    /// for which no co-Büchi, weak or terminal automaton is found, mostly because there is none.
    pub fn includes(self, automaton: &Automaton) -> bool {
        let acceptance = automaton.acceptance();
        match self {
            Kind::Tgba | Kind::Tba | Kind::Ba | Kind::Gba | Kind::Monitor => true,
            Kind::CoBuchi => *acceptance == Named::CoBuchi.acceptance(),
            Kind::Weak => *acceptance == Named::Buchi.acceptance() && automaton.is_weak(),
            Kind::Terminal => *acceptance == Named::Buchi.acceptance() && automaton.is_terminal(),
            Kind::Det | Kind::Dpa | Kind::Dra | Kind::Dgra => {
                automaton.is_deterministic()
                    && self.deterministic().is_some_and(|wanted| wanted.includes(automaton))
            }
        }
    }
}

/// What matters most about the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Preference {
    /// Few states.
    #[default]
    Small,
    /// Determinism, where it can be had.
    Deterministic,
    /// Nothing: the construction's result is as good as any other.
    Any,
}

named!(Preference, "preference",
    Small => "small",
    Deterministic => "deterministic",
    Any => "any",
);

/// How much work is put into the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Effort {
    /// What costs next to nothing.
    Low,
    /// What pays off for most formulas.
    Medium,
    /// Everything.
    #[default]
    High,
}

named!(Effort, "effort",
    Low => "low",
    Medium => "medium",
    High => "high",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_again() {
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let unknown = "vast".parse::<Effort>().unwrap_err();
        assert_eq!(unknown.to_string(), "\"vast\" is no effort; there are low, medium, high");
    }
}
