//! Readable proofs and refutations of why a word satisfies a formula or not.
//!
//! Tauriainen's report proposes to extract a proof from the table of the
//! [restricted checker](super::restricted) by the semantics of each operator; lbtt prints such
//! proofs. A proof is a list of steps. Each step is a claim (a subformula holds, or fails, at a
//! position) with its premises, claims about its operands. Each claim is proved once. An until may
//! need its operand at many consecutive positions, so premises have ranges of positions. A proof
//! has O(distinct subformulas × positions) steps of constant size (besides `&` and `|` of many
//! operands), and is found and checked in that time.

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

/// A claim about a subformula, with its premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The formula of the claim.
    pub formula: Formula,
    /// The position of the claim, in the prefix or cycle of the word.
    pub position: usize,
    /// True if the formula holds at the position.
    pub holds: bool,
    /// How the claim follows from its premises.
    pub reason: Reason,
    /// Claims about operands of the formula, which must be proved by steps.
    pub premises: SmallVec<[Premise; 2]>,
}

/// How a claim follows from claims about operands.
///
/// For a strict operator, "from here on" means from the next position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The letter at the position, or a constant: no premises.
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

/// A claim that a formula holds, or fails, at consecutive positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The formula of the claim.
    pub formula: Formula,
    /// True if the formula holds at those positions.
    pub holds: bool,
    /// The first of the positions.
    pub first: usize,
    /// The number of consecutive positions along the word, including the first.
    pub count: usize,
}

impl Proof {
    /// Returns the word of the proof.
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
    /// Returns the positions of the premise along the word.
    pub fn positions(&self, word: &Word) -> impl Iterator<Item = usize> {
        (self.first..self.first.saturating_add(self.count)).map(|position| word.position(position))
    }
}
