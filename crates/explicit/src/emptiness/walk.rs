//! What all depth-first searches have in common: the way from an initial node to the one where the
//! search is, the edges that are still to be followed from each node on it, and a value for each
//! node of the graph.
//!
//! The edges of all nodes on the way lie in one vector, those of the last one at its end.
//!
//! Most edges lead to nodes with which the search is done, and depth-first order finds little in the
//! caches of a processor. Such nodes are therefore known by one bit, and the edges are dropped as
//! soon as their source is entered.

use crate::bits::Bits;
use crate::graph::{Edge, Effort, Graph};
use sempre_ltl::interrupt;

/// How many nodes are entered between two times that the graph is told about memory.
const NODES_BETWEEN_NOTES: u32 = 1 << 12;

/// What is known about a node; the default for nodes that are new.
pub(super) trait Value: Copy + Default + PartialEq {
    /// Nothing more is to be found out about the node: edges to it do not matter.
    const DONE: Self;
}

/// For searches that rank nodes.
impl Value for u32 {
    const DONE: u32 = DEAD;
}

/// For searches that enter nodes and then are done with them.
impl Value for () {
    const DONE: () = ();
}

/// A rank that no node on the way has: the node's component is complete.
pub(super) const DEAD: u32 = u32::MAX;

/// A depth-first search that has come to a node. `V` is what is known about each node, `D` what is
/// known about a node only while it is on the way.
pub(super) struct Walk<V, D = ()> {
    /// The nodes whose value is [`Value::DONE`].
    done: Bits,
    /// The values of the others.
    values: Vec<V>,
    way: Vec<Frame<D>>,
    edges: Vec<Edge>,
    patience: u32,
}

/// A node on the way.
pub(super) struct Frame<D> {
    pub(super) node: u32,
    pub(super) data: D,
    /// Where the edges of this node begin that are still to be followed.
    edges: usize,
}

/// What comes next.
pub(super) enum Next<D> {
    /// An edge of the last node on the way.
    Edge(Edge),
    /// The end of the edges of a node, which is no longer on the way.
    Left(Frame<D>),
}

impl<V: Value, D> Walk<V, D> {
    pub(super) fn new() -> Self {
        let (values, way, edges) = (Vec::new(), Vec::new(), Vec::new());
        Walk { done: Bits::default(), values, way, edges, patience: NODES_BETWEEN_NOTES }
    }

    /// The value of a node.
    #[inline]
    pub(super) fn value(&self, node: u32) -> V {
        if self.done.contains(node) {
            return V::DONE;
        }
        self.values.get(node as usize).copied().unwrap_or_default()
    }

    /// Changes the value of a node, if the search is not done with it.
    #[inline]
    pub(super) fn set(&mut self, node: u32, value: V) {
        if value == V::DONE {
            self.done.insert(node);
            return;
        }
        let place = node as usize;
        if self.values.len() <= place {
            self.values.resize((place + 1).max(self.values.len() * 5 / 4), V::default());
        }
        self.values[place] = value;
    }

    /// Goes to a node. `others` is the memory of the search besides the walk.
    #[inline]
    pub(super) fn enter<G: Graph>(
        &mut self,
        graph: &mut G,
        node: u32,
        data: D,
        effort: &mut Effort,
        others: impl FnOnce() -> usize,
    ) -> Result<(), G::Error> {
        interrupt::poll();
        let edges = self.edges.len();
        graph.successors(node, &mut self.edges)?;
        effort.edges += (self.edges.len() - edges) as u64;
        let mut kept = edges;
        for place in edges..self.edges.len() {
            let edge = self.edges[place];
            self.edges[kept] = edge;
            kept += usize::from(!self.done.contains(edge.target));
        }
        self.edges.truncate(kept);
        self.way.push(Frame { node, data, edges });
        effort.depth = effort.depth.max(self.way.len() as u64);
        self.patience -= 1;
        if self.patience == 0 {
            self.patience = NODES_BETWEEN_NOTES;
            graph.note_bytes(self.bytes() + others());
        }
        Ok(())
    }

    /// Follows an edge to a node with which the search is not done, or goes back; none if there is
    /// nowhere to go back to.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Next<D>> {
        let first = self.way.last()?.edges;
        while self.edges.len() > first {
            match self.edges.pop() {
                Some(edge) if !self.done.contains(edge.target) => return Some(Next::Edge(edge)),
                _ => {}
            }
        }
        self.way.pop().map(Next::Left)
    }

    /// The last node on the way.
    #[inline]
    pub(super) fn last(&mut self) -> Option<&mut Frame<D>> {
        self.way.last_mut()
    }

    /// Keeps those edges of the last node for which the predicate is true; it is told the values of
    /// the nodes to which they lead.
    #[inline]
    pub(super) fn retain(&mut self, mut is_kept: impl FnMut(Edge, V) -> bool) {
        let first = self.way.last().map_or(0, |last| last.edges);
        let mut kept = first;
        for place in first..self.edges.len() {
            let edge = self.edges[place];
            if is_kept(edge, self.value(edge.target)) {
                self.edges[kept] = edge;
                kept += 1;
            }
        }
        self.edges.truncate(kept);
    }

    /// The nodes that are not new.
    pub(super) fn known(&self) -> impl Iterator<Item = u32> {
        let end = self.done.end().max(self.values.len() as u32);
        (0..end).filter(|node| self.value(*node) != V::default())
    }

    /// How many nodes are on the way.
    pub(super) fn depth(&self) -> usize {
        self.way.len()
    }

    /// The nodes on the way.
    pub(super) fn nodes(&self) -> Vec<u32> {
        self.way.iter().map(|frame| frame.node).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.done.bytes()
            + self.values.capacity() * size_of::<V>()
            + self.way.capacity() * size_of::<Frame<D>>()
            + self.edges.capacity() * size_of::<Edge>()
    }
}

/// The nodes before and from this one on, which must be among them.
pub(super) fn split_at_node(nodes: &[u32], node: u32) -> (&[u32], &[u32]) {
    let place = nodes.iter().position(|other| *other == node);
    nodes.split_at(place.expect("a node on the way"))
}
