//! One initial state instead of several.

use crate::automaton::Automaton;
use crate::marks::Marks;
use crate::parallel;

/// Makes the automaton have at most one initial state, without changing its language. A fresh state
/// gets copies of all edges of the initial states. It is on no cycle, so its edges need no marks.
/// If every edge of the automaton has exactly one mark, they get the mark of the first edge.
pub fn single_initial(automaton: &Automaton) -> Automaton {
    if automaton.initial().len() <= 1 {
        return automaton.clone();
    }
    let mut builder = automaton.edit();
    let fresh = builder.add_state();
    builder.clear_initial().initial(fresh);
    let mut marks = (!automaton.is_colored()).then_some(Marks::EMPTY);
    for &state in automaton.initial() {
        for edge in automaton.edges_from(state) {
            let marks = marks.get_or_insert_with(|| edge.marks.clone());
            builder.edge(fresh, edge.label, marks.clone(), edge.target);
        }
    }
    parallel::merge(&builder.build())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::test_language::same_language;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_initial_state_is_enough(automaton in arbitrary::automaton()) {
            let mut builder = automaton.edit();
            automaton.states().step_by(2).for_each(|state| {
                builder.initial(state);
            });
            let several = builder.build();
            let single = single_initial(&several);
            prop_assert!(single.initial().len() == 1);
            prop_assert!(same_language(&several, &single));
            prop_assert!(!several.is_state_based() || single.is_state_based());
            prop_assert!(!several.is_colored() || single.is_colored());
        }
    }
}
