//! Minimal deterministic weak automata, and the decision whether a language is an obligation.
//!
//! A language is an obligation if a deterministic weak automaton accepts it. Then the powerset of
//! any automaton for it can be made such an automaton. All words that stay in a component of the
//! powerset have the same verdict, so one word decides (Dax, Eisinger and Klaedtke, "Mechanizing
//! the powerset construction for restricted classes of ω-automata", ATVA 2007). For other languages
//! the result is wrong, which a comparison with the automaton detects. Minimal deterministic weak
//! automata are unique: with colours for components, minimization is that of automata on finite
//! words (Löding, "Efficient minimization of deterministic weak ω-automata", IPL 79, 2001).
//!
//! The powerset may be exponential; a limit bounds it. Minimization is partition refinement over
//! labels: at worst O(n · m) label operations for a powerset of n sets and m edges, usually a few
//! rounds of m. The comparison takes one product if a complement is available, and complementation
//! otherwise.
//!
//! Results have Büchi acceptance with marks on states: all edges of a state have the mark, or none.
//! States without accepting runs are removed.

mod colour;
mod refine;
#[cfg(test)]
mod tests;

use crate::determinize::Powerset;
use crate::product::Product;
use crate::{Automaton, complement, emptiness, language, prune};

/// Returns the minimal deterministic weak automaton; `None` if the language is not an obligation.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId, wdba};
///
/// // Eventually a, nondeterministic and with a redundant state.
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

/// As [`minimize`], with a given automaton for the complement.
pub fn minimize_given_complement(
    automaton: &Automaton,
    complement: &Automaton,
) -> Option<Automaton> {
    Minimizer::new().minimize_given_complement(automaton, complement).minimal()
}

/// Returns the minimal deterministic weak automaton of an obligation. For other languages the
/// result has a different language.
pub fn minimize_obligation(automaton: &Automaton) -> Automaton {
    let minimal = Minimizer::new().minimize_obligation(automaton).minimal();
    minimal.unwrap_or_else(|| unreachable!("without limit and without a check it is found"))
}

/// True if the language of the automaton is an obligation.
pub fn is_obligation(automaton: &Automaton) -> bool {
    minimize(automaton).is_some()
}

/// The result of a minimization.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "returned, not stored, and mostly the large one")]
pub enum Outcome {
    /// The minimal deterministic weak automaton.
    Minimal(Automaton),
    /// The language is not an obligation.
    NotObligation,
    /// The powerset exceeds its limit, so the class is unknown.
    TooLarge,
}

impl Outcome {
    /// Returns the minimal automaton, if there is one.
    pub fn minimal(self) -> Option<Automaton> {
        match self {
            Outcome::Minimal(automaton) => Some(automaton),
            Outcome::NotObligation | Outcome::TooLarge => None,
        }
    }
}

/// Minimization to deterministic weak automata, with a limit.
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
    /// Creates a minimizer without limit.
    pub fn new() -> Self {
        Minimizer { powerset_limit: usize::MAX }
    }

    /// Sets the maximal number of sets of the powerset.
    #[must_use]
    pub fn powerset_limit(mut self, sets: usize) -> Self {
        self.powerset_limit = sets;
        self
    }

    /// Computes the minimal deterministic weak automaton, if the language is an obligation.
    pub fn minimize(&self, automaton: &Automaton) -> Outcome {
        self.checked(automaton, |trimmed, minimal| language::is_included(minimal, trimmed))
    }

    /// As [`Minimizer::minimize`], with a given automaton for the complement.
    pub fn minimize_given_complement(
        &self,
        automaton: &Automaton,
        complement: &Automaton,
    ) -> Outcome {
        self.checked(automaton, |_, minimal| disjoint(minimal, complement))
    }

    /// Computes the minimal deterministic weak automaton of an obligation. For other languages the
    /// result has a different language.
    pub fn minimize_obligation(&self, automaton: &Automaton) -> Outcome {
        match self.candidate(&prune::trim(automaton)) {
            Some(minimal) => Outcome::Minimal(minimal),
            None => Outcome::TooLarge,
        }
    }

    /// Checks a candidate: the function decides whether it accepts only words of the language; a
    /// product decides whether it accepts all.
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

    /// Returns the minimal automaton if the language is an obligation, else a wrong one; `None` if
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
