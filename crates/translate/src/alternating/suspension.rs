//! Suspension: obligations that no prefix of a word decides wait until it matters.
//!
//! T. Babiak, M. Křetínský, V. Řehák and J. Strejček, LTL to Büchi automata translation: fast and
//! more deterministic (TACAS 2012), Section 4, suspend such obligations while a run has others to
//! make progress with. Here, a configuration makes progress if it has a state in which no run may
//! remain for ever, and which does not come from a state in which runs may. Runs that are accepting
//! leave such configurations after finitely many steps: tokens that never settle come, in the
//! end, from states where runs remain for ever. So what was suspended is looked at in the end, and
//! as no prefix decides it, that is soon enough.

use super::states::States;
use super::very_weak::{Stay, VeryWeak};
use rustc_hash::FxHashMap;

pub(super) struct Suspension<'a> {
    automaton: &'a VeryWeak,
    /// By state, those that can be reached from it.
    reached: FxHashMap<u32, States>,
}

impl<'a> Suspension<'a> {
    pub(super) fn new(automaton: &'a VeryWeak) -> Self {
        Suspension { automaton, reached: FxHashMap::default() }
    }

    /// The states of a configuration that can wait.
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
        // Progress with an obligation of the form F G f is as good, if that is not suspended.
        let own = |state: u32| stay(state) == Stay::Finitely;
        if alternating.iter().any(|s| own(s) && progresses(s)) {
            return alternating.iter().filter(|&s| !own(s)).collect();
        }
        States::default()
    }

    /// Finds the states that can be reached from a state.
    fn explore(&mut self, from: u32) {
        if self.reached.contains_key(&from) {
            return;
        }
        let mut seen = vec![false; self.automaton.states.len()];
        let mut stack = vec![from];
        seen[from as usize] = true;
        while let Some(state) = stack.pop() {
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
