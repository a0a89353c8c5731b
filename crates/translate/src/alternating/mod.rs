//! Through very weak alternating automata.
//!
//! The way of LTL2BA and LTL3BA: a formula becomes an alternating automaton whose states are its
//! temporal subformulas and whose only cycles are loops of one state; its configurations become
//! the states of a generalised Büchi automaton. Steps that others make superfluous are left out
//! as early as possible, in both automata.
//!
//! - P. Gastin and D. Oddoux, Fast LTL to Büchi automata translation, CAV 2001.
//! - T. Babiak, M. Křetínský, V. Řehák and J. Strejček, LTL to Büchi automata translation: fast
//!   and more deterministic, TACAS 2012.
//!
//! Labels are exact Boolean functions, so that a step can lose exactly the letters on which
//! another one is better; this is what makes the automata more deterministic.
//!
//! The alternating automaton has as many states as the formula has subformulas; the other one may
//! have exponentially many.

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
use step::Spare;
use very_weak::VeryWeak;

/// The automaton of a formula, with all improvements.
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

/// Which improvements are made.
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

    /// Leaves out steps that others make superfluous on all their letters.
    #[must_use]
    pub fn dominated(self, dominated: bool) -> Self {
        Options { dominated, ..self }
    }

    /// Takes letters from labels on which other steps are better: fewer choices, longer labels.
    #[must_use]
    pub fn disjoint_labels(self, disjoint_labels: bool) -> Self {
        Options { disjoint_labels, ..self }
    }

    /// Lets obligations that no prefix of a word decides (`GF a`, `FG a`) wait while there are
    /// others that make progress.
    #[must_use]
    pub fn suspend(self, suspend: bool) -> Self {
        Options { suspend, ..self }
    }

    /// Makes configurations with the same edges one state.
    #[must_use]
    pub fn merge(self, merge: bool) -> Self {
        Options { merge, ..self }
    }

    /// Names each state by the formula that it stands for.
    #[must_use]
    pub fn names(self, names: bool) -> Self {
        Options { names, ..self }
    }

    /// The automaton of a formula: one initial state, generalised Büchi acceptance on edges.
    pub fn translate(&self, formula: &Formula) -> Automaton {
        let alphabet = Alphabet::new(formula.props())
            .unwrap_or_else(|_| unreachable!("a formula has each proposition once"));
        let spare = Spare { dominated: self.dominated, letters: self.disjoint_labels };
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
