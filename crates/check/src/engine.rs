//! The one way in which a question is answered.

use crate::control::Control;
use crate::outcome::{CheckError, Outcome, Unsupported};
use crate::question::Question;

/// An engine answers questions. It keeps what it learns about a system for the next question about
/// the same system.
pub trait Engine {
    /// Returns the name of the engine, as options and outcomes have it.
    fn name(&self) -> &'static str;

    /// Says why the engine cannot answer the question, if it cannot.
    ///
    /// # Errors
    /// With the reason.
    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        let _ = question;
        Ok(())
    }

    /// Answers the question. A limit that is reached is an outcome, not an error.
    ///
    /// # Errors
    /// If the engine does not support the question, the model has a fault, or the run that was found
    /// was rejected by the judge.
    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError>;

    /// Computes what all questions about the system need, until it is cancelled. Engines for which
    /// there is nothing of that kind do nothing.
    fn prepare(&mut self, question: &Question, control: &Control<'_>) {
        let _ = (question, control);
    }

    /// True if [`Engine::prepare`] has nothing left to do for the system of the question.
    fn is_prepared(&self, question: &Question) -> bool {
        let _ = question;
        false
    }
}
