//! Searches through the reachable states of a system.
//!
//! All of them are iterative, are compiled for the system and the [store](crate::store) they are
//! used with, and obey [`Limits`]: what has been counted until then is never lost. A transition is
//! one successor of [`Expander::expand`](sempre_models::Expander::expand): two actions
//! that lead from a state to the same one are two transitions.

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
pub use graph::{Edge, Graph, graph};
pub(crate) use limits::{Insert, Patience};
pub(crate) use parallel::owner;
pub use parallel::parallel;
pub use sempre_check::{Counts, Failure, Limits, Path, Progress, Reason, Step};
pub(crate) use threads::{End, Finally, Shared};

/// The result of a search through all states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// What was counted; everything there is if the search is complete.
    pub counts: Counts,
    /// Why the search ended before it had seen everything, if it did.
    pub incomplete: Option<Reason>,
    /// The memory of the store and what else belongs to states, at the end.
    pub bytes: usize,
}
