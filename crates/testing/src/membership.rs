//! Membership of lasso words, by the definitions: runs are followed through the positions of a word,
//! and cycles of positions and states are looked at by what they see. Nothing of this is used by
//! constructions or searches; it is what they are compared with.

use crate::graph::ChangeGraph;
use crate::ta::TestingAutomaton;
use crate::tgta::{ExplicitTgta, Tgta};
use sempre_automata::StateId;
use sempre_ltl::Word;
use std::collections::{HashSet, VecDeque};

/// A position of a word, and a state.
type Place = (usize, StateId);

/// A word with the letters of an alphabet as bits.
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

    /// The successors by admitted edges: by whether there is a change, and their marks.
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

    /// All places that can be reached from some, those included.
    fn reachable(&self, from: &[Place], admitted: impl Fn(bool, u64) -> bool) -> HashSet<Place> {
        let mut seen: HashSet<Place> = from.iter().copied().collect();
        let mut queue: VecDeque<Place> = from.iter().copied().collect();
        while let Some(place) = queue.pop_front() {
            for next in self.next(place, &admitted) {
                if seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        seen
    }

    /// The places that are on a common cycle with this one, by admitted edges.
    fn companions(&self, place: Place, admitted: impl Fn(bool, u64) -> bool) -> HashSet<Place> {
        let forwards = self.reachable(&self.next(place, &admitted), &admitted);
        let returns = |other: &Place| self.reachable(&[*other], &admitted).contains(&place);
        forwards.into_iter().filter(returns).collect()
    }
}

/// True if the testing automaton accepts the word, by definition: a run on which the word changes
/// infinitely often and Büchi-accepting states are infinitely often, or one that stays in a
/// livelock-accepting state while the word stutters for ever.
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

/// True if the TGTA accepts the word, by definition: a run that sees all marks infinitely often.
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
