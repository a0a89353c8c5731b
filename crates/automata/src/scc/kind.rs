//! The kind of a component, for constructions that treat components separately.
//!
//! Determinization (Li, Turrini, Feng, Vardi, Zhang, CAV 2022) and complementation (Havlena,
//! Lengál, Li, Šmahlíková, Turrini, TACAS 2023) by components use the simplest data structure for
//! the kind of each component. The cost is that of finding accepting and rejecting cycles, see
//! [`Sccs::is_inherently_weak`].

use super::Sccs;
use crate::automaton::Automaton;
use crate::index::SccId;

/// The kind of a component, by its cycles and edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ComponentKind {
    /// One state and no cycle.
    Trivial,
    /// All cycles are rejecting.
    Rejecting,
    /// All cycles are accepting.
    Accepting,
    /// Both accepting and rejecting cycles, and at most one edge inside per state and letter.
    Deterministic,
    /// Both accepting and rejecting cycles, and several edges inside for some state and letter.
    Nondeterministic,
}

impl Sccs {
    /// Returns the kind of each component.
    ///
    /// ```
    /// use sempre_automata::random::RandomBlocks;
    /// use sempre_automata::{Sccs, scc::ComponentKind};
    /// let random = RandomBlocks::over(["a"]).unwrap().kinds(vec![ComponentKind::Rejecting]);
    /// let automaton = random.generate().next().unwrap();
    /// let kinds = Sccs::of(&automaton).kinds(&automaton);
    /// assert!(kinds.iter().all(|kind| *kind == ComponentKind::Rejecting));
    /// ```
    pub fn kinds(&self, automaton: &Automaton) -> Vec<ComponentKind> {
        let accepting = self.accepting(automaton);
        let rejecting = self.with_rejecting_cycle(automaton);
        let kind = |scc: SccId| match (accepting[scc.index()], rejecting[scc.index()]) {
            _ if self.is_trivial(scc) => ComponentKind::Trivial,
            (false, _) => ComponentKind::Rejecting,
            (true, false) => ComponentKind::Accepting,
            _ if self.is_deterministic_inside(automaton, scc) => ComponentKind::Deterministic,
            _ => ComponentKind::Nondeterministic,
        };
        self.iter().map(kind).collect()
    }

    /// True if edges inside the component with the same source have disjoint labels.
    pub fn is_deterministic_inside(&self, automaton: &Automaton, scc: SccId) -> bool {
        self.states(scc).iter().all(|&state| {
            let inner = automaton.edges_from(state).iter();
            let inner = inner.filter(|edge| self.component(edge.target) == Some(scc));
            automaton.alphabet().pairwise_disjoint(inner.map(|edge| edge.label))
        })
    }
}
