//! A part of a graph, stored, from which nodes and marks can be cut.

use super::components::Explored;
use crate::Marks;
use crate::graph::{Graph, Sparse};
use std::borrow::Cow;
use std::fmt::Debug;

/// Some nodes of a graph and the edges between them. Node `n` is the `n`-th of those given.
pub(super) struct Part<E> {
    /// The edges that leave node `n` are those from `offsets[n]` to `offsets[n + 1]`.
    offsets: Vec<u32>,
    pub(super) edges: Vec<PartEdge<E>>,
    /// A node is there if its stamp is the current one.
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
    /// The part of these nodes, given by the numbers that a search gave them; `place` tells at
    /// which place among them a node is.
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

    /// Keeps only some nodes, and only edges without certain marks.
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

    /// In a hash table, as there may be many searches through few nodes of a large part.
    fn numbering(&self) -> Sparse<u32> {
        Sparse::default()
    }

    /// All nodes: a part is left by none of its runs.
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
