use super::*;
use crate::arbitrary::{self, Size};
use crate::test_language::{self, lassos};
use crate::{Named, test_profiles};
use proptest::prelude::*;

fn buchi_automaton() -> impl Strategy<Value = Automaton> {
    let size = Size { states: 3, props: 1, marks: 1, degree: 3 };
    let alphabet = Arc::new(Alphabet::new(["a"]).unwrap());
    arbitrary::automaton_with(alphabet, Just(Named::Buchi.acceptance()), size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn inclusion_agrees_with_profiles(left in buchi_automaton(), right in buchi_automaton()) {
        let Some(outcomes) = test_profiles::acceptances(&[&left, &right], 4000) else {
            return Ok(());
        };
        let some = |l: bool, r: bool| outcomes.contains(&vec![l, r]);
        prop_assert_eq!(is_included(&left, &right), !some(true, false));
        prop_assert_eq!(is_included(&right, &left), !some(false, true));
        prop_assert_eq!(equivalent(&left, &right), !some(true, false) && !some(false, true));
        prop_assert_eq!(is_universal(&left), !some(false, true) && !some(false, false));
        match universality_up_to(&left, 3) {
            Universality::Universal => prop_assert!(is_universal(&left)),
            Universality::Rejects(_) => prop_assert!(!is_universal(&left)),
            Universality::Unknown => {
                prop_assert_ne!(universality_up_to(&left, 1 << 20), Universality::Unknown);
            }
        }
        match inclusion_up_to(&left, &right, 3) {
            Inclusion::Included => prop_assert!(is_included(&left, &right)),
            Inclusion::Excludes(_) => prop_assert!(!is_included(&left, &right)),
            Inclusion::Unknown => {
                prop_assert_ne!(inclusion_up_to(&left, &right, 1 << 20), Inclusion::Unknown);
            }
        }
        let side = distinguishing_word(&left, &right).map(|(_, side)| side);
        prop_assert!(side != Some(Side::Left) || some(true, false));
        prop_assert!(side != Some(Side::Right) || (some(false, true) && !some(true, false)));
    }

    #[test]
    fn stems_and_periods_agree_with_profiles(left in buchi_automaton(), right in buchi_automaton()) {
        let Some(outcomes) = test_profiles::acceptances(&[&left, &right], 4000) else {
            return Ok(());
        };
        let [left, right] = [left, right].map(|automaton| prune::trim(&automaton));
        match periods::search(&left, &right, 1 << 12) {
            periods::Found::Nothing => prop_assert!(!outcomes.contains(&vec![true, false])),
            periods::Found::Word(word) => drop(checked(&left, &right, &word)),
            periods::Found::Unknown => prop_assert!(false, "{} states", left.state_count()),
        }
        prop_assert!(periods::search(&left, &right, 0) != periods::Found::Nothing || left.initial().is_empty());
    }

    #[test]
    fn inclusion_agrees_with_words_for_any_condition(
        left in arbitrary::automaton_of(Size { states: 4, props: 2, marks: 3, degree: 2 }),
        right in arbitrary::automaton_of(Size { states: 4, props: 2, marks: 3, degree: 2 }),
    ) {
        // `difference` checks its words itself.
        if difference(&left, &right).is_none() {
            let props = left.alphabet().props().len().max(right.alphabet().props().len());
            for (prefix, cycle) in lassos(1 << props) {
                // Propositions keep their order, and labels ignore the bits of others.
                let accepted = test_language::accepts(&left, &prefix, &cycle);
                prop_assert!(!accepted || test_language::accepts(&right, &prefix, &cycle));
            }
        }
        prop_assert!(is_included(&left, &left));
    }
}

#[test]
fn dense_automata_are_compared() {
    let random = crate::random::RandomAutomata::over(["a"]).unwrap().states(3).density(0.7);
    let automata: Vec<Automaton> =
        random.mark_probability(0.3).seed(2).generate().take(300).collect();
    let mut included = 0;
    for pair in automata.windows(2) {
        let Some(outcomes) = test_profiles::acceptances(&[&pair[0], &pair[1]], 2000) else {
            continue;
        };
        let wanted = !outcomes.contains(&vec![true, false]);
        included += usize::from(wanted);
        assert_eq!(is_included(&pair[0], &pair[1]), wanted);
    }
    assert!(included > 20, "only {included}");
}

#[test]
fn other_propositions_are_ignored() {
    let always = |name: &str| {
        let mut builder = Automaton::builder(Alphabet::new([name]).unwrap());
        let (state, label) = (builder.add_state(), builder.alphabet().prop(0));
        builder.initial(state).edge(state, label, Marks::EMPTY, state);
        builder.build()
    };
    let (a, b) = (always("a"), always("b"));
    assert_eq!(difference(&a, &b).unwrap().to_string(), "cycle{a&!b}");
    let both = crate::product::intersection(&b, &a);
    assert!(is_included(&both, &a) && is_included(&both, &b) && !is_included(&a, &both));
    let (word, side) = distinguishing_word(&both, &b).unwrap();
    assert!(side == Side::Right && membership::accepts(&b, &word));
}

#[test]
fn nothing_and_everything() {
    let alphabet = Arc::new(Alphabet::new(["a"]).unwrap());
    let nothing = Automaton::builder(alphabet.clone()).build();
    let everything = everything(&nothing);
    assert!(is_universal(&everything) && is_included(&nothing, &everything));
    assert_eq!(rejected_word(&nothing).unwrap().to_string(), "cycle{!a}");
    assert!(!equivalent(&nothing, &everything) && equivalent(&nothing, &nothing));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn differences_accept_the_words_of_one_automaton_only(
        left in arbitrary::automaton_of(Size { states: 3, props: 1, marks: 2, degree: 2 }),
        right in arbitrary::automaton_of(Size { states: 3, props: 1, marks: 2, degree: 2 }),
    ) {
        let (_, left_places, right_places) = joint_alphabet(left.alphabet(), right.alphabet());
        prop_assume!(left_places.len() == right_places.len());
        let rest = subtract(&left, &right, 1 << 16).unwrap();
        for (prefix, cycle) in lassos(1 << left.alphabet().props().len()) {
            let accepts = |automaton: &Automaton| {
                test_language::accepts(automaton, &prefix, &cycle)
            };
            prop_assert_eq!(accepts(&rest), accepts(&left) && !accepts(&right));
        }
    }
}

/// Only the part of the complement is generated that the words of the first automaton lead to.
#[test]
fn differences_with_one_word_visit_few_macrostates() {
    let many = crate::random::RandomAutomata::over(["a"]).unwrap().states(9).density(0.25);
    let (mut visited, mut all) = (0, 0);
    for automaton in many.mark_probability(0.3).seed(3).generate().take(20) {
        let right = prune::trim(&automaton);
        let right = complementable(&right);
        let mut builder = Automaton::builder(right.alphabet().clone());
        let (state, a) = (builder.add_state(), builder.alphabet().prop(0));
        builder.initial(state).edge(state, a, Marks::EMPTY, state);
        let word = builder.build();
        let Complement::Macrostates(lazy) = Complement::of(&right, 1 << 16) else { continue };
        Difference::new(&word, &lazy).automaton();
        visited += lazy.borrow().visited();
        let Complement::Macrostates(whole) = Complement::of(&right, 1 << 16) else { continue };
        all += whole.into_inner().automaton().state_count();
    }
    assert!(visited * 4 < all, "{visited} of {all}");
}

/// With minimal sets of stems only, words of the difference are missed.
#[test]
fn stems_with_minimal_sets_alone_miss_words() {
    let random = crate::random::RandomAutomata::over(["a"]).unwrap().states(4).density(0.35);
    let random = random.acceptance(Named::Buchi).mark_probability(0.3).seed(11);
    let automata: Vec<Automaton> =
        random.generate().take(400).map(|automaton| prune::trim(&automaton)).collect();
    let mut missed = 0;
    for pair in automata.windows(2).filter(|pair| !pair[0].initial().is_empty()) {
        let all = periods::search(&pair[0], &pair[1], 1 << 12);
        let minimal = periods::search_minimal(&pair[0], &pair[1], 1 << 12);
        match (all, minimal) {
            (periods::Found::Word(word), periods::Found::Nothing) => {
                drop(checked(&pair[0], &pair[1], &word));
                missed += 1;
            }
            (periods::Found::Nothing, minimal) => assert_eq!(minimal, periods::Found::Nothing),
            _ => {}
        }
    }
    assert!(missed > 0, "no word was missed");
}
