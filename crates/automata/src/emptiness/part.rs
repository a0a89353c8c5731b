//! A stored part of a graph, from which nodes and marks can be cut.

use super::components::Explored;
use crate::Marks;
use crate::graph::{Graph, Sparse};
use std::borrow::Cow;
use std::fmt::Debug;

/// Some nodes of a graph and the edges between them. Node `n` is the `n`-th given node.
pub(super) struct Part<E> {
    /// The edges of node `n` are at `offsets[n]` to `offsets[n + 1]`.
    offsets: Vec<u32>,
    pub(super) edges: Vec<PartEdge<E>>,
    /// A node is present if its stamp is the current one.
    stamps: Vec<u32>,
    stamp: u32,
    cut: Marks,
}

pub(super) struct PartEdge<E> {
    target: u32,
    marks: Marks,
    /// The edge of the graph.
    pub(super) original: E,
}

impl<E: Copy + Debug> Part<E> {
    /// Builds the part of these nodes, given by their search numbers; `place` maps a node to its
    /// index among them.
    pub(super) fn new<G: Graph<Edge = E>>(
        explored: Explored<'_, G>,
        nodes: &[u32],
        place: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let (mut offsets, mut edges) = (vec![0], vec![]);
        for node in nodes {
            for (original, target) in explored.graph.successors(explored.node(*node)) {
                if let Some(target) = explored.number(target).and_then(&place) {
                    let marks = explored.graph.marks(original).into_owned();
                    edges.push(PartEdge { target, marks, original });
                }
            }
            offsets.push(u32::try_from(edges.len()).expect("more than 2^32 edges"));
        }
        Part { offsets, edges, stamps: vec![0; nodes.len()], stamp: 0, cut: Marks::EMPTY }
    }

    /// Restricts the part to some nodes, and to edges without marks of `cut`.
    pub(super) fn restrict(&mut self, nodes: &[u32], cut: Marks) {
        self.stamp += 1;
        for node in nodes {
            self.stamps[*node as usize] = self.stamp;
        }
        self.cut = cut;
    }
}

impl<E: Copy + Debug> Graph for Part<E> {
    type Node = u32;
    type Edge = u32;
    type Numbering = Sparse<u32>;

    /// A hash table, because many searches may each visit few nodes of a large part.
    fn numbering(&self) -> Sparse<u32> {
        Sparse::default()
    }

    /// All nodes, because runs never leave a part.
    fn initial(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.stamps.len() as u32).filter(|node| self.stamps[*node as usize] == self.stamp)
    }

    fn successors(&self, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let edges = self.offsets[node as usize]..self.offsets[node as usize + 1];
        edges.map(|edge| (edge, self.edges[edge as usize].target)).filter(|(edge, target)| {
            self.stamps[*target as usize] == self.stamp
                && self.edges[*edge as usize].marks.is_disjoint(&self.cut)
        })
    }

    fn marks(&self, edge: u32) -> Cow<'_, Marks> {
        Cow::Borrowed(&self.edges[edge as usize].marks)
    }
}
