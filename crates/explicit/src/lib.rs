//! Explicit-state exploration and checking: stores of packed states, searches, products with
//! automata, emptiness checks, counterexamples.
//!
//! A [`Store`](store::Store) gives numbers to the states of a
//! [`System`](sempre_models::System): [`Arena`](store::Arena) keeps them as they are and is the
//! fastest, [`Tree`](store::Tree) compresses them. The searches of [`explore`] are compiled for
//! the store; they count, find shortest paths, and end cleanly at [limits](sempre_check::Limits).
//!
//! [`ExplicitEngine`] answers questions about a system; [`check`](check()) searches the
//! [product](Product) of a system with the automaton of a negated property by one of several
//! [emptiness checks](emptiness). Several properties share the [state space](StateSpace) as far as
//! it has been explored.

mod bits;
mod check;
pub mod emptiness;
pub mod explore;
mod graph;
mod parallel;
mod product;
mod shortest;
mod state_space;
mod steps;
pub mod store;

pub use check::{ExplicitEngine, Options, SearchOrder, StoreKind, check, verify};
pub use graph::{Edge, Effort, Graph, Lasso, MOST_MARKS};
pub use product::{Product, Stop};
pub use state_space::{Explored, StateSpace};
