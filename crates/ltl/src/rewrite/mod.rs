//! Rewriting: other formulas with the same language, or over other propositions.
//!
//! - [`nnf`] pushes negations down to the propositions.
//! - [`unabbreviate()`] removes operators by their definitions.
//! - [`simplify`](mod@simplify) makes formulas smaller, by levels of rules.
//! - [`substitute()`] puts formulas in place of propositions.
//! - [`strengthen()`] replaces an occurrence of a subformula by the hardest constant.
//! - [`refine`] adds a constraint, such as that of an [`ExclusiveSet`].
//! - [`rename`] gives propositions other names, canonical ones if need be.

mod exclusive;
mod nnf;
pub mod rename;
pub mod simplify;
mod strengthen;
mod substitute;
mod unabbreviate;

pub use exclusive::{ExclusiveSet, conjunction, refine};
pub use nnf::nnf;
pub use simplify::simplify;
pub use strengthen::{Occurrence, occurrences, strengthen};
pub use substitute::substitute;
pub use unabbreviate::unabbreviate;
