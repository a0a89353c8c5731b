//! The product of a system with an automaton whose letters belong to steps, its search for
//! accepting cycles that are fair, and the graph that it is for other emptiness checks.
//!
//! The letter of a step s –t→ s' is the valuation of s together with `fired(t)`; no `fired` holds
//! where the state of a deadlock repeats. Each state of the system is expanded once; its steps are
//! kept with their actions, in three words each.

mod components;
mod cycle;
mod graph;
mod product;
mod search;

pub(crate) use graph::{FairMarks, StepGraph};
pub(crate) use product::StepProduct;
pub(crate) use search::Search;
