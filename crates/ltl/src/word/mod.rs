//! Lasso words.

/// An ultimately periodic word.
pub struct Word;
