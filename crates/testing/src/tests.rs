//! Sizes and examples of the thesis, and languages compared with the semantics of formulas.

use crate::graph::ChangeGraph;
use crate::membership::{accepts, explicit_tgta_accepts, tgta_accepts};
use crate::{
    ExplicitTa, ExplicitTgta, Handover, Kind, Links, Observed, PartlyInvariant, Reductions,
    SinglePassTa, Stage, TaOptions, Testing, TestingAutomaton, Tgta, TgtaOptions, changes,
    differences,
};
use proptest::prelude::*;
use sempre_automata::random::RandomAutomata;
use sempre_automata::{
    Alphabet, Automaton, GeneralizedBuchi, Marks, Named, StateId, degeneralize, hoa, language,
    membership, stutter,
};
use sempre_ltl::generate::Rng;
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Op, Word, arbitrary};
use sempre_translate::{self as translate, Effort, Translator};
use std::sync::Arc;

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

/// The same with the mark where the until is fulfilled, as in tableau automata.
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
fn formulas_have_the_sizes_of_the_thesis() {
    let sizes = |formula: &str, kind| {
        let formula = formula.parse().unwrap();
        let made = Testing::thesis(&formula, kind, &mut Translator::new()).unwrap();
        (made.graph().state_count(), made.transition_count())
    };
    let formula = "a U G b";
    assert_eq!(sizes(formula, Kind::Ta), (4, 7));
    assert_eq!(sizes(formula, Kind::Sta), (5, 10));
    assert_eq!(sizes(formula, Kind::StrictSta), (5, 12));
    assert_eq!(sizes(formula, Kind::Tgta), (4, 14));
    assert_eq!(sizes("FGp", Kind::Ta), (2, 2));
    assert_eq!(sizes("FGp", Kind::Tgta), (3, 6));
    assert_eq!(sizes("GFa & GFb", Kind::Ta), (10, 30));
    assert_eq!(sizes("GFa & GFb", Kind::Tgta), (4, 16));
}

/// The automata over changes of all stages accept the same words.
#[test]
fn stages_keep_the_language() {
    let words = ["cycle{a}", "cycle{b}", "a; a; cycle{b}", "cycle{a&b; !b}", "a&b; cycle{!a&b}"];
    for (formula, kind) in ["a U G b", "GFa & GFb", "FGa | Gb"]
        .into_iter()
        .flat_map(|formula| Kind::ALL.map(|kind| (formula, kind)))
    {
        let formula: Formula = formula.parse().unwrap();
        for reductions in [Reductions::All, Reductions::Thesis] {
            let stages = Testing::stages(&formula, kind, reductions, &mut Translator::new());
            for (name, stage) in stages.unwrap() {
                let automaton = match &stage {
                    Stage::Plain(automaton) => automaton.clone(),
                    Stage::Testing(testing) => testing.to_differences(),
                };
                for text in words {
                    let word: Word = text.parse().unwrap();
                    let read = match stage {
                        Stage::Plain(_) => word.clone(),
                        Stage::Testing(_) => differences(&word),
                    };
                    let accepted = sempre_automata::membership::accepts(&automaton, &read);
                    let holds = sempre_ltl::semantics::holds(&formula, &word);
                    assert_eq!(accepted, holds, "{formula} {kind} {name} on {text}");
                }
                if let Stage::Testing(testing) = stage {
                    let back = Testing::of_differences(&testing.to_differences()).unwrap();
                    assert_eq!(back.transition_count(), testing.transition_count());
                }
            }
        }
    }
}

