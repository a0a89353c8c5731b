//! Options of a translation, with their names.

use crate::classic::Variant;
use crate::deterministic::TargetAcceptance;
use crate::semi_deterministic::{self, Placement};
use sempre_automata::{Automaton, Named};
use sempre_ltl::Error;
use std::fmt;
use std::str::FromStr;

/// Defines the names of an enumeration's values for parsing and printing.
macro_rules! named {
    ($choice:ident, $what:literal, $($value:ident => $name:literal),+ $(,)?) => {
        impl $choice {
            /// All values.
            pub const ALL: [$choice; [$($name),+].len()] = [$($choice::$value),+];

            /// Returns the name in options and output.
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
                    Error::new(format!(concat!("unknown ", $what, " `{}`, expected one of {}"), name, [$($name),+].join(", ")))
                })
            }
        }
    };
}

/// The construction of automata from formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Couvreur's [tableau](mod@crate::tableau).
    #[default]
    Tableau,
    /// Through [very weak alternating automata](mod@crate::alternating).
    Alternating,
    /// The [classic tableau](mod@crate::classic).
    Classic,
    /// The classic tableau with its first [improvements](crate::classic::Variant::GpvwPlus).
    GpvwPlus,
    /// The classic tableau with its later [improvements](crate::classic::Variant::Ltl2aut).
    Ltl2aut,
    /// The automaton of [atoms](mod@crate::atoms).
    Atoms,
}

named!(Method, "method",
    Tableau => "tableau",
    Alternating => "alternating",
    Classic => "classic",
    GpvwPlus => "gpvw+",
    Ltl2aut => "ltl2aut",
    Atoms => "atoms",
);

/// The kind of the resulting automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Generalized Büchi acceptance on transitions.
    #[default]
    Tgba,
    /// Büchi acceptance on transitions.
    Tba,
    /// Büchi acceptance on states.
    Ba,
    /// Generalized Büchi acceptance on states.
    Gba,
    /// A deterministic automaton without acceptance condition: it rejects when no continuation can
    /// satisfy the formula.
    Monitor,
    /// Co-Büchi acceptance if a conversion is found; generalized Büchi acceptance otherwise.
    CoBuchi,
    /// Büchi acceptance on states, without cycles through both accepting and other states, if one
    /// is found; generalized Büchi acceptance otherwise. Persistences have such automata.
    Weak,
    /// Büchi acceptance on states, where accepting states accept every word, if one is found;
    /// generalized Büchi acceptance otherwise. Guarantees have such automata.
    Terminal,
    /// Deterministic, with any acceptance condition.
    Det,
    /// Deterministic, with parity acceptance.
    Dpa,
    /// Deterministic, with Rabin acceptance.
    Dra,
    /// Deterministic, with generalized Rabin acceptance.
    Dgra,
    /// Semi-deterministic, with Büchi acceptance on states.
    Sdba,
    /// Semi-deterministic, with Büchi acceptance on transitions.
    Sdtba,
    /// Semi-deterministic, with generalized Büchi acceptance on transitions.
    Sdtgba,
    /// Cut-deterministic, with Büchi acceptance on states.
    Cdba,
    /// Cut-deterministic, with Büchi acceptance on transitions.
    Cdtba,
    /// Cut-deterministic, with generalized Büchi acceptance on transitions.
    Cdtgba,
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
    Sdba => "sdba",
    Sdtba => "sdtba",
    Sdtgba => "sdtgba",
    Cdba => "cdba",
    Cdtba => "cdtba",
    Cdtgba => "cdtgba",
);

impl Method {
    /// Returns the variant of the classic tableau, for methods that are one.
    pub(crate) fn classic(self) -> Option<Variant> {
        match self {
            Method::Classic => Some(Variant::Gpvw),
            Method::GpvwPlus => Some(Variant::GpvwPlus),
            Method::Ltl2aut => Some(Variant::Ltl2aut),
            Method::Tableau | Method::Alternating | Method::Atoms => None,
        }
    }
}

impl Kind {
    /// Returns the acceptance condition, for kinds of deterministic automata.
    pub fn deterministic(self) -> Option<TargetAcceptance> {
        match self {
            Kind::Det => Some(TargetAcceptance::Any),
            Kind::Dpa => Some(TargetAcceptance::Parity),
            Kind::Dra => Some(TargetAcceptance::Rabin),
            Kind::Dgra => Some(TargetAcceptance::GeneralizedRabin),
            _ => None,
        }
    }

    /// Returns the requirements, if the kind is one of semi-deterministic or cut-deterministic automata.
    pub fn semi_deterministic(self) -> Option<semi_deterministic::SemiDeterministicKind> {
        let (cut_deterministic, placement) = match self {
            Kind::Sdba => (false, Placement::States),
            Kind::Sdtba => (false, Placement::Edges),
            Kind::Sdtgba => (false, Placement::Generalized),
            Kind::Cdba => (true, Placement::States),
            Kind::Cdtba => (true, Placement::Edges),
            Kind::Cdtgba => (true, Placement::Generalized),
            _ => return None,
        };
        Some(semi_deterministic::SemiDeterministicKind { cut_deterministic, placement })
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
            Kind::Sdba | Kind::Sdtba | Kind::Sdtgba | Kind::Cdba | Kind::Cdtba | Kind::Cdtgba => {
                self.semi_deterministic().is_some_and(|wanted| wanted.includes(automaton))
            }
        }
    }
}

/// The property to optimize.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Preference {
    /// Few states.
    #[default]
    Small,
    /// Determinism, where possible.
    Deterministic,
    /// None: returns the result of the construction.
    Any,
}

named!(Preference, "preference",
    Small => "small",
    Deterministic => "deterministic",
    Any => "any",
);

/// The effort of post-processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Effort {
    /// Steps that cost almost nothing.
    Low,
    /// Steps that help for most formulas.
    Medium,
    /// All steps.
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
        assert_eq!(unknown.to_string(), "unknown effort `vast`, expected one of low, medium, high");
    }
}
