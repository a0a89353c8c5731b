//! Translation through very weak alternating automata.
//!
//! This is the method of LTL2BA and LTL3BA. A formula becomes an alternating automaton whose states
//! are its temporal subformulas, and whose only cycles are self-loops. Its configurations become
//! the states of a generalized Büchi automaton. Redundant steps are dropped as early as possible,
//! in both automata.
//!
//! - P. Gastin and D. Oddoux, Fast LTL to Büchi automata translation, CAV 2001.
//! - T. Babiak, M. Křetínský, V. Řehák and J. Strejček, LTL to Büchi automata translation: fast
//!   and more deterministic, TACAS 2012.
//!
//! Labels are exact Boolean functions, so a step can lose exactly the letters on which another one
//! is better. This makes the automata more deterministic.
//!
//! The alternating automaton has as many states as the formula has subformulas; the generalized
//! Büchi automaton may have exponentially many.

mod generalized;
mod states;
mod step;
mod suspension;
#[cfg(test)]
mod tests;
mod very_weak;

use crate::normal_form::normal_form;
use generalized::Generalization;
use sempre_automata::{Alphabet, Automaton};
use sempre_ltl::Formula;
use step::Redundancy;
use very_weak::VeryWeak;

/// Translates a formula, with all improvements.
///
/// ```
/// use sempre_translate::alternating;
/// let automaton = alternating::translate(&"GFa & GFb".parse()?);
/// assert_eq!((automaton.state_count(), automaton.edge_count()), (1, 4));
/// assert!(automaton.is_deterministic());
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
pub fn translate(formula: &Formula) -> Automaton {
    Options::default().translate(formula)
}

/// The improvements to apply.
///
/// ```
/// use sempre_translate::alternating::Options;
/// let f = "G(a -> Fb)".parse()?;
/// assert!(Options::default().translate(&f).is_deterministic());
/// assert!(!Options::none().translate(&f).is_deterministic());
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    dominated: bool,
    disjoint_labels: bool,
    suspend: bool,
    merge: bool,
    names: bool,
}

impl Default for Options {
    /// All improvements.
    fn default() -> Self {
        Options { dominated: true, disjoint_labels: true, suspend: true, merge: true, names: false }
    }
}

impl Options {
    /// No improvement: the construction by its definition.
    pub fn none() -> Self {
        Options {
            dominated: false,
            disjoint_labels: false,
            suspend: false,
            merge: false,
            names: false,
        }
    }

    /// Drops steps that others dominate on all their letters.
    #[must_use]
    pub fn dominated(self, dominated: bool) -> Self {
        Options { dominated, ..self }
    }

    /// Removes letters from labels on which other steps are better: fewer choices, longer labels.
    #[must_use]
    pub fn disjoint_labels(self, disjoint_labels: bool) -> Self {
        Options { disjoint_labels, ..self }
    }

    /// Suspends obligations that no prefix of a word decides (`GF a`, `FG a`) while others make
    /// progress.
    #[must_use]
    pub fn suspend(self, suspend: bool) -> Self {
        Options { suspend, ..self }
    }

    /// Merges configurations with the same edges.
    #[must_use]
    pub fn merge(self, merge: bool) -> Self {
        Options { merge, ..self }
    }

    /// Names each state by its formula.
    #[must_use]
    pub fn names(self, names: bool) -> Self {
        Options { names, ..self }
    }

    /// Translates a formula: one initial state, generalized Büchi acceptance on edges.
    pub fn translate(&self, formula: &Formula) -> Automaton {
        let alphabet = Alphabet::new(formula.props())
            .unwrap_or_else(|_| unreachable!("a formula has each proposition once"));
        let spare = Redundancy { dominated: self.dominated, letters: self.disjoint_labels };
        let automaton = VeryWeak::of(
            &normal_form(formula),
            alphabet.into(),
            very_weak::Options { spare, keep_alternating: self.suspend },
        );
        let options = generalized::Options {
            spare,
            suspend: self.suspend,
            merge: self.merge,
            names: self.names,
        };
        Generalization::new(&automaton, options).build()
    }
}
