//! Certificates by sets: tables of nodes whose states are sets, for properties of Petri nets.
//!
//! A [certificate](sempre_certificate) lists its nodes one by one. Here a *layer* has a rank, a set
//! of obligations Γ and a set of states, as a decision diagram in the file. It stands for all nodes
//! of these states with Γ and that rank. The conditions are those of any certificate, but the
//! [checker](check()) decides them for all nodes of a layer in one inclusion:
//!
//! 1. every initial state is in a layer with Γ = {ψ};
//! 2. for every layer of rank k, every alternative of Γ and every transition: the successors of the
//!    states with this alternative are in layers with the next Γ', of ranks below k, or of rank k if
//!    the alternative postpones the promise of k.
//!
//! A node may be in several layers. The proof holds for the layers through which a run can go on.
//!
//! The checker reads arcs of the net as it was read from its file, and the syntax of propositions.
//! It turns the diagrams of the file into binary decision diagrams of another package,
//! [oxidd](oxidd::bdd), which computes the inclusions. Nothing here knows the engines, their
//! diagrams, or the search that has found the layers.

mod check;
mod condition;
pub mod file;
mod space;

pub use check::{Failure, check};
pub use file::read;

use sempre_certificate::Claim;
use sempre_certificate::obligations::Set;

/// An edge of a diagram: a value, and the number of a node one level below.
pub type Edge = (u32, u32);

/// The nodes of a level of diagrams; each has edges with ascending values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// For each node the end of its edges.
    pub ends: Vec<u32>,
    /// The edges of all nodes.
    pub edges: Vec<Edge>,
}

impl Level {
    /// Returns the edges of all nodes, node by node.
    pub fn nodes(&self) -> impl Iterator<Item = &[Edge]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.edges[start as usize..*end as usize])
    }
}

/// All nodes of some states with a set of obligations and a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The rank.
    pub rank: u32,
    /// The number of the set of obligations.
    pub set: u32,
    /// The root of the diagram of the states: a node of the topmost level.
    pub root: u32,
}

/// A claim with layers of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetCertificate {
    /// The statement.
    pub claim: Claim,
    /// The variables from the top of diagrams: their numbers, and the numbers of bits of their
    /// values.
    pub variables: Vec<(u32, u32)>,
    /// The sets of obligations.
    pub sets: Vec<Set>,
    /// The nodes of diagrams by levels, from the bottom. Below the lowest one is the node 0, which
    /// stands for the empty tuple.
    pub levels: Vec<Level>,
    /// The layers, in ascending order of ranks.
    pub layers: Vec<Layer>,
    /// For each rank its promise: the number of an until, or [`NONE`](sempre_certificate::NONE).
    pub promises: Vec<u32>,
}

impl SetCertificate {
    /// Returns the number of nodes of all diagrams.
    pub fn node_count(&self) -> usize {
        self.levels.iter().map(|level| level.ends.len()).sum()
    }
}
