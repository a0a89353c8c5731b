//! The sets of edges that a generalized Büchi condition requires.

use crate::automaton::Automaton;
use crate::graph::FunctionGraph;
use crate::index::StateId;
use crate::marks::Marks;
use crate::scc::{Sccs, numbered};

/// By edge, the sets that contain it.
#[derive(PartialEq, Eq)]
pub(super) struct Sets {
    count: u32,
    of_edge: Vec<Marks>,
}

impl Sets {
    pub(super) fn new(automaton: &Automaton, clauses: &[Marks]) -> Self {
        let own = clauses.iter().enumerate().all(|(i, c)| *c == Marks::from_iter([i as u32]));
        let sets = |marks: &Marks| {
            let all = clauses.iter().enumerate();
            all.filter(|(_, c)| !c.is_disjoint(marks)).map(|(i, _)| i as u32).collect()
        };
        let all = Marks::all(clauses.len() as u32);
        let of_edge = automaton.edges().iter().map(|edge| match own {
            true => &edge.marks & &all,
            false => sets(&edge.marks),
        });
        Sets { count: clauses.len() as u32, of_edge: of_edge.collect() }
    }

    /// Adds edges of components to each set if all cycles through them visit the set. The accepting
    /// runs do not change, and edges in more sets climb more levels. Computes the SCCs once for
    /// each set.
    pub(super) fn saturated(&self, automaton: &Automaton) -> Self {
        let sccs = Sccs::of(automaton);
        let mut of_edge = self.of_edge.clone();
        let count = automaton.state_count();
        for set in 0..self.count {
            let edges = |state| automaton.edge_range(StateId::new(state as usize));
            let without = |state| edges(state).filter(|&edge| !self.of_edge(edge).contains(set));
            let target = |edge: usize| automaton.edges()[edge].target.index() as u32;
            let graph = FunctionGraph::new(count, |state| without(state).map(target));
            let (component, _) = numbered(&graph, count, 0..count as u32);
            for state in automaton.states() {
                for edge in automaton.edge_range(state) {
                    let target = automaton.edges()[edge].target;
                    if sccs.is_inside(state, target)
                        && component[state.index()] != component[target.index()]
                    {
                        of_edge[edge].insert(set);
                    }
                }
            }
        }
        Sets { count: self.count, of_edge }
    }

    /// Returns the sets that contain this edge.
    pub(super) fn of_edge(&self, edge: usize) -> &Marks {
        &self.of_edge[edge]
    }
}