#[test]
fn sizes_of_the_thesis() {
    let tgba = two_recurrences();
    let jumping = degeneralize::Degeneralizer::plain().jump(degeneralize::Jump::Always);
    let ba = jumping.state_based(&GeneralizedBuchi::of(&tgba).unwrap());
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

/// The sizes of our results for the formulas of the thesis, as numbers of states and transitions.
#[test]
fn sizes_of_ours() {
    let sizes = |formula: &str| {
        let formula = formula.parse().unwrap();
        [Kind::Ta, Kind::Sta, Kind::Tgta].map(|kind| {
            let testing = Testing::new(&formula, kind, &mut Translator::new()).unwrap();
            (testing.graph().state_count(), testing.transition_count())
        })
    };
    assert_eq!(sizes("GFa & GFb"), [(10, 30), (11, 33), (4, 16)]);
    assert_eq!(sizes("a U G b"), [(3, 5), (4, 6), (3, 8)]);
    assert_eq!(sizes("F G p"), [(2, 2), (3, 3), (3, 6)]);
    assert_eq!(sizes("a U b"), [(2, 5), (2, 5), (2, 7)]);
}

/// Safety formulas have no marks: stuttering in a state that cannot continue must not be accepted.
#[test]
fn no_marks() {
    for text in ["G a", "G(a -> b)", "1", "0", "a W b"] {
        let formula: Formula = text.parse().unwrap();
        let evaluator = Evaluator::new(&formula);
        let mut automaton = Translator::new().translate(&formula).edit();
        automaton.acceptance(Named::All.acceptance());
        automaton.retain_edges(|_, edge| {
            edge.marks = Marks::EMPTY;
            true
        });
        // Without marks, the automaton of `a W b` has another language, which is as good a test.
        let automaton = automaton.build();
        for options in tgta_options() {
            let tgta = Tgta::new(&automaton, &options).unwrap();
            for word in ["cycle{!a}", "cycle{a}", "a; cycle{!a}", "a; cycle{b; a}", "cycle{a; b}"] {
                let word = word.parse().unwrap();
                let expected = membership::accepts(&automaton, &word);
                assert_eq!(tgta_accepts(&tgta, &word), expected, "{text} {word} {options:?}");
                assert!(text.contains('W') || evaluator.holds(&word) == expected);
            }
        }
    }
}

#[test]
fn too_many_propositions() {
    let formula = Formula::globally(Formula::or((0..40).map(|i| Formula::prop(format!("p{i}")))));
    let automaton = Translator::new().effort(Effort::Low).translate(&formula);
    let refused = Tgta::new(&automaton, &TgtaOptions::default()).unwrap_err();
    assert!(matches!(refused, crate::Error::TooLarge { .. }), "{refused}");
}

#[test]
fn files_are_read_again() {
    for text in ["GFa & GFb", "a U G b", "G(a -> F b)", "0", "1", "FG a | GF b"] {
        for kind in Kind::ALL {
            let testing =
                Testing::new(&text.parse().unwrap(), kind, &mut Translator::new()).unwrap();
            let written = hoa::to_string(&testing.to_differences(), &Default::default());
            let read = Testing::of_differences(&parse(&written)).unwrap();
            assert_eq!(read.kind(), testing.kind());
            let again = hoa::to_string(&read.to_differences(), &Default::default());
            assert_eq!(again, written, "{text} as {kind}");
        }
    }
    for broken in [
        "States: 2 Start: 1 Acceptance: 1 Inf(0) testing: tgta --BODY-- State: 0 State: 1 [t] 0",
        "States: 1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0",
        "States: 1 Start: 0 Acceptance: 0 t testing: tgta --BODY-- State: 0 [t] 0",
        "States: 1 Start: 0 Acceptance: 0 t testing: ta --BODY-- State: 0 [t] 0",
        "States: 1 Start: 0 Acceptance: 0 t testing: best --BODY-- State: 0 [t] 0",
    ] {
        let (header, body) = broken.split_once("--BODY--").unwrap();
        let text = format!("HOA: v1 {header} AP: 1 \"a\" --BODY-- {body} --END--");
        assert!(Testing::of_differences(&parse(&text)).is_err(), "{broken}");
    }
}

/// Each step of the constructions as a drawing.
#[test]
fn steps_are_drawn() {
    let text = |drawing: crate::Drawing| drawing.text(&Default::default());
    let explicit = ExplicitTa::new(&until_always(), Observed::All).unwrap();
    insta::assert_snapshot!("until-always-1-explicit", text(explicit.drawing()));
    let ta = explicit.livelocks(&TaOptions::THESIS);
    insta::assert_snapshot!("until-always-2-livelocks", text(ta.drawing()));
    let ta = ta.trimmed().merged();
    insta::assert_snapshot!("until-always-3-merged", text(ta.drawing()));
    let sta = SinglePassTa::new(&ta, Handover::NotBuchi);
    insta::assert_snapshot!("until-always-4-single-pass", text(sta.as_ta().drawing()));
    let explicit = ExplicitTgta::new(&until_always_on_edges(), Observed::All).unwrap();
    insta::assert_snapshot!("until-always-5-explicit-tgta", text(explicit.drawing()));
    let tgta = explicit.trimmed().normalized(Links::All);
    insta::assert_snapshot!("until-always-6-normalized", text(tgta.drawing()));
    insta::assert_snapshot!("until-always-7-tgta", text(tgta.trimmed().merged().drawing()));
    let persistence = TestingAutomaton::new(&persistence(), &TaOptions::THESIS).unwrap();
    insta::assert_snapshot!("persistence-dot", persistence.drawing().dot(&Default::default()));
    insta::assert_snapshot!(
        "persistence-mermaid",
        persistence.drawing().mermaid(&Default::default())
    );
    let svg = persistence.drawing().svg(&Default::default()).unwrap();
    assert!(svg.contains("stroke-dasharray") && svg.contains("{p}"));
}

/// The words of the thesis about `a U G b`.
#[test]
fn words_of_the_thesis() {
    let ta = TestingAutomaton::new(&until_always(), &TaOptions::THESIS).unwrap();
    let tgta = Tgta::new(&until_always_on_edges(), &TgtaOptions::THESIS).unwrap();
    for (word, expected) in
        [("cycle{a & b; b}", true), ("a & b; cycle{b}", true), ("cycle{a & b; a}", false)]
    {
        let word = word.parse().unwrap();
        assert_eq!(accepts(&ta, &word), expected);
        assert_eq!(tgta_accepts(&tgta, &word), expected);
    }
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

/// Returns all options for testing automata.
fn ta_options() -> impl Iterator<Item = TaOptions> {
    (0..16).map(|bits| TaOptions {
        observed: if bits & 1 == 0 { Observed::All } else { Observed::Reachable },
        stuttering_is_buchi: bits & 2 != 0,
        trivial_components: bits & 4 != 0,
        bisimulation: bits & 8 != 0,
    })
}

fn tgta_options() -> impl Iterator<Item = TgtaOptions> {
    let links = [Links::All, Links::One, Links::Loops, Links::Sink, Links::Smaller];
    links.into_iter().flat_map(|links| {
        (0..32).map(move |bits| TgtaOptions {
            observed: if bits & 1 == 0 { Observed::All } else { Observed::Reachable },
            links,
            saturate: bits & 2 != 0,
            normalize: bits & 4 != 0,
            bisimulation: bits & 8 != 0,
            simulation: bits & 16 != 0,
        })
    })
}

/// The word with each letter repeated `times` times.
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
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn testing_automata_accept_what_satisfies_the_formula(
        f in invariant_formula(9),
        effort in effort(),
        words in prop::collection::vec(arbitrary::word(4), 8),
        times in prop::collection::vec(1usize..4, 1..5),
    ) {
        let ba = Translator::new().kind(translate::Kind::Ba).effort(effort).translate(&f);
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
        offset in 0usize..11,
        effort in effort(),
        words in prop::collection::vec(arbitrary::word(4), 8),
        times in prop::collection::vec(1usize..4, 1..5),
    ) {
        let tgba = Translator::new().effort(effort).translate(&f);
        let evaluator = Evaluator::new(&f);
        let words: Vec<Word> =
            words.iter().flat_map(|word| [word.clone(), repeated(word, &times)]).collect();
        for options in tgta_options().skip(offset).step_by(11) {
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

    /// Explicit stuttering can express any property.
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

    /// States with invariant languages are replaced by TGTA, for any property.
    #[test]
    fn partly_invariant_automata_keep_all_languages(
        f in prop_oneof![arbitrary::formula(6), invariant_formula(6).prop_map(Formula::next)],
        words in prop::collection::vec(arbitrary::word(4), 8),
    ) {
        let tgba = Translator::new().effort(Effort::Low).translate(&f);
        prop_assume!(tgba.state_count() < 8);
        let evaluator = Evaluator::new(&f);
        let partly = PartlyInvariant::new(&tgba, &TgtaOptions::default()).unwrap();
        let reads_differences = partly.graph().differences();
        for word in &words {
            let accepted = membership::accepts(&reads_differences, &differences(word));
            prop_assert_eq!(accepted, evaluator.holds(word), "{} {}", f, word);
        }
    }

    /// Testing automata have stutter-invariant languages for any property.
    #[test]
    fn testing_automata_do_not_count(
        f in arbitrary::formula(9),
        word in arbitrary::word(4),
        times in prop::collection::vec(1usize..4, 1..5),
    ) {
        let ba = Translator::new().kind(translate::Kind::Ba).effort(Effort::Low).translate(&f);
        let ta = TestingAutomaton::new(&ba, &TaOptions::default()).unwrap();
        prop_assert_eq!(accepts(&ta, &word), accepts(&ta, &repeated(&word, &times)));
    }
}

/// A cycle of changes that sees one of two marks only is no accepting one, whatever the options.
#[test]
fn cycles_that_lack_a_mark_are_rejected() {
    let formula: Formula = "GFa & GFb".parse().unwrap();
    let tgba = Translator::new().translate(&formula);
    let words = ["cycle{!a&b; !a&!b}", "cycle{a&!b; !a&!b}", "a&b; cycle{!a&b; !a&!b}"];
    for options in tgta_options() {
        let tgta = Tgta::new(&tgba, &options).unwrap();
        for word in words {
            assert!(!tgta_accepts(&tgta, &word.parse().unwrap()), "{options:?} {word}");
        }
        for word in ["cycle{a&!b; !a&b}", "cycle{a&b; !a&!b}", "cycle{a&b}"] {
            assert!(tgta_accepts(&tgta, &word.parse().unwrap()), "{options:?} {word}");
        }
    }
}

/// Random automata over changes with few marks, whatever their languages.
fn random_tgta(rng: &mut Rng) -> Tgta {
    let alphabet = Arc::new(Alphabet::new(["a", "b"]).unwrap());
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(Named::GeneralizedBuchi(2).acceptance());
    let count = 2 + rng.index(4);
    builder.add_states(count);
    let (stuttering, states) = (changes::stuttering(&alphabet), (0..count).map(StateId::new));
    for source in states.clone() {
        let marks = if rng.chance(0.2) { Marks::all(2) } else { Marks::EMPTY };
        builder.edge(source, stuttering, marks, source);
        for _ in 0..1 + rng.index(3) {
            let change = [(true, false), (false, true), (true, true)][rng.index(3)];
            let label = alphabet.from_cube(&[(0, change.0), (1, change.1)]);
            let marks = (0..2).filter(|_| rng.chance(0.3)).collect();
            builder.edge(source, label, marks, StateId::new(rng.index(count)));
        }
    }
    let first = states.map(|state| match state.index() {
        0 => alphabet.tt(),
        _ => alphabet.ff(),
    });
    Tgta(ChangeGraph::new(builder.build(), first.collect()))
}

/// Each way to unify marks, and the other reductions, alone.
#[test]
fn reductions_of_random_tgta_keep_their_language() {
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let tgta = random_tgta(&mut rng);
        let most = tgta.with_irrelevant_marks_alike(false);
        let early = tgta.with_irrelevant_marks_alike(true);
        for (name, reduced) in [
            ("most", most),
            ("early", early),
            ("merged", tgta.merged()),
            ("simulated", tgta.simulated()),
        ] {
            let word = language::distinguishing_word(
                &tgta.graph().differences(),
                &reduced.graph().differences(),
            );
            assert_eq!(word, None, "{name} of {:?}", tgta.graph().automaton());
        }
    }
}

/// Each way to link states with stuttering that accepts, alone, on automata with invariant languages
/// and two marks. Words that repeat letters now and then pass loops for stuttering, which must not
/// count.
#[test]
fn links_keep_random_invariant_languages() {
    let random = RandomAutomata::over(["a", "b"]).unwrap().states(4).density(0.25);
    let random = random.acceptance(Named::GeneralizedBuchi(2)).mark_probability(0.4).seed(1);
    let mut rng = Rng::new(1);
    let mut tested = 0;
    for automaton in random.generate().take(LINKED) {
        let automaton = stutter::closure(&stutter::self_loopize(&automaton));
        if !stutter::invariance(&automaton).is_invariant() {
            continue;
        }
        tested += 1;
        let words = (0..12).flat_map(|number| {
            let mut letters = |count: usize| (0..count).map(|_| rng.below(4)).collect::<Vec<u64>>();
            let (prefix, cycle) = (letters(number % 3), letters(1 + number % 4));
            let props = automaton.alphabet().props().to_vec();
            let word = Word::from_valuations(props, &prefix, &cycle).unwrap();
            [repeated(&word, &[2]), word]
        });
        let words: Vec<Word> = words.collect();
        for links in [Links::All, Links::One, Links::Loops, Links::Sink] {
            let options = TgtaOptions { links, ..TgtaOptions::THESIS };
            let tgta = Tgta::new(&automaton, &options).unwrap();
            for word in &words {
                let expected = membership::accepts(&automaton, word);
                assert_eq!(tgta_accepts(&tgta, word), expected, "{links:?} on {word}");
            }
        }
    }
    assert!(tested >= LINKED / 3, "{tested}");
}

const LINKED: usize = 160;
