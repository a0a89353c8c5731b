//! The Hanoi Omega-Automata format, version 1: reading and writing.
//!
//! [`Reader`] reads streams of automata; [`parse`] reads one. [`write()`] and [`to_string`] write
//! what the reader reads back as the same automaton. Everything of the format is read; what the
//! format leaves open is decided so:
//!
//! - Labels and marks of states go to their edges. Sets that the acceptance condition complements
//!   (`Fin(!0)`) become sets of their own that hold exactly the other edges.
//! - `acc-name:` is refused if its parameters are wrong or its condition is another one.
//! - Properties that are cheap to check (the ways to write labels and acceptance sets, universal
//!   branching, determinism, completeness) are checked and refused if wrong; others are kept.
//! - Headers that nobody knows are refused if they begin with a capital letter and kept if not.
//! - States that are announced or used but not defined have no edges.
//! - More than 1024 propositions, 4096 acceptance sets or 1024 alternations of `&` and `|` in an
//!   acceptance condition are refused, and numbers of states that the text is too short to define.

mod acceptance;
mod body;
mod expression;
mod frame;
mod header;
mod lexer;
mod reader;
mod trust;
mod writer;

#[cfg(test)]
mod tests;

pub use reader::{Reader, parse, parse_with_state_labels};
pub use writer::{MarksOn, Writable, WriteOptions, to_string, write};
