//! Translation of linear-time temporal logic to ω-automata.
//!
//! Each construction is a module: a function from a formula to an automaton with generalized Büchi
//! acceptance on transitions, without post-processing.
//!
//! - [`tableau`]: states are formulas, successors come from their one-step expansions (Couvreur).
//! - [`alternating`]: through very weak alternating automata (Gastin and Oddoux).
//! - [`classic`]: the textbook tableau (Gerth, Peled, Vardi and Wolper).
//!
//! [`deterministic`] has the routes from formulas to deterministic automata, most of them by
//! [after-formulas](after). [`mmaa`] has another one, through may/must alternating automata.
//!
//! [`semi_deterministic`] has those to semi-deterministic and cut-deterministic ones.
//!
//! A [`Translator`] simplifies the formula, runs one of them, and makes its result smaller. Sizes
//! beside those of another translator are in `docs/translation.md`.

pub mod after;
pub mod alternating;
pub mod atoms;
mod choices;
pub mod classic;
pub mod containment;
pub mod deterministic;
mod diagrams;
pub mod form;
mod invariance;
mod kinds;
pub mod limits;
pub mod merging;
pub mod mmaa;
mod negation;
mod normal_form;
pub mod postprocess;
pub mod recurrence;
pub mod satisfiability;
pub mod semi_deterministic;
pub mod tableau;
mod translator;

pub use choices::{Effort, Kind, Method, Preference};
pub use invariance::{StutterSensitive, require_invariance};
pub use negation::NegationKind;
pub use translator::Translator;
