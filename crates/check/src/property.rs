//! Properties: a formula, or an automaton of the erroneous or of the correct behaviours.
//!
//! A run violates a property if its word does: a formula is evaluated, the given automaton decides
//! by membership. The judge uses nothing else, in particular no complement that a search used.

use sempre_automata::complement::{self, Division, Method};
use sempre_automata::stutter::{self, Invariance, StutteringWords};
use sempre_automata::{Automaton, membership};
use sempre_ltl::{Formula, Prop, Word, semantics};
use sempre_translate::{Effort, StutterSensitive, Translator, require_invariance};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A set of correct words.
pub trait Specification {
    /// Returns the propositions.
    fn props(&self) -> Vec<Prop>;

    /// True if the word is not correct.
    fn is_violated_by(&self, word: &Word) -> bool;

    /// Returns an automaton of the correct words. May be exponential.
    fn correct(&self) -> Automaton;
}

impl Specification for Formula {
    fn props(&self) -> Vec<Prop> {
        Formula::props(self).into_iter().collect()
    }

    fn is_violated_by(&self, word: &Word) -> bool {
        !semantics::holds(self, word)
    }

    fn correct(&self) -> Automaton {
        Translator::new().effort(Effort::Low).translate(self)
    }
}

/// The meaning of the words that the automaton of a property accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Behaviours {
    /// The erroneous behaviours, as in a never claim.
    #[default]
    Erroneous,
    /// The correct behaviours.
    Correct,
}

/// The limit of macrostates of a complement.
const MAX_MACROSTATES: usize = 1 << 18;

/// A property given as automaton.
#[derive(Debug)]
pub struct AutomatonProperty {
    given: Automaton,
    accepted: Behaviours,
    /// An automaton of the words that the given one rejects, once it is needed.
    complement: OnceLock<Result<Automaton, String>>,
}

impl AutomatonProperty {
    /// Makes a property from an automaton of the erroneous or of the correct behaviours.
    pub fn new(given: Automaton, accepted: Behaviours) -> Self {
        AutomatonProperty { given, accepted, complement: OnceLock::new() }
    }

    fn complement(&self) -> Result<&Automaton, TooLarge> {
        let complement = self.complement.get_or_init(|| {
            let made =
                complement::by(&self.given, Method::Auto, Division::Smallest, MAX_MACROSTATES);
            made.map_err(|error| error.to_string())
        });
        complement.as_ref().map_err(|error| TooLarge(error.clone()))
    }

    /// Returns an automaton of the erroneous behaviours: the given one, or its complement.
    ///
    /// # Errors
    /// If the complement has too many states.
    pub fn erroneous(&self) -> Result<&Automaton, TooLarge> {
        match self.accepted {
            Behaviours::Erroneous => Ok(&self.given),
            Behaviours::Correct => self.complement(),
        }
    }

    /// Checks that the property is stutter-invariant.
    ///
    /// # Errors
    /// If it is not, with two words that differ only in repetitions; one of them is correct.
    pub fn require_invariance(&self) -> Result<(), StutterSensitive> {
        let StutteringWords { accepted, rejected } = match stutter::invariance(&self.given) {
            Invariance::Invariant => return Ok(()),
            Invariance::Sensitive(words) => words,
        };
        Err(StutterSensitive(Box::new(match self.accepted {
            Behaviours::Correct => StutteringWords { accepted, rejected },
            Behaviours::Erroneous => StutteringWords { accepted: rejected, rejected: accepted },
        })))
    }
}

impl Specification for AutomatonProperty {
    fn props(&self) -> Vec<Prop> {
        self.given.alphabet().props().to_vec()
    }

    fn is_violated_by(&self, word: &Word) -> bool {
        let is_accepted = membership::accepts(&self.given, word);
        is_accepted == (self.accepted == Behaviours::Erroneous)
    }

    fn correct(&self) -> Automaton {
        match self.accepted {
            Behaviours::Correct => self.given.clone(),
            Behaviours::Erroneous => {
                let complement = self.complement().cloned();
                complement.unwrap_or_else(|_| complement::complement(&self.given))
            }
        }
    }
}

/// The complement of an automaton has too many states.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the automaton of the property cannot be complemented: {0}")]
pub struct TooLarge(String);

/// A property that all runs must satisfy.
#[derive(Clone, Debug)]
pub enum Property {
    /// A formula.
    Formula(Formula),
    /// An automaton.
    Automaton(Arc<AutomatonProperty>),
}

impl Property {
    /// Returns the formula, if the property is one.
    pub fn formula(&self) -> Option<&Formula> {
        match self {
            Property::Formula(formula) => Some(formula),
            Property::Automaton(_) => None,
        }
    }

    /// Checks that the property is stutter-invariant.
    ///
    /// # Errors
    /// If it is not, with two words that differ only in repetitions; one of them is correct.
    pub fn require_invariance(&self) -> Result<(), StutterSensitive> {
        match self {
            Property::Formula(formula) => require_invariance(formula),
            Property::Automaton(automaton) => automaton.require_invariance(),
        }
    }
}

impl From<Formula> for Property {
    fn from(formula: Formula) -> Self {
        Property::Formula(formula)
    }
}

impl From<AutomatonProperty> for Property {
    fn from(automaton: AutomatonProperty) -> Self {
        Property::Automaton(Arc::new(automaton))
    }
}

impl Specification for Property {
    fn props(&self) -> Vec<Prop> {
        match self {
            Property::Formula(formula) => Specification::props(formula),
            Property::Automaton(automaton) => automaton.props(),
        }
    }

    fn is_violated_by(&self, word: &Word) -> bool {
        match self {
            Property::Formula(formula) => formula.is_violated_by(word),
            Property::Automaton(automaton) => automaton.is_violated_by(word),
        }
    }

    fn correct(&self) -> Automaton {
        match self {
            Property::Formula(formula) => formula.correct(),
            Property::Automaton(automaton) => automaton.correct(),
        }
    }
}

/// Prints the formula, or the number of states of the automaton.
impl fmt::Display for Property {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::Formula(formula) => formula.fmt(out),
            Property::Automaton(automaton) => {
                write!(out, "automaton with {} states", automaton.given.state_count())
            }
        }
    }
}

#[cfg(test)]
#[path = "property_tests.rs"]
mod tests;
