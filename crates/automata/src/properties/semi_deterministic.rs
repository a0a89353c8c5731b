//! Semi-determinism and cut-determinism: where nondeterminism is.
//!
//! The check is that of F. Blahoudek, A. Duret-Lutz, M. Klokočka, M. Křetínský and J. Strejček,
//! Seminator (LPAR 2017), for any acceptance condition. It is linear once it is known which
//! components are accepting.

use crate::automaton::Automaton;
use crate::index::{SccId, StateId};
use crate::scc::Sccs;

/// A division of the reachable states into a first part, without accepting cycles, and a
/// deterministic second part that runs never leave.
///
/// The automaton is semi-deterministic if there is such a division. It is cut-deterministic if
/// moreover it has at most one initial state, and the edges inside the first part are
/// deterministic too: all nondeterminism is in the edges that lead from the first part to the
/// second. Deterministic automata are cut-deterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemiDeterminism {
    /// Whether the division exists.
    pub semi_deterministic: bool,
    /// Whether the first part can be deterministic as well.
    pub cut_deterministic: bool,
    /// For each state whether it is in the second part even if that is as small as possible: it
    /// can be reached from an accepting component.
    pub smallest: Vec<bool>,
    /// For each state whether it is in the second part if that is as large as possible: nothing
    /// but deterministic states can be reached from it. Equal to `smallest` if the automaton is
    /// not semi-deterministic.
    pub largest: Vec<bool>,
}

impl SemiDeterminism {
    /// Divides the states of the automaton.
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
