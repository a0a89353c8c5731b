//! Conversion of inherently weak automata to weak ones. Linear, besides finding rejecting cycles.

use crate::automaton::Automaton;
use crate::marks::Marks;
use crate::scc::Sccs;

/// Gives all edges of a component with only accepting, or only rejecting, cycles the same marks: an
/// accepted set (for generalized Büchi acceptance, all marks), or a rejected one (none). The
/// language, the acceptance condition, and components with both kinds of cycles do not change.
///
/// The result is weak exactly if the automaton is inherently weak, and then terminal exactly if it
/// is inherently terminal. State-based acceptance is preserved.
pub fn weaken(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of(automaton);
    let acceptance = automaton.acceptance();
    let accepting = sccs.accepting(automaton);
    let rejecting = sccs.with_rejecting_cycle(automaton);
    // If no set of marks is accepted (or rejected), no component needs one.
    let accepted = acceptance.condition().satisfying_marks().unwrap_or_default();
    let rejected = acceptance.rejected_marks().unwrap_or_default();
    let marks: Vec<Option<&Marks>> = accepting
        .iter()
        .zip(&rejecting)
        .map(|kinds| match kinds {
            (true, false) => Some(&accepted),
            (false, true) => Some(&rejected),
            // Strong components keep their marks. Trivial ones have no cycles.
            (true, true) | (false, false) => None,
        })
        .collect();
    let keep_state_based = automaton.is_state_based();
    let mut builder = automaton.edit();
    builder.retain_edges(|source, edge| {
        let marks = sccs.component(source).and_then(|scc| marks[scc.index()]);
        if let Some(marks) = marks
            && (keep_state_based || sccs.is_inside(source, edge.target))
        {
            edge.marks = marks.clone();
        }
        true
    });
    builder.build()
}
