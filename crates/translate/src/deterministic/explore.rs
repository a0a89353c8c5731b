//! Deterministic automata from their first state and the steps of each.

use rustc_hash::FxHashMap;
use sempre_automata::{Acceptance, Alphabet, Automaton, Label, Marks, StateId};
use sempre_ltl::interrupt;
use std::hash::Hash;
use std::sync::Arc;

/// A step: for which letters, with which marks, to which state.
pub(crate) type Step<S> = (Label, Marks, S);

/// How far a construction may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The largest number of states.
    pub(crate) states: usize,
    /// The largest number of steps, before those with the same marks and target are joined.
    pub(crate) steps: usize,
    /// The largest number of nodes of decision diagrams.
    pub(crate) nodes: usize,
}

/// An automaton, and what its states stand for.
pub(crate) struct Explored<S> {
    pub(crate) automaton: Automaton,
    pub(crate) states: Vec<S>,
}

/// The automaton of the states that can be reached, in the order in which they are found, breadth
/// first. `steps` adds the steps of a state, for disjoint letters; it gives up by returning `None`,
/// as the whole does beyond the bounds.
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
