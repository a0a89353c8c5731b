//! Rewriting: other formulas with the same language.
//!
//! - [`nnf`] pushes negations down to the propositions.
//! - [`unabbreviate()`] removes chosen operators by their definitions.
//! - [`simplify`](mod@simplify) makes formulas smaller, by levels of rules.

mod nnf;
pub mod rename;
pub mod simplify;
mod substitute;
mod unabbreviate;

pub use nnf::nnf;
pub use simplify::simplify;
pub use substitute::substitute;
pub use unabbreviate::unabbreviate;
