//! Tests model checkers against each other, as translators are tested by [`cross`](crate::cross).
//!
//! Each participant checks the same structure and formula. The reference verdict comes from the
//! product of the structure with the classic tableau of the negation, searched by the emptiness
//! check of automata. If it is a violation, the semantics evaluates the word of its execution. The
//! engines of this library use none of this. A wrong verdict is shrunk: to a smaller formula, and
//! to a structure with fewer states and edges.

mod own;
mod shrink;
mod spin;

pub use own::{FAULTS, OwnEngine, variants};
pub use shrink::shrink;
pub use spin::{Spin, promela};

use crate::automata::{Kripke, StateId, product};
use crate::ltl::{Formula, Word, semantics};
use crate::models::kripke::{Kripke as Structure, KripkeBuilder};
use crate::translate::classic;
use std::fmt;

/// A structure and a formula to check on it.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The structure; its executions are infinite.
    pub structure: Kripke,
    /// The formula. Propositions that the structure lacks are false.
    pub formula: Formula,
}

/// The answer of a participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All executions satisfy the formula.
    Holds,
    /// Some execution does not.
    Violated,
    /// The participant does not check such formulas, for this reason.
    Unsupported(String),
}

/// A model checker that takes part.
pub trait Participant: Send + Sync {
    /// The name.
    fn name(&self) -> &str;

    /// Checks a pair.
    ///
    /// # Errors
    /// If the participant failed, or its counterexample is invalid.
    fn answer(&self, pair: &Pair) -> Result<Answer, String>;
}

/// Why an answer is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// The formula does not hold: an execution with this word violates it.
    MissedViolation(Word),
    /// No execution violates the formula.
    InventedViolation,
    /// There is no answer, or the counterexample is invalid.
    Failed(String),
}

impl Mistake {
    /// True if both mistakes are of the same kind.
    pub fn is_like(&self, other: &Mistake) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::MissedViolation(word) => {
                write!(out, "wrongly holds: an execution reads {word}")
            }
            Mistake::InventedViolation => {
                write!(out, "wrongly violated: no execution violates the formula")
            }
            Mistake::Failed(reason) => write!(out, "failed: {reason}"),
        }
    }
}

impl Pair {
    /// Returns the word of an execution that violates the formula, if there is one.
    ///
    /// # Panics
    /// If the reference is wrong: the semantics does not confirm the violation.
    pub fn violation(&self) -> Option<Word> {
        let negation = classic::translate(&Formula::not(&self.formula));
        let product = product::with_kripke(&self.structure, &negation);
        let (execution, _) = product.accepted_execution()?;
        let word = execution.word(&self.structure);
        let confirmed =
            execution.check(&self.structure).is_ok() && !semantics::holds(&self.formula, &word);
        assert!(confirmed, "the reference is wrong on {} and {word}", self.formula);
        Some(word)
    }

    /// Returns the structure as a model.
    ///
    /// # Errors
    /// If a proposition of the formula is also the name of a state.
    pub fn model(&self) -> Result<Structure, crate::ltl::Error> {
        self.model_with(|_, _| true)
    }

    /// Returns the structure as a model, with some of its edges.
    fn model_with(
        &self,
        keeps: impl Fn(StateId, StateId) -> bool,
    ) -> Result<Structure, crate::ltl::Error> {
        let mut builder = KripkeBuilder::default();
        let known = self.structure.alphabet().props();
        let missing = self.formula.props().into_iter().filter(|prop| !known.contains(prop));
        for prop in known.iter().cloned().chain(missing) {
            builder.proposition(prop.name());
        }
        let states: Vec<_> = self
            .structure
            .states()
            .map(|state| builder.state(format!("s{}", state.index())))
            .collect();
        for state in self.structure.states() {
            let source = states[state.index()];
            let label = self.structure.label(state);
            for prop in (0..known.len()).filter(|prop| label >> prop & 1 == 1) {
                builder.label(source, prop);
            }
            for target in self.structure.successors(state) {
                if keeps(state, *target) {
                    builder.edge(source, states[target.index()]);
                }
            }
        }
        builder.initial(states[self.structure.initial().index()]);
        builder.build()
    }

    /// Returns the participant's mistake, or its answer.
    pub fn test(&self, participant: &dyn Participant) -> Result<Answer, Mistake> {
        self.judge(participant, self.violation().as_ref())
    }

    /// As [`Pair::test`], given the word of a violation.
    pub fn judge(
        &self,
        participant: &dyn Participant,
        violation: Option<&Word>,
    ) -> Result<Answer, Mistake> {
        self.verdict(participant.answer(self), violation)
    }

    /// Returns the mistake in an answer, or the answer, given the word of a violation.
    pub fn verdict(
        &self,
        answer: Result<Answer, String>,
        violation: Option<&Word>,
    ) -> Result<Answer, Mistake> {
        match (answer.map_err(Mistake::Failed)?, violation) {
            (Answer::Holds, Some(word)) => Err(Mistake::MissedViolation(word.clone())),
            (Answer::Violated, None) => Err(Mistake::InventedViolation),
            (answer, _) => Ok(answer),
        }
    }
}

#[cfg(test)]
mod tests;
