//! ω-automata: representation, formats, graph algorithms.

mod acceptance;
#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
mod automaton;
pub mod emptiness;
mod complete;
mod error;
mod execution;
mod index;
pub mod isomorphism;
mod kripke;
mod label;
mod letters;
mod marks;
pub mod membership;
pub mod product;
pub mod mark_cleanup;
mod marks;
pub mod parallel;
mod properties;
pub mod prune;
pub mod random;
mod run;
pub mod scc;
pub mod sum;
mod words;
pub mod renumber;
pub mod scc;
mod single_initial;
mod state_based;
#[cfg(test)]
mod test_language;

pub use acceptance::{Acceptance, Condition, Named, Parity, ParityKind};
pub use automaton::{Automaton, AutomatonBuilder, Edge};
pub use complete::complete;
pub use error::{Error, Place};
pub use execution::Execution;
pub use index::{EdgeId, SccId, StateId};
pub use kripke::Kripke;
pub use label::{Alphabet, Cube, Label};
pub use marks::{Mark, Marks};
pub use run::Run;
pub use scc::Sccs;
pub use words::{AcceptedWords, accepted_words};
pub use properties::SemiDeterminism;
pub use scc::Sccs;
pub use single_initial::single_initial;
pub use state_based::state_based;
