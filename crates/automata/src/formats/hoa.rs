//! The extent of an automaton in HOA: from `HOA:` to `--END--` or `--ABORT--`.
//!
//! [`crate::hoa`] parses the text. It may contain several automata, if one of them lacks its end.

use super::reader::starts_other_automaton;
use super::source::Source;
use crate::{AnyAutomaton, Error, Place, hoa};
use std::io::{BufRead, Cursor};

/// The automata of a text in HOA; almost always one.
pub(super) struct Automata {
    reader: hoa::Reader<Cursor<String>>,
    origin: Place,
}

impl Automata {
    /// Returns the position of the text.
    pub(super) fn place(&self) -> Place {
        self.origin
    }

    pub(super) fn next(&mut self) -> Option<Result<AnyAutomaton, Error>> {
        let read = self.reader.next()?;
        Some(read.map_err(|error| match error.place() {
            None => error,
            Some(mut place) => {
                if place.line == 1 {
                    place.column += self.origin.column - 1;
                }
                place.line += self.origin.line - 1;
                let moved = Error::at(place, error.message());
                match error.expectation() {
                    Some(expected) => moved.expected(expected),
                    None => moved,
                }
            }
        }))
    }
}

/// The context of the text read last.
enum Within {
    Code,
    String,
    /// Comments can be nested.
    Comment(usize),
}

/// Takes the next automaton out of the stream. Without an end marker it extends to the start of the
/// next automaton.
pub(super) fn take<R: BufRead>(source: &mut Source<R>) -> Result<Automata, Error> {
    let origin = source.place();
    let mut text = String::new();
    let mut within = Within::Code;
    loop {
        let rest = source.rest();
        let end = scan(rest.as_bytes(), &mut within);
        text.push_str(&rest[..end.unwrap_or(rest.len())]);
        source.skip(end.unwrap_or(rest.len()));
        let complete = end.is_some()
            || !source.next_line()?
            || matches!(within, Within::Code) && starts_other_automaton(source.rest());
        if complete {
            return Ok(Automata { reader: hoa::Reader::new(Cursor::new(text)), origin });
        }
    }
}

/// Searches a line for the end of the automaton.
fn scan(line: &[u8], within: &mut Within) -> Option<usize> {
    let mut pos = 0;
    while let Some(&byte) = line.get(pos) {
        let rest = &line[pos..];
        pos += 1;
        match within {
            Within::String => match byte {
                b'\\' => pos += 1,
                b'"' => *within = Within::Code,
                _ => {}
            },
            Within::Comment(depth) => {
                if rest.starts_with(b"/*") {
                    *depth += 1;
                    pos += 1;
                } else if rest.starts_with(b"*/") {
                    pos += 1;
                    *depth -= 1;
                    if *depth == 0 {
                        *within = Within::Code;
                    }
                }
            }
            Within::Code => match byte {
                b'"' => *within = Within::String,
                b'/' if rest.starts_with(b"/*") => {
                    *within = Within::Comment(1);
                    pos += 1;
                }
                b'-' => {
                    let ends = [&b"--END--"[..], b"--ABORT--"];
                    if let Some(end) = ends.iter().find(|end| rest.starts_with(end)) {
                        return Some(pos - 1 + end.len());
                    }
                }
                // Identifiers may contain hyphens.
                _ if byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@') => {
                    let is_word =
                        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
                    pos += rest[1..].iter().take_while(|byte| is_word(byte)).count();
                }
                _ => {}
            },
        }
    }
    None
}
