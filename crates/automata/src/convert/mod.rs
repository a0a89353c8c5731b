//! Conversions between acceptance conditions. Languages do not change.
//!
//! - [`to_generalized_buchi`] serves all algorithms that need a condition without `Fin`;
//!   [`remove_fin`] leaves other conditions without `Fin` unchanged.
//! - [`simplify_acceptance`] shortens the condition where the positions of marks allow it.
//! - [`to_parity`] converts any condition to parity in a given form: min or max, odd or even, a
//!   mark on every edge or not. [`index_appearance`] is an alternative method.
//! - [`to_rabin`] and [`to_generalized_rabin`] keep the graph where possible.
//! - [`transition_based`] moves marks of states to the incoming edges, the reverse of
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
