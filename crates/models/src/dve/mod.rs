//! Models in the DVE language, the one of the BEEM collection.

mod compile;
mod effect;
mod lexer;
mod model;
mod parser;
mod places;
mod ranges;
mod resolve;
mod syntax;
mod system;
mod term;
#[cfg(test)]
mod tests;

pub use model::Dve;
pub use system::{DveSystem, Scratch};

use sempre_ltl::Error;

/// Reads a model.
///
/// # Errors
/// If the text is not a model: where, and what would have been right there.
pub fn parse(text: &str) -> Result<Dve, Error> {
    resolve::resolve(parser::file(text)?)
}
