//! The error type of this crate.

use std::fmt;

/// An error in an input text or a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    expected: Option<String>,
    place: Option<Place>,
}

/// A position in an input text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// The number of offending characters, at least 1.
    pub width: usize,
}

impl Error {
    /// Creates an error without a position.
    pub fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), expected: None, place: None }
    }

    /// Creates an error at a position of the input text.
    pub fn at(place: Place, message: impl Into<String>) -> Self {
        Error { message: message.into(), expected: None, place: Some(place) }
    }

    /// Adds a description of the expected input.
    #[must_use]
    pub fn expected(mut self, what: impl Into<String>) -> Self {
        self.expected = Some(what.into());
        self
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the expected input, if known.
    pub fn expectation(&self) -> Option<&str> {
        self.expected.as_deref()
    }

    /// Returns the position in the input text, if the error has one.
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
