//! The DFS stack with unexplored edges, and the status of each node, shared by all depth-first
//! searches.
//!
//! The edges of all nodes on the stack are in one vector, those of the last node at its end.
//!
//! Most edges lead to closed nodes, and depth-first order uses caches badly. Therefore the status
//! takes two bits per node, and edges to closed nodes are not generated.

use crate::graph::{Edge, Effort, SearchGraph};
use sempre_ltl::interrupt;

/// The number of nodes entered between two reports of memory use.
const NODES_BETWEEN_REPORTS: u32 = 1 << 12;

/// The status of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Not visited.
    New,
    /// Open: on the DFS stack, or in an incomplete SCC.
    Live,
    /// Closed: edges to it can be skipped.
    Done,
}

/// The status of each node, in two bits: small enough to stay in a cache.
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

    /// Raises the status of a node.
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

/// The DFS stack. `D` is the data of a node while it is on the stack.
pub(super) struct Walk<D = ()> {
    statuses: Statuses,
    stack: Vec<Frame<D>>,
    edges: Vec<Edge>,
    poll_timer: u32,
}

/// A node on the stack.
pub(super) struct Frame<D> {
    pub(super) node: u32,
    pub(super) data: D,
    /// The start of its unexplored edges.
    edges: usize,
}

/// The next event of the search.
pub(super) enum Next<D> {
    /// An edge of the last node to a node that is not closed, and true if that is new.
    Edge(Edge, bool),
    /// The end of the edges of a node, which leaves the stack.
    Left(Frame<D>),
}

impl<D> Walk<D> {
    pub(super) fn new() -> Self {
        let (statuses, poll_timer) = (Statuses::default(), NODES_BETWEEN_REPORTS);
        Walk { statuses, stack: Vec::new(), edges: Vec::new(), poll_timer }
    }

    /// Returns the status of a node.
    #[inline]
    pub(super) fn status(&self, node: u32) -> Status {
        self.statuses.get(node)
    }

    /// True if the node has not been visited.
    #[inline]
    pub(super) fn is_new(&self, node: u32) -> bool {
        self.status(node) == Status::New
    }

    /// Marks a node open.
    #[inline]
    pub(super) fn open(&mut self, node: u32) {
        self.statuses.advance(node, Statuses::LIVE);
    }

    /// Marks a node visited: open if `is_live`, else closed.
    #[inline]
    pub(super) fn open_or_close(&mut self, node: u32, is_live: bool) {
        self.statuses.advance(node, if is_live { Statuses::LIVE } else { Statuses::DONE });
    }

    /// Marks a node closed.
    #[inline]
    pub(super) fn close(&mut self, node: u32) {
        self.statuses.advance(node, Statuses::DONE);
    }

    /// Pushes a node. `others` is the memory of the search besides the stack, in bytes.
    #[inline]
    pub(super) fn enter<G: SearchGraph>(
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
        self.stack.push(Frame { node, data, edges });
        effort.depth = effort.depth.max(self.stack.len() as u64);
        self.poll_timer -= 1;
        if self.poll_timer == 0 {
            self.poll_timer = NODES_BETWEEN_REPORTS;
            graph.report_bytes(self.bytes() + others());
        }
        Ok(())
    }

    /// Returns an edge to a node that is not closed, or pops a node; `None` if the stack is empty.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Next<D>> {
        let first = self.stack.last()?.edges;
        while self.edges.len() > first {
            let Some(edge) = self.edges.pop() else { break };
            match self.statuses.get(edge.target) {
                Status::Done => {}
                status => return Some(Next::Edge(edge, status == Status::New)),
            }
        }
        self.stack.pop().map(Next::Left)
    }

    /// Returns the last node on the stack.
    #[inline]
    pub(super) fn last(&mut self) -> Option<&mut Frame<D>> {
        self.stack.last_mut()
    }

    /// Retains the edges of the last node that satisfy the predicate; its second argument is true
    /// if the target is new.
    #[inline]
    pub(super) fn retain(&mut self, mut is_kept: impl FnMut(Edge, bool) -> bool) {
        let first = self.stack.last().map_or(0, |last| last.edges);
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

    /// Returns the visited nodes.
    pub(super) fn known(&self) -> impl Iterator<Item = u32> {
        let end = u32::try_from(32 * self.statuses.0.len()).unwrap_or(u32::MAX);
        (0..end).filter(|node| !self.is_new(*node))
    }

    /// Returns the number of nodes on the stack.
    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Returns the nodes on the stack.
    pub(super) fn nodes(&self) -> Vec<u32> {
        self.stack.iter().map(|frame| frame.node).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.statuses.0.capacity()
            + self.stack.capacity() * size_of::<Frame<D>>()
            + self.edges.capacity() * size_of::<Edge>()
    }
}

/// Splits the nodes before this one, which must be among them.
pub(super) fn split_at_node(nodes: &[u32], node: u32) -> (&[u32], &[u32]) {
    let place = nodes.iter().position(|other| *other == node);
    nodes.split_at(place.expect("a node on the stack"))
}
