//! What all depth-first searches have in common: the way from an initial node to the one where the
//! search is, the edges that are still to be followed from each node on it, and the status of each
//! node of the graph.
//!
//! The edges of all nodes on the way lie in one vector, those of the last one at its end.
//!
//! Most edges lead to nodes with which the search is done, and depth-first order finds little in the
//! caches of a processor. Such nodes are therefore known by two bits, and the edges to them are not
//! even made when their source is entered.

use crate::graph::{Edge, Effort, Graph};
use sempre_ltl::interrupt;

/// How many nodes are entered between two times that the graph is told about memory.
const NODES_BETWEEN_NOTES: u32 = 1 << 12;

/// What a search knows about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The search has not been there.
    New,
    /// There is more to be found out about it: it is on the way, or its component is not complete.
    Live,
    /// Nothing more is to be found out about it: edges to it do not matter.
    Done,
}

/// The status of each node of a graph, in two bits: small enough to stay in a cache where a word for
/// each would not.
#[derive(Default)]
struct Statuses(Vec<u64>);

impl Statuses {
    const LIVE: u64 = 0b01;
    const DONE: u64 = 0b11;

    #[inline]
    fn bits(&self, node: u32) -> u64 {
        self.0.get(node as usize / 32).map_or(0, |word| word >> (node % 32 * 2) & 0b11)
    }

    #[inline]
    fn get(&self, node: u32) -> Status {
        match self.bits(node) {
            0 => Status::New,
            Self::LIVE => Status::Live,
            _ => Status::Done,
        }
    }

    #[inline]
    fn is_done(&self, node: u32) -> bool {
        self.bits(node) == Self::DONE
    }

    /// Gives a node a later status than it has.
    #[inline]
    fn advance(&mut self, node: u32, bits: u64) {
        let place = node as usize / 32;
        if self.0.len() <= place {
            self.grow(place);
        }
        self.0[place] |= bits << (node % 32 * 2);
    }

    #[cold]
    fn grow(&mut self, place: usize) {
        self.0.resize((place + 1).max(self.0.len() * 3 / 2), 0);
    }
}

/// A depth-first search that has come to a node. `D` is what is known about a node only while it is on
/// the way.
pub(super) struct Walk<D = ()> {
    statuses: Statuses,
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
    /// An edge of the last node on the way, to a node with which the search is not done, and true if
    /// that is new.
    Edge(Edge, bool),
    /// The end of the edges of a node, which is no longer on the way.
    Left(Frame<D>),
}

impl<D> Walk<D> {
    pub(super) fn new() -> Self {
        let (statuses, patience) = (Statuses::default(), NODES_BETWEEN_NOTES);
        Walk { statuses, way: Vec::new(), edges: Vec::new(), patience }
    }

    /// What is known about a node.
    #[inline]
    pub(super) fn status(&self, node: u32) -> Status {
        self.statuses.get(node)
    }

    /// True if the search has not been at a node.
    #[inline]
    pub(super) fn is_new(&self, node: u32) -> bool {
        self.status(node) == Status::New
    }

    /// A node is no longer new.
    #[inline]
    pub(super) fn open(&mut self, node: u32) {
        self.statuses.advance(node, Statuses::LIVE);
    }

    /// A node is no longer new; whether the search is done with it at once depends.
    #[inline]
    pub(super) fn open_or_close(&mut self, node: u32, is_live: bool) {
        self.statuses.advance(node, if is_live { Statuses::LIVE } else { Statuses::DONE });
    }

    /// The search is done with a node.
    #[inline]
    pub(super) fn close(&mut self, node: u32) {
        self.statuses.advance(node, Statuses::DONE);
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
        let (edges, statuses) = (self.edges.len(), &self.statuses);
        let is_wanted = |target| !statuses.is_done(target);
        effort.edges += graph.successors(node, is_wanted, &mut self.edges)? as u64;
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
            let Some(edge) = self.edges.pop() else { break };
            match self.statuses.get(edge.target) {
                Status::Done => {}
                status => return Some(Next::Edge(edge, status == Status::New)),
            }
        }
        self.way.pop().map(Next::Left)
    }

    /// The last node on the way.
    #[inline]
    pub(super) fn last(&mut self) -> Option<&mut Frame<D>> {
        self.way.last_mut()
    }

    /// Keeps those edges of the last node for which the predicate is true; it is told whether the
    /// nodes to which they lead are new.
    #[inline]
    pub(super) fn retain(&mut self, mut is_kept: impl FnMut(Edge, bool) -> bool) {
        let first = self.way.last().map_or(0, |last| last.edges);
        let mut kept = first;
        for place in first..self.edges.len() {
            let edge = self.edges[place];
            if is_kept(edge, self.is_new(edge.target)) {
                self.edges[kept] = edge;
                kept += 1;
            }
        }
        self.edges.truncate(kept);
    }

    /// The nodes that are not new.
    pub(super) fn known(&self) -> impl Iterator<Item = u32> {
        let end = u32::try_from(32 * self.statuses.0.len()).unwrap_or(u32::MAX);
        (0..end).filter(|node| !self.is_new(*node))
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
        8 * self.statuses.0.capacity()
            + self.way.capacity() * size_of::<Frame<D>>()
            + self.edges.capacity() * size_of::<Edge>()
    }
}

/// The nodes before and from this one on, which must be among them.
pub(super) fn split_at_node(nodes: &[u32], node: u32) -> (&[u32], &[u32]) {
    let place = nodes.iter().position(|other| *other == node);
    nodes.split_at(place.expect("a node on the way"))
}
