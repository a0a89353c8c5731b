//! Sizes and examples of the thesis, and languages against the semantics of formulas.

use crate::membership::{accepts, explicit_tgta_accepts, tgta_accepts};
use crate::{
    ExplicitTgta, Handover, Links, Observed, SinglePassTa, TaOptions, TestingAutomaton, Tgta,
    TgtaOptions, differences,
};
use proptest::prelude::*;
use sempre_automata::{Automaton, degeneralize, hoa, membership};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Op, Word, arbitrary};
use sempre_translate::{Effort, Kind, Translator};

fn parse(text: &str) -> Automaton {
    hoa::parse(text).unwrap().nondeterministic().unwrap()
}

fn size(automaton: &TestingAutomaton) -> (usize, u128) {
    (automaton.state_count(), automaton.transition_count())
}

fn two_recurrences() -> Automaton {
    parse(
        r#"HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" Acceptance: 2 Inf(0) & Inf(1)
        --BODY-- State: 0 [0&1] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!0&!1] 0 --END--"#,
    )
}

fn until_always() -> Automaton {
    parse(
        r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0)
        --BODY-- State: 0 [0] 0 [1] 1 State: 1 {0} [1] 1 --END--"#,
    )
}

/// The same with the mark where the until is fulfilled, as tableaux have it.
fn until_always_on_edges() -> Automaton {
    parse(
        r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0)
        --BODY-- State: 0 [0] 0 [1] 1 {0} State: 1 [1] 1 {0} --END--"#,
    )
}

fn persistence() -> Automaton {
    parse(
        r#"HOA: v1 States: 2 Start: 0 AP: 1 "p" Acceptance: 1 Inf(0)
        --BODY-- State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1 --END--"#,
    )
}

#[test]
fn sizes_of_the_thesis() {
    let tgba = two_recurrences();
    let jumping = degeneralize::Degeneralizer::plain().jump(degeneralize::Jump::Always);
    let ba = jumping.state_based(&tgba).unwrap();
    assert_eq!(ba.state_count(), 3);
    let ta = TestingAutomaton::new(&ba, &TaOptions::THESIS).unwrap();
    assert_eq!(size(&ta), (10, 30));
    let tgta = Tgta::new(&tgba, &TgtaOptions::THESIS).unwrap();
    assert_eq!((tgta.state_count(), tgta.transition_count()), (4, 16));

    let ta = TestingAutomaton::new(&until_always(), &TaOptions::THESIS).unwrap();
    assert_eq!(size(&ta), (4, 7));
    let strict = SinglePassTa::new(&ta, Handover::All);
    assert_eq!(size(strict.as_ta()), (5, 12));
    let optimised = SinglePassTa::new(&ta, Handover::NotBuchi);
    assert_eq!(size(optimised.as_ta()), (5, 10));
    let tgta = Tgta::new(&until_always_on_edges(), &TgtaOptions::THESIS).unwrap();
    assert_eq!((tgta.state_count(), tgta.transition_count()), (4, 14));

    let ta = TestingAutomaton::new(&persistence(), &TaOptions::THESIS).unwrap();
    assert_eq!(size(&ta), (2, 2));
    let sta = SinglePassTa::new(&ta, Handover::NotBuchi);
    assert_eq!(size(sta.as_ta()), (3, 3));
    let tgta = Tgta::new(&persistence(), &TgtaOptions::THESIS).unwrap();
    assert_eq!((tgta.state_count(), tgta.transition_count()), (3, 6));
}

/// Formulas without X.
fn invariant_formula(size: u32) -> impl Strategy<Value = Formula> {
    use Op::*;
    arbitrary::formula_with(
        size,
        &[
            True,
            False,
            Prop,
            Not,
            And,
            Or,
            Implies,
            Iff,
            Finally,
            Globally,
            Until,
            Release,
            WeakUntil,
            StrongRelease,
        ],
    )
}

/// All ways to make a testing automaton, with their names.
fn ta_options() -> impl Iterator<Item = TaOptions> {
    (0..16).map(|bits| TaOptions {
        observed: if bits & 1 == 0 { Observed::All } else { Observed::Reachable },
        stuttering_is_buchi: bits & 2 != 0,
        trivial_components: bits & 4 != 0,
        bisimulation: bits & 8 != 0,
    })
}

fn tgta_options() -> impl Iterator<Item = TgtaOptions> {
    let links = [Links::All, Links::One, Links::Loops];
    links.into_iter().flat_map(|links| {
        (0..16).map(move |bits| TgtaOptions {
            observed: if bits & 1 == 0 { Observed::All } else { Observed::Reachable },
            links,
            saturate: bits & 2 != 0,
            normalize: bits & 4 != 0,
            bisimulation: bits & 8 != 0,
        })
    })
}

