//! Couvreur's check: a depth-first search for strongly connected components that keeps a stack of
//! their roots, and ends as soon as the marks of one are complete.
//!
//! Linear in nodes and edges, for any number of marks. [`Roots::Compressed`] represents roots of
//! components that lie side by side on the search stack, and are entered without marks, by one
//! entry (Renault, Duret-Lutz, Kordon, Poitrenaud 2013). The heuristic looks at edges to nodes that
//! are known before it goes on to new ones (Couvreur, Duret-Lutz, Poitrenaud 2005).

use super::lasso;
use crate::graph::{Edge, Effort, Graph, Lasso};
use sempre_ltl::interrupt;

/// How the stack of roots is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Roots {
    /// One entry for each root.
    Plain,
    /// One entry for roots side by side.
    Compressed,
}

/// A rank that no node on the stack has: the node's component is complete.
pub(super) const DEAD: u32 = u32::MAX;

/// Components whose roots have the ranks from `first` to `last`; all of them but the last are
/// single nodes, for all that is known.
#[derive(Clone, Copy, Debug)]
struct Interval {
    first: u32,
    last: u32,
    /// The marks of the edge that leads to the first root; the others are entered without marks.
    entered: u64,
    /// The marks inside the component of the last root.
    inside: u64,
}

struct Frame {
    node: u32,
    /// Where the edges of this node begin that are still to be followed; they are at the end.
    edges: usize,
}

struct Search {
    all: u64,
    compressed: bool,
    /// For each node its place among the live ones, from 1; 0 if it is new, [`DEAD`] at last.
    rank: Vec<u32>,
    /// The nodes whose components are not complete, in the order in which they were met.
    live: Vec<u32>,
    roots: Vec<Interval>,
}

pub(super) fn search<G: Graph>(
    graph: &mut G,
    all: u64,
    roots: Roots,
    known_first: bool,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let compressed = roots == Roots::Compressed;
    let mut search = Search { all, compressed, rank: vec![], live: vec![], roots: vec![] };
    let mut frames: Vec<Frame> = Vec::new();
    let mut edges: Vec<Edge> = Vec::new();
    for &start in &initial {
        let mut entering = Some(Edge { target: start, marks: 0 });
        if search.rank_of(start) != 0 {
            continue;
        }
        loop {
            if let Some(edge) = entering.take() {
                interrupt::poll();
                search.push(edge);
                effort.nodes += 1;
                frames.push(Frame { node: edge.target, edges: edges.len() });
                effort.depth = effort.depth.max(frames.len() as u64);
                let from = edges.len();
                graph.successors(edge.target, &mut edges)?;
                effort.edges += (edges.len() - from) as u64;
                if known_first && search.follow_known(&mut edges, from) {
                    return lasso(graph, &initial, &search).map(Some);
                }
            }
            let Some(frame) = frames.last() else { break };
            if edges.len() == frame.edges {
                search.pop(frame.node);
                frames.pop();
                continue;
            }
            let edge = edges.pop().expect("edges that belong to the frame");
            match search.rank_of(edge.target) {
                0 => entering = Some(edge),
                DEAD => {}
                rank => {
                    if search.merge(edge.marks, rank) {
                        return lasso(graph, &initial, &search).map(Some);
                    }
                }
            }
        }
    }
    Ok(None)
}

/// An accepting lasso through the component on top.
fn lasso<G: Graph>(graph: &mut G, initial: &[u32], search: &Search) -> Result<Lasso, G::Error> {
    let root = search.roots.last().expect("a component").last;
    lasso::extract(
        graph,
        initial,
        |node| search.rank_of(node) != 0,
        |node| (root..DEAD).contains(&search.rank_of(node)),
        search.all,
    )
}

impl Search {
    fn rank_of(&self, node: u32) -> u32 {
        self.rank.get(node as usize).copied().unwrap_or(0)
    }

    fn push(&mut self, edge: Edge) {
        let node = edge.target as usize;
        if self.rank.len() <= node {
            self.rank.resize((node + 1).max(self.rank.len() * 3 / 2), 0);
        }
        self.live.push(edge.target);
        let rank = self.live.len() as u32;
        self.rank[node] = rank;
        if self.compressed
            && edge.marks == 0
            && let Some(top) = self.roots.last_mut()
            && top.last == rank - 1
            && top.inside == 0
        {
            top.last = rank;
            return;
        }
        self.roots.push(Interval { first: rank, last: rank, entered: edge.marks, inside: 0 });
    }

    fn pop(&mut self, node: u32) {
        let rank = self.rank[node as usize];
        let top = self.roots.last_mut().expect("a root for each live node");
        if top.last == rank {
            if top.first == top.last {
                self.roots.pop();
            } else {
                top.last -= 1;
            }
            for node in self.live.drain(rank as usize - 1..) {
                self.rank[node as usize] = DEAD;
            }
        }
    }

    /// Merges all components from that of the node of this rank on: an edge with these marks leads
    /// there. True if the marks are complete.
    fn merge(&mut self, marks: u64, rank: u32) -> bool {
        let mut inside = marks;
        let mut top = self.roots.pop().expect("a root for each live node");
        while top.first > rank {
            inside |= top.inside | top.entered;
            top = self.roots.pop().expect("a root for each live node");
        }
        // Within the interval, each rank is a root.
        let root = rank.min(top.last);
        inside |= top.inside;
        if top.first < root && inside != 0 {
            self.roots.push(Interval { last: root - 1, inside: 0, ..top });
            self.roots.push(Interval { first: root, last: root, entered: 0, inside });
        } else {
            self.roots.push(Interval { last: root, inside, ..top });
        }
        inside == self.all
    }

    /// Follows the edges from there on that lead to known nodes, and leaves the others. True if
    /// that completes the marks of a component.
    fn follow_known(&mut self, edges: &mut Vec<Edge>, from: usize) -> bool {
        let mut kept = from;
        for place in from..edges.len() {
            let edge = edges[place];
            match self.rank_of(edge.target) {
                0 => {
                    edges[kept] = edge;
                    kept += 1;
                }
                DEAD => {}
                rank => {
                    if self.merge(edge.marks, rank) {
                        return true;
                    }
                }
            }
        }
        edges.truncate(kept);
        false
    }
}
