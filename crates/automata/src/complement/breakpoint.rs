//! Complementation of inherently weak automata by breakpoints (Miyano and Hayashi, "Alternating
//! finite automata on ω-words", Theoretical Computer Science 32, 1984).
//!
//! A run of an inherently weak automaton is rejecting unless it stays in accepting components
//! forever. A macrostate has two sets: the states that runs have reached, and those that have
//! stayed in accepting components since the last breakpoint. When the second set is empty, all runs
//! have left them; it is then refilled from the first. The complement is deterministic, with at
//! most 3^n macrostates for n states, and works for any acceptance condition.

use super::macrostates::Construction;
use crate::subset::{self, StateSet};
use crate::{Alphabet, Automaton, Label, Sccs};
use std::sync::Arc;

/// The complement of an inherently weak automaton, which is a deterministic Büchi automaton.
pub(crate) struct Breakpoint<'a> {
    automaton: &'a Automaton,
    /// The states of accepting components.
    accepting: StateSet,
}

impl<'a> Breakpoint<'a> {
    /// Requires an inherently weak automaton.
    pub(crate) fn new(automaton: &'a Automaton) -> Self {
        let sccs = Sccs::of(automaton);
        let accepting = sccs.accepting(automaton);
        let is_accepting =
            |state: &_| sccs.component(*state).is_some_and(|scc| accepting[scc.index()]);
        let width = subset::width(automaton.state_count());
        let accepting = subset::set(width, automaton.states().filter(is_accepting));
        Breakpoint { automaton, accepting }
    }

    /// Builds a macrostate from the states reached and those that have not left yet.
    fn macrostate(&self, reached: &[u64], staying: impl Iterator<Item = u64>) -> (bool, Vec<u64>) {
        let mut state = reached.to_vec();
        state.extend(staying.zip(&self.accepting).map(|(staying, accepting)| staying & accepting));
        let breakpoint = subset::is_empty(&state[reached.len()..]);
        if breakpoint {
            state.truncate(reached.len());
            let accepting = reached.iter().zip(&self.accepting);
            state.extend(accepting.map(|(reached, accepting)| reached & accepting));
        }
        (breakpoint, state)
    }
}

impl Construction for Breakpoint<'_> {
    fn alphabet(&self) -> &Arc<Alphabet> {
        self.automaton.alphabet()
    }

    fn initial(&mut self) -> Vec<Vec<u64>> {
        let width = self.accepting.len();
        let reached = subset::set(width, self.automaton.initial().iter().copied());
        vec![self.macrostate(&reached, reached.iter().copied()).1]
    }

    /// More states reached must all reject.
    fn is_within(&self, less: &[u64], more: &[u64]) -> bool {
        let width = self.accepting.len();
        subset::is_within(&more[..width], &less[..width])
    }

    fn successors(&mut self, state: &[u64], edge: &mut dyn FnMut(Label, u32, &[u64])) {
        let (reached, staying) = state.split_at(self.accepting.len());
        let mut steps: Vec<(Label, bool, Vec<u64>)> = vec![];
        for class in subset::classes(self.automaton, reached) {
            sempre_ltl::interrupt::poll();
            let mut next = subset::empty(reached.len());
            let mut still = subset::empty(reached.len());
            for (source, edge) in class.edges {
                let target = self.automaton.edge(edge).target;
                subset::insert(&mut next, target);
                if subset::contains(staying, source) {
                    subset::insert(&mut still, target);
                }
            }
            let (breakpoint, next) = self.macrostate(&next, still.into_iter());
            match steps.iter_mut().find(|step| step.1 == breakpoint && step.2 == next) {
                Some(step) => step.0 = self.automaton.alphabet().or(step.0, class.label),
                None => steps.push((class.label, breakpoint, next)),
            }
        }
        for (label, breakpoint, next) in steps {
            edge(label, u32::from(breakpoint), &next);
        }
    }
}
