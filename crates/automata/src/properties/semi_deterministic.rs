//! Semi-determinism and cut-determinism.
//!
//! F. Blahoudek, A. Duret-Lutz, M. Klokočka, M. Křetínský and J. Strejček, Seminator (LPAR 2017),
//! for any acceptance condition. Linear, besides finding the accepting components.

use crate::automaton::Automaton;
use crate::index::{SccId, StateId};
use crate::scc::Sccs;

/// A division of the reachable states into a first part, without accepting cycles, and a
/// deterministic second part that runs never leave.
///
/// The automaton is semi-deterministic if such a division exists. It is cut-deterministic if, in
/// addition, it has at most one initial state and the first part is deterministic inside. Then all
/// nondeterminism is in the edges from the first part to the second. Deterministic automata are
/// cut-deterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemiDeterminism {
    /// True if the division exists.
    pub semi_deterministic: bool,
    /// True if, in addition, the first part can be deterministic.
    pub cut_deterministic: bool,
    /// By state, whether it is in the smallest possible second part: it is reachable from an
    /// accepting component.
    pub smallest: Vec<bool>,
    /// By state, whether it is in the largest possible second part: it reaches only deterministic
    /// states. Equal to `smallest` if the automaton is not semi-deterministic.
    pub largest: Vec<bool>,
}

impl SemiDeterminism {
    /// Computes the division of the states.
    pub fn of(automaton: &Automaton) -> Self {
        let sccs = Sccs::of(automaton);
        let mut second = sccs.accepting(automaton);
        for scc in sccs.iter().rev() {
            if second[scc.index()] {
                sccs.successors(scc).iter().for_each(|next| second[next.index()] = true);
            }
        }
        let by_state = |second: &[bool]| -> Vec<bool> {
            let is_second = |state| sccs.component(state).is_some_and(|scc| second[scc.index()]);
            automaton.states().map(is_second).collect()
        };
        let is_deterministic =
            |scc: SccId| sccs.states(scc).iter().all(|&state| automaton.is_deterministic_in(state));
        let smallest = by_state(&second);
        let semi_deterministic =
            sccs.iter().filter(|scc| second[scc.index()]).all(is_deterministic);
        if !semi_deterministic {
            let largest = smallest.clone();
            return SemiDeterminism {
                semi_deterministic,
                cut_deterministic: false,
                smallest,
                largest,
            };
        }
        for scc in sccs.iter() {
            if !second[scc.index()] && is_deterministic(scc) {
                second[scc.index()] = sccs.successors(scc).iter().all(|next| second[next.index()]);
            }
        }
        let largest = by_state(&second);
        let is_first = |state: StateId| sccs.is_reachable(state) && !largest[state.index()];
        let cut_deterministic = automaton.initial().len() <= 1
            && automaton
                .states()
                .filter(|&state| is_first(state))
                .all(|state| automaton.has_disjoint_labels(state, is_first));
        SemiDeterminism { semi_deterministic, cut_deterministic, smallest, largest }
    }
}
