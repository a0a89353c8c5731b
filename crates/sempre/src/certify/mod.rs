//! Certificates of properties that hold: the search for them, and the writer of their files.
//!
//! Neither is trusted: [`sempre_certificate`] and [`sempre_certificate_sets`] check their results.

mod build;
mod rows;
mod sets;
#[cfg(test)]
mod tests;
mod write;

pub use build::{Budget, Failure, build};
pub use sets::{SetsFailure, build_sets};
pub use write::{write, write_sets};

use crate::models::{Model, plain::Plain};
use sempre_certificate::{Certificate, Claim, Fair};
use sempre_certificate_sets::SetCertificate;
use std::io;

/// A certificate of either form.
#[derive(Clone, Debug)]
pub enum Certified {
    /// A table of nodes.
    Table(Certificate),
    /// Layers of nodes.
    Sets(SetCertificate),
}

impl Certified {
    /// Writes the file.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        match self {
            Certified::Table(certificate) => write(certificate, out),
            Certified::Sets(certificate) => write_sets(certificate, out),
        }
    }
}

/// The work on a table that is always tried first, as a number of variables read and written.
const SMALL: u64 = 50_000_000;

/// The memory of the diagrams of a search without a limit, in bytes.
const MEMORY: usize = 2 << 30;

/// Searches for a certificate: a table if it is small, else sets, else a table as large as the
/// budget allows. The choice depends on the model and the claim alone, not on the engine that has
/// answered.
///
/// # Errors
/// If there is none, or it is not found within the budget.
pub fn search(
    claim: &Claim,
    model: &Model,
    plain: &dyn Plain,
    budget: Budget,
) -> Result<Certified, Failure> {
    if model.net().is_none() || claim.fair != Fair::All {
        return build(claim.clone(), plain, budget).map(Certified::Table);
    }
    let cost = (plain.variables().len() as u64 + 1) * (plain.transition_count() as u64 + 1);
    let small = SMALL / cost;
    let nodes = Some(budget.nodes.map_or(small, |most| most.min(small)));
    match build(claim.clone(), plain, Budget { nodes, ..budget }) {
        Err(failure) if failure.is_limit() && budget.nodes.is_none_or(|most| most > small) => {}
        outcome => return outcome.map(Certified::Table),
    }
    let by_sets = build_sets(claim, model, budget.bytes.unwrap_or(MEMORY).min(MEMORY));
    by_sets.map(Certified::Sets).or_else(|failure| match failure {
        SetsFailure::Violated => Err(Failure::Violated),
        // Within a budget of nodes, the table may still be found.
        _ => build(claim.clone(), plain, budget).map(Certified::Table),
    })
}
