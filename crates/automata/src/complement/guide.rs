//! Restrictions of the slice construction by the powerset: which slices to distinguish, and when to
//! guess.
//!
//! - Every word stays, from some position on, in one component of the powerset. So slices matter
//!   only inside components, may restart when a run enters one, and never leave it after the guess.
//! - Inside a component, a bottom part of the graph of slices is enough. It is reachable from each
//!   set of states, and slices may begin with any order.
//! - A word that stays there passes infinitely often through every set of nodes that breaks all
//!   cycles. Guesses are needed only at such nodes.
//! - Before the guess, all sequences of slices over one set of states have the same language. So
//!   the set replaces them, with the guesses of all its sequences.

use super::slices::{Slices, unite};
use crate::determinize::Powerset;
use crate::graph::{Graph, Sparse};
use crate::scc::components;
use crate::subset::{self, StateSet};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::interrupt;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// The restrictions computed from the powerset.
pub(super) struct Guide {
    /// The component of each set of states.
    component: FxHashMap<StateSet, u32>,
    /// For each set of states with useful guesses, the macrostates after them.
    guesses: FxHashMap<StateSet, Vec<Vec<u64>>>,
}

impl Guide {
    pub(super) fn new(powerset: &Powerset, slices: &mut Slices<'_>) -> Self {
        let (found, component) = powerset.components();
        let sets = (0..powerset.len()).map(|set| (powerset.set(set).clone(), component[set]));
        let mut guide = Guide { component: sets.collect(), guesses: FxHashMap::default() };
        for sets in found {
            let cyclic = sets.iter().any(|set| {
                let targets = powerset.edges(*set as usize).iter();
                { targets }
                    .any(|(_, target)| component[*target as usize] == component[*set as usize])
            });
            if cyclic {
                guide.add(powerset.set(sets[0] as usize), slices);
            }
        }
        guide
    }

    /// True if two sets are in the same component.
    pub(super) fn stays(&self, from: &[u64], to: &[u64]) -> bool {
        match (self.component.get(from), self.component.get(to)) {
            (Some(from), Some(to)) => from == to,
            _ => false,
        }
    }

    /// Returns the macrostates after a guess in this set of states.
    pub(super) fn guesses(&self, set: &[u64]) -> &[Vec<u64>] {
        self.guesses.get(set).map_or(&[], Vec::as_slice)
    }

    /// Adds the guesses of the component of a set.
    fn add(&mut self, start: &StateSet, slices: &mut Slices<'_>) {
        let part = closed_part(start, slices, self);
        let graph = SliceGraph { root: start.to_vec(), slices: RefCell::new(slices), guide: self };
        let numbers: FxHashMap<&[u64], usize> =
            part.iter().enumerate().map(|(number, node)| (node.as_slice(), number)).collect();
        let edges: Vec<Vec<usize>> = part
            .iter()
            .map(|node| {
                let targets = graph.targets(node).into_iter();
                targets.map(|target| numbers[target.as_slice()]).collect()
            })
            .collect();
        let width = start.len();
        // Nodes with many slices have many guesses. They come first, because late ones are preferred.
        let mut order: Vec<usize> = (0..part.len()).collect();
        order.sort_by_key(|node| std::cmp::Reverse(part[*node].len()));
        for node in breaking_all_cycles(&edges, &order) {
            let mut set = subset::empty(width);
            part[node].chunks(width).for_each(|slice| unite(&mut set, slice));
            let guesses = self.guesses.entry(set).or_default();
            slices.guess(&part[node], |ranks| {
                if !guesses.iter().any(|known| known == ranks) {
                    guesses.push(ranks.to_vec());
                }
            });
        }
    }
}

/// Sequences of slices over the sets of one component.
struct SliceGraph<'a, 'b> {
    root: Vec<u64>,
    slices: RefCell<&'a mut Slices<'b>>,
    guide: &'a Guide,
}

impl SliceGraph<'_, '_> {
    fn targets(&self, node: &[u64]) -> Vec<Vec<u64>> {
        interrupt::poll();
        let mut slices = self.slices.borrow_mut();
        let width = slices.width();
        let mut targets = vec![];
        let mut reached = subset::empty(width);
        node.chunks(width).for_each(|slice| unite(&mut reached, slice));
        let steps = slices.steps(&reached);
        for step in steps.iter() {
            if self.guide.stays(&reached, &slices.image(&reached, step)) {
                targets.push(slices.split(&reached, step, node));
            }
        }
        targets
    }
}

impl Graph for SliceGraph<'_, '_> {
    type Node = Vec<u64>;
    type Edge = ();
    type Numbering = Sparse<Vec<u64>>;

    fn numbering(&self) -> Sparse<Vec<u64>> {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        std::iter::once(self.root.clone())
    }

    fn successors(&self, node: Vec<u64>) -> impl Iterator<Item = ((), Vec<u64>)> + '_ {
        self.targets(&node).into_iter().map(|target| ((), target))
    }
}

/// Returns the smallest closed part of the graph of slices over a component: edges leave it only if
/// they leave the component.
fn closed_part(start: &StateSet, slices: &mut Slices<'_>, guide: &Guide) -> Vec<Vec<u64>> {
    let mut best: Option<Vec<Vec<u64>>> = None;
    let graph = SliceGraph { root: start.to_vec(), slices: RefCell::new(slices), guide };
    let mut bottoms: Vec<Vec<Vec<u64>>> = vec![];
    let ControlFlow::Continue(()) = components(&graph, |nodes| {
        bottoms.push(nodes.to_vec());
        ControlFlow::<std::convert::Infallible>::Continue(())
    });
    for nodes in bottoms {
        let inside: FxHashSet<&[u64]> = nodes.iter().map(Vec::as_slice).collect();
        let closed = nodes.iter().all(|node| {
            graph.targets(node).iter().all(|target| inside.contains(target.as_slice()))
        });
        if closed && best.as_ref().is_none_or(|best| nodes.len() < best.len()) {
            best = Some(nodes);
        }
    }
    best.unwrap_or_else(|| unreachable!("a finite graph has components that lead to no other"))
}

/// Returns nodes that break all cycles, preferably late ones of the order.
fn breaking_all_cycles(edges: &[Vec<usize>], order: &[usize]) -> Vec<usize> {
    let mut free = vec![false; edges.len()];
    let mut stack = vec![];
    let mut visited = vec![usize::MAX; edges.len()];
    order
        .iter()
        .copied()
        .filter(|node| {
            interrupt::poll();
            // Check for a cycle through this node that avoids the selected ones.
            stack.clear();
            stack.push(*node);
            while let Some(here) = stack.pop() {
                interrupt::poll();
                for target in &edges[here] {
                    if target == node {
                        return true;
                    }
                    if free[*target] && visited[*target] != *node {
                        visited[*target] = *node;
                        stack.push(*target);
                    }
                }
            }
            free[*node] = true;
            false
        })
        .collect()
}
