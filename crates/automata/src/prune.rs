//! Removal of states on no accepting run. Linear, besides finding accepting components if the
//! condition has `Fin` terms.

use crate::automaton::Automaton;
use crate::index::StateId;
use crate::renumber;
use crate::scc::Sccs;

/// Removes unreachable states.
pub fn unreachable(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of(automaton);
    keep(automaton, |state| sccs.is_reachable(state))
}

/// Removes the states without accepting run.
pub fn useless(automaton: &Automaton) -> Automaton {
    let useful = useful(automaton, &Sccs::of_all(automaton));
    keep(automaton, |state| useful[state.index()])
}

/// Removes unreachable states and states without accepting run. An automaton with an empty language
/// loses all states.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId, prune};
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Buchi.acceptance());
/// let (first, tt) = (builder.add_states(3), builder.alphabet().tt());
/// builder.initial(first);
/// builder.edge(first, tt, Marks::from_iter([0]), first);
/// builder.edge(first, tt, Marks::EMPTY, StateId::new(1));
/// builder.edge(StateId::new(2), tt, Marks::EMPTY, first);
/// let automaton = prune::trim(&builder.build());
/// assert_eq!((automaton.state_count(), automaton.edge_count()), (1, 1));
/// ```
pub fn trim(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of(automaton);
    let useful = useful(automaton, &sccs);
    keep(automaton, |state| useful[state.index()])
}

/// Returns the states with an accepting run, including unreachable ones.
pub(crate) fn useful_states(automaton: &Automaton) -> impl Iterator<Item = StateId> {
    let useful = useful(automaton, &Sccs::of_all(automaton));
    automaton.states().filter(move |state| useful[state.index()])
}

/// By state, whether it is in one of these components and has an accepting run.
fn useful(automaton: &Automaton, sccs: &Sccs) -> Vec<bool> {
    let mut useful = sccs.accepting(automaton);
    for scc in sccs.iter() {
        // Successors come first, so their results are known.
        useful[scc.index()] |= sccs.successors(scc).iter().any(|next| useful[next.index()]);
    }
    let is_useful = |state| sccs.component(state).is_some_and(|scc| useful[scc.index()]);
    automaton.states().map(is_useful).collect()
}

fn keep(automaton: &Automaton, wanted: impl Fn(StateId) -> bool) -> Automaton {
    let states: Vec<StateId> = automaton.states().filter(|&state| wanted(state)).collect();
    match states.len() == automaton.state_count() {
        true => automaton.clone(),
        false => renumber::select(automaton, &states),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::test_language::same_language;
    use proptest::prelude::*;

    fn has_word_from(automaton: &Automaton, state: StateId) -> bool {
        let mut builder = automaton.edit();
        builder.clear_initial().initial(state);
        let automaton = builder.build();
        Sccs::of(&automaton).accepting(&automaton).contains(&true)
    }

    proptest! {
        #[test]
        fn what_remains_is_needed(automaton in arbitrary::automaton()) {
            let sccs = Sccs::of(&automaton);
            let reachable = automaton.states().filter(|&s| sccs.is_reachable(s)).count();
            let useful = automaton.states().filter(|&s| has_word_from(&automaton, s)).count();
            let both = automaton
                .states()
                .filter(|&s| sccs.is_reachable(s) && has_word_from(&automaton, s))
                .count();
            for (pruned, states) in [
                (unreachable(&automaton), reachable),
                (super::useless(&automaton), useful),
                (trim(&automaton), both),
            ] {
                prop_assert_eq!(pruned.state_count(), states);
                prop_assert!(same_language(&automaton, &pruned));
            }
            let trimmed = trim(&automaton);
            prop_assert!(trim(&trimmed) == trimmed);
        }
    }
}
