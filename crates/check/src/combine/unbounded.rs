//! Searches unbounded nets by levels: a violation may be near although the state space is infinite.

use super::{AnyEngine, PROOF};
use crate::control::{Control, Limits};
use crate::engine::Engine;
use crate::outcome::{CheckError, Outcome, Unsupported};
use crate::path::Failure;
use crate::question::Question;
use sempre_ltl::interrupt;
use sempre_models::{Extent, Fault, Model};

/// The limit of states for the search by levels.
const MAX_STATES: u64 = 100_000;

/// Asks a second engine, which searches by levels, if the model is unbounded. A depth-first search
/// would add tokens for ever, even with a violation near the initial state.
pub struct LevelByLevel {
    model: Model,
    /// The proof that the model is unbounded, once it was searched for.
    proof: Option<Option<Fault>>,
    first: AnyEngine,
    /// In place of the first, if there is a proof.
    alone: Option<AnyEngine>,
    levels: AnyEngine,
}

impl LevelByLevel {
    /// Combines an engine for a model with one that searches by levels.
    pub fn new(model: &Model, first: AnyEngine, levels: AnyEngine) -> Self {
        LevelByLevel { model: model.clone(), proof: None, first, alone: None, levels }
    }

    /// Replaces the first engine if the model is known to be unbounded: engines that need all states
    /// would never end, and a race would wait for them.
    #[must_use]
    pub fn if_unbounded(self, engine: AnyEngine) -> Self {
        LevelByLevel { alone: Some(engine), ..self }
    }

    /// Searches for a proof that the model is unbounded, once.
    fn proof(&mut self, control: &Control<'_>) -> Option<Fault> {
        if self.proof.is_none() {
            let search = || self.model.systems(Extent::Whole).err().filter(is_unbounded);
            // A longer search would delay violations that are near.
            let search = || interrupt::within(PROOF, search).ok().flatten();
            self.proof = Some(control.limits.run(search).ok()?);
        }
        self.proof.clone().flatten()
    }
}

fn is_unbounded(fault: &Fault) -> bool {
    matches!(fault, Fault::Unbounded { .. })
}

impl Engine for LevelByLevel {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        self.first.supports(question)
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        let proof = self.proof(control);
        let few_states = || {
            let states = control.limits.states.map_or(MAX_STATES, |most| most.min(MAX_STATES));
            control.with(Limits { states: Some(states), ..control.limits.clone() })
        };
        let answer = match (&proof, &mut self.alone) {
            (Some(_), Some(alone)) => alone.check(question, &few_states()),
            (Some(_), None) => self.first.check(question, &few_states()),
            (None, _) => self.first.check(question, control),
        };
        let (error, outcome) = match (answer, proof) {
            (Ok(outcome), Some(fault)) if !outcome.verdict.is_decided() => {
                (CheckError::from(fault), Some(outcome))
            }
            (Err(CheckError::Fault(Failure { fault, path })), _) if is_unbounded(&fault) => {
                (CheckError::Fault(Failure { fault, path }), None)
            }
            (other, _) => return other,
        };
        let was_stopped = outcome.as_ref().is_some_and(|_| control.limits.expired().is_some());
        if !was_stopped && self.levels.supports(question).is_ok() {
            let found = self.levels.check(question, &few_states());
            if let Ok(outcome) = found
                && outcome.verdict.is_decided()
            {
                return Ok(outcome);
            }
        }
        // A request to stop is no fault of the model.
        match outcome {
            Some(outcome) if control.token().is_raised() => Ok(outcome),
            _ => Err(error),
        }
    }
}
