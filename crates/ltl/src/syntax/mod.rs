//! Reading and writing formulas.

use crate::Formula;
use std::fmt;

/// A concrete syntax of LTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// Spot's infix syntax.
    Spot,
}

impl fmt::Debug for Formula {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}{:?}", self.op(), self.children())
    }
}
