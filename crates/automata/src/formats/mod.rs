//! Formats of automata, and streams of automata in any of them.
//!
//! | format | name | is read | is written | automata |
//! |---|---|---|---|---|
//! | [HOA](crate::hoa) | `hoa` | yes | yes | all |
//! | [never claims](mod@never) | `never` | yes | yes | Büchi, on states |
//! | [lbtt's format](lbtt) | `lbtt` | yes | yes | generalized Büchi |
//! | [ltl2dstar's format](dstar) | `dstar` | yes | no | deterministic Rabin and Streett |
//! | [Ultimate's scripts](ats) | `ats` | yes | yes | Büchi, on states |
//! | [JSON](json) | `json` | no | yes | all |
//!
//! A [`Reader`] splits a stream: it recognizes the format of each automaton by its first
//! characters, and returns each automaton when it is complete.

pub mod ats;
pub mod dstar;
mod guards;
mod hoa;
pub mod json;
pub mod lbtt;
pub mod never;
mod reader;
mod source;

pub use reader::{Reader, StreamItem, read};

use crate::{Automaton, Error, Mark};
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

/// The maximal number of states: states have 32 bits.
const MAX_STATES: u64 = u32::MAX as u64 - 1;

/// The maximal number of marks. Every edge stores a bit set of marks, so a short text could
/// otherwise take much memory.
const MAX_MARKS: Mark = 1024;

/// The maximal number of propositions: operations on labels recurse over them.
const MAX_PROPS: usize = 1024;

/// A file format of automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The Hanoi Omega-Automata format.
    Hoa,
    /// A never claim of Spin.
    Never,
    /// The format of lbtt.
    Lbtt,
    /// The explicit format, version 2, of ltl2dstar; read only.
    Dstar,
    /// An automata script of the Ultimate tools.
    Ats,
    /// JSON; write only.
    Json,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] =
        [Format::Hoa, Format::Never, Format::Lbtt, Format::Dstar, Format::Ats, Format::Json];

    /// Returns the name of the format in options and [`FromStr`].
    pub const fn name(self) -> &'static str {
        match self {
            Format::Hoa => "hoa",
            Format::Never => "never",
            Format::Lbtt => "lbtt",
            Format::Dstar => "dstar",
            Format::Ats => "ats",
            Format::Json => "json",
        }
    }

    /// True if automata can be read in this format.
    pub const fn is_readable(self) -> bool {
        !matches!(self, Format::Json)
    }

    /// True if automata can be written in this format.
    pub const fn is_writable(self) -> bool {
        !matches!(self, Format::Dstar)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Format::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| {
            Error::new(format!("unknown format `{name}`"))
                .expected(Format::ALL.map(Format::name).join(", "))
        })
    }
}

/// Writes an automaton in a format, and a line break after it.
///
/// # Errors
/// Errors of `out`. If the format cannot express the automaton, the kind is
/// [`io::ErrorKind::InvalidInput`] with an [`Error`] inside, and `out` is untouched.
pub fn write(automaton: &Automaton, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Hoa => crate::hoa::write(out, automaton, &Default::default()),
        Format::Never => never::write(automaton, out),
        Format::Lbtt => lbtt::write(automaton, out),
        Format::Ats => ats::write(automaton, out),
        Format::Json => json::write(automaton, out),
        Format::Dstar => Err(refusal("automata cannot be written in ltl2dstar's format")),
    }
}

/// Creates the error for a format that cannot express an automaton.
fn refusal(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, Error::new(message))
}

#[cfg(test)]
mod tests;
