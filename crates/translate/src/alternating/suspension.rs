//! Suspension of obligations that no prefix of a word decides.
//!
//! T. Babiak, M. Křetínský, V. Řehák and J. Strejček, LTL to Büchi automata translation: fast and
//! more deterministic (TACAS 2012), Section 4, suspend such obligations while a run makes progress
//! with others. Here, a configuration makes progress if it has a state in which no run may remain
//! forever. That state must not come from a state in which runs may. Accepting runs leave such
//! configurations after finitely many steps, because obligations that never settle come from states
//! where runs remain forever. So suspended obligations are resumed finally, which suffices because
//! no prefix decides them.

use super::states::States;
use super::very_weak::{Stay, VeryWeak};
use rustc_hash::FxHashMap;

pub(super) struct Suspension<'a> {
    automaton: &'a VeryWeak,
    /// By state, its reachable states.
    reached: FxHashMap<u32, States>,
}

impl<'a> Suspension<'a> {
    pub(super) fn new(automaton: &'a VeryWeak) -> Self {
        Suspension { automaton, reached: FxHashMap::default() }
    }

    /// Returns the states of a configuration that can be suspended.
    pub(super) fn suspended(&mut self, states: &States) -> States {
        let automaton = self.automaton;
        let alternating: States =
            states.iter().filter(|&s| automaton.state(s).alternating).collect();
        if alternating.is_empty() || alternating.len() == states.len() && states.len() == 1 {
            return States::default();
        }
        let stay = |state: u32| automaton.state(state).stay;
        let settled = states.iter().filter(|&s| stay(s) == Stay::Forever);
        let settled: States = settled.collect();
        for state in settled.iter() {
            self.explore(state);
        }
        let progresses = |state: u32| {
            stay(state) != Stay::Forever
                && !settled.iter().any(|s| self.reached[&s].contains(state))
        };
        if states.iter().any(|s| !alternating.contains(s) && progresses(s)) {
            return alternating;
        }
        // Progress with an obligation of the form F G f also counts, if that is not suspended.
        let own = |state: u32| stay(state) == Stay::Finitely;
        if alternating.iter().any(|s| own(s) && progresses(s)) {
            return alternating.iter().filter(|&s| !own(s)).collect();
        }
        States::default()
    }

    /// Computes the reachable states of a state.
    fn explore(&mut self, from: u32) {
        if self.reached.contains_key(&from) {
            return;
        }
        let mut seen = vec![false; self.automaton.states.len()];
        let mut stack = vec![from];
        seen[from as usize] = true;
        while let Some(state) = stack.pop() {
            sempre_ltl::interrupt::poll();
            for step in &self.automaton.state(state).steps {
                for target in step.target.states.iter() {
                    if !std::mem::replace(&mut seen[target as usize], true) {
                        stack.push(target);
                    }
                }
            }
        }
        let reached = seen.iter().zip(0..).filter(|(seen, _)| **seen).map(|(_, state)| state);
        self.reached.insert(from, reached.collect());
    }
}