/// The word with its letters repeated so many times each.
fn repeated(word: &Word, times: &[usize]) -> Word {
    let positions: Vec<usize> = (0..word.len())
        .flat_map(|position| std::iter::repeat_n(position, times[position % times.len()]))
        .collect();
    let prefix = positions.iter().filter(|&&position| position < word.prefix_len()).count();
    let props = word.props().to_vec();
    Word::from_fn(props, prefix, positions.len() - prefix, |position, prop| {
        word.value(positions[position], &word.props()[prop])
    })
    .unwrap()
}

fn effort() -> impl Strategy<Value = Effort> {
    prop::sample::select(Effort::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn testing_automata_accept_what_satisfies_the_formula(
        f in invariant_formula(9),
        effort in effort(),
        words in prop::collection::vec(arbitrary::word(4), 8),
        times in prop::collection::vec(1usize..4, 1..5),
    ) {
        let ba = Translator::new().kind(Kind::Ba).effort(effort).translate(&f);
        let evaluator = Evaluator::new(&f);
        let words: Vec<Word> =
            words.iter().flat_map(|word| [word.clone(), repeated(word, &times)]).collect();
        for options in ta_options() {
            let ta = TestingAutomaton::new(&ba, &options).unwrap();
            let handovers = [Handover::All, Handover::NotBuchi, Handover::OnCycles];
            let stas: Vec<SinglePassTa> = handovers
                .into_iter()
                .map(|handover| SinglePassTa::new(&ta, handover))
                .flat_map(|sta| [sta.merged(), sta])
                .collect();
            for automaton in stas.iter().map(SinglePassTa::as_ta).chain([&ta]) {
                let reads_differences = automaton.graph().differences();
                for word in &words {
                    let expected = evaluator.holds(word);
                    prop_assert_eq!(accepts(automaton, word), expected, "{:?} {}", options, word);
                    prop_assert_eq!(
                        membership::accepts(&reads_differences, &differences(word)), expected
                    );
                }
            }
            for sta in &stas {
                for state in sta.as_ta().graph().automaton().states() {
                    let ta = sta.as_ta();
                    let has_successors = ta.edges().any(|(source, _, _)| source == state);
                    prop_assert!(!ta.is_livelock(state) || ta.is_buchi(state) || !has_successors);
                }
            }
        }
    }

    #[test]
    fn tgta_accept_what_satisfies_the_formula(
        f in invariant_formula(9),
        effort in effort(),
        words in prop::collection::vec(arbitrary::word(4), 8),
        times in prop::collection::vec(1usize..4, 1..5),
    ) {
        let tgba = Translator::new().effort(effort).translate(&f);
        let evaluator = Evaluator::new(&f);
        let words: Vec<Word> =
            words.iter().flat_map(|word| [word.clone(), repeated(word, &times)]).collect();
        for options in tgta_options() {
            let tgta = Tgta::new(&tgba, &options).unwrap();
            prop_assert!(tgta.is_normalized());
            let reads_differences = tgta.graph().differences();
            for word in &words {
                let expected = evaluator.holds(word);
                prop_assert_eq!(tgta_accepts(&tgta, word), expected, "{:?} {}", options, word);
                prop_assert_eq!(
                    membership::accepts(&reads_differences, &differences(word)), expected
                );
            }
        }
    }

    /// With explicit stuttering, any property can be expressed.
    #[test]
    fn explicit_automata_keep_all_languages(
        f in arbitrary::formula(9),
        words in prop::collection::vec(arbitrary::word(4), 8),
    ) {
        let tgba = Translator::new().effort(Effort::Low).translate(&f);
        let evaluator = Evaluator::new(&f);
        for observed in [Observed::All, Observed::Reachable] {
            let explicit = ExplicitTgta::new(&tgba, observed).unwrap();
            let trimmed = explicit.trimmed();
            for word in &words {
                let expected = evaluator.holds(word);
                prop_assert_eq!(explicit_tgta_accepts(&explicit, word), expected);
                prop_assert_eq!(explicit_tgta_accepts(&trimmed, word), expected);
            }
        }
    }

    /// Testing automata are stutter-invariant by themselves, even if the property is not.
    #[test]
    fn testing_automata_do_not_count(
        f in arbitrary::formula(9),
        word in arbitrary::word(4),
        times in prop::collection::vec(1usize..4, 1..5),
    ) {
        let ba = Translator::new().kind(Kind::Ba).effort(Effort::Low).translate(&f);
        let ta = TestingAutomaton::new(&ba, &TaOptions::default()).unwrap();
        prop_assert_eq!(accepts(&ta, &word), accepts(&ta, &repeated(&word, &times)));
    }
}
