//! The interface of engines.

use crate::control::Control;
use crate::outcome::{CheckError, Outcome, Unsupported};
use crate::question::Question;

/// A decision procedure for questions. It reuses its knowledge of a system for later questions
/// about the same system.
pub trait Engine {
    /// Returns the name in options and output.
    fn name(&self) -> &'static str;

    /// Checks that the engine can answer the question.
    ///
    /// # Errors
    /// The reason if it cannot.
    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        let _ = question;
        Ok(())
    }

    /// Answers the question. Reaching a limit is an outcome, not an error.
    ///
    /// # Errors
    /// If the engine does not support the question, the model has a fault, or the judge rejects the
    /// counterexample.
    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError>;

    /// Computes data that all questions about the system need, until cancelled. Does nothing by
    /// default.
    fn prepare(&mut self, question: &Question, control: &Control<'_>) {
        let _ = (question, control);
    }

    /// True if [`Engine::prepare`] has nothing left to do for the system of the question.
    fn is_prepared(&self, question: &Question) -> bool {
        let _ = question;
        false
    }
}
