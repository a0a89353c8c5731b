//! Kripke structures: explicitly listed states, each with its propositions.
//!
//! They are read from a [text format](text) of their own, and from [HOA](hoa) with labels on
//! states. States without successors are allowed, as are several initial states.

pub mod hoa;
pub mod text;

mod plain;
mod structure;
#[cfg(test)]
mod tests;

pub use structure::{Kripke, KripkeBuilder, KripkeStateId};
