//! Rewriting: other formulas with the same language, or over other propositions.
//!
//! - [`nnf`] pushes negations down to the propositions.
//! - [`unabbreviate()`] removes chosen operators by their definitions.
//! - [`simplify`](mod@simplify) makes formulas smaller, by levels of rules.
//! - [`substitute()`] puts formulas in place of propositions.
//! - [`strengthen()`] replaces an occurrence of a subformula by the hardest constant.
//! - [`rename`] gives propositions other names, canonical ones if need be.

mod nnf;
pub mod rename;
pub mod simplify;
mod strengthen;
mod substitute;
mod unabbreviate;

pub use nnf::nnf;
pub use simplify::simplify;
pub use strengthen::{Occurrence, occurrences, strengthen};
pub use substitute::substitute;
pub use unabbreviate::unabbreviate;
