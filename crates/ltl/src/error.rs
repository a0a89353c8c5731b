//! The error type of this crate.

use std::ops::Range;

/// Why a text could not be read, or a request could not be carried out.
///
/// It is displayed as `message, expected …`; the parts can be had one by one, to point at the place
/// in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", .expected.as_ref().map(|what| format!(", expected {what}")).unwrap_or_default())]
pub struct Error {
    message: String,
    expected: Option<String>,
    span: Option<Range<usize>>,
}

impl Error {
    /// An error that does not concern a place in a text.
    pub fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), expected: None, span: None }
    }

    /// An error at these bytes of the input text.
    pub fn at(span: Range<usize>, message: impl Into<String>) -> Self {
        Error { message: message.into(), expected: None, span: Some(span) }
    }

    /// Adds what would have been right in that place.
    #[must_use]
    pub fn expected(mut self, what: impl Into<String>) -> Self {
        self.expected = Some(what.into());
        self
    }

    /// The same error for a text that starts `offset` bytes into a larger one.
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        self.span = self.span.map(|span| span.start + offset..span.end + offset);
        self
    }

    /// The error message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The bytes of the input text that are to blame, if there is an input text.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// The input expected at that place, if known.
    pub fn expectation(&self) -> Option<&str> {
        self.expected.as_deref()
    }
}
