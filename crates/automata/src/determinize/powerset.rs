//! The powerset of an automaton: the sets of states reached by finite words.
//!
//! Letters that lead to the same set share an edge; the empty set is left out. There are at most
//! 2^n - 1 sets for n states; a limit bounds them.

use crate::graph::{FunctionGraph, Identity};
use crate::scc::Search;
use crate::subset::{self, StateSet};
use crate::{Automaton, Label};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use std::ops::ControlFlow;

/// The maximal number of steps of one set, if the number of sets is limited: a multiple of it.
const STEPS_PER_SET: usize = 16;

/// The reachable nonempty sets of states, in breadth-first order, with the edges between them.
pub(crate) struct Powerset {
    sets: Vec<StateSet>,
    /// The edges of set `s` are at `offsets[s]` to `offsets[s + 1]`.
    offsets: Vec<u32>,
    edges: Vec<(Label, u32)>,
    /// Whether each set can read every letter.
    complete: Vec<bool>,
}

impl Powerset {
    /// Computes the powerset; `None` if it has more than `most` sets, or very many edges leave one.
    pub(crate) fn of(automaton: &Automaton, most: usize) -> Option<Self> {
        let width = subset::width(automaton.state_count());
        let start = subset::set(width, automaton.initial().iter().copied());
        let mut powerset =
            Powerset { sets: vec![], offsets: vec![0], edges: vec![], complete: vec![] };
        if subset::is_empty(&start) {
            return Some(powerset);
        }
        let mut numbers: FxHashMap<StateSet, u32> = FxHashMap::default();
        numbers.insert(start.clone(), 0);
        powerset.sets.push(start);
        let mut next = 0;
        while next < powerset.sets.len() {
            interrupt::poll();
            let most_steps = most.saturating_mul(STEPS_PER_SET);
            let set = &powerset.sets[next];
            let steps = subset::powerset_steps(automaton, set, most_steps)?;
            let mut complete = true;
            for (label, targets) in steps {
                if subset::is_empty(&targets) {
                    complete = false;
                    continue;
                }
                let sets = &mut powerset.sets;
                let number = *numbers.entry(targets).or_insert_with_key(|targets| {
                    sets.push(targets.clone());
                    sets.len() as u32 - 1
                });
                powerset.edges.push((label, number));
            }
            if powerset.sets.len() > most {
                return None;
            }
            powerset.offsets.push(powerset.edges.len() as u32);
            powerset.complete.push(complete);
            next += 1;
        }
        Some(powerset)
    }

    /// Returns the number of sets.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The states of a set.
    pub(crate) fn set(&self, number: usize) -> &StateSet {
        &self.sets[number]
    }

    /// Returns the edges of a set, each with the number of its target.
    pub(crate) fn edges(&self, number: usize) -> &[(Label, u32)] {
        &self.edges[self.offsets[number] as usize..self.offsets[number + 1] as usize]
    }

    /// True if the set can read every letter.
    pub(crate) fn is_complete(&self, number: usize) -> bool {
        self.complete[number]
    }

    /// Returns the components in reverse topological order, and the component of each set.
    pub(crate) fn components(&self) -> (Vec<Vec<u32>>, Vec<u32>) {
        let mut found: Vec<Vec<u32>> = vec![];
        let mut component = vec![0; self.len()];
        let targets = |set: u32| self.edges(set as usize).iter().map(|(_, target)| *target);
        let graph = FunctionGraph::new(self.len(), targets);
        let mut search = Search::new(Identity);
        for root in 0..self.len().min(1) as u32 {
            let ControlFlow::Continue(()) = search.each(&graph, root, |sets| {
                sets.iter().for_each(|set| component[*set as usize] = found.len() as u32);
                found.push(sets.to_vec());
                ControlFlow::<std::convert::Infallible>::Continue(())
            });
        }
        (found, component)
    }
}
