//! The semantics of formulas: on which lasso words they hold, and why.
//!
//! Three implementations share only the definition, so that they are oracles for each other:
//! - [`holds`], [`positions`] and [`Evaluator`] work on bit vectors, 64 positions at a time;
//! - [`restricted`] is Tauriainen's model checker for sequential structures, a simple table;
//! - [`proof`] converts its table to a proof or refutation, which an independent checker verifies
//!   by local rules.
//!
//! ```
//! use sempre_ltl::{Formula, Word, semantics};
//! let f: Formula = "G(request -> F grant)".parse().unwrap();
//! let word: Word = "request; !request; cycle{grant; request; !grant}".parse().unwrap();
//! assert!(semantics::holds(&f, &word));
//! ```

mod evaluate;
mod fixpoint;
pub mod proof;
pub mod restricted;

#[cfg(test)]
mod tests;

pub use evaluate::{Evaluator, Positions};

use crate::{Formula, Word};

/// True if the word satisfies the formula.
///
/// O(distinct subformulas × word length / 64). A proposition that the word lacks is false. To
/// evaluate a formula on many words, use an [`Evaluator`].
pub fn holds(formula: &Formula, word: &Word) -> bool {
    Evaluator::new(formula).holds(word)
}

/// The positions of the word at which the formula holds, that is, whose suffixes satisfy it.
///
/// ```
/// use sempre_ltl::{Formula, Word, semantics};
/// let f: Formula = "a U b".parse().unwrap();
/// let word: Word = "a; 1; a; cycle{b; a}".parse().unwrap();
/// assert_eq!(semantics::positions(&f, &word).iter().collect::<Vec<_>>(), [2, 3, 4]);
/// ```
pub fn positions(formula: &Formula, word: &Word) -> Positions {
    Evaluator::new(formula).positions(word)
}
