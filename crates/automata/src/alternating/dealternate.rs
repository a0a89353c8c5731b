//! Removal of alternation from linear automata.
//!
//! P. Gastin and D. Oddoux, Fast LTL to Büchi automata translation (CAV 2001), Section 4. States of
//! the result are configurations. Each state that runs must leave has an acceptance set.
//! Exponential.

use super::AlternatingAutomaton;
use crate::acceptance::Named;
use crate::automaton::Automaton;
use crate::error::Error;
use crate::index::StateId;
use crate::label::Label;
use crate::marks::Marks;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// States that must all accept, ascending.
type Configuration = Vec<StateId>;

impl AlternatingAutomaton {
    /// Returns a nondeterministic automaton for the same language, with generalized Büchi
    /// acceptance on transitions.
    ///
    /// # Errors
    /// If the automaton is not linear, or self-loops of a state have different marks.
    pub fn dealternate(&self) -> Result<Automaton, Error> {
        if !self.is_linear() {
            return Err(Error::new(
                "only automata without cycles through several states lose their alternation",
            ));
        }
        let stays: Option<Vec<bool>> = self.states().map(|state| self.may_stay(state)).collect();
        let stays = stays.ok_or_else(|| {
            Error::new("looping edges of a state have different marks: alternation is not removed")
        })?;
        let loops = |state: StateId| {
            self.edges_from(state).iter().any(|edge| edge.targets.contains(&state))
        };
        let left = self.states().filter(|&state| loops(state) && !stays[state.index()]).collect();
        let everything = self
            .states()
            .map(|state| {
                let edges = self.edges_from(state).iter();
                let alone = edges.filter(|edge| edge.targets[..] == [state]);
                stays[state.index()]
                    && self.alphabet.any_of(alone.map(|edge| edge.label)) == self.alphabet.tt()
            })
            .collect();
        Ok(Walk { automaton: self, left, everything, numbers: FxHashMap::default(), found: vec![] }
            .build())
    }
}

struct Walk<'a> {
    automaton: &'a AlternatingAutomaton,
    /// The states that runs must leave; acceptance set `i` belongs to the `i`-th.
    left: Vec<StateId>,
    /// By state, whether a self-loop alone accepts every word.
    everything: Vec<bool>,
    numbers: FxHashMap<Configuration, StateId>,
    found: Vec<Configuration>,
}

impl Walk<'_> {
    fn build(mut self) -> Automaton {
        let alphabet = self.automaton.alphabet().clone();
        let mut builder = Automaton::builder(alphabet.clone());
        builder.acceptance(Named::GeneralizedBuchi(self.left.len() as u32).acceptance());
        if let Some(name) = self.automaton.name() {
            builder.name(name);
        }
        let mut initial: Vec<StateId> = vec![];
        for start in self.automaton.initial() {
            let start = self.configuration(start.iter().copied());
            initial.push(self.number(start));
        }
        initial.dedup();
        let mut edges = vec![];
        let mut done = 0;
        while let Some(configuration) = self.found.get(done).cloned() {
            let labels = configuration
                .iter()
                .flat_map(|&state| self.automaton.edges_from(state))
                .map(|edge| edge.label);
            let mut merged: Vec<(StateId, Marks, Label)> = vec![];
            for letters in alphabet.classes(labels) {
                interrupt::poll();
                for target in self.successors(&configuration, letters) {
                    interrupt::poll();
                    let marks = self.marks(&configuration, letters, &target);
                    let target = self.number(target);
                    match merged.iter_mut().find(|(t, m, _)| *t == target && *m == marks) {
                        Some((_, _, label)) => *label = alphabet.or(*label, letters),
                        None => merged.push((target, marks, letters)),
                    }
                }
            }
            edges.push(merged);
            done += 1;
        }
        builder.add_states(self.found.len());
        for state in initial {
            builder.initial(state);
        }
        for (source, edges) in edges.into_iter().enumerate() {
            for (target, marks, label) in edges {
                builder.edge(StateId::new(source), label, marks, target);
            }
        }
        builder.build()
    }

    fn number(&mut self, configuration: Configuration) -> StateId {
        let next = StateId::new(self.found.len());
        let number = *self.numbers.entry(configuration.clone()).or_insert(next);
        if number == next {
            self.found.push(configuration);
        }
        number
    }

    fn configuration(&self, states: impl Iterator<Item = StateId>) -> Configuration {
        let mut all: Configuration = states.filter(|s| !self.everything[s.index()]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the successor configurations on a class of letters, without those that contain
    /// another one.
    fn successors(&self, configuration: &[StateId], letters: Label) -> Vec<Configuration> {
        let alphabet = self.automaton.alphabet();
        let mut reached: Vec<Configuration> = vec![vec![]];
        for &state in configuration {
            interrupt::poll();
            let edges = self.automaton.edges_from(state).iter();
            let read: Vec<_> = edges.filter(|e| !alphabet.disjoint(e.label, letters)).collect();
            let both = reached.iter().flat_map(|before| {
                read.iter().map(|edge| {
                    interrupt::poll();
                    self.configuration(before.iter().chain(&edge.targets).copied())
                })
            });
            reached = both.collect();
            reached.sort_unstable();
            reached.dedup();
        }
        reached
    }

    /// Returns the acceptance sets of a transition: those of states that the target lacks, or that
    /// can be left on the way.
    fn marks(&self, source: &[StateId], letters: Label, target: &[StateId]) -> Marks {
        let alphabet = self.automaton.alphabet();
        let leaves = |state: StateId| {
            self.automaton.edges_from(state).iter().any(|edge| {
                let kept = |t: &StateId| self.everything[t.index()] || target.contains(t);
                !edge.targets.contains(&state)
                    && !alphabet.disjoint(edge.label, letters)
                    && edge.targets.iter().all(kept)
            })
        };
        let in_set =
            |state: StateId| !source.contains(&state) || !target.contains(&state) || leaves(state);
        let sets = self.left.iter().zip(0u32..).filter(|&(&state, _)| in_set(state));
        sets.map(|(_, mark)| mark).collect()
    }
}
