//! Linear (very weak) alternating automata: an order of states, and kinds of states.
//!
//! F. Blahoudek, Automata for formal methods (2018), Section 5.1. An automaton is linear if
//! self-loops are its only cycles. Linear in the number of edges and their targets.

use super::AlternatingAutomaton;
use crate::index::StateId;
use crate::marks::Marks;

/// How runs may stay in a state of a linear automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateKind {
    /// The state alone follows itself on every letter, and another edge does not loop.
    May,
    /// The state has edges, and all of them loop.
    Must,
    /// No edge loops.
    Loopless,
    /// Some edges loop and others do not.
    Mixed,
}

impl StateKind {
    /// Returns the name for output.
    pub fn name(self) -> &'static str {
        match self {
            StateKind::May => "may",
            StateKind::Must => "must",
            StateKind::Loopless => "loopless",
            StateKind::Mixed => "mixed",
        }
    }
}

impl AlternatingAutomaton {
    /// Returns the kind of a state, by its edges.
    pub fn kind_of(&self, state: StateId) -> StateKind {
        let edges = self.edges_from(state);
        let looping = edges.iter().filter(|edge| edge.targets.contains(&state)).count();
        let alone = edges.iter().filter(|edge| edge.targets[..] == [state]);
        let anywhere = self.alphabet.any_of(alone.map(|edge| edge.label)) == self.alphabet.tt();
        match looping {
            0 => StateKind::Loopless,
            _ if looping == edges.len() => StateKind::Must,
            _ if anywhere => StateKind::May,
            _ => StateKind::Mixed,
        }
    }

    /// True if self-loops are the only cycles.
    pub fn is_linear(&self) -> bool {
        self.bottom_up().is_some()
    }

    /// True if the automaton is linear, and whether runs may stay in a state does not depend on the
    /// edges by which they do.
    pub fn is_very_weak(&self) -> bool {
        self.is_linear() && self.states().all(|state| self.may_stay(state).is_some())
    }

    /// True if the automaton is linear, no edge leads to a loopless state, no state is mixed, and
    /// exactly the runs that stay in a may-state forever are rejecting.
    pub fn is_may_must(&self) -> bool {
        let kinds: Vec<StateKind> = self.states().map(|state| self.kind_of(state)).collect();
        let entered = |target: &StateId| kinds[target.index()] != StateKind::Loopless;
        self.is_linear()
            && !kinds.contains(&StateKind::Mixed)
            && self.edges.iter().all(|edge| edge.targets.iter().all(entered))
            && self.states().all(|state| match kinds[state.index()] {
                StateKind::May => self.may_stay(state) == Some(false),
                StateKind::Must => self.may_stay(state) == Some(true),
                _ => true,
            })
    }

    /// Returns the states of a linear automaton in reverse topological order; `None` if the
    /// automaton is not linear.
    pub(super) fn bottom_up(&self) -> Option<Vec<StateId>> {
        let mut sources: Vec<Vec<StateId>> = vec![vec![]; self.state_count()];
        let mut missing = vec![0usize; self.state_count()];
        for state in self.states() {
            for target in self.edges_from(state).iter().flat_map(|edge| &edge.targets) {
                if *target != state {
                    sources[target.index()].push(state);
                    missing[state.index()] += 1;
                }
            }
        }
        let mut order: Vec<StateId> =
            self.states().filter(|state| missing[state.index()] == 0).collect();
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for source in &sources[state.index()] {
                missing[source.index()] -= 1;
                if missing[source.index()] == 0 {
                    order.push(*source);
                }
            }
        }
        (order.len() == self.state_count()).then_some(order)
    }

    /// Whether a branch of a run may stay in the state forever; `None` if that depends on the
    /// looping edges that it takes.
    pub(super) fn may_stay(&self, state: StateId) -> Option<bool> {
        let mut looping =
            self.edges_from(state).iter().filter(|edge| edge.targets.contains(&state));
        let Some(first) = looping.next() else { return Some(false) };
        let same = |marks: &Marks| *marks == first.marks;
        looping.all(|edge| same(&edge.marks)).then(|| self.acceptance.accepts(&first.marks))
    }
}
