use super::*;
use crate::arbitrary::{self, Size};
use crate::random::RandomAutomata;
use crate::test_language::{self, lassos};
use crate::{Alphabet, Named, product, test_profiles};
use proptest::prelude::*;

/// True if exactly one of the automata accepts each of the test words.
fn opposite(left: &Automaton, right: &Automaton) -> bool {
    lassos(1 << left.alphabet().props().len()).iter().all(|(prefix, cycle)| {
        test_language::accepts(left, prefix, cycle) != test_language::accepts(right, prefix, cycle)
    })
}

fn buchi_automata(states: usize, props: usize) -> impl Strategy<Value = Automaton> {
    let names = ["a", "b"].into_iter().take(props);
    let size = Size { states, props, marks: 1, degree: 3 };
    arbitrary::automaton_with(Alphabet::new(names).unwrap(), Just(Named::Buchi.acceptance()), size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn complements_of_any_condition_accept_the_other_words(
        automaton in arbitrary::automaton_of(Size { states: 4, props: 2, marks: 3, degree: 2 }),
    ) {
        let complement = complement(&automaton);
        prop_assert!(opposite(&automaton, &complement));
        prop_assert!(product::common_word(&automaton, &complement).is_none());
    }

    #[test]
    fn general_complements_accept_the_other_words(automaton in buchi_automata(5, 2)) {
        let complement = buchi(&automaton);
        prop_assert!(opposite(&automaton, &complement));
        prop_assert!(product::common_word(&automaton, &complement).is_none());
    }

    #[test]
    fn any_condition_becomes_buchi(automaton in arbitrary::automaton()) {
        let buchi = to_buchi(&automaton);
        prop_assert_eq!(buchi.acceptance(), &Named::Buchi.acceptance());
        prop_assert!(test_language::same_language(&automaton, &buchi));
    }

    #[test]
    fn general_complements_are_exact(automaton in buchi_automata(3, 1)) {
        let complement = buchi(&automaton);
        if let Some(outcomes) = test_profiles::acceptances(&[&automaton, &complement], 3000) {
            prop_assert!(outcomes.iter().all(|accepted| accepted[0] != accepted[1]));
        }
    }

    #[test]
    fn weak_automata_have_deterministic_complements(automaton in arbitrary::automaton()) {
        match weak(&automaton) {
            Ok(complement) => {
                prop_assert!(automaton.is_inherently_weak() && complement.is_deterministic());
                prop_assert!(opposite(&automaton, &complement));
            }
            Err(_) => prop_assert!(!automaton.is_inherently_weak()),
        }
    }
}

/// The complement generated without a guide, as for searches that end early.
fn unguided(automaton: &Automaton) -> Automaton {
    Macrostates::new(Slices::new(automaton)).automaton()
}

/// Random automata with many runs on each word, hence with many slices and ranks.
fn dense(states: usize, props: &[&'static str], seed: u64) -> impl Iterator<Item = Automaton> {
    let random = RandomAutomata::over(props.iter().copied()).unwrap().states(states);
    random.density(2.2 / states as f64).mark_probability(0.3).seed(seed).generate()
}

#[test]
fn complements_of_dense_automata_accept_the_other_words() {
    for (states, props, count) in [(3, &["a"][..], 200), (5, &["a"], 60), (4, &["a", "b"], 40)] {
        for automaton in dense(states, props, 7).take(count) {
            let buchi = buchi(&automaton);
            assert!(opposite(&automaton, &buchi));
            assert!(opposite(&automaton, &unguided(&automaton)));
            assert!(opposite(&automaton, &complement(&automaton)));
            assert!(product::common_word(&automaton, &buchi).is_none());
        }
    }
}

#[test]
fn complements_of_dense_automata_are_exact() {
    let mut checked = 0;
    for automaton in dense(3, &["a"], 3).take(200) {
        for complement in [buchi(&automaton), unguided(&automaton)] {
            if let Some(outcomes) = test_profiles::acceptances(&[&automaton, &complement], 1000) {
                assert!(outcomes.iter().all(|accepted| accepted[0] != accepted[1]));
                checked += 1;
            }
        }
    }
    assert!(checked > 150, "only {checked} were small enough");
}

#[test]
fn all_lassos_of_bounded_length_are_told_apart() {
    let lassos = test_language::lassos_up_to(2, 3, 4);
    for automaton in dense(4, &["a"], 5).take(40) {
        let complement = buchi(&automaton);
        assert!(lassos.iter().all(|(prefix, cycle)| {
            test_language::accepts(&automaton, prefix, cycle)
                != test_language::accepts(&complement, prefix, cycle)
        }));
    }
}

#[test]
fn deterministic_automata_get_the_dual_condition() {
    for seed in 0..4 {
        let random = RandomAutomata::over(["a", "b"]).unwrap().states(5).deterministic(true);
        let random = random.acceptance(crate::random::RandomAcceptance::Condition(3)).seed(seed);
        for automaton in random.generate().take(50) {
            let complement = deterministic(&automaton).unwrap();
            assert!(opposite(&automaton, &complement) && complement.is_deterministic());
        }
    }
}

/// A complete deterministic automaton with n states, a of them accepting, has a complement with
/// 2n - a states (Kurshan 1987).
#[test]
fn complements_of_deterministic_buchi_automata_are_small() {
    for seed in 0..20 {
        let random = RandomAutomata::over(["a"]).unwrap().states(6).deterministic(true);
        let random = random.complete(true).state_based(true).mark_probability(0.4).seed(seed);
        for automaton in random.generate().take(20) {
            let accepting = |state| automaton.edges_from(state).iter().any(|e| !e.marks.is_empty());
            let accepting = automaton.states().filter(|state| accepting(*state)).count();
            let complement = Macrostates::new(Slices::guided(&automaton, 100)).automaton();
            let complement = prune::trim(&complement);
            assert!(complement.state_count() <= 2 * automaton.state_count() - accepting);
        }
    }
}
