//! ω-automata: representation, formats, graph algorithms.

mod acceptance;
mod alternating;
#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
mod automaton;
pub mod draw;
mod error;
mod headers;
pub mod hoa;
mod index;
mod kripke;
mod label;
mod marks;
mod properties;
pub mod random;
pub mod scc;

pub use acceptance::{Acceptance, Condition, Named, Parity, ParityKind};
pub use alternating::{
    AlternatingAutomaton, AlternatingBuilder, AnyAutomaton, Conjunction, UniversalEdge,
};
pub use automaton::{Automaton, AutomatonBuilder, Edge};
pub use error::{Error, Place};
pub use headers::Headers;
pub use index::{EdgeId, SccId, StateId};
pub use kripke::Kripke;
pub use label::{Alphabet, Cube, Label};
pub use marks::{Mark, Marks};
pub use scc::Sccs;
