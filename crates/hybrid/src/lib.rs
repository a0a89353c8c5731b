//! Hybrid model checking: explicit graphs of symbolic aggregates.
//!
//! The automaton of the negation is explicit, sets of states of the system are decision diagrams, and
//! a node is a pair of both. Nodes are generated as the emptiness checks of the explicit engine visit
//! them. Nothing starts from the set of all reachable states.
//!
//! | graph | automaton | properties |
//! |---|---|---|
//! | [`Method::Sog`], by [label](By::Label) or [transition](By::Transition) | TGBA or TGTA | stutter-invariant |
//! | [`Method::Sop`] | TGBA or TGTA | stutter-invariant |
//! | [`Method::Slap`] | TGBA | any |
//! | [`Method::Slap`] | TGTA | stutter-invariant |
//!
//! Counterexamples are runs of the system, put together from the aggregates of a lasso and judged.

mod check;
mod engine;
mod extended;
mod graph;
mod observation;
mod product;
mod run;
mod slap;
mod sog;
mod sop;
mod steps;
#[cfg(test)]
mod tests;

pub use check::{Method, Options};
pub use engine::HybridEngine;
pub use observation::{Groups, Observation};
pub use sog::{Aggregate, By, Edge, Sog};
