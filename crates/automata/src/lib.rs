//! ω-automata: representation, formats, graph algorithms.

mod acceptance;
mod automaton;
pub mod draw;
mod error;
mod index;
mod kripke;
mod label;
mod marks;
mod properties;
pub mod random;
pub mod scc;

pub use acceptance::{Acceptance, Condition, Named, Parity, ParityKind};
pub use automaton::{Automaton, AutomatonBuilder, Edge};
pub use error::{Error, Place};
pub use index::{EdgeId, SccId, StateId};
pub use kripke::Kripke;
pub use label::{Alphabet, Cube, Label};
pub use marks::{Mark, Marks};
pub use scc::Sccs;
