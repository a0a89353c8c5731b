//! Petri nets: places, transitions, weights and inhibitor arcs.
//!
//! A [`Net`] is built by a [`NetBuilder`], or read from a file: [`pnml`] is the format that tools
//! exchange, [`text`] the one that people write. A [`NetSystem`] packs the
//! markings of a net into as few bits as the [bounds] of the places allow. [`reduce`] makes
//! nets smaller for a property.

pub mod bounds;
pub mod colour;
mod describe;
mod net;
mod plain;
pub mod pnml;
pub mod reduce;
mod source;
mod system;
pub mod text;
pub mod unbounded;

pub use net::{Net, NetBuilder, PlaceId, TransitionId};
pub use system::NetSystem;

#[cfg(test)]
mod tests;
