//! Explicit-state exploration and checking: stores of packed states, searches, products with
//! automata, emptiness checks, counterexamples.
//!
//! A [`Store`](store::Store) gives numbers to the states of a
//! [`System`](sempre_models::System): [`Arena`](store::Arena) keeps them as they are and is the
//! fastest, [`Tree`](store::Tree) compresses them. The searches of [`explore`] are compiled for
//! the system and the store; they count, find shortest paths, and end honestly at
//! [limits](explore::Limits).
//!
//! [`verify`] checks a system against a formula; [`check`](check()) searches the [product](Product)
//! of a system with the automaton of a negated property by one of several
//! [emptiness checks](emptiness). Several properties share the [state space](StateSpace) as far as
//! it has been explored; [`verify_net`] makes a net smaller for a property, if its states are many. A
//! [`Counterexample`] is believed only after it has been
//! [judged](Counterexample::judge).

mod bits;
mod check;
mod counterexample;
pub mod emptiness;
pub mod explore;
mod graph;
mod negation;
mod parallel;
mod product;
mod reduced;
mod shortest;
mod state_space;
pub mod store;

pub use check::{Options, Outcome, Refusal, Verdict, check, check_against, verify};
pub use counterexample::{Counterexample, Move, Rejected};
pub use graph::{Edge, Effort, Graph, Lasso, MOST_MARKS};
pub use negation::{AutomatonKind, Negation};
pub use product::{Deadlock, Product, Stop};
pub use reduced::{FEW_STATES, Reduce, verify_net};
pub use state_space::StateSpace;
