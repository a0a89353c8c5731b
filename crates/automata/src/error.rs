//! The error type of this crate.

use std::fmt;

/// Why a text could not be read, or a request could not be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    expected: Option<String>,
    place: Option<Place>,
}

/// A place in an input text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// How many characters are to blame; at least 1.
    pub width: usize,
}

impl Error {
    /// An error that does not concern a place in a text.
    pub fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), expected: None, place: None }
    }

    /// An error at a place of the input text.
    pub fn at(place: Place, message: impl Into<String>) -> Self {
        Error { message: message.into(), expected: None, place: Some(place) }
    }

    /// Adds what would have been right in that place.
    #[must_use]
    pub fn expected(mut self, what: impl Into<String>) -> Self {
        self.expected = Some(what.into());
        self
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What would have been right in that place, if that can be said.
    pub fn expectation(&self) -> Option<&str> {
        self.expected.as_deref()
    }

    /// The place in the input text, if there is one.
    pub fn place(&self) -> Option<Place> {
        self.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(out, "{}:{}: ", place.line, place.column)?;
        }
        out.write_str(&self.message)?;
        match &self.expected {
            Some(what) => write!(out, ", expected {what}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
