//! ω-automata: representation, formats, graph algorithms.

mod acceptance;
#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
mod automaton;
mod complete;
pub mod emptiness;
mod error;
mod execution;
mod index;
pub mod isomorphism;
mod kripke;
mod label;
mod letters;
pub mod mark_cleanup;
mod marks;
pub mod membership;
pub mod parallel;
pub mod product;
mod properties;
pub mod prune;
pub mod random;
pub mod renumber;
mod run;
pub mod scc;
mod single_initial;
mod state_based;
pub mod sum;
#[cfg(test)]
mod test_language;
mod words;

pub use acceptance::{Acceptance, Condition, Named, Parity, ParityKind};
pub use automaton::{Automaton, AutomatonBuilder, Edge};
pub use complete::complete;
pub use error::{Error, Place};
pub use execution::Execution;
pub use index::{EdgeId, SccId, StateId};
pub use kripke::Kripke;
pub use label::{Alphabet, Cube, Label};
pub use marks::{Mark, Marks};
pub use properties::SemiDeterminism;
pub use run::Run;
pub use scc::Sccs;
pub use single_initial::single_initial;
pub use state_based::state_based;
pub use words::{AcceptedWords, accepted_words};
