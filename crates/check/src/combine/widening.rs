//! Repeats a check with wider states when a value needs more bits.

use crate::control::Control;
use crate::engine::Engine;
use crate::outcome::{CheckError, Outcome, Unsupported};
use crate::question::Question;
use sempre_models::{Extent, Fault, Model, Systems};
use std::sync::Arc;

/// Repeats a check on a wider system of the model whenever a value does not fit.
///
/// Later questions start with the width found, unless the model is unbounded. A [fault](Fault) of
/// the model is an outcome with the path to it.
pub struct Widening<E> {
    model: Model,
    systems: Systems,
    /// True if the engine needs all states, and it is not known yet whether there are too many.
    is_to_be_bounded: bool,
    inner: E,
}

impl<E: Engine> Widening<E> {
    /// Wraps an engine for questions about a model.
    ///
    /// # Errors
    /// If the model has no system.
    pub fn new(model: &Model, inner: E) -> Result<Self, Fault> {
        let systems = model.systems(Extent::OnTheFly)?;
        Ok(Widening { model: model.clone(), systems, is_to_be_bounded: false, inner })
    }

    /// Refuses unbounded models before the first check: the engine needs all states.
    #[must_use]
    pub fn of_all_states(self) -> Self {
        Widening { is_to_be_bounded: true, ..self }
    }

    /// Returns the question for the current system.
    fn asked(&self, question: &Question) -> Result<Question, CheckError> {
        let current = self.systems.current();
        match Arc::ptr_eq(question.system(), current) {
            true => Ok(question.clone()),
            false => question.about(current.clone()),
        }
    }
}

impl<E: Engine> Engine for Widening<E> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        self.inner.supports(question)
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        if self.is_to_be_bounded {
            match control.limits.run(|| self.model.systems(Extent::Whole)) {
                Ok(systems) => drop(systems?),
                Err(reason) => return CheckError::Limit(reason).or_unknown(question, self.name()),
            }
            self.is_to_be_bounded = false;
        }
        loop {
            let asked = self.asked(question)?;
            let error = match self.inner.check(&asked, control) {
                Err(error) => error,
                outcome => return outcome,
            };
            if let Some(variable) = error.overflow() {
                let widened = match control.limits.run(|| self.systems.widen(variable)) {
                    Ok(widened) => widened,
                    Err(reason) => {
                        return CheckError::Limit(reason).or_unknown(&asked, self.name());
                    }
                };
                if let Err(fault) = widened {
                    self.systems = self.model.systems(Extent::OnTheFly)?;
                    return Err(fault.into());
                }
                continue;
            }
            return match error {
                CheckError::Fault(failure) => Ok(Outcome::of_failure(&asked, self.name(), failure)),
                error => error.or_unknown(&asked, self.name()),
            };
        }
    }

    fn prepare(&mut self, question: &Question, control: &Control<'_>) {
        if let Ok(asked) = self.asked(question) {
            self.inner.prepare(&asked, control);
        }
    }

    fn is_prepared(&self, question: &Question) -> bool {
        self.asked(question).is_ok_and(|asked| self.inner.is_prepared(&asked))
    }
}
