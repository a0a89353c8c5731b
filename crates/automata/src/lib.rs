//! ω-automata: representation, formats, graph algorithms.

mod acceptance;
mod alternating;
#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
mod automaton;
mod error;
pub mod formats;
mod headers;
pub mod hoa;
mod index;
mod label;
mod marks;
mod properties;

pub use acceptance::{Acceptance, Condition, Named, Parity, ParityKind};
pub use alternating::{
    AlternatingAutomaton, AlternatingBuilder, AnyAutomaton, Conjunction, UniversalEdge,
};
pub use automaton::{Automaton, AutomatonBuilder, Edge};
pub use error::{Error, Place};
pub use headers::Headers;
pub use index::{EdgeId, StateId};
pub use label::{Alphabet, Cube, Label};
pub use marks::{Mark, Marks};
