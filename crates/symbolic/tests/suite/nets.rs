//! Random nets, and models from their texts.

pub(crate) use crate::random_nets::net;
use sempre_models::{Model, languages};

/// Reads a model from its text.
pub(crate) fn read(language: &str, text: &str) -> Model {
    languages::named(language).unwrap().read(text).unwrap()
}
