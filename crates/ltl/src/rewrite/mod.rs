//! Rewriting formulas.

pub mod simplify;
