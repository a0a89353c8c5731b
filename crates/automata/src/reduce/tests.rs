//! The requirements on reductions, and the relations by their definitions, letter by letter.

use super::bisimulation::Partition;
use super::graph::Context;
use super::*;
use crate::arbitrary::{self, Size};
use crate::test_language::{self, same_language};
use crate::{Alphabet, Condition, Edge, Marks, Named, StateId, hoa, language, stutter};
use proptest::prelude::*;
use std::sync::Arc;

fn automaton(body: &str) -> Automaton {
    hoa::parse(body).unwrap().nondeterministic().unwrap()
}

/// Generalized Büchi automata, for which most reductions apply.
fn generalized(size: Size) -> impl Strategy<Value = Automaton> {
    let alphabet = Arc::new(Alphabet::new(["a", "b"].into_iter().take(size.props)).unwrap());
    (0..=size.marks).prop_flat_map(move |marks| {
        let acceptance = Just(Named::GeneralizedBuchi(marks).acceptance());
        arbitrary::automaton_with(alphabet.clone(), acceptance, Size { marks, ..size })
    })
}

const LEVELS: [Level; 3] = [Level::Low, Level::Medium, Level::High];

fn check_reductions(automaton: &Automaton) -> Result<(), TestCaseError> {
    for level in LEVELS {
        let reduced = reduce(automaton, level);
        prop_assert!(same_language(automaton, &reduced), "{level:?}");
        let smaller = (reduced.state_count(), reduced.edge_count());
        prop_assert!(smaller <= (automaton.state_count(), automaton.edge_count()), "{level:?}");
        prop_assert!(reduced.acceptance().marks() <= automaton.acceptance().marks().max(1));
        prop_assert!(reduced.initial().len() <= automaton.initial().len());
        let again = reduce(&reduced, level);
        prop_assert_eq!(size(&again), size(&reduced), "{:?}", level);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn reductions_keep_the_language(automaton in arbitrary::automaton()) {
        check_reductions(&automaton)?;
    }

    #[test]
    fn reductions_keep_generalised_buchi_languages(
        automaton in generalized(Size { states: 8, props: 2, marks: 3, degree: 2 }),
    ) {
        check_reductions(&automaton)?;
    }

    #[test]
    fn reductions_keep_the_language_exactly(
        automaton in generalized(Size { states: 5, props: 1, marks: 2, degree: 3 }),
    ) {
        for level in LEVELS {
            prop_assert!(language::equivalent(&automaton, &reduce(&automaton, level)));
        }
    }
}

/// True if one set of marks is at most as good as another, by the definition.
fn marks_below(condition: &Condition, left: &Marks, right: &Marks) -> bool {
    let (inf, fin) = condition.inf_and_fin();
    inf.iter().all(|mark| !left.contains(mark) || right.contains(mark))
        && fin.iter().all(|mark| left.contains(mark) || !right.contains(mark))
}

/// The greatest fixpoint over single letters: edges as (source, letter, marks, target).
fn naive_simulation(
    automaton: &Automaton,
    steps: &[(usize, u64, Marks, usize)],
    may: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<bool>> {
    let states = automaton.state_count();
    let condition = automaton.acceptance().condition();
    let mut related: Vec<Vec<bool>> =
        (0..states).map(|l| (0..states).map(|r| may(l, r)).collect()).collect();
    loop {
        let holds = |left: usize, right: usize| {
            related[left][right]
                && steps.iter().filter(|step| step.0 == left).all(|(_, letter, marks, target)| {
                    steps.iter().any(|(source, other, better, answer)| {
                        *source == right
                            && other == letter
                            && marks_below(condition, marks, better)
                            && related[*target][*answer]
                    })
                })
        };
        let next: Vec<Vec<bool>> =
            (0..states).map(|l| (0..states).map(|r| holds(l, r)).collect()).collect();
        if next == related {
            return related;
        }
        related = next;
    }
}

fn steps(automaton: &Automaton) -> Vec<(usize, u64, Marks, usize)> {
    let letters = 1u64 << automaton.alphabet().props().len();
    let step = |(source, edge): (StateId, &Edge)| {
        let (label, marks, target) = (edge.label, edge.marks.clone(), edge.target.index());
        let reads = move |letter: &u64| automaton.alphabet().satisfied(label, *letter);
        let letters = (0..letters).filter(reads);
        letters.map(move |letter| (source.index(), letter, marks.clone(), target)).collect()
    };
    automaton.transitions().flat_map::<Vec<_>, _>(step).collect()
}

fn check_simulations(automaton: &Automaton) -> Result<(), TestCaseError> {
    let forwards = steps(automaton);
    let backwards: Vec<_> =
        forwards.iter().map(|(s, letter, marks, t)| (*t, *letter, marks.clone(), *s)).collect();
    let initial = |state: usize| automaton.initial().contains(&StateId::new(state));
    let direct = naive_simulation(automaton, &forwards, |_, _| true);
    let reverse = naive_simulation(automaton, &backwards, |l, r| !initial(l) || initial(r));
    let (found_direct, found_reverse) =
        (simulation::direct(automaton), simulation::reverse(automaton));
    for left in automaton.states() {
        for right in automaton.states() {
            let (l, r) = (left.index(), right.index());
            prop_assert_eq!(found_direct.holds(left, right), direct[l][r]);
            prop_assert_eq!(found_reverse.holds(left, right), reverse[l][r]);
            prop_assert_eq!(found_direct.equivalent(left, right), direct[l][r] && direct[r][l]);
        }
    }
    Ok(())
}

/// Adds propositions and random literals to the labels, so that there are more classes of letters.
fn widened(automaton: &Automaton, props: usize, seed: u64) -> Automaton {
    let own = automaton.alphabet();
    let names = own.props().iter().map(|prop| prop.name().to_string());
    let more = (own.props().len()..props).map(|i| format!("q{i}"));
    let alphabet = Arc::new(Alphabet::new(names.chain(more)).unwrap());
    let mut rng = sempre_ltl::generate::Rng::new(seed);
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(automaton.acceptance().clone());
    builder.add_states(automaton.state_count());
    automaton.initial().iter().for_each(|&state| {
        builder.initial(state);
    });
    let places: Vec<usize> = (0..own.props().len()).collect();
    for (source, edge) in automaton.transitions() {
        let label = own.translate(edge.label, &alphabet, &places);
        let literal = (own.props().len() + rng.index(props - own.props().len()), rng.chance(0.5));
        let label = alphabet.or(label, alphabet.from_cube(&[literal]));
        builder.edge(source, label, edge.marks.clone(), edge.target);
    }
    builder.build()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn simulations_are_the_greatest_ones(automaton in arbitrary::automaton()) {
        check_simulations(&automaton)?;
    }

    #[test]
    fn simulations_of_generalised_buchi_automata_are_the_greatest_ones(
        automaton in generalized(Size { states: 7, props: 2, marks: 2, degree: 2 }),
    ) {
        check_simulations(&automaton)?;
    }

    #[test]
    fn with_many_propositions_labels_are_compared_as_diagrams(
        automaton in generalized(Size { states: 5, props: 2, marks: 2, degree: 3 }),
        props in 7usize..9,
        seed in any::<u64>(),
    ) {
        let widened = widened(&automaton, props, seed);
        check_simulations(&widened)?;
        let reduced = reduce(&widened, Level::Medium);
        let mut rng = sempre_ltl::generate::Rng::new(seed);
        for size in 0..40 {
            let mut word = |length: usize| -> Vec<u64> {
                (0..length).map(|_| rng.below(1 << props)).collect()
            };
            let (prefix, cycle) = (word(size % 4), word(1 + size % 3));
            let accepted = test_language::accepts(&widened, &prefix, &cycle);
            prop_assert_eq!(test_language::accepts(&reduced, &prefix, &cycle), accepted);
        }
    }

    #[test]
    fn stutter_invariant_languages_stay(
        automaton in generalized(Size { states: 3, props: 1, marks: 2, degree: 2 }),
    ) {
        let invariant = stutter::self_loopize(&stutter::closure(&automaton));
        for level in LEVELS {
            let reduced = stutter_invariant(&invariant, level);
            prop_assert!(language::equivalent(&invariant, &reduced), "{level:?}");
            prop_assert!(size(&reduced) <= size(&reduce(&invariant, level)), "{level:?}");
        }
    }

    #[test]
    fn bisimulation_is_the_coarsest_one(automaton in arbitrary::automaton()) {
        let (context, graph) = Context::of(&automaton);
        let partition = Partition::coarsest(graph.states()).refined(&graph, &context);
        // By the definition, as a greatest fixpoint.
        let (states, steps) = (automaton.state_count(), steps(&automaton));
        let mentioned = automaton.acceptance().condition().marks();
        let mut same = vec![vec![true; states]; states];
        loop {
            let answered = |left: usize, right: usize| {
                steps.iter().filter(|step| step.0 == left).all(|(_, letter, marks, target)| {
                    steps.iter().any(|(source, other, equal, answer)| {
                        *source == right && other == letter && same[*target][*answer]
                            && equal & &mentioned == marks & &mentioned
                    })
                })
            };
            let holds = |l: usize, r: usize| same[l][r] && answered(l, r) && answered(r, l);
            let next: Vec<Vec<bool>> =
                (0..states).map(|l| (0..states).map(|r| holds(l, r)).collect()).collect();
            if next == same {
                break;
            }
            same = next;
        }
        for (left, row) in same.iter().enumerate() {
            for (right, same) in row.iter().enumerate() {
                prop_assert_eq!(partition.class[left] == partition.class[right], *same);
            }
        }
        let quotient = bisimulation::quotient(&automaton);
        prop_assert_eq!(quotient.state_count(), partition.classes);
        prop_assert!(same_language(&automaton, &quotient));
    }
}

/// Two chains of three states with the same beginning and the same end, an accepting loop.
#[test]
fn classes_split_as_in_the_worked_example() {
    let automaton = automaton(
        "HOA: v1 States: 6 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
         State: 0 [0] 1 [0] 3
         State: 1 [0] 2
         State: 2 [0] 5
         State: 3 [0] 4
         State: 4 [0] 5
         State: 5 {0} [t] 5
         --END--",
    );
    let (context, graph) = Context::of(&automaton);
    // The first classes: accepting or not.
    let mut partition = Partition { class: vec![0, 0, 0, 0, 0, 1], classes: 2 };
    let classes = |partition: &Partition| {
        let mut classes = vec![vec![]; partition.classes];
        for (state, &class) in partition.class.iter().enumerate() {
            classes[class as usize].push(state);
        }
        classes.sort();
        classes
    };
    let all = [0, 1, 2, 3, 4, 5];
    partition.split(&graph, &context, &all);
    assert_eq!(classes(&partition), [vec![0, 1, 3], vec![2, 4], vec![5]]);
    partition.split(&graph, &context, &all);
    assert_eq!(classes(&partition), [vec![0], vec![1, 3], vec![2, 4], vec![5]]);
    assert!(partition.split(&graph, &context, &all).is_empty());
    assert_eq!(bisimulation::quotient(&automaton).state_count(), 4);
}

#[test]
fn more_marks_than_bits_are_compared_as_sets() {
    let alphabet = Alphabet::new(["a"]).unwrap();
    let mut builder = Automaton::builder(alphabet);
    builder.acceptance(Named::GeneralizedBuchi(70).acceptance());
    builder.add_states(71);
    builder.initial(StateId::new(0));
    let (tt, a) = (builder.alphabet().tt(), builder.alphabet().prop(0));
    for mark in 0..70u32 {
        let (source, target) =
            (StateId::new(mark as usize), StateId::new((mark as usize + 1) % 70));
        builder.edge(source, tt, Marks::from_iter([mark]), target);
        if mark == 3 {
            builder.edge(source, a, Marks::from_iter([mark]), StateId::new(70));
        }
    }
    builder.edge(StateId::new(70), tt, Marks::from_iter([4]), StateId::new(5));
    let automaton = builder.build();
    for level in [Level::Low, Level::Medium] {
        let reduced = reduce(&automaton, level);
        assert!(reduced.state_count() <= 70, "{level:?}: {}", reduced.state_count());
        assert!(language::is_universal(&reduced));
    }
}

/// State-based acceptance must not prevent merging states that differ only in marks.
#[test]
fn marks_move_to_where_they_do_not_matter() {
    let automaton = automaton(
        "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
         State: 0 {0} [0] 0 [!0] 1
         State: 1 [0] 0 [!0] 1
         --END--",
    );
    for level in LEVELS {
        let reduced = reduce(&automaton, level);
        assert_eq!((reduced.state_count(), reduced.edge_count()), (1, 2));
    }
}

#[test]
fn marks_of_different_components_share_numbers() {
    let automaton = automaton(
        "HOA: v1 States: 3 Start: 0 AP: 1 \"a\" Acceptance: 2 Inf(0) & Inf(1) --BODY--
         State: 0 [t] 0 [0] 1 [!0] 2
         State: 1 [0] 1 {0 1} [!0] 1 {1}
         State: 2 [0] 2 {0} [!0] 2 {0 1}
         --END--",
    );
    let reduced = reduce(&automaton, Level::Low);
    assert_eq!(reduced.acceptance().marks(), 1);
    assert!(language::equivalent(&automaton, &reduced));
}

/// Loops that read every letter make later states of a chain redundant only in reverse.
#[test]
fn edges_from_worse_sources_go() {
    let automaton = automaton(
        "HOA: v1 States: 4 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
         State: 0 [t] 0 [t] 1
         State: 1 [t] 2 [0] 3
         State: 2 [t] 2 [0] 3
         State: 3 [0] 3 {0}
         --END--",
    );
    let reduced = reduce(&automaton, Level::Medium);
    assert_eq!(reduced.state_count(), 2, "{}", crate::draw::text(&reduced, &Default::default()));
}

#[test]
fn obligations_become_minimal_deterministic_automata_if_that_is_smaller() {
    // Every word has an a or has none.
    let automaton = automaton(
        "HOA: v1 name: \"true\" States: 3 Start: 0 Start: 2 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
         State: 0 [!0] 0 [0] 1
         State: 1 [t] 1 {0}
         State: 2 [!0] 2 {0}
         --END--",
    );
    let reduced = reduce(&automaton, Level::High);
    assert_eq!((reduced.state_count(), reduced.edge_count()), (1, 1));
    assert_eq!(reduced.name(), Some("true"));
}

#[test]
fn names_and_what_is_known_of_the_language_stay() {
    let automaton = automaton(
        "HOA: v1 name: \"always a\" States: 1 Start: 0 AP: 1 \"a\" Acceptance: 0 t
         properties: stutter-invariant --BODY-- State: 0 [0] 0 --END--",
    );
    let reduced = reduce(&automaton, Level::High);
    assert_eq!(reduced.name(), Some("always a"));
    assert_eq!(reduced.declared_stutter_invariant(), Some(true));
}
