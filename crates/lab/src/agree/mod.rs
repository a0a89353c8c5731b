//! Long runs that compare engines with each other on random inputs, by seed.

pub mod checkers;
pub mod complements;
pub mod deterministic;
pub mod fairness;
pub mod hybrid;
pub mod refinement;
pub mod testing;
pub mod translation;

use crate::bench::Meter;
use anyhow::Result;

/// A comparison on random inputs.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The name.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The noun for the inputs.
    pub counted: &'static str,
    /// The default number of inputs.
    pub count: u64,
    /// Compares on this many inputs from a seed.
    pub run: fn(seed: u64, count: u64, meter: &mut Meter) -> Result<Agreement>,
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The number and the kinds of inputs.
    pub summary: String,
    /// The disagreements.
    pub disagreements: Vec<String>,
}
