//! Conversions between acceptance conditions, where they are cheap. Languages stay the same.
//!
//! - [`to_generalized_buchi`] is the entrance for all algorithms that need a condition without
//!   `Fin`, and [`remove_fin`] the same for automata that may keep other conditions.
//! - [`simplify_acceptance`] makes the condition smaller where the marks' places allow it.
//! - [`to_parity`] changes parity conditions: smallest or largest mark, odd or even, a mark on
//!   every edge.
//! - [`transition_based`] moves the marks of states to the edges before them, the way back from
//!   [`state_based`](crate::state_based()).

mod fin;
mod implications;
mod parity;
mod simplify;
mod transition_based;

pub use fin::{remove_fin, to_generalized_buchi};
pub use parity::{ParityForm, to_parity};
pub use simplify::simplify_acceptance;
pub use transition_based::transition_based;
