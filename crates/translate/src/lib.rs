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
//! A [`Translator`] simplifies the formula, runs a construction, and reduces its result.
//! `docs/translation.md` compares sizes with those of another translator.

pub mod after;
pub mod alternating;
mod choices;
pub mod classic;
pub mod containment;
pub mod deterministic;
mod diagrams;
pub mod form;
mod kinds;
pub mod merging;
pub mod mmaa;
mod normal_form;
pub mod postprocess;
pub mod recurrence;
pub mod satisfiability;
pub mod tableau;
mod translator;

pub use choices::{Effort, Kind, Method, Preference};
pub use translator::Translator;
