//! Certificates of properties that hold: the search for them, and the writer of their files.
//!
//! Neither is trusted: [`sempre_certificate`] checks their results.

mod build;
mod rows;
#[cfg(test)]
mod tests;
mod write;

pub use build::{Budget, Failure, build};
pub use write::write;
