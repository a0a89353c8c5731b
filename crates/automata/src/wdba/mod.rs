//! Minimal deterministic weak automata, and the decision whether a language is an obligation.
//!
//! A language is an obligation if a deterministic weak automaton accepts it. Then the powerset of
//! any automaton for it can be made such an automaton: all words that stay in a component of the
//! powerset for ever are accepted, or none is, so that one of them tells (Dax, Eisinger and Klaedtke,
//! "Mechanizing the powerset construction for restricted classes of ω-automata", ATVA 2007). For
//! other languages the result is wrong, which comparing it with the automaton shows. Of a
//! deterministic weak automaton there is one minimal form: colours for its components make its
//! minimisation that of automata on finite words (Löding, "Efficient minimization of deterministic
//! weak ω-automata", IPL 79, 2001).
//!
//! The powerset may be exponential, and can be limited. Minimisation is by partition refinement over
//! labels: O(n · m) label operations at worst for a powerset of n sets and m edges, mostly a few
//! rounds of m. The comparison takes one product if the complement is at hand, and else
//! complementation.
//!
//! Results have Büchi acceptance with marks on states: all edges that leave a state have the mark,
//! or none has. States without accepting runs are left out.

mod colour;
mod refine;
#[cfg(test)]
mod tests;

use crate::determinize::Powerset;
use crate::product::Product;
use crate::{Automaton, complement, emptiness, language, prune};

/// The minimal deterministic weak automaton of the language, if it is an obligation.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId, wdba};
///
/// // Eventually a, with a state too many and nondeterministically.
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Buchi.acceptance());
/// let states = [0, 1, 2].map(StateId::new);
/// builder.add_states(3);
/// let (a, tt) = (builder.alphabet().prop(0), builder.alphabet().tt());
/// builder.initial(states[0]).edge(states[0], tt, Marks::EMPTY, states[0]);
/// builder.edge(states[0], a, Marks::EMPTY, states[1]);
/// builder.edge(states[1], tt, Marks::EMPTY, states[2]);
/// builder.edge(states[2], tt, Marks::from_iter([0]), states[1]);
/// let minimal = wdba::minimize(&builder.build()).unwrap();
/// assert_eq!((minimal.state_count(), minimal.edge_count()), (2, 3));
/// assert!(minimal.is_deterministic() && minimal.is_weak());
/// ```
pub fn minimize(automaton: &Automaton) -> Option<Automaton> {
    Minimizer::new().minimize(automaton).minimal()
}

/// As [`minimize`], given an automaton for the complement: no complementation is needed.
pub fn minimize_given_complement(
    automaton: &Automaton,
    complement: &Automaton,
) -> Option<Automaton> {
    Minimizer::new().minimize_given_complement(automaton, complement).minimal()
}

/// The minimal deterministic weak automaton of a language that is known to be an obligation. For
/// other languages the result is another language's.
pub fn minimize_obligation(automaton: &Automaton) -> Automaton {
    let minimal = Minimizer::new().minimize_obligation(automaton).minimal();
    minimal.unwrap_or_else(|| unreachable!("without limit and without a check it is found"))
}

/// True if the language of the automaton is an obligation.
pub fn is_obligation(automaton: &Automaton) -> bool {
    minimize(automaton).is_some()
}

/// What became of a minimisation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "returned, not stored, and mostly the large one")]
pub enum Outcome {
    /// The minimal deterministic weak automaton.
    Minimal(Automaton),
    /// The language is not an obligation.
    NotObligation,
    /// The powerset is larger than its limit; nothing is known.
    TooLarge,
}

impl Outcome {
    /// The minimal automaton, if there is one.
    pub fn minimal(self) -> Option<Automaton> {
        match self {
            Outcome::Minimal(automaton) => Some(automaton),
            Outcome::NotObligation | Outcome::TooLarge => None,
        }
    }
}

/// Minimisation to deterministic weak automata, with a limit.
#[derive(Clone, Copy, Debug)]
pub struct Minimizer {
    powerset_limit: usize,
}

impl Default for Minimizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Minimizer {
    /// Without limit.
    pub fn new() -> Self {
        Minimizer { powerset_limit: usize::MAX }
    }

    /// Gives up when the powerset has more than that many sets.
    #[must_use]
    pub fn powerset_limit(mut self, sets: usize) -> Self {
        self.powerset_limit = sets;
        self
    }

    /// The minimal deterministic weak automaton of the language, if it is an obligation.
    pub fn minimize(&self, automaton: &Automaton) -> Outcome {
        self.checked(automaton, |trimmed, minimal| language::is_included(minimal, trimmed))
    }

    /// As [`Minimizer::minimize`], given an automaton for the complement.
    pub fn minimize_given_complement(
        &self,
        automaton: &Automaton,
        complement: &Automaton,
    ) -> Outcome {
        self.checked(automaton, |_, minimal| disjoint(minimal, complement))
    }

    /// The minimal deterministic weak automaton of a language that is known to be an obligation;
    /// for other languages the result is another language's.
    pub fn minimize_obligation(&self, automaton: &Automaton) -> Outcome {
        match self.candidate(&prune::trim(automaton)) {
            Some(minimal) => Outcome::Minimal(minimal),
            None => Outcome::TooLarge,
        }
    }

    /// Checks whether the candidate is right: whether it accepts nothing else, as told by the
    /// function, and whether it accepts all.
    fn checked(
        &self,
        automaton: &Automaton,
        sound: impl FnOnce(&Automaton, &Automaton) -> bool,
    ) -> Outcome {
        let trimmed = prune::trim(automaton);
        let Some(minimal) = self.candidate(&trimmed) else { return Outcome::TooLarge };
        let dual = complement::deterministic(&minimal);
        let rest = dual.unwrap_or_else(|_| unreachable!("the candidate is deterministic"));
        if disjoint(&trimmed, &rest) && sound(&trimmed, &minimal) {
            Outcome::Minimal(minimal)
        } else {
            Outcome::NotObligation
        }
    }

    /// The minimal automaton if the language is an obligation, and else something wrong; `None` if
    /// the powerset is too large. The automaton must be trimmed.
    fn candidate(&self, trimmed: &Automaton) -> Option<Automaton> {
        let powerset = Powerset::of(trimmed, self.powerset_limit)?;
        let accepting = colour::accepting_states(trimmed, &powerset);
        Some(refine::quotient(trimmed, &powerset, &accepting))
    }
}

fn disjoint(left: &Automaton, right: &Automaton) -> bool {
    let product = Product::intersection(left, right);
    !emptiness::has_accepting_lasso(&product, product.acceptance().condition())
}
