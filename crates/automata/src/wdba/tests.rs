use super::*;
use crate::arbitrary::{self, Size};
use crate::test_language::same_language;
use crate::{Alphabet, Named, StateId, isomorphism, product, sum, test_profiles};
use proptest::prelude::*;

fn isomorphic(left: &Automaton, right: &Automaton) -> bool {
    isomorphism::find(left, right).unwrap().is_some()
}

fn from(automaton: &Automaton, state: StateId) -> Automaton {
    let mut builder = automaton.edit();
    builder.clear_initial().initial(state);
    builder.build()
}

fn buchi_automaton(states: usize) -> impl Strategy<Value = Automaton> {
    let size = Size { states, props: 1, marks: 1, degree: 3 };
    let alphabet = Alphabet::new(["a"]).unwrap();
    arbitrary::automaton_with(alphabet, Just(Named::Buchi.acceptance()), size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn minimal_automata_are_minimal(
        automaton in arbitrary::automaton_of(Size { states: 4, props: 2, marks: 3, degree: 2 }),
    ) {
        let Some(minimal) = minimize(&automaton) else { return Ok(()) };
        prop_assert!(minimal.is_deterministic() && minimal.is_weak() && minimal.is_state_based());
        prop_assert!(same_language(&automaton, &minimal));
        // No two states have the same language, and none is empty unless the whole language is.
        for left in minimal.states() {
            prop_assert!(minimal.state_count() == 1 || !emptiness::is_empty(&from(&minimal, left)));
            for right in minimal.states().take(left.index()) {
                let (left, right) = (from(&minimal, left), from(&minimal, right));
                prop_assert!(!language::equivalent(&left, &right));
            }
        }
    }

    #[test]
    fn equivalent_automata_have_the_same_minimal_form(
        automaton in arbitrary::automaton_of(Size { states: 4, props: 2, marks: 2, degree: 2 }),
    ) {
        let minimal = minimize(&automaton);
        let twice = [
            sum::union(&automaton, &automaton),
            product::intersection(&automaton, &automaton),
            sum::union_with_one_initial(&automaton, &product::intersection(&automaton, &automaton)),
        ];
        for other in twice {
            match (&minimal, minimize(&other)) {
                (Some(minimal), Some(other)) => prop_assert!(isomorphic(minimal, &other)),
                (left, right) => prop_assert!(left.is_none() && right.is_none()),
            }
        }
        let complement = complement::complement(&automaton);
        let given = minimize_given_complement(&automaton, &complement);
        prop_assert_eq!(&given, &minimal);
        let dual = minimize_given_complement(&complement, &automaton);
        prop_assert_eq!(dual.is_some(), minimal.is_some());
        if let (Some(dual), Some(minimal)) = (dual, minimal) {
            prop_assert_eq!(minimize_obligation(&automaton), minimal.clone());
            // The complement is the same automaton with a sink, and accepting and rejecting
            // swapped.
            let states = |automaton: &Automaton| {
                crate::complete(&prune::trim(automaton)).state_count()
            };
            prop_assert_eq!(states(&dual), states(&minimal));
        }
    }

    #[test]
    fn obligations_are_recognized(automaton in buchi_automaton(3)) {
        if let Some(obligation) = test_profiles::is_obligation(&automaton, 120) {
            prop_assert_eq!(is_obligation(&automaton), obligation);
        }
    }
}

#[test]
fn limits_are_kept() {
    let random = crate::random::RandomAutomata::over(["a"]).unwrap().states(6).density(0.4);
    for automaton in random.generate().take(50) {
        match Minimizer::new().powerset_limit(3).minimize(&automaton) {
            Outcome::TooLarge => {}
            outcome => assert_eq!(outcome, Minimizer::new().minimize(&automaton)),
        }
    }
}
