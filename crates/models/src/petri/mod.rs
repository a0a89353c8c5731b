//! Petri nets: places, transitions, weights and inhibitor arcs.

pub mod colour;
mod net;

pub use net::{Net, NetBuilder, PlaceId, TransitionId};
