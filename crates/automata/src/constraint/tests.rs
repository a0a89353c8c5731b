//! The correctness conditions of refinement, on random automata, constraints and structures.

use super::*;
use crate::arbitrary::{self, Size};
use crate::test_language::same_language;
use crate::{Kripke, Marks, product};
use proptest::prelude::*;
use std::sync::Arc;

/// All propositions that the tests use.
const PROPS: [&str; 3] = ["a", "b", "c"];

/// A satisfiable Boolean constraint over the propositions of an alphabet.
fn constraint(alphabet: &Arc<Alphabet>) -> impl Strategy<Value = Formula> + use<> {
    let alphabet = alphabet.clone();
    arbitrary::label(&alphabet).prop_map(move |label| {
        let label = if label == alphabet.ff() { alphabet.tt() } else { label };
        alphabet.to_formula(label)
    })
}

/// An automaton over three propositions, with two constraints.
fn instance() -> impl Strategy<Value = (Automaton, Formula, Formula)> {
    let alphabet = Arc::new(Alphabet::new(PROPS).unwrap());
    let size = Size { states: 5, props: 3, marks: 3, degree: 3 };
    let automata = (0..=3u32).prop_flat_map({
        let alphabet = alphabet.clone();
        move |marks| {
            let size = Size { marks, ..size };
            arbitrary::automaton_with(alphabet.clone(), arbitrary::acceptance(marks), size)
        }
    });
    (automata, constraint(&alphabet), constraint(&alphabet))
}

/// The one-state automaton of the words that satisfy a constraint at each position.
fn always(alphabet: &Arc<Alphabet>, constraint: &Formula) -> Automaton {
    let mut builder = Automaton::builder(alphabet.clone());
    let state = builder.add_state();
    let label = alphabet.from_formula(constraint).unwrap();
    builder.initial(state).edge(state, label, Marks::EMPTY, state);
    builder.build()
}

/// A structure whose valuations satisfy the constraint.
fn structure(alphabet: &Arc<Alphabet>, constraint: &Formula, choices: &[usize]) -> Kripke {
    let label = alphabet.from_formula(constraint).unwrap();
    let letters: Vec<u64> = (0..8).filter(|letter| alphabet.satisfied(label, *letter)).collect();
    let states = 4;
    let labels = (0..states).map(|state| letters[choices[state] % letters.len()]).collect();
    let edges = (0..2 * states).map(|edge| (edge % states, choices[states + edge] % states));
    Kripke::new(alphabet.clone(), labels, edges, 0).unwrap()
}

