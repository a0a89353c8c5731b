//! The text of a stream, line by line. It reads no more than the requested automata need, so that
//! each is available when it is complete.

use crate::{Error, Place};
use std::io::BufRead;
use std::ops::Range;

/// A stream of text with the current position.
pub(super) struct Source<R> {
    reader: R,
    /// The current line, with its line break.
    line: String,
    /// Its number, from 1; 0 before the first.
    number: usize,
    /// A buffer for the next line.
    spare: Vec<u8>,
    /// The start and the end of the last token, in bytes of the line.
    start: usize,
    pos: usize,
    ended: bool,
}

impl<R: BufRead> Source<R> {
    pub(super) fn new(reader: R) -> Self {
        Source {
            reader,
            line: String::new(),
            spare: vec![],
            number: 0,
            start: 0,
            pos: 0,
            ended: false,
        }
    }

    /// Moves to the next line; false if there is none.
    pub(super) fn next_line(&mut self) -> Result<bool, Error> {
        if self.ended {
            return Ok(false);
        }
        let mut bytes = std::mem::take(&mut self.spare);
        bytes.clear();
        let read = self.reader.read_until(b'\n', &mut bytes).map_err(|error| {
            self.ended = true;
            Error::new(format!("cannot read: {error}"))
        })?;
        if read == 0 {
            // Errors about missing input refer to the end of the last line.
            self.ended = true;
            self.line.truncate(self.line.trim_end_matches(['\r', '\n']).len());
            (self.start, self.pos) = (self.line.len(), self.line.len());
            return Ok(false);
        }
        self.number += 1;
        (self.start, self.pos) = (0, 0);
        // Some editors begin every UTF-8 file with this mark.
        const MARK: &[u8] = "\u{feff}".as_bytes();
        if self.number == 1 && bytes.starts_with(MARK) {
            bytes.drain(..MARK.len());
        }
        match String::from_utf8(bytes) {
            Ok(line) => self.spare = std::mem::replace(&mut self.line, line).into_bytes(),
            Err(error) => {
                self.line.clear();
                let valid = error.utf8_error().valid_up_to();
                let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
                let place = Place { line: self.number, column: width(&before) + 1, width: 1 };
                return Err(Error::at(place, "an invalid byte").expected("UTF-8"));
            }
        }
        Ok(true)
    }

    /// Returns the rest of the current line.
    pub(super) fn rest(&self) -> &str {
        &self.line[self.pos..]
    }

    /// Returns to the start of the line if at most its first token has been read and the line comes
    /// after line `after`. True if so.
    pub(super) fn reconsider(&mut self, after: usize) -> bool {
        let can = self.number > after && self.line[..self.start].trim().is_empty();
        if can {
            (self.start, self.pos) = (0, 0);
        }
        can
    }

    /// Skips bytes of the line.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.pos += bytes;
    }

    /// Skips white space, also across lines; false at the end of the stream.
    pub(super) fn skip_space(&mut self) -> Result<bool, Error> {
        loop {
            let rest = self.rest().as_bytes();
            if let Some(space) = rest.iter().position(|byte| !byte.is_ascii_whitespace()) {
                self.pos += space;
                self.start = self.pos;
                return Ok(true);
            }
            self.pos = self.line.len();
            self.start = self.pos;
            if !self.next_line()? {
                return Ok(false);
            }
        }
    }

    /// Returns the current position.
    pub(super) fn place(&self) -> Place {
        self.place_of(self.pos..self.pos)
    }

    /// Returns the position of the last token.
    pub(super) fn token_place(&self) -> Place {
        self.place_of(self.start..self.pos)
    }

    fn place_of(&self, bytes: Range<usize>) -> Place {
        Place {
            line: self.number.max(1),
            column: width(&self.line[..bytes.start]) + 1,
            width: width(&self.line[bytes]).max(1),
        }
    }

    /// Reads the next token, up to white space.
    pub(super) fn token(&mut self, expected: &str) -> Result<&str, Error> {
        if !self.skip_space()? {
            return Err(self.unexpected(expected));
        }
        let rest = self.rest().as_bytes();
        let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.pos += len;
        Ok(&self.line[self.start..self.pos])
    }

    /// Reads a number from 0 to `largest`.
    pub(super) fn number(&mut self, expected: &str, largest: u64) -> Result<u64, Error> {
        let token = self.token(expected)?;
        let number = decimal(token);
        self.checked(number, expected, largest)
    }

    /// Reads a number from 0 to `largest`; `None` for -1.
    pub(super) fn number_or_end(
        &mut self,
        expected: &str,
        largest: u64,
    ) -> Result<Option<u64>, Error> {
        let token = self.token(expected)?;
        if token == "-1" {
            return Ok(None);
        }
        let number = decimal(token);
        self.checked(number, expected, largest).map(Some)
    }

    /// Parses the last token as a number, up to a limit.
    pub(super) fn checked(
        &self,
        number: Option<u64>,
        expected: &str,
        largest: u64,
    ) -> Result<u64, Error> {
        match number {
            None => Err(self.unexpected(expected)),
            Some(number) if number > largest => {
                let message = format!("the number {} is too large", shown(self.last_token()));
                Err(Error::at(self.token_place(), message)
                    .expected(format!("{expected}, at most {largest}")))
            }
            Some(number) => Ok(number),
        }
    }

    fn last_token(&self) -> &str {
        &self.line[self.start..self.pos]
    }

    /// Creates the error that the last token, or the end of the input, is unexpected.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let message = match self.last_token() {
            "" => "unexpected end of the input".to_owned(),
            token => format!("unexpected `{}`", shown(token)),
        };
        Error::at(self.token_place(), message).expected(expected)
    }
}

/// Parses digits; saturates at 64 bits.
pub(super) fn decimal(digits: &str) -> Option<u64> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let step =
        |number: u64, digit: u8| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    Some(digits.bytes().fold(0, step))
}

/// Returns the number of characters.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Shortens input text to one line for messages.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 30;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// Returns the position of some bytes of a text that starts at `origin`.
pub(super) fn place_in(origin: Place, text: &str, span: Range<usize>) -> Place {
    let before = &text[..span.start];
    let width_of_span = width(text[span].lines().next().unwrap_or("")).max(1);
    let (line, column) = match before.rfind('\n') {
        None => (origin.line, origin.column + width(before)),
        Some(end) => {
            let breaks = before.bytes().filter(|byte| *byte == b'\n').count();
            (origin.line + breaks, width(&before[end + 1..]) + 1)
        }
    };
    Place { line, column, width: width_of_span }
}
