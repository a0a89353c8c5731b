//! Marks moved from states to incoming edges.
//!
//! A run that visits a state infinitely often sees the marks that all edges of the state share.
//! Whether it sees them on entry or on exit does not matter. With the marks on incoming edges,
//! states that differ only in their marks have the same edges, and reductions can merge them.
//! Linear in the edges.

use crate::automaton::Automaton;
use crate::marks::Marks;
use crate::scc::Sccs;

/// Moves the marks that all edges of a state inside its component share to the incoming edges
/// inside the component. The language does not change. Edges between components lose their marks.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId, convert};
/// // Infinitely often a, with a state for each letter.
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Buchi.acceptance());
/// let (other, seen) = (builder.add_state(), builder.add_state());
/// let a = builder.alphabet().prop(0);
/// let not_a = builder.alphabet().not(a);
/// builder.initial(other);
/// for (state, marks) in [(other, Marks::EMPTY), (seen, Marks::from_iter([0]))] {
///     builder.edge(state, a, marks.clone(), seen);
///     builder.edge(state, not_a, marks, other);
/// }
/// let automaton = convert::transition_based(&builder.build());
/// // The two states have become equivalent.
/// assert_eq!(automaton.edges_from(other), automaton.edges_from(seen));
/// ```
pub fn transition_based(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of(automaton);
    let shared: Vec<Marks> = automaton
        .states()
        .map(|state| {
            let edges = automaton.edges_from(state).iter();
            let inner = edges.filter(|edge| sccs.is_inside(state, edge.target));
            let marks = inner.map(|edge| edge.marks.clone());
            marks.reduce(|left, right| &left & &right).unwrap_or_default()
        })
        .collect();
    let mut builder = automaton.edit();
    builder.retain_edges(|source, edge| {
        edge.marks = match sccs.is_inside(source, edge.target) {
            true => &(&edge.marks - &shared[source.index()]) | &shared[edge.target.index()],
            false => Marks::EMPTY,
        };
        true
    });
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::state_based;
    use crate::test_language::same_language;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn moving_marks_keeps_the_language(automaton in arbitrary::automaton()) {
            prop_assert!(same_language(&automaton, &transition_based(&automaton)));
            let pushed = state_based(&automaton);
            prop_assert!(same_language(&automaton, &transition_based(&pushed)));
        }
    }
}
