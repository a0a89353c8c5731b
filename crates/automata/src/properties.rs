//! What is known about an automaton: computed on demand, remembered.

use crate::automaton::Automaton;
use std::sync::OnceLock;

/// Remembered answers. Automata are immutable, so an answer stays right.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    deterministic: OnceLock<bool>,
    complete: OnceLock<bool>,
    state_based: OnceLock<bool>,
}

impl Automaton {
    /// True if each word has at most one run: at most one initial state, and no two edges that
    /// leave the same state read a common letter.
    pub fn is_deterministic(&self) -> bool {
        *self.known.deterministic.get_or_init(|| {
            let alphabet = self.alphabet();
            self.initial().len() <= 1
                && self.states().all(|state| {
                    let labels = self.edges_from(state).iter().map(|edge| edge.label);
                    alphabet.pairwise_disjoint(labels)
                })
        })
    }

    /// True if there is an initial state, and every state reads every letter.
    pub fn is_complete(&self) -> bool {
        *self.known.complete.get_or_init(|| {
            let alphabet = self.alphabet();
            !self.initial().is_empty()
                && self.states().all(|state| {
                    let labels = self.edges_from(state).iter().map(|edge| edge.label);
                    alphabet.any_of(labels) == alphabet.tt()
                })
        })
    }

    /// True if all edges that leave the same state have the same marks.
    pub fn is_state_based(&self) -> bool {
        *self.known.state_based.get_or_init(|| {
            self.states().all(|state| {
                self.edges_from(state).windows(2).all(|pair| pair[0].marks == pair[1].marks)
            })
        })
    }
}
