//! Graphs with marks on their edges, generated on the fly: the common interface of automata,
//! products and parts of them for SCC searches and emptiness checks.

use crate::{Automaton, EdgeId, Marks, StateId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

/// A finite graph with marks on its edges, such as an automaton or an on-the-fly product.
pub trait Graph {
    /// A node, by value: cheap to clone, and sufficient for [`Graph::successors`].
    type Node: Clone + Debug;
    /// The identity of an edge among those of the same node.
    type Edge: Copy + Debug;
    /// The numbering of nodes.
    type Numbering: Numbering<Self::Node>;

    /// Creates an empty numbering for this graph.
    fn numbering(&self) -> Self::Numbering;

    /// Returns the initial nodes.
    fn initial(&self) -> impl Iterator<Item = Self::Node> + '_;

    /// Returns the edges of a node, each with its target.
    fn successors(&self, node: Self::Node) -> impl Iterator<Item = (Self::Edge, Self::Node)> + '_;

    /// Returns the marks of an edge; none by default.
    fn marks(&self, _edge: Self::Edge) -> Cow<'_, Marks> {
        Cow::Owned(Marks::EMPTY)
    }
}

/// Numbers nodes in the order of their discovery.
pub trait Numbering<N> {
    /// Returns the number of a node; assigns `next` if it has none.
    fn number(&mut self, node: N, next: u32) -> u32;

    /// The number of a node, if it has one.
    fn get(&self, node: N) -> Option<u32>;
}

/// Numbers in a vector, for nodes that are small numbers.
#[derive(Clone, Debug)]
pub struct Dense(Vec<u32>);

const NONE: u32 = u32::MAX;

impl Dense {
    /// Creates a numbering for nodes below `count`.
    pub fn new(count: usize) -> Self {
        Dense(vec![NONE; count])
    }
}

impl Numbering<usize> for Dense {
    fn number(&mut self, node: usize, next: u32) -> u32 {
        let number = &mut self.0[node];
        if *number == NONE {
            *number = next;
        }
        *number
    }

    fn get(&self, node: usize) -> Option<u32> {
        Some(self.0[node]).filter(|number| *number != NONE)
    }
}

impl Numbering<StateId> for Dense {
    fn number(&mut self, node: StateId, next: u32) -> u32 {
        self.number(node.index(), next)
    }

    fn get(&self, node: StateId) -> Option<u32> {
        self.get(node.index())
    }
}

/// Numbers in a hash table, for searches that visit few of the nodes.
#[derive(Clone, Debug)]
pub struct Sparse<N>(FxHashMap<N, u32>);

impl<N> Default for Sparse<N> {
    fn default() -> Self {
        Sparse(FxHashMap::default())
    }
}

impl<N: Eq + Hash> Numbering<N> for Sparse<N> {
    fn number(&mut self, node: N, next: u32) -> u32 {
        *self.0.entry(node).or_insert(next)
    }

    fn get(&self, node: N) -> Option<u32> {
        self.0.get(&node).copied()
    }
}

/// The identity, for graphs whose nodes are the numbers from 0 on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity;

impl Numbering<u32> for Identity {
    fn number(&mut self, node: u32, _: u32) -> u32 {
        node
    }

    fn get(&self, node: u32) -> Option<u32> {
        Some(node)
    }
}

/// A graph over the numbers below a bound, without marks; a function gives the edges.
pub struct FunctionGraph<F, I> {
    count: u32,
    successors: F,
    iterator: PhantomData<I>,
}

impl<F: Fn(u32) -> I, I: Iterator<Item = u32>> FunctionGraph<F, I> {
    /// Creates the graph with nodes below `count`.
    pub fn new(count: usize, successors: F) -> Self {
        let count = u32::try_from(count).expect("more than 2^32 nodes");
        FunctionGraph { count, successors, iterator: PhantomData }
    }
}

impl<F: Fn(u32) -> I, I: Iterator<Item = u32>> Graph for FunctionGraph<F, I> {
    type Node = u32;
    type Edge = ();
    type Numbering = Identity;

    fn numbering(&self) -> Identity {
        Identity
    }

    /// All nodes.
    fn initial(&self) -> impl Iterator<Item = u32> + '_ {
        0..self.count
    }

    fn successors(&self, node: u32) -> impl Iterator<Item = ((), u32)> + '_ {
        (self.successors)(node).map(|target| ((), target))
    }
}

impl Graph for Automaton {
    type Node = StateId;
    type Edge = EdgeId;
    type Numbering = Dense;

    fn numbering(&self) -> Dense {
        Dense::new(self.state_count())
    }

    fn initial(&self) -> impl Iterator<Item = StateId> + '_ {
        Automaton::initial(self).iter().copied()
    }

    fn successors(&self, node: StateId) -> impl Iterator<Item = (EdgeId, StateId)> + '_ {
        self.edge_range(node).map(|place| (EdgeId::new(place), self.edges()[place].target))
    }

    fn marks(&self, edge: EdgeId) -> Cow<'_, Marks> {
        Cow::Borrowed(&self.edge(edge).marks)
    }
}
