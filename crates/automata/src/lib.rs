//! ω-automata: representation, formats, graph algorithms.

mod acceptance;
#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
mod automaton;
pub mod emptiness;
mod error;
mod index;
mod label;
mod letters;
mod marks;
pub mod membership;
pub mod product;
mod properties;
mod run;
pub mod sum;
mod words;

pub use acceptance::{Acceptance, Condition, Named, Parity, ParityKind};
pub use automaton::{Automaton, AutomatonBuilder, Edge};
pub use error::{Error, Place};
pub use index::{EdgeId, StateId};
pub use label::{Alphabet, Cube, Label};
pub use marks::{Mark, Marks};
pub use run::Run;
pub use words::{AcceptedWords, accepted_words};
