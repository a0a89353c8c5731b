//! Petri nets: places, transitions, weights and inhibitor arcs.

mod net;

pub use net::{Net, NetBuilder, PlaceId, TransitionId};
