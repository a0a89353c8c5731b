//! Rewriting formulas.

pub mod rename;
pub mod simplify;
