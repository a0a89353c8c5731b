//! What the powerset tells about slices: where they need not be told apart, and when to guess.
//!
//! The runs on a word stay, from some position on, in one component of the powerset. So slices
//! matter inside components only, may begin anew when one is entered, and after the guess the
//! component need not be left. Inside a component, only a part of the graph of slices matters that
//! cannot be left but with the component: from each set of states there is a way in, and slices may
//! begin with any order. Every word that stays there passes again and again through a node of any
//! set of nodes whose removal leaves no cycle: only there guesses are needed. As before the guess
//! sequences of slices over the same set of states have the same language, the set itself is enough,
//! with the guesses of all these sequences.

use super::slices::{Slices, unite};
use crate::determinize::Powerset;
use crate::graph::{Graph, Sparse};
use crate::scc::components;
use crate::subset::{self, StateSet};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::interrupt;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// What is needed of the powerset.
pub(super) struct Guide {
    /// For each set of states its component.
    component: FxHashMap<StateSet, u32>,
    /// For each set of states on which a guess is worthwhile, the macrostates that are guessed.
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

    /// The macrostates after a guess with this set of states.
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
        // Nodes with many slices make many guesses: rather not there.
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

/// The smallest part of the slices over a component that is left only with the component.
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

/// Nodes through one of which every cycle passes, preferably late ones of the order.
fn breaking_all_cycles(edges: &[Vec<usize>], order: &[usize]) -> Vec<usize> {
    let mut free = vec![false; edges.len()];
    let mut stack = vec![];
    let mut visited = vec![usize::MAX; edges.len()];
    order
        .iter()
        .copied()
        .filter(|node| {
            interrupt::poll();
            // Without this node among the chosen ones, is there a cycle through it?
            stack.clear();
            stack.push(*node);
            while let Some(here) = stack.pop() {
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
