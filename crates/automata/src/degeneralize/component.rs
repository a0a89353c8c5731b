//! A part of an automaton with its own levels, and the marks that it must wait for.

use super::sets::Sets;
use crate::automaton::Automaton;
use crate::graph::{FunctionGraph, Identity};
use crate::index::StateId;
use crate::marks::{Mark, Marks};
use crate::scc::Search;
use std::convert::Infallible;
use std::ops::{ControlFlow, Range};

/// States, usually those of a strongly connected component, with the edges between them.
pub(super) struct Component<'a> {
    /// The edges of the `i`-th state are at `offsets[i]` to `offsets[i + 1]`.
    offsets: Vec<u32>,
    edges: Vec<Inner<'a>>,
}

/// An edge inside a component.
pub(super) struct Inner<'a> {
    /// The index of the target among the states.
    pub(super) target: u32,
    /// The sets that contain the edge.
    pub(super) sets: &'a Marks,
}

impl<'a> Component<'a> {
    /// Builds the component of these states; `place` maps a state to its index in the list.
    pub(super) fn new(
        automaton: &Automaton,
        sets: &'a Sets,
        states: &[StateId],
        place: impl Fn(StateId) -> Option<u32>,
    ) -> Self {
        let (mut offsets, mut edges) = (vec![0], vec![]);
        for &state in states {
            for edge in automaton.edge_range(state) {
                if let Some(target) = place(automaton.edges()[edge].target) {
                    edges.push(Inner { target, sets: sets.of_edge(edge) });
                }
            }
            offsets.push(edges.len() as u32);
        }
        Component { offsets, edges }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of edges.
    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the edges of the state with this index.
    pub(super) fn edges_from(&self, place: u32) -> &[Inner<'a>] {
        &self.edges[self.range(place)]
    }

    fn range(&self, place: u32) -> Range<usize> {
        self.offsets[place as usize] as usize..self.offsets[place as usize + 1] as usize
    }

    /// Returns the sets that a run inside the component must wait for, in this order. Sets that
    /// every cycle through the others visits are left out. `None` if no cycle visits all sets.
    ///
    /// Computes the SCCs once for each set.
    pub(super) fn needed(&self, order: &[Mark]) -> Option<Vec<Mark>> {
        let mut visited = Marks::EMPTY;
        self.edges.iter().for_each(|edge| visited |= edge.sets);
        let mut needed: Vec<Mark> = order.to_vec();
        if self.edges.is_empty() || !needed.iter().all(|&set| visited.contains(set)) {
            return None;
        }
        for set in order {
            let others: Marks = needed.iter().copied().filter(|other| other != set).collect();
            if !self.has_cycle(*set, &others) {
                needed.retain(|other| other != set);
            }
        }
        Some(needed)
    }

    /// True if a cycle avoids one set and visits the others.
    fn has_cycle(&self, avoided: Mark, others: &Marks) -> bool {
        let edges = |state| self.edges_from(state).iter();
        let avoiding = |state| edges(state).filter(|edge| !edge.sets.contains(avoided));
        let graph = FunctionGraph::new(self.len(), |state| avoiding(state).map(|edge| edge.target));
        let mut search = Search::new(Identity);
        let mut member = vec![u32::MAX; self.len()];
        (0..self.len() as u32).any(|root| {
            let found = search.each(&graph, root, |states| {
                let name = states[0];
                states.iter().for_each(|&state| member[state as usize] = name);
                let (mut has_edge, mut visited) = (false, Marks::EMPTY);
                for &state in states {
                    for edge in self.edges_from(state) {
                        if member[edge.target as usize] == name && !edge.sets.contains(avoided) {
                            has_edge = true;
                            visited |= edge.sets;
                        }
                    }
                }
                match has_edge && others.is_subset(&visited) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            found.is_break()
        })
    }

    /// Returns the smallest nonempty set of nodes that is closed under edges, ascending. The nodes
    /// are those below `count`; a function gives their successors.
    pub(super) fn smallest_closed(count: u32, successors: impl Fn(u32, &mut Vec<u32>)) -> Vec<u32> {
        let graph = FunctionGraph::new(count as usize, |node| {
            let mut next = vec![];
            successors(node, &mut next);
            next.into_iter().rev()
        });
        let mut search = Search::new(Identity);
        let mut done = vec![false; count as usize];
        let mut smallest: Vec<u32> = vec![];
        let mut next = vec![];
        for root in 0..count {
            let ControlFlow::Continue(()) = search.each(&graph, root, |nodes| {
                // The components that this one reaches come first.
                let closed = nodes.iter().all(|&node| {
                    next.clear();
                    successors(node, &mut next);
                    next.iter().all(|&node| !done[node as usize])
                });
                nodes.iter().for_each(|&node| done[node as usize] = true);
                if closed && (smallest.is_empty() || nodes.len() < smallest.len()) {
                    smallest = nodes.to_vec();
                }
                ControlFlow::<Infallible>::Continue(())
            });
        }
        smallest.sort_unstable();
        smallest
    }
}
