//! Searches of the reachable states of a system.
//!
//! All are iterative, monomorphized for the [store](crate::store), and obey [`Limits`]: at a limit
//! they return their counts. A transition is one successor of
//! [`Expander::expand`](sempre_models::Expander::expand): two actions between the same states are
//! two transitions.

mod bounds;
mod breadth_first;
mod components;
mod depth_first;
mod graph;
mod limits;
mod parallel;
#[cfg(test)]
mod tests;
mod threads;

pub use bounds::{Bound, bounds};
pub use breadth_first::{Answer, breadth_first, shortest_path, shortest_path_to_deadlock};
pub use components::{Components, components};
pub use depth_first::depth_first;
pub use graph::{StateGraph, Transition, graph};
pub(crate) use limits::{Insert, PollTimer};
pub(crate) use parallel::owner;
pub use parallel::parallel;
pub use sempre_check::{Counts, Failure, Limits, Path, Progress, Reason, Step};
pub(crate) use threads::{End, Shared, StopOnPanic};

/// The result of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The counts; total if the search is complete.
    pub counts: Counts,
    /// Why the search is incomplete, if it is.
    pub incomplete: Option<Reason>,
    /// The memory of the store and of other data per state at the end, in bytes.
    pub bytes: usize,
}
