//! Searches unbounded nets by levels: a violation may be near although the state space is infinite.

use super::AnyEngine;
use crate::control::{Control, Limits};
use crate::engine::Engine;
use crate::outcome::{CheckError, Outcome, Unsupported};
use crate::path::Failure;
use crate::question::Question;
use sempre_models::Fault;

/// The limit of states for the search by levels.
const MAX_STATES: u64 = 100_000;

/// Asks a second engine, which searches by levels, if the first finds the model unbounded. A
/// depth-first search would add tokens for ever, even with a violation near the initial state.
pub struct LevelByLevel {
    first: AnyEngine,
    levels: AnyEngine,
}

impl LevelByLevel {
    /// Combines an engine that detects unbounded models with one that searches by levels.
    pub fn new(first: AnyEngine, levels: AnyEngine) -> Self {
        LevelByLevel { first, levels }
    }
}

impl Engine for LevelByLevel {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        self.first.supports(question)
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        let error = match self.first.check(question, control) {
            Err(error) => error,
            outcome => return outcome,
        };
        let is_unbounded =
            matches!(&error, CheckError::Fault(Failure { fault: Fault::Unbounded { .. }, .. }));
        if !is_unbounded || self.levels.supports(question).is_err() {
            return Err(error);
        }
        let states = control.limits.states.map_or(MAX_STATES, |most| most.min(MAX_STATES));
        let limits = Limits { states: Some(states), ..control.limits.clone() };
        match self.levels.check(question, &control.with(limits)) {
            Ok(outcome) if outcome.verdict.is_decided() => Ok(outcome),
            // The reason of the first engine is more specific.
            _ => Err(error),
        }
    }
}
