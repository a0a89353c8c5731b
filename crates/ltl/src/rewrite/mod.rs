//! Rewriting: other formulas with the same language, or over other propositions.
//!
//! - [`nnf`] pushes negations down to the propositions.
//! - [`unabbreviate()`] removes operators by their definitions.
//! - [`simplify`](mod@simplify) makes formulas smaller, by levels of rules.
//! - [`substitute()`] puts formulas in place of propositions.
//! - [`rename`] gives propositions other names, canonical ones if need be.

mod nnf;
pub mod rename;
pub mod simplify;
mod substitute;
mod unabbreviate;

pub use nnf::nnf;
pub use simplify::simplify;
pub use substitute::substitute;
pub use unabbreviate::unabbreviate;
