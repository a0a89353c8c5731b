use super::*;
use proptest::prelude::*;
use sempre_automata::{language, membership};
use sempre_ltl::generate::family::Family;
use sempre_ltl::generate::patterns::PatternSet;
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Op, Traits, arbitrary};

/// True if the edges of each state have disjoint labels that cover all letters.
fn is_deterministic_and_complete(automaton: &Automaton) -> bool {
    let letters = 1u64 << automaton.alphabet().props().len();
    automaton.initial().len() == 1
        && automaton.states().all(|state| {
            (0..letters).all(|letter| {
                let reads = automaton.edges_from(state).iter();
                let reads = reads.filter(|e| automaton.alphabet().satisfied(e.label, letter));
                reads.count() == 1
            })
        })
}

/// Returns the numbers of states with generalized Rabin acceptance, and with Rabin acceptance on
/// states.
fn sizes(family: &str, n: u64) -> (usize, usize) {
    let formula = Family::by_name(family).unwrap().formula(n).unwrap();
    let options = Options::default();
    (
        options.generalized_rabin(&formula).unwrap().state_count(),
        options.state_based_rabin(&formula).unwrap().state_count(),
    )
}

/// Formulas, most of them in one of the fragments.
fn formula() -> impl Strategy<Value = Formula> {
    let inner = [
        Op::Prop,
        Op::Not,
        Op::And,
        Op::Or,
        Op::Finally,
        Op::Globally,
        Op::StrictFinally,
        Op::StrictGlobally,
    ];
    let outer = [Op::Prop, Op::Not, Op::And, Op::Or, Op::Finally, Op::Next, Op::Until];
    let limit = arbitrary::formula_with(9, &inner);
    prop_oneof![
        arbitrary::formula_with(14, &inner),
        (arbitrary::formula_with(8, &outer), limit).prop_map(|(outer, limit)| {
            // Not below a negation, which would turn an until into a release.
            Formula::until(outer, limit)
        }),
        arbitrary::formula(10),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    any::<[bool; 8]>().prop_map(|on| {
        Options::none()
            .rewrite(on[0])
            .unreachable_states(on[1])
            .equivalent_states(on[2])
            .redundant_transitions(on[3])
            .empty_macrostates(on[4])
            .later_start(on[5])
            .modest(on[6])
            .simple_pairs(on[7])
            .most_states(400)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_language_is_right_whatever_is_on(
        f in formula(),
        options in prop_oneof![Just(Options::default().most_states(400)), options()],
        words in prop::collection::vec(arbitrary::word(4), 30),
    ) {
        let Ok(automaton) = options.generalized_rabin(&f) else { return Ok(()) };
        prop_assert!(is_deterministic_and_complete(&automaton));
        let evaluator = Evaluator::new(&f);
        for word in &words {
            prop_assert_eq!(membership::accepts(&automaton, word), evaluator.holds(word), "{}", word);
        }
        if let Ok(automaton) = options.state_based_rabin(&f) {
            prop_assert!(is_deterministic_and_complete(&automaton) && automaton.is_state_based());
            for word in &words {
                prop_assert_eq!(membership::accepts(&automaton, word), evaluator.holds(word));
            }
        }
    }

    #[test]
    fn alternating_automata_mean_the_formula(
        f in prop_oneof![formula(), arbitrary::formula(8)],
        words in prop::collection::vec(arbitrary::word(4), 10),
    ) {
        let automaton = alternating(&f).unwrap();
        prop_assert!(automaton.is_linear());
        let back = automaton.to_ltl().unwrap();
        let (evaluator, again) = (Evaluator::new(&f), Evaluator::new(&back));
        for word in &words {
            let holds = evaluator.holds(word);
            prop_assert_eq!(automaton.accepts(word).unwrap(), holds, "{}", word);
            prop_assert_eq!(again.holds(word), holds, "{} on {}", back, word);
        }
        if automaton.state_count() < 10 {
            let generalized = automaton.dealternate().unwrap();
            for word in &words {
                prop_assert_eq!(membership::accepts(&generalized, word), evaluator.holds(word));
            }
        }
    }

    #[test]
    fn languages_are_those_of_the_tableau(f in formula()) {
        let Ok(automaton) = Options::default().most_states(30).generalized_rabin(&f) else {
            return Ok(());
        };
        let tableau = crate::tableau::translate(&f);
        prop_assert!(language::equivalent(&automaton, &tableau));
    }
}

#[test]
fn until_states_count_what_they_start() {
    let f: Formula = "(G!b) U (!b & a)".parse().unwrap();
    let automaton = Options::default().generalized_rabin(&f).unwrap();
    let word = "!a & !b & !c; cycle{a & !b & c}".parse().unwrap();
    assert!(membership::accepts(&automaton, &word));
}

/// A must-state that is started finitely often stays.
#[test]
fn must_states_count_what_they_start_finitely_often() {
    let f: Formula = "G(G!a | XF(b & G!c))".parse().unwrap();
    let automaton = Options::default().generalized_rabin(&f).unwrap();
    assert!(language::equivalent(&automaton, &crate::tableau::translate(&f)));
}

#[test]
fn the_worked_example_has_three_macrostates() {
    let f = "G(XFa & XFb) | Gb".parse().unwrap();
    let plain = Options::default().later_start(false).equivalent_states(false);
    let all = plain.generalized_rabin(&f).unwrap();
    assert_eq!(all.state_count(), 3);
    assert_eq!(Options::default().generalized_rabin(&f).unwrap().state_count(), 2);
}

#[test]
fn formulas_outside_are_refused() {
    for text in ["G(a U b)", "a R b", "GXa", "G(a | XXFb)"] {
        let refused = Options::default().generalized_rabin(&text.parse().unwrap());
        assert_eq!(refused.unwrap_err(), Refusal::Fragment, "{text}");
    }
    let deep = format!("{}a", "X".repeat(100_000)).parse().unwrap();
    let refused = Options::default().generalized_rabin(&deep);
    assert_eq!(refused.unwrap_err(), Refusal::Limit(Limit::AlternatingStates));
}

#[test]
fn orders_of_marks_matter() {
    let f = "(GFa | FGb) & (GFc | FGd)".parse().unwrap();
    let any = Options::default().mark_orders(false).state_based_rabin(&f).unwrap();
    let best = Options::default().state_based_rabin(&f).unwrap();
    assert!(best.state_count() <= any.state_count());
}

#[test]
fn families_have_the_published_sizes() {
    for n in 1..=4 {
        let power = 1 << n;
        assert_eq!(sizes("gh-e", n), (power, power));
        assert_eq!(sizes("gh-s", n), (power, power));
        assert_eq!(sizes("gh-c2", n), (1, n as usize + 1));
        assert_eq!(sizes("gh-c1", n), (1, 2));
        assert_eq!(sizes("or-fg", n), (1, power));
        assert_eq!(sizes("go-theta", n), (2, n as usize + 2));
        assert_eq!(sizes("and-fg", n), (1, 2));
    }
    // Published: 3, 10, 30. Here initial configurations with more obligations than others are
    // dropped.
    assert_eq!([1, 2, 3].map(|n| sizes("gh-q", n).0), [3, 8, 20]);
    assert_eq!(sizes("gh-q", 3).1, 20);
    assert_eq!([2, 3, 4].map(|n| sizes("gh-u2", n)), [(3, 3), (4, 4), (5, 5)]);
    assert_eq!(sizes("gh-r", 2), (1, 10));
    assert_eq!(sizes("gh-u", 4).0, 9);
    assert_eq!(sizes("ms-phi-r", 2), (1, 24));
    assert_eq!(sizes("ms-phi-s", 1), (1, 8));
}

#[test]
fn may_must_automata_are_recognized() {
    for text in ["G(a | XFb)", "F(a & XGb) | GFc", "a & G(b | XG(a & XFc))"] {
        let automaton = alternating(&text.parse().unwrap()).unwrap();
        assert!(automaton.is_may_must(), "{text}");
        assert_eq!(Fragment::of(&automaton.to_ltl().unwrap()), Fragment::StrictFuture, "{text}");
    }
    assert!(!alternating(&"a U b".parse().unwrap()).unwrap().is_may_must());
}

/// The formulas of the literature that Chapter 6 uses, without duplicates.
fn literature() -> Vec<Formula> {
    PatternSet::by_name("literature").unwrap().formulas().collect()
}

#[test]
fn the_literature_splits_as_published() {
    let formulas = literature();
    let inside = |formula: &&Formula| Fragment::of(formula) != Fragment::Outside;
    assert_eq!(formulas.len(), 221);
    assert_eq!(formulas.iter().filter(|f| f.is(Traits::FRAGMENT_F_G)).count(), 42);
    assert_eq!(formulas.iter().filter(inside).count(), 92);
    // The library's trait is computed on the way up, the fragment here on the normal form.
    assert!(formulas.iter().all(|f| f.is(Traits::FRAGMENT_NO_GUX) == inside(&f)));
}

/// The construction alone has at most the published number of states, rejecting sinks included.
#[test]
fn the_literature_has_at_most_the_published_states() {
    let mut states = 0;
    for formula in literature() {
        if let Ok(automaton) = Options::default().generalized_rabin(&formula) {
            states += automaton.state_count();
        }
    }
    assert!(states <= 348, "{states}");
}
