//! Propositions in double quotes.

use crate::Error;
use std::borrow::Cow;
use std::ops::Range;

/// A proposition in quotes, as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quotation<'a> {
    /// The text between the quotes.
    inner: &'a str,
    has_escapes: bool,
}

impl<'a> Quotation<'a> {
    /// Reads the quotation whose opening quote is at `start`; also returns its end.
    pub(super) fn scan(text: &'a str, start: usize) -> Result<(Self, usize), Error> {
        let bytes = text.as_bytes();
        let mut has_escapes = false;
        let mut end = start + 1;
        loop {
            match bytes.get(end) {
                Some(b'"') => {
                    let inner = &text[start + 1..end];
                    return Ok((Quotation { inner, has_escapes }, end + 1));
                }
                Some(b'\\') => {
                    has_escapes = true;
                    end += 2;
                }
                Some(_) => end += 1,
                None => {
                    let message = "unterminated quoted proposition";
                    return Err(Error::at(start..text.len(), message).expected("a closing `\"`"));
                }
            }
        }
    }

    /// Returns the position of the name of a quotation at `span`: between the quotes, unless it has
    /// escapes.
    pub(super) fn span_at(self, span: Range<usize>) -> Range<usize> {
        if self.has_escapes { span } else { span.start + 1..span.end - 1 }
    }

    /// Returns the name, with escapes resolved. As in Spot, a backslash before any character but
    /// `n`, `r`, `t` is dropped.
    pub(super) fn name(self) -> Cow<'a, str> {
        if !self.has_escapes {
            return Cow::Borrowed(self.inner);
        }
        let mut name = String::with_capacity(self.inner.len());
        let mut chars = self.inner.chars();
        while let Some(char) = chars.next() {
            name.extend(match char {
                '\\' => chars.next().map(|escaped| match escaped {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    other => other,
                }),
                other => Some(other),
            });
        }
        Cow::Owned(name)
    }
}

/// The name in quotes, on one line.
pub(super) fn quote(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for char in name.chars() {
        match char {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

/// Returns the name, in quotes unless `bare`.
pub(super) fn quote_unless(name: &str, bare: bool) -> Cow<'_, str> {
    if bare { Cow::Borrowed(name) } else { Cow::Owned(quote(name)) }
}
