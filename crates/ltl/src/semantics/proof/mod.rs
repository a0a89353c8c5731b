//! Why a word satisfies a formula, or does not: proofs and refutations a person can follow.
//!
//! Tauriainen's report proposes to read a proof off the table of the
//! [restricted checker](super::restricted) by applying the semantics of each operator; lbtt prints
//! such proofs. A proof is a list of steps, each a claim (this subformula holds, or fails, at this
//! position) with the claims about its operands that it follows from. A claim is proved once,
//! however often it is used. As an until may need its operand at many positions in a row,
//! premises speak of runs of positions: a proof has O(distinct subformulas × positions) steps of
//! constant size (but for `&` and `|` of many operands), and is found and checked in that time.

mod check;
mod explain;
mod text;

#[cfg(test)]
mod tests;

pub use check::check;
pub use explain::explain;

use crate::{Formula, Word};
use smallvec::SmallVec;

/// A proof that a word satisfies a formula, or that it does not.
///
/// ```
/// use sempre_ltl::{Formula, Word, semantics::proof};
/// let f: Formula = "G(a -> F b)".parse().unwrap();
/// let word: Word = "a; b; cycle{a; 1}".parse().unwrap();
/// let proof = proof::explain(&f, &word);
/// assert!(!proof.holds());
/// assert!(proof::check(&proof, &f, &word).is_ok());
/// assert_eq!(
///     proof.to_string(),
///     "\
/// position 0: a & !b
/// position 1: !a & b
/// position 2: a & !b    the cycle starts here
/// position 3: !a & !b   2 comes next
///
/// [1] G(a -> Fb) fails at 0: a -> Fb fails at 2 [2]
/// [2] a -> Fb fails at 2: a holds at 2, but Fb fails at 2 [3]
/// [3] Fb fails at 2: b fails for ever, at 2 and 3
/// "
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    word: Word,
    /// The first is the conclusion.
    steps: Vec<Step>,
}

/// A claim about a subformula, and what it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The formula that the claim is about.
    pub formula: Formula,
    /// The position that the claim is about, in the prefix or cycle of the word.
    pub position: usize,
    /// True if the formula holds at the position.
    pub holds: bool,
    /// How the claim follows from its premises.
    pub reason: Reason,
    /// Claims about operands of the formula, for which there must be steps.
    pub premises: SmallVec<[Premise; 2]>,
}

/// How a claim follows from claims about operands.
///
/// Where a strict operator is concerned, "from here on" means from the next position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The letter at the position, or the formula is a constant: no premises.
    Letter,
    /// The values of operands of a Boolean operator at the same position.
    Operands,
    /// The value of the operand at the next position.
    Next,
    /// The (right) operand has the value of the claim at `witness`, and the left operand, if there
    /// are two, has it at every position from here on before that.
    Before {
        /// A position from here on.
        witness: usize,
    },
    /// The left operand has the value of the claim at `witness`, and the right operand has it at
    /// every position from here on up to and including that.
    Through {
        /// A position from here on.
        witness: usize,
    },
    /// One operand has the value of the claim at every position from here on.
    Forever,
}

/// A claim that a formula holds, or fails, at some positions in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The formula that the claim is about.
    pub formula: Formula,
    /// True if the formula holds at those positions.
    pub holds: bool,
    /// The first of the positions.
    pub first: usize,
    /// How many positions follow each other along the word, the first included.
    pub count: usize,
}

impl Proof {
    /// The word that the proof speaks of.
    pub fn word(&self) -> &Word {
        &self.word
    }

    /// The steps: the conclusion first, then formula by formula, subformulas after the formulas
    /// that need them.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The conclusion: true if the word satisfies the formula.
    pub fn holds(&self) -> bool {
        self.steps.first().is_some_and(|conclusion| conclusion.holds)
    }
}

impl Premise {
    /// The positions along the word that the premise speaks of.
    pub fn positions(&self, word: &Word) -> impl Iterator<Item = usize> {
        (self.first..self.first.saturating_add(self.count)).map(|position| word.position(position))
    }
}
