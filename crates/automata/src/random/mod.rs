//! Random automata and Kripke structures for tests, from a seed.
//!
//! ```
//! use sempre_automata::random::RandomAutomata;
//! let automaton = RandomAutomata::over(["a", "b"]).unwrap().states(5).seed(1).generate().next();
//! assert_eq!(automaton.unwrap().state_count(), 5);
//! ```

mod acceptance;
mod automata;
mod blocks;
mod kripke;

pub use acceptance::{RandomAcceptance, condition};
pub use automata::RandomAutomata;
pub use blocks::RandomBlocks;
pub use kripke::{KripkeKind, RandomKripke, enumerate_paths, enumerated_path};
