//! Automata with extra initial states, so that no cycle passes through an initial state.
//!
//! A copy of each initial state has its edges without their marks. What a run sees once does not
//! count, so the language stays. Accepting states are one step further away (Blahoudek 2018, 3.3).

use crate::automaton::Automaton;
use crate::marks::Marks;

/// Replaces the initial states by copies without marks and without incoming edges. Linear.
pub fn unroll(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    let initial = automaton.initial().to_vec();
    builder.clear_initial();
    for state in initial {
        let copy = builder.add_state();
        builder.initial(copy);
        for edge in automaton.edges_from(state) {
            builder.edge(copy, edge.label, Marks::EMPTY, edge.target);
        }
    }
    crate::prune::trim(&builder.build())
}