/// True if both automata have the same letters on each edge, among those that satisfy the
/// constraint.
fn agrees(before: &Automaton, after: &Automaton, constraint: &Formula) -> bool {
    let alphabet = before.alphabet();
    let allowed = alphabet.from_formula(constraint).unwrap();
    let same = |l: Label, r: Label| alphabet.and(l, allowed) == alphabet.and(r, allowed);
    before.edge_count() == after.edge_count()
        && before.transitions().zip(after.transitions()).all(|((s, l), (t, r))| {
            s == t && l.target == r.target && l.marks == r.marks && same(l.label, r.label)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn restriction_is_intersection((automaton, first, second) in instance()) {
        let alphabet = automaton.alphabet();
        let refined = restrict(&automaton, &first).unwrap();
        let oracle = product::intersection(&automaton, &always(alphabet, &first));
        prop_assert!(same_language(&refined, &oracle));
        prop_assert!(restrict(&refined, &first).unwrap() == refined);
        let both = Formula::and([first.clone(), second.clone()]);
        if let Ok(by_both) = restrict(&automaton, &both) {
            prop_assert!(restrict(&refined, &second).unwrap() == by_both);
        }
        let small = refine(&automaton, &first, Level::High).unwrap();
        prop_assert!(same_language(&small, &oracle));
        prop_assert!(size(&small) <= size(&automaton));
        prop_assert!(!automaton.is_deterministic() || small.is_deterministic());
    }

    #[test]
    fn labels_become_shorter_and_stay_equivalent((automaton, constraint, _) in instance()) {
        let shorter = simplify_labels(&automaton, &constraint).unwrap();
        prop_assert!(agrees(&automaton, &shorter, &constraint));
        for (before, after) in automaton.edges().iter().zip(shorter.edges()) {
            let length = |label| -> usize {
                automaton.alphabet().cubes(label).iter().map(Vec::len).sum()
            };
            prop_assert!(length(after.label) <= length(before.label));
        }
        for state in automaton.states().filter(|state| automaton.is_deterministic_in(*state)) {
            prop_assert!(shorter.is_deterministic_in(state));
        }
        // The same labels remain once both are restricted.
        let refined = restrict(&automaton, &constraint).unwrap();
        prop_assert!(restrict(&shorter, &constraint).unwrap() == refined);
    }

    #[test]
    fn verdicts_on_structures_stay_the_same(
        (automaton, constraint, _) in instance(),
        choices in prop::collection::vec(0..24usize, 12),
    ) {
        let structure = structure(automaton.alphabet(), &constraint, &choices);
        let accepts = |automaton: &Automaton| {
            product::with_kripke(&structure, automaton).accepts_some()
        };
        let expected = accepts(&automaton);
        let restricted = restrict(&automaton, &constraint).unwrap();
        let small = reduced(&restricted, Level::High);
        let assumed = assume(&automaton, &always(automaton.alphabet(), &constraint));
        for variant in [
            simplify_labels(&automaton, &constraint).unwrap(),
            simplify_labels(&small, &constraint).unwrap(),
            restricted,
            small,
            assumed,
        ] {
            prop_assert_eq!(accepts(&variant), expected);
        }
    }

    #[test]
    fn assumptions_keep_their_words(
        automaton in arbitrary::automaton(),
        assumption in arbitrary::automaton(),
    ) {
        let refined = assume(&automaton, &assumption);
        prop_assert!(size(&refined) <= size(&automaton));
        let words = |automaton| product::intersection(automaton, &assumption);
        prop_assert!(same_language(&words(&refined), &words(&automaton)));
        // The language is a subset: an intersection with the original one changes nothing.
        prop_assert!(same_language(&product::intersection(&refined, &automaton), &refined));
        prop_assert!(!automaton.is_deterministic() || refined.is_deterministic());
    }
}

/// `Ga | FG!b` under the exclusion of `a` and `b`: only the second disjunct is needed.
#[test]
fn assumptions_drop_what_only_other_words_need() {
    let alphabet = Arc::new(Alphabet::new(["a", "b"]).unwrap());
    let mut builder = Automaton::builder(alphabet.clone());
    let (one, other) = (builder.add_state(), builder.add_state());
    let label = |text: &str| alphabet.from_formula(&text.parse().unwrap()).unwrap();
    builder.initial(one);
    builder.edge(one, label("a"), Marks::EMPTY, other);
    builder.edge(other, label("!a & b"), Marks::EMPTY, other);
    builder.edge(one, label("b"), Marks::EMPTY, one);
    // Once `a` holds, it holds for ever, so no run stays in the second state.
    let mut assumption = Automaton::builder(alphabet.clone());
    let (before, after) = (assumption.add_state(), assumption.add_state());
    assumption.initial(before);
    assumption.edge(before, label("!a"), Marks::EMPTY, before);
    assumption.edge(before, label("a"), Marks::EMPTY, after);
    assumption.edge(after, label("a"), Marks::EMPTY, after);
    let refined = assume(&builder.build(), &assumption.build());
    assert_eq!((refined.state_count(), refined.edge_count()), (1, 1));
    assert_eq!(label_length(&refined), 1);
}

#[test]
fn contradictions_and_temporal_constraints_are_errors() {
    let alphabet = Arc::new(Alphabet::new(["a"]).unwrap());
    let automaton = always(&alphabet, &Formula::tt());
    let error = |text: &str| restrict(&automaton, &text.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(
        error("a & !a"),
        "the constraints contradict each other: no valuation satisfies a & !a"
    );
    assert!(error("F a").contains("temporal"));
    // The automaton does not read `b`, so nothing is known about `a`.
    let constraint = "a <-> b".parse().unwrap();
    assert!(restrict(&automaton, &constraint).unwrap() == automaton);
}

/// States before accepting parts stay, and letters after which no run accepts go.
#[test]
fn assumptions_follow_what_leads_to_accepting_runs() {
    let alphabet = Arc::new(Alphabet::new(["a"]).unwrap());
    let label = |text: &str| alphabet.from_formula(&text.parse().unwrap()).unwrap();
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(crate::Named::Buchi.acceptance());
    let states: Vec<_> = (0..4).map(|_| builder.add_state()).collect();
    builder.initial(states[0]);
    for place in 0..3 {
        builder.edge(states[place], label("1"), Marks::EMPTY, states[place + 1]);
    }
    builder.edge(states[3], label("1"), Marks::all(1), states[3]);
    let chain = builder.build();
    // Words on which `a` always holds; the other letter leads where nothing is accepted.
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(crate::Named::Buchi.acceptance());
    let (good, sink) = (builder.add_state(), builder.add_state());
    builder.initial(good);
    builder.edge(good, label("a"), Marks::all(1), good);
    builder.edge(good, label("!a"), Marks::EMPTY, sink);
    builder.edge(sink, label("1"), Marks::EMPTY, sink);
    let refined = assume(&chain, &builder.build());
    assert_eq!((refined.state_count(), refined.edge_count()), (4, 4));
    assert!(refined.edges().iter().all(|edge| edge.label == label("a")));
}

/// A proposition that the automaton does not read may have any value.
#[test]
fn further_propositions_are_quantified() {
    let alphabet = Arc::new(Alphabet::new(["a"]).unwrap());
    let both = Arc::new(Alphabet::new(["a", "b"]).unwrap());
    let any = always(&alphabet, &Formula::tt());
    let constraint: Formula = "a & !b".parse().unwrap();
    let assumed = assume(&any, &always(&both, &constraint));
    let restricted = restrict(&any, &constraint).unwrap();
    for refined in [assumed, restricted] {
        assert_eq!(refined.edge_count(), 1);
        assert_eq!(refined.edges()[0].label, alphabet.prop(0));
    }
}
