use super::*;
use crate::arbitrary::{self, Size};
use crate::test_language::{lassos, same_language};
use crate::{Alphabet, Condition, emptiness, test_language, test_profiles};
use proptest::prelude::*;

fn small() -> Size {
    Size { states: 4, props: 2, marks: 2, degree: 3 }
}

/// Eventually always a.
fn fga() -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.acceptance(Named::Buchi.acceptance());
    let (first, second) = (builder.add_states(2), StateId::new(1));
    let (tt, a) = (builder.alphabet().tt(), builder.alphabet().prop(0));
    builder.initial(first).edge(first, tt, Marks::EMPTY, first);
    builder.edge(first, a, Marks::EMPTY, second);
    builder.edge(second, a, Marks::from_iter([0]), second);
    builder.build()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn weak_automata_become_deterministic(automaton in arbitrary::automaton_of(small())) {
        if let Ok(deterministic) = weak(&automaton) {
            prop_assert!(deterministic.is_deterministic());
            prop_assert!(same_language(&automaton, &deterministic));
            prop_assert!(*deterministic.acceptance() == Named::CoBuchi.acceptance());
        }
        if let Some(deterministic) = simple(&automaton) {
            prop_assert!(deterministic.is_deterministic());
            prop_assert!(same_language(&automaton, &deterministic));
        }
    }

    /// A language is safety exactly if it contains every lasso whose prefixes it contains.
    #[test]
    fn safety_is_decided(automaton in arbitrary::automaton_of(small())) {
        let closure = safety_closure(&automaton);
        prop_assert!(closure.is_deterministic());
        let trimmed = prune::trim(&automaton);
        let mut builder = trimmed.edit();
        builder.acceptance(Named::All.acceptance());
        builder.retain_edges(|_, edge| { edge.marks = Marks::EMPTY; true });
        let all_runs = builder.build();
        let mut agree = true;
        for (prefix, cycle) in lassos(1 << automaton.alphabet().props().len()) {
            let closed = test_language::accepts(&closure, &prefix, &cycle);
            prop_assert_eq!(closed, test_language::accepts(&all_runs, &prefix, &cycle));
            agree &= closed == test_language::accepts(&automaton, &prefix, &cycle);
        }
        match safety(&automaton) {
            Some(safe) => prop_assert!(agree && safe == closure),
            None => prop_assert!(language::difference(&closure, &automaton).is_some()),
        }
    }
}

#[test]
fn persistence_is_not_for_powersets() {
    let fga = fga();
    // The powerset has one component with words of both kinds: {s0} and {s0, s1}.
    assert_eq!(safety_closure(&fga).state_count(), 2);
    assert!(safety(&fga).is_none() && obligation(&fga).is_none());
    // It is weak, so one state of a deterministic co-Büchi automaton suffices: Fin of the letters
    // !a.
    let deterministic = weak(&fga).unwrap();
    assert!(same_language(&fga, &deterministic));
    assert_eq!(deterministic.acceptance().condition(), &Condition::Fin(0));
    // Only the complement has a deterministic Büchi automaton.
    let outcomes = test_profiles::acceptances(&[&fga], 100).unwrap();
    assert_eq!(outcomes.len(), 2);
    assert!(!emptiness::is_empty(&fga));
}
