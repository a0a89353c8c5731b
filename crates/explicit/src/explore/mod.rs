//! Searches through the reachable states of a system.
//!
//! All of them are iterative, are compiled for the system and the [store](crate::store) they are
//! used with, and obey [`Limits`]: what has been counted until then is never lost. A transition is
//! one call of the visitor of [`System::successors`](sempre_models::System::successors): two actions
//! that lead from a state to the same one are two transitions.

mod bounds;
mod breadth_first;
mod components;
mod depth_first;
mod graph;
mod limits;
mod parallel;
mod path;
#[cfg(test)]
mod tests;
mod threads;

pub use bounds::{Bound, bounds};
pub use breadth_first::{Answer, breadth_first, shortest_path, shortest_path_to_deadlock};
pub use components::{Components, components};
pub use depth_first::depth_first;
pub use graph::{Edge, Graph, graph};
pub(crate) use limits::Patience;
pub use limits::{Limits, Progress, Reason};
pub(crate) use parallel::owner;
pub use parallel::parallel;
pub use path::{Failure, Path, Step};
pub(crate) use threads::{End, Finally, Shared};

/// What a search has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The different initial states.
    pub initial: u64,
    /// The states that were reached.
    pub states: u64,
    /// The transitions that leave the states that were expanded.
    pub transitions: u64,
    /// The states that were expanded and have no successor.
    pub deadlocks: u64,
    /// How deep the search went. Breadth-first: the number of steps that the states farthest away
    /// from the initial ones need. Depth-first: the greatest number of steps on the way from an
    /// initial state that the search was on.
    pub depth: u64,
}

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
