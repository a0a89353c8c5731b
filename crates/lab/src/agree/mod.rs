//! Long runs that compare engines with each other, by seed.

pub mod deterministic;
pub mod testing;
pub mod translation;

use crate::bench::Meter;
use anyhow::Result;

/// Something that is compared, on random inputs.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The name.
    pub name: &'static str,
    /// One line on what is compared.
    pub summary: &'static str,
    /// What is counted.
    pub counted: &'static str,
    /// How many inputs are tried if nobody says so.
    pub count: u64,
    /// Compares on so many inputs from a seed.
    pub run: fn(seed: u64, count: u64, meter: &mut Meter) -> Result<Agreement>,
}

/// What a comparison has found.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// How many inputs were tried, and what they were like.
    pub summary: String,
    /// What is wrong.
    pub disagreements: Vec<String>,
}
