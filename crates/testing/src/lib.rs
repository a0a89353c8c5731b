//! Testing automata for stutter-invariant properties.
//!
//! They read changes of valuations instead of valuations. There are three kinds:
//!
//! - [`TestingAutomaton`] (TA): Büchi acceptance for words that change infinitely often, and
//!   livelock acceptance for words that end in stuttering, during which a run stays in its state;
//! - [`SinglePassTa`] (STA): testing automata on whose products one search finds both kinds of
//!   accepting runs;
//! - [`Tgta`]: generalized Büchi acceptance on transitions, with a loop for stuttering at each state.
//!
//! The constructions use automata with explicit stuttering, [`ExplicitTa`] and [`ExplicitTgta`];
//! each step is a function. They follow A. E. Ben Salem, Improving the model checking of
//! stutter-invariant LTL properties (2014), and include the improvements that it suggests.
//!
//! ```
//! use sempre_testing::{Tgta, TgtaOptions, membership};
//! use sempre_translate::Translator;
//!
//! let automaton = Translator::new().translate(&"GFa & GFb".parse()?);
//! let tgta = Tgta::new(&automaton, &TgtaOptions::default()).unwrap();
//! assert_eq!((tgta.state_count(), tgta.transition_count()), (4, 16));
//! assert!(membership::tgta_accepts(&tgta, &"cycle{a; a; b}".parse()?));
//! assert!(!membership::tgta_accepts(&tgta, &"a & b; cycle{a; a}".parse()?));
//! # Ok::<(), sempre_ltl::Error>(())
//! ```

pub mod changes;
mod direct;
mod draw;
mod error;
mod formula;
mod graph;
pub mod membership;
mod negation;
mod on_demand;
mod partly;
mod recurrence;
mod reduction;
mod sta;
mod ta;
#[cfg(test)]
mod tests;
mod tgta;
mod unfold;

pub use draw::Drawing;
pub use error::Error;
pub use formula::{Kind, Reductions, Stage, Testing};
pub use graph::{ChangeGraph, differences};
pub use negation::{AutomatonKind, InProduct, Negation, Passes, SecondPass, SplitKind};
pub use on_demand::{OnDemand, Step};
pub use partly::PartlyInvariant;
pub use sta::{Handover, SinglePassTa};
pub use ta::{ExplicitTa, TaOptions, TestingAutomaton};
pub use tgta::{ExplicitTgta, Links, Tgta, TgtaOptions};
pub use unfold::Observed;
