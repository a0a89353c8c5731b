//! Cycles inside other cycles, for any acceptance condition.
//!
//! A cycle is here a strongly connected set of edges. Every rejecting cycle satisfies a disjunct of
//! the negated condition. Hence it lies in an SCC of the graph without the `Fin` marks of the
//! disjunct. That SCC also satisfies the disjunct, so it suffices to search such SCCs for accepting
//! cycles. Linear in the edges for each disjunct, besides finding accepting cycles.

use crate::automaton::Automaton;
use crate::{Condition, Disjunct, Sccs};
use sempre_ltl::interrupt;

/// True if a reachable rejecting cycle contains an accepting cycle. A deterministic automaton has
/// an equivalent deterministic Büchi automaton if and only if there is none (Landweber 1969).
pub(super) fn has_accepting_cycle_in_rejecting_one(automaton: &Automaton) -> bool {
    let negated: Condition = automaton.acceptance().condition().dual();
    let sccs = Sccs::of(automaton);
    let accepting = sccs.accepting(automaton);
    let mixed: Vec<bool> = sccs
        .iter()
        .map(|scc| accepting[scc.index()] && sccs.has_rejecting_cycle(automaton, scc))
        .collect();
    if !mixed.contains(&true) {
        return false;
    }
    let mut inside = automaton.edit();
    inside.retain_edges(|source, edge| {
        sccs.is_inside(source, edge.target)
            && sccs.component(source).is_some_and(|scc| mixed[scc.index()])
    });
    let inside = inside.build();
    negated.disjuncts().iter().any(|disjunct| has_accepting_part(&inside, disjunct))
}

/// True if a maximal cycle that satisfies the disjunct contains an accepting one.
fn has_accepting_part(automaton: &Automaton, disjunct: &Disjunct) -> bool {
    interrupt::poll();
    let mut part = automaton.edit();
    part.retain_edges(|_, edge| edge.marks.is_disjoint(&disjunct.fin));
    let part = part.build();
    let sccs = Sccs::of_all(&part);
    sccs.iter().any(|scc| {
        !sccs.is_trivial(scc)
            && disjunct.inf.is_subset(sccs.marks(scc))
            && sccs.is_accepting(&part, scc)
    })
}
