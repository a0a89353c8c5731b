//! The Hanoi Omega-Automata format, version 1: reading and writing.
//!
//! [`Reader`] reads streams of automata; [`parse`] reads one. [`write()`] and [`to_string`] write
//! text that the reader reads back as the same automaton. The reader supports the whole format.
//! Choices that the format leaves open:
//!
//! - Labels and marks of states move to their edges. Sets that the acceptance condition complements
//!   (`Fin(!0)`) become separate sets that hold exactly the other edges.
//! - `acc-name:` is rejected if its parameters are wrong or it contradicts the condition.
//! - Properties that are cheap to check (the ways to write labels and acceptance sets, universal
//!   branching, determinism, completeness) are checked and rejected if wrong; others are preserved.
//! - Unknown headers are rejected if they begin with a capital letter and preserved otherwise.
//! - States that are declared or used but not defined have no edges.
//! - The reader rejects more than 1024 propositions, 4096 acceptance sets or 1024 alternations of
//!   `&` and `|` in an acceptance condition. It also rejects numbers of states that the text is too
//!   short to define.

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
