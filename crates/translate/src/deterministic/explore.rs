//! Exploration of deterministic automata from their initial state.

use rustc_hash::FxHashMap;
use sempre_automata::{Acceptance, Alphabet, Automaton, Label, Marks, StateId};
use sempre_ltl::interrupt;
use std::hash::Hash;
use std::sync::Arc;

/// A step: its letters, its marks and its target.
pub(crate) type Step<S> = (Label, Marks, S);

/// The limits of a construction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The maximal number of states.
    pub(crate) states: usize,
    /// The maximal number of steps, before merging those with the same marks and target.
    pub(crate) steps: usize,
    /// The maximal number of diagram nodes.
    pub(crate) nodes: usize,
}

impl Bounds {
    /// The maximal number of pairs of steps that are combined, most of which no letter has.
    pub(crate) fn pairs(self) -> usize {
        16 * self.steps
    }
}

/// An automaton with the objects that its states represent.
pub(crate) struct Explored<S> {
    pub(crate) automaton: Automaton,
    pub(crate) states: Vec<S>,
}

/// Builds the automaton of the reachable states, in breadth-first order. `steps` adds the steps of
/// a state, for disjoint letters. Returns `None` if `steps` does, or beyond the bounds.
pub(crate) fn explore<S: Clone + Eq + Hash>(
    alphabet: &Arc<Alphabet>,
    acceptance: Acceptance,
    start: S,
    bounds: Bounds,
    mut steps: impl FnMut(&S, &mut Vec<Step<S>>) -> Option<()>,
) -> Option<Explored<S>> {
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(acceptance);
    let mut numbers: FxHashMap<S, StateId> = FxHashMap::default();
    let first = builder.add_state();
    builder.initial(first);
    numbers.insert(start.clone(), first);
    let mut states = vec![start];
    let mut found = vec![];
    let mut taken = 0;
    let mut edges: Vec<(StateId, Marks, Label)> = vec![];
    let mut places: FxHashMap<(StateId, Marks), usize> = FxHashMap::default();
    let mut next = 0;
    while next < states.len() {
        interrupt::poll();
        let state = states[next].clone();
        steps(&state, &mut found)?;
        taken += found.len();
        if taken > bounds.steps {
            return None;
        }
        edges.clear();
        places.clear();
        for (label, marks, target) in found.drain(..) {
            let target = *numbers.entry(target).or_insert_with_key(|target| {
                states.push(target.clone());
                builder.add_state()
            });
            match places.get(&(target, marks.clone())) {
                Some(&place) => edges[place].2 = alphabet.or(edges[place].2, label),
                None => {
                    places.insert((target, marks.clone()), edges.len());
                    edges.push((target, marks, label));
                }
            }
        }
        if states.len() > bounds.states {
            return None;
        }
        for (target, marks, label) in edges.drain(..) {
            builder.edge(StateId::new(next), label, marks, target);
        }
        next += 1;
    }
    Some(Explored { automaton: builder.build(), states })
}
