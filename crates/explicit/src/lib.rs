//! Explicit-state exploration and model checking: stores of packed states, searches, products with
//! automata, emptiness checks, counterexamples.
//!
//! A [`Store`](store::Store) numbers the states of a [`System`](sempre_models::System):
//! [`Arena`](store::Arena) stores them plainly and is the fastest, [`Tree`](store::Tree) compresses
//! them. The searches of [`explore`] count states, find shortest paths, and stop cleanly at
//! [limits](sempre_check::Limits).
//!
//! [`ExplicitEngine`] answers questions about a system; [`check`](check()) searches the
//! [product](Product) of a system with the automaton of a negated property by one of several
//! [emptiness checks](emptiness). Several properties share the explored [state space](StateSpace).

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
pub use graph::{Edge, Effort, Lasso, MAX_MARKS, SearchGraph};
pub use product::{Product, Stop};
pub use state_space::{Explored, StateSpace};
