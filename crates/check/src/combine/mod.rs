//! Engines that combine other engines.

mod net_reduction;
mod race;
mod unbounded;
mod widening;

pub use net_reduction::{FEW_STATES, NetReduction, Reduce};
pub use race::Race;
pub use unbounded::LevelByLevel;
pub use widening::Widening;

use crate::control::Control;
use crate::engine::Engine;
use crate::outcome::{CheckError, Outcome, Unsupported};
use crate::question::Question;

/// The limit of a short search for a proof that a model is unbounded, in units of
/// [`within`](sempre_ltl::interrupt::within): some 10 ms.
const PROOF: u64 = 200;

/// An engine of any type.
pub type AnyEngine = Box<dyn Engine>;

impl Engine for AnyEngine {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        (**self).supports(question)
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        (**self).check(question, control)
    }

    fn prepare(&mut self, question: &Question, control: &Control<'_>) {
        (**self).prepare(question, control);
    }

    fn is_prepared(&self, question: &Question) -> bool {
        (**self).is_prepared(question)
    }
}
