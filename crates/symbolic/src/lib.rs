//! Model checking on sets of states.
pub mod net;
