use super::*;
use proptest::prelude::*;
use sempre_automata::{membership, product};
use sempre_ltl::arbitrary::{formula, word};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Word, simplify};

fn options() -> impl Strategy<Value = Options> {
    (any::<bool>(), any::<bool>()).prop_map(|(unambiguous, postpone)| Options {
        unambiguous,
        postpone,
        letters: None,
        nodes: None,
        names: true,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn automata_accept_what_satisfies_the_formula(
        f in formula(16),
        options in options(),
        words in prop::collection::vec(word(4), 20),
    ) {
        let automaton = translate_with(&f, options);
        let evaluator = Evaluator::new(&f);
        for word in words {
            let accepts = membership::accepts(&automaton, &word);
            prop_assert_eq!(accepts, evaluator.holds(&word), "on {}", word);
        }
    }

    #[test]
    fn no_word_is_accepted_by_the_automata_of_a_formula_and_its_negation(
        f in formula(16),
        options in options(),
    ) {
        let automaton = translate_with(&f, options);
        let negation = translate(&Formula::not(&f));
        prop_assert_eq!(product::common_word(&automaton, &negation), None);
    }

    #[test]
    fn automata_are_unambiguous_on_request(f in formula(10)) {
        let options = Options { unambiguous: true, ..Options::default() };
        prop_assert!(translate_with(&f, options).is_unambiguous());
    }

    #[test]
    fn names_say_what_states_accept(f in formula(8), options in options(), word in word(4)) {
        let automaton = translate_with(&f, options);
        for state in automaton.states() {
            let name: Formula = automaton.state_name(state).unwrap().parse().unwrap();
            let mut from_here = automaton.edit();
            from_here.clear_initial().initial(state);
            let accepts = membership::accepts(&from_here.build(), &word);
            prop_assert_eq!(accepts, Evaluator::new(&name).holds(&word), "{}", name);
        }
    }
}

#[test]
fn sizes_of_well_known_automata() {
    let size = |text: &str| {
        let automaton = translate(&simplify(&text.parse().unwrap()));
        let marks = automaton.acceptance().marks();
        (automaton.state_count(), automaton.edge_count(), marks)
    };
    assert_eq!(size("1"), (1, 1, 0));
    assert_eq!(size("0"), (1, 0, 0));
    assert_eq!(size("a"), (2, 2, 0));
    assert_eq!(size("GFa"), (1, 2, 1));
    assert_eq!(size("GFa & GFb"), (1, 4, 2));
    assert_eq!(size("a U b"), (2, 3, 1));
    assert_eq!(size("a W b"), (2, 3, 0));
    assert_eq!(size("a R b"), (2, 3, 0));
    assert_eq!(size("a M b"), (2, 3, 1));
    assert_eq!(size("FGa"), (2, 3, 1));
    assert_eq!(size("G(a -> Fb)"), (2, 4, 1));
    assert_eq!(size("(a U b) & (c U b)"), (2, 3, 1));
}

#[test]
fn deep_formulas_need_no_stack() {
    let mut deep = Formula::prop("a");
    for _ in 0..100_000 {
        deep = Formula::next(deep);
    }
    assert_eq!(translate(&deep).state_count(), 100_002);
    let wide = Formula::and((0..500).map(|i| Formula::next(Formula::prop(format!("p{i}")))));
    assert_eq!(translate(&wide).state_count(), 3);
}

/// The promise of an until below another one is that of its right operand: that of the left one may
/// never be kept together with that of `F a`.
#[test]
fn promises_below_untils_are_those_of_right_operands() {
    for (text, word) in [
        ("GFa & G(c U (a U b))", "cycle{a & c & !b; !a & c & !b; !a & b}"),
        ("GFa & G(c U F(a U b))", "cycle{a & c & !b; !a & c & !b; !a & b}"),
    ] {
        let formula: Formula = text.parse().unwrap();
        let automaton = translate(&formula);
        let word = word.parse().unwrap();
        assert!(Evaluator::new(&formula).holds(&word));
        assert!(membership::accepts(&automaton, &word), "{text}");
    }
}

/// A diagram of `(a1 -> !b1) & (a2 -> !b2) & …` is exponential if all a come before all b.
#[test]
fn propositions_that_occur_together_are_near_each_other() {
    let pairs = |count: usize| -> Formula {
        let pairs: Vec<String> = (10..10 + count).map(|n| format!("(a{n} -> !b{n})")).collect();
        format!("F G({})", pairs.join(" & ")).parse().unwrap()
    };
    let options = Options { nodes: Some(5000), ..Options::default() };
    let automaton = translate_up_to(&pairs(20), options, 10).unwrap();
    assert_eq!((automaton.state_count(), automaton.edge_count()), (2, 3));
    // The alphabet is sorted by names all the same.
    assert!(automaton.alphabet().props().is_sorted());
    let [few, many] = [3, 4].map(|count| translate(&pairs(count)));
    for (automaton, count) in [(few, 3), (many, 4)] {
        let evaluator = Evaluator::new(&pairs(count));
        let mut rng = sempre_ltl::generate::Rng::new(count as u64);
        let mut held = 0;
        for _ in 0..200 {
            let word = Word::from_fn(pairs(count).props(), 2, 2, |_, _| rng.chance(0.3)).unwrap();
            assert_eq!(membership::accepts(&automaton, &word), evaluator.holds(&word), "{word}");
            held += usize::from(evaluator.holds(&word));
        }
        assert!((20..180).contains(&held), "{held}");
    }
}

#[test]
fn letters_are_a_limit() {
    let many = Formula::and(
        (0..40).map(|i| Formula::globally(Formula::finally(Formula::prop(format!("p{i}"))))),
    );
    // Their diagrams have a node for each set of them as well.
    let options = Options { letters: Some(1000), nodes: Some(10_000), ..Options::default() };
    assert!(translate_up_to(&many, options, 10).is_none());
    let few = Formula::and(
        (0..8).map(|i| Formula::globally(Formula::finally(Formula::prop(format!("p{i}"))))),
    );
    let options = |letters| Options { letters: Some(letters), ..Options::default() };
    assert!(translate_up_to(&few, options(255), 10).is_none());
    assert!(translate_up_to(&few, options(256), 10).is_some());
}
