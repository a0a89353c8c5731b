//! Experiments that repeat published tables, and long runs that compare engines with each other.

pub mod agree;
pub mod stopwatch;
