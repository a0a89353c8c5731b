//! The strength of components: their kinds of cycles, and whether runs must leave them.
//!
//! The notions are those of Renault, Duret-Lutz, Kordon and Poitrenaud, Strength-based
//! decomposition of the property Büchi automaton (TACAS 2013), for any acceptance condition. A
//! cycle may contain an edge several times.

use super::Sccs;
use super::accepting::{Search, satisfiable};
use crate::acceptance::Condition;
use crate::automaton::{Automaton, Edge};
use crate::index::SccId;

impl Sccs {
    /// The edges inside a component.
    pub fn inner_edges<'a>(
        &'a self,
        automaton: &'a Automaton,
        scc: SccId,
    ) -> impl Iterator<Item = &'a Edge> {
        let edges = self.states(scc).iter().flat_map(|&state| automaton.edges_from(state));
        edges.filter(move |edge| self.component(edge.target) == Some(scc))
    }

    /// True if all edges inside the component have the same marks.
    pub fn is_weak(&self, automaton: &Automaton, scc: SccId) -> bool {
        self.inner_edges(automaton, scc).all(|edge| edge.marks == *self.marks(scc))
    }

    /// True unless the component has both accepting and rejecting cycles. The cost is that of
    /// deciding acceptance for the condition and for its dual: low for Büchi, generalized Büchi,
    /// Rabin and Streett conditions with few pairs, and their duals.
    pub fn is_inherently_weak(&self, automaton: &Automaton, scc: SccId) -> bool {
        self.is_weak(automaton, scc)
            || !(self.is_accepting(automaton, scc) && self.has_rejecting_cycle(automaton, scc))
    }

    /// True if the component has a cycle that does not satisfy the acceptance condition.
    pub fn has_rejecting_cycle(&self, automaton: &Automaton, scc: SccId) -> bool {
        let rejection = automaton.acceptance().condition().dual();
        self.may_satisfy(&rejection, scc)
            && Search::new(automaton).part(self.states(scc), &rejection).is_some()
    }

    /// By component, whether it has a cycle that does not satisfy the acceptance condition.
    pub fn with_rejecting_cycle(&self, automaton: &Automaton) -> Vec<bool> {
        let rejection = automaton.acceptance().condition().dual();
        let mut search = Search::new(automaton);
        let has_cycle = |scc| {
            self.may_satisfy(&rejection, scc) && search.part(self.states(scc), &rejection).is_some()
        };
        self.iter().map(has_cycle).collect()
    }

    /// False if no cycle of the component satisfies the condition; may be true in other cases.
    fn may_satisfy(&self, condition: &Condition, scc: SccId) -> bool {
        !self.is_trivial(scc) && satisfiable(condition, self.marks(scc))
    }

    /// True if each state of the component reads each letter inside it.
    pub fn is_complete(&self, automaton: &Automaton, scc: SccId) -> bool {
        let alphabet = automaton.alphabet();
        self.states(scc).iter().all(|&state| {
            let edges = automaton.edges_from(state).iter();
            let inner = edges.filter(|edge| self.component(edge.target) == Some(scc));
            let read = inner.fold(alphabet.ff(), |read, edge| alphabet.or(read, edge.label));
            read == alphabet.tt()
        })
    }
}
