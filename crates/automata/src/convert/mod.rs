//! Conversions between acceptance conditions, where they are cheap. Languages stay the same.
//!
//! - [`to_generalized_buchi`] is the entrance for all algorithms that need a condition without
//!   `Fin`, and [`remove_fin`] the same for automata that may keep other conditions.
//! - [`simplify_acceptance`] makes the condition smaller where the marks' places allow it.
//! - [`to_parity`] makes any condition a parity condition, in the form that is wanted: smallest or
//!   largest mark, odd or even, a mark on every edge. [`index_appearance`] does it another way.
//! - [`to_rabin`] and [`to_generalized_rabin`] keep the graph where they can.
//! - [`transition_based`] moves the marks of states to the edges before them, the way back from
//!   [`state_based`](crate::state_based()).

mod appearance;
mod fin;
mod implications;
mod parity;
mod rabin;
mod simplify;
mod transition_based;

pub use appearance::index_appearance;
pub use fin::{remove_fin, to_generalized_buchi};
pub use parity::{ParityForm, to_parity};
pub use rabin::{to_generalized_rabin, to_rabin};
pub use simplify::simplify_acceptance;
pub use transition_based::transition_based;
