//! Membership of lasso words, by the definitions: follows runs through the positions of a word, and
//! evaluates cycles of positions and states. It is an oracle that shares no code with constructions
//! and searches.

use crate::graph::ChangeGraph;
use crate::ta::TestingAutomaton;
use crate::tgta::{ExplicitTgta, Tgta};
use sempre_automata::StateId;
use sempre_ltl::Word;
use std::collections::{HashSet, VecDeque};

/// A position of a word, and a state.
type Place = (usize, StateId);

/// A word with its letters as bits over an alphabet.
struct Positions<'a> {
    graph: &'a ChangeGraph,
    word: &'a Word,
    valuations: Vec<u64>,
}

impl<'a> Positions<'a> {
    fn new(graph: &'a ChangeGraph, word: &'a Word) -> Self {
        let props = graph.alphabet().props();
        let valuation = |position: usize| {
            let holds = |place: &usize| word.value(position, &props[*place]);
            (0..props.len()).filter(holds).fold(0u64, |bits, place| bits | 1 << place)
        };
        Positions { graph, word, valuations: (0..word.len()).map(valuation).collect() }
    }

    fn starts(&self) -> Vec<Place> {
        let automaton = self.graph.automaton();
        let can_start = |state: &StateId| {
            automaton.alphabet().satisfied(self.graph.first(*state), self.valuations[0])
        };
        automaton.states().filter(can_start).map(|state| (0, state)).collect()
    }

    /// Returns the successors by admitted edges; `admitted` gets whether there is a change, and the
    /// marks.
    fn next(&self, (position, state): Place, admitted: impl Fn(bool, u64) -> bool) -> Vec<Place> {
        let automaton = self.graph.automaton();
        let after = self.word.successor(position);
        let change = self.valuations[position] ^ self.valuations[after];
        automaton
            .edges_from(state)
            .iter()
            .filter(|edge| automaton.alphabet().satisfied(edge.label, change))
            .filter(|edge| admitted(change != 0, edge.marks.as_bits().unwrap_or(0)))
            .map(|edge| (after, edge.target))
            .collect()
    }

    /// Returns all places reachable from these, including themselves.
    fn reachable(&self, from: &[Place], admitted: impl Fn(bool, u64) -> bool) -> HashSet<Place> {
        let mut seen: HashSet<Place> = from.iter().copied().collect();
        let mut queue: VecDeque<Place> = from.iter().copied().collect();
        while let Some(place) = queue.pop_front() {
            sempre_ltl::interrupt::poll();
            for next in self.next(place, &admitted) {
                if seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        seen
    }

    /// Returns the places on a common cycle with this one, by admitted edges.
    fn companions(&self, place: Place, admitted: impl Fn(bool, u64) -> bool) -> HashSet<Place> {
        let forwards = self.reachable(&self.next(place, &admitted), &admitted);
        let returns = |other: &Place| self.reachable(&[*other], &admitted).contains(&place);
        forwards.into_iter().filter(returns).collect()
    }
}

/// True if the testing automaton accepts the word, by definition. Either the word changes
/// infinitely often on a run that visits Büchi-accepting states infinitely often. Or the run stays
/// in a livelock-accepting state while the word stutters forever.
pub fn accepts(automaton: &TestingAutomaton, word: &Word) -> bool {
    let positions = Positions::new(automaton.graph(), word);
    let any = |_: bool, _: u64| true;
    let reached = positions.reachable(&positions.starts(), any);
    reached.iter().any(|place| {
        let stutters = positions.companions(*place, |changes, _| !changes);
        if automaton.is_livelock(place.1) && stutters.contains(place) {
            return true;
        }
        let around = positions.companions(*place, any);
        let changes = around.iter().any(|(position, _)| {
            positions.valuations[*position] != positions.valuations[word.successor(*position)]
        });
        automaton.is_buchi(place.1) && around.contains(place) && changes
    })
}

/// True if the TGTA accepts the word, by definition: some run sees all marks infinitely often.
pub fn tgta_accepts(automaton: &Tgta, word: &Word) -> bool {
    sees_all(automaton.graph(), word)
}

/// True if the automaton with explicit stuttering accepts the word, by definition.
pub fn explicit_tgta_accepts(automaton: &ExplicitTgta, word: &Word) -> bool {
    sees_all(automaton.graph(), word)
}

fn sees_all(graph: &ChangeGraph, word: &Word) -> bool {
    let positions = Positions::new(graph, word);
    let any = |_: bool, _: u64| true;
    let automaton = graph.automaton();
    positions.reachable(&positions.starts(), any).iter().any(|place| {
        let around = positions.companions(*place, any);
        let mut seen = 0;
        for &(position, state) in &around {
            let after = word.successor(position);
            let change = positions.valuations[position] ^ positions.valuations[after];
            for edge in automaton.edges_from(state) {
                if automaton.alphabet().satisfied(edge.label, change)
                    && around.contains(&(after, edge.target))
                {
                    seen |= edge.marks.as_bits().unwrap_or(0);
                }
            }
        }
        let all = (0..automaton.acceptance().marks()).fold(0, |bits, mark| bits | 1u64 << mark);
        !around.is_empty() && around.contains(place) && seen == all
    })
}
