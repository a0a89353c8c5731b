use super::*;
use proptest::prelude::*;
use sempre_automata::{membership, product};
use sempre_ltl::arbitrary::{formula, word};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::simplify;

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
