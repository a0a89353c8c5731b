//! Explicit-state exploration and checking: stores of packed states, searches, products with
//! automata, emptiness checks.

pub mod emptiness;
mod graph;

pub use graph::{Edge, Effort, Graph, Lasso};
