//! Unfolding of automata over valuations to automata over changes.
//!
//! A state of the result is a state of the automaton with the next valuation. An edge has the
//! change to the valuation after that (Properties 3 and 8 of A. E. Ben Salem, Improving the model
//! checking of stutter-invariant LTL properties, 2014). The language is preserved for any
//! automaton.
//!
//! A valuation can be restricted to the propositions that matter from a state on: those of
//! reachable labels. Then there are at most Σ 2^|observed(q)| states over the states q. The edges
//! of (q, ℓ) to (q', ·) are as many as the valuations observed in q'.

use crate::changes;
use crate::error::Error;
use crate::graph::ChangeGraph;
use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, AutomatonBuilder, Label, Sccs, StateId, parallel};
use sempre_ltl::interrupt;

/// The maximal number of states.
const MAX_STATES: usize = 1 << 16;
/// The maximal number of edges.
const MAX_EDGES: usize = 1 << 21;

/// The propositions that a state stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Observed {
    /// All, as in the definition.
    All,
    /// Those on reachable edges.
    #[default]
    Reachable,
}

/// Unfolds an automaton; the graph has the same language and marks.
pub(crate) fn unfold(automaton: &Automaton, observed: Observed) -> Result<ChangeGraph, Error> {
    unfold_with_states(automaton, observed).map(|(graph, _)| graph)
}

/// As [`unfold`], with the meaning of each state: a state of the automaton, and the values of the
/// propositions that it observes.
pub(crate) fn unfold_with_states(
    automaton: &Automaton,
    observed: Observed,
) -> Result<(ChangeGraph, Vec<(StateId, u64)>), Error> {
    if automaton.alphabet().props().len() > 64 {
        return Err(too_large());
    }
    let mut unfolding = Unfolding {
        automaton,
        masks: masks(automaton, observed),
        builder: Automaton::builder(automaton.alphabet().clone()),
        numbers: FxHashMap::default(),
        states: vec![],
        edges: 0,
    };
    unfolding.builder.acceptance(automaton.acceptance().clone());
    if let Some(name) = automaton.name() {
        unfolding.builder.name(name);
    }
    unfolding.run()
}

fn too_large() -> Error {
    Error::TooLarge { states: MAX_STATES, edges: MAX_EDGES }
}

/// By state, the propositions that it stores, as bits.
pub(crate) fn masks(automaton: &Automaton, observed: Observed) -> Vec<u64> {
    let props = automaton.alphabet().props().len() as u32;
    let all = u64::MAX.checked_shr(64 - props).unwrap_or(0);
    if observed == Observed::All {
        return vec![all; automaton.state_count()];
    }
    let sccs = Sccs::of_all(automaton);
    let mut of_component = vec![0u64; sccs.len()];
    let mut supports: FxHashMap<Label, u64> = FxHashMap::default();
    for scc in sccs.iter() {
        // Successors come first.
        let mut mask =
            sccs.successors(scc).iter().fold(0, |mask, next| mask | of_component[next.index()]);
        for edge in sccs.states(scc).iter().flat_map(|state| automaton.edges_from(*state)) {
            mask |= *supports.entry(edge.label).or_insert_with(|| {
                automaton.alphabet().support(edge.label).iter().fold(0, |m, prop| m | 1 << prop)
            });
        }
        of_component[scc.index()] = mask;
    }
    let mask = |state| sccs.component(state).map_or(0, |scc| of_component[scc.index()]);
    automaton.states().map(mask).collect()
}

struct Unfolding<'a> {
    automaton: &'a Automaton,
    masks: Vec<u64>,
    builder: AutomatonBuilder,
    /// The numbers of states with valuations; `None` if the state cannot read the valuation.
    numbers: FxHashMap<(StateId, u64), Option<StateId>>,
    /// States in the order of their numbers.
    states: Vec<(StateId, u64)>,
    edges: usize,
}

impl Unfolding<'_> {
    fn run(mut self) -> Result<(ChangeGraph, Vec<(StateId, u64)>), Error> {
        let alphabet = self.automaton.alphabet().clone();
        let mut first = vec![];
        for &state in self.automaton.initial() {
            for valuation in submasks(self.masks[state.index()]) {
                if let Some(number) = self.number(state, valuation)? {
                    first.resize(self.states.len(), alphabet.ff());
                    let mask = self.masks[state.index()];
                    first[number.index()] = changes::letters(&alphabet, valuation, mask);
                }
            }
        }
        let mut done = 0;
        while let Some(&(state, valuation)) = self.states.get(done) {
            let source = StateId::new(done);
            for edge in self.automaton.edges_from(state) {
                if !alphabet.satisfied(edge.label, valuation) {
                    continue;
                }
                let mask = self.masks[edge.target.index()];
                for next in submasks(mask) {
                    interrupt::poll();
                    if let Some(target) = self.number(edge.target, next)? {
                        let label = changes::letters(&alphabet, valuation ^ next, mask);
                        self.builder.edge(source, label, edge.marks.clone(), target);
                        self.edges += 1;
                    }
                }
                if self.edges > MAX_EDGES {
                    return Err(too_large());
                }
            }
            done += 1;
        }
        first.resize(self.states.len(), alphabet.ff());
        for (place, (state, valuation)) in self.states.iter().enumerate() {
            let valuation = changes::letters(&alphabet, *valuation, self.masks[state.index()]);
            let name = format!("{state}, {}", alphabet.to_formula(valuation));
            self.builder.state_name(StateId::new(place), name);
        }
        Ok((ChangeGraph::new(parallel::merge(&self.builder.build()), first), self.states))
    }

    /// Returns the number of a state with a valuation, if the state can read it.
    fn number(&mut self, state: StateId, valuation: u64) -> Result<Option<StateId>, Error> {
        if let Some(number) = self.numbers.get(&(state, valuation)) {
            return Ok(*number);
        }
        if self.states.len() >= MAX_STATES || self.numbers.len() >= MAX_EDGES {
            return Err(too_large());
        }
        let alphabet = self.automaton.alphabet();
        let edges = self.automaton.edges_from(state);
        let can_read = edges.iter().any(|edge| alphabet.satisfied(edge.label, valuation));
        let number = can_read.then(|| {
            self.states.push((state, valuation));
            self.builder.add_state()
        });
        self.numbers.insert((state, valuation), number);
        Ok(number)
    }
}

/// Returns all valuations of the propositions in the mask, in ascending order.
fn submasks(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let current = next?;
        let following = (current | !mask).wrapping_add(1) & mask;
        next = (following != 0).then_some(following);
        Some(current)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submasks_are_all_valuations() {
        assert_eq!(submasks(0).collect::<Vec<_>>(), [0]);
        assert_eq!(submasks(0b101).collect::<Vec<_>>(), [0, 1, 4, 5]);
        assert_eq!(submasks(u64::MAX).take(3).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
