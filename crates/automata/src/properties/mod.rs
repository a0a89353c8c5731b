//! Properties of automata, computed on demand and cached.

mod semi_deterministic;
#[cfg(test)]
mod tests;
mod unambiguous;

pub use semi_deterministic::SemiDeterminism;

use crate::automaton::Automaton;
use crate::index::StateId;
use crate::scc::Sccs;
use std::sync::OnceLock;

/// The cache of properties. Automata are immutable, so entries stay valid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    deterministic: OnceLock<bool>,
    complete: OnceLock<bool>,
    state_based: OnceLock<bool>,
    colored: OnceLock<bool>,
    weak: OnceLock<bool>,
    inherently_weak: OnceLock<bool>,
    inherently_terminal: OnceLock<bool>,
    very_weak: OnceLock<bool>,
    unambiguous: OnceLock<bool>,
    semi_deterministic: OnceLock<bool>,
    cut_deterministic: OnceLock<bool>,
}

/// # Properties
///
/// Computed on the first call, and cached.
impl Automaton {
    /// True if each word has at most one run: at most one initial state, and edges of the same
    /// state have disjoint labels.
    pub fn is_deterministic(&self) -> bool {
        *self.known.deterministic.get_or_init(|| {
            self.initial().len() <= 1 && self.states().all(|state| self.is_deterministic_in(state))
        })
    }

    /// True if the edges of the state have disjoint labels.
    pub fn is_deterministic_in(&self, state: StateId) -> bool {
        self.has_disjoint_labels(state, |_| true)
    }

    /// True if the edges of the state to the selected targets have disjoint labels.
    fn has_disjoint_labels(&self, state: StateId, target: impl Fn(StateId) -> bool) -> bool {
        let alphabet = self.alphabet();
        let mut read = alphabet.ff();
        self.edges_from(state).iter().filter(|edge| target(edge.target)).all(|edge| {
            let disjoint = alphabet.disjoint(read, edge.label);
            read = alphabet.or(read, edge.label);
            disjoint
        })
    }

    /// The number of states that have several edges for some letter.
    pub fn nondeterministic_state_count(&self) -> usize {
        self.states().filter(|&state| !self.is_deterministic_in(state)).count()
    }

    /// True if there is an initial state, and every state reads every letter.
    pub fn is_complete(&self) -> bool {
        *self.known.complete.get_or_init(|| {
            let alphabet = self.alphabet();
            !self.initial().is_empty()
                && self.states().all(|state| {
                    let labels = self.edges_from(state).iter().map(|edge| edge.label);
                    labels.fold(alphabet.ff(), |l, r| alphabet.or(l, r)) == alphabet.tt()
                })
        })
    }

    /// True if all edges of a state have the same marks.
    pub fn is_state_based(&self) -> bool {
        *self.known.state_based.get_or_init(|| {
            self.states().all(|state| {
                self.edges_from(state).windows(2).all(|pair| pair[0].marks == pair[1].marks)
            })
        })
    }

    /// True if every edge has exactly one mark.
    pub fn is_colored(&self) -> bool {
        *self.known.colored.get_or_init(|| self.edges().iter().all(|edge| edge.marks.len() == 1))
    }

    /// True if in each strongly connected component all edges have the same marks.
    pub fn is_weak(&self) -> bool {
        *self.known.weak.get_or_init(|| {
            let sccs = Sccs::of(self);
            sccs.iter().all(|scc| sccs.is_weak(self, scc))
        })
    }

    /// True if no strongly connected component has both accepting and rejecting cycles.
    pub fn is_inherently_weak(&self) -> bool {
        *self.known.inherently_weak.get_or_init(|| {
            let sccs = Sccs::of(self);
            let rejecting = sccs.with_rejecting_cycle(self);
            sccs.accepting(self).into_iter().zip(rejecting).all(|kinds| kinds != (true, true))
        })
    }

    /// True if the automaton is weak and runs in an accepting component can stay there on every
    /// word, and cannot reach a rejecting cycle.
    pub fn is_terminal(&self) -> bool {
        self.is_weak() && self.is_inherently_terminal()
    }

    /// True if the automaton is inherently weak and runs in an accepting component can stay there
    /// on every word, and cannot reach a rejecting cycle.
    pub fn is_inherently_terminal(&self) -> bool {
        *self.known.inherently_terminal.get_or_init(|| {
            if !self.is_inherently_weak() {
                return false;
            }
            let sccs = Sccs::of(self);
            let accepting = sccs.accepting(self);
            // By component, whether it reaches a rejecting cycle.
            let mut reaches_rejecting = vec![false; sccs.len()];
            sccs.iter().all(|scc| {
                let (own, successors) = (accepting[scc.index()], sccs.successors(scc));
                reaches_rejecting[scc.index()] = (!own && !sccs.is_trivial(scc))
                    || successors.iter().any(|next| reaches_rejecting[next.index()]);
                !own || (!reaches_rejecting[scc.index()] && sccs.is_complete(self, scc))
            })
        })
    }

    /// True if the automaton is weak and all cycles are self-loops.
    pub fn is_very_weak(&self) -> bool {
        *self.known.very_weak.get_or_init(|| {
            let sccs = Sccs::of(self);
            self.is_weak() && sccs.iter().all(|scc| sccs.states(scc).len() == 1)
        })
    }

    /// True if each word has at most one accepting run, where parallel edges with the same marks
    /// count as one. Unless the automaton is deterministic, this visits the pairs of states
    /// reachable by a common word, at most the square of the number of states.
    pub fn is_unambiguous(&self) -> bool {
        *self
            .known
            .unambiguous
            .get_or_init(|| self.is_deterministic() || unambiguous::is_unambiguous(self))
    }

    /// True if the automaton is deterministic from each accepting component on; see
    /// [`SemiDeterminism`].
    pub fn is_semi_deterministic(&self) -> bool {
        *self.known.semi_deterministic.get_or_init(|| SemiDeterminism::of(self).semi_deterministic)
    }

    /// True if all nondeterminism is in the edges from a deterministic part without accepting
    /// cycles to another deterministic part; see [`SemiDeterminism`].
    pub fn is_cut_deterministic(&self) -> bool {
        *self.known.cut_deterministic.get_or_init(|| SemiDeterminism::of(self).cut_deterministic)
    }

    /// Whether the automaton's [headers](Automaton::headers) declare the language
    /// stutter-invariant; not computed.
    pub fn declared_stutter_invariant(&self) -> Option<bool> {
        let declared = |name: &str| self.headers().properties.iter().any(|p| p == name);
        match (declared("stutter-invariant"), declared("stutter-sensitive")) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }
}
