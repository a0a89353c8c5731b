//! Repeats a check with wider states when a value needs more bits.

use super::PROOF;
use crate::control::Control;
use crate::engine::Engine;
use crate::outcome::{CheckError, Outcome, Unsupported};
use crate::question::Question;
use sempre_ltl::interrupt;
use sempre_models::{Extent, Fault, Model, Systems};
use std::sync::Arc;

/// Repeats a check on a wider system of the model whenever a value does not fit.
///
/// Later questions start with the width found, unless the model is unbounded. A [fault](Fault) of
/// the model is an outcome with the path to it.
pub struct Widening<E> {
    model: Model,
    systems: Systems,
    /// The search for a proof that the model is unbounded, as long as none has ended without one.
    proof: Proof,
    inner: E,
}

/// How long the search for a proof that a model is unbounded takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// There is none.
    None,
    /// As long as [`PROOF`] allows.
    Short,
    /// To its end.
    Whole,
}

impl<E: Engine> Widening<E> {
    /// Wraps an engine for questions about a model.
    ///
    /// # Errors
    /// If the model has no system.
    pub fn new(model: &Model, inner: E) -> Result<Self, Fault> {
        let systems = model.systems(Extent::OnTheFly)?;
        Ok(Widening { model: model.clone(), systems, proof: Proof::None, inner })
    }

    /// Refuses unbounded models before the first check: the engine needs all states.
    #[must_use]
    pub fn of_all_states(self) -> Self {
        Widening { proof: Proof::Whole, ..self }
    }

    /// Refuses models that a short search proves unbounded, before the first check: the engine may
    /// need states of which there is no end.
    #[must_use]
    pub fn unless_unbounded(self) -> Self {
        Widening { proof: Proof::Short, ..self }
    }

    /// Searches for the proof that the model is unbounded.
    fn refuse_unbounded(&self) -> Result<(), Fault> {
        match self.proof {
            Proof::None => Ok(()),
            Proof::Short => {
                let search = || self.model.systems(Extent::Whole).map(drop);
                interrupt::within(PROOF, search).unwrap_or(Ok(()))
            }
            Proof::Whole => self.model.systems(Extent::Whole).map(drop),
        }
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
        match control.limits.run(|| self.refuse_unbounded()) {
            Ok(is_bounded) => is_bounded?,
            Err(reason) => return CheckError::Limit(reason).or_unknown(question, self.name()),
        }
        self.proof = Proof::None;
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
