//! Tests all methods on automata made of blocks, by words and by both inclusions. Deliberately
//! wrong variants are detected.

use super::explore;
use super::method::{Method, by};
use super::regions::{Arrivals, Options, Pruning, Regions, Repetitions};
use crate::automaton::Automaton;
use crate::headers::Headers;
use crate::index::StateId;
use crate::language::{self, Inclusion};
use crate::marks::Marks;
use crate::random::{RandomAcceptance, RandomAutomata, RandomBlocks};
use crate::scc::ComponentKind;
use crate::test_language::{is_deterministic_letter_by_letter, same_language};
use crate::{Alphabet, Named, Parity, complement, membership, product, prune, stutter};

const METHODS: [Method; 5] =
    [Method::Best, Method::Components, Method::Safra, Method::RunColouring, Method::Dual];
const STEPS: usize = 1 << 20;

/// True if the deterministic automaton has the language of the other, within the generated part of
/// the latter's complement.
fn has_language(deterministic: &Automaton, automaton: &Automaton) -> bool {
    let rejected = complement::deterministic(deterministic).unwrap();
    let included = language::inclusion_up_to(deterministic, automaton, 2000);
    same_language(deterministic, automaton)
        && product::common_word(automaton, &rejected).is_none()
        && !matches!(included, Inclusion::Excludes(_))
}

fn check(automaton: &Automaton) {
    for method in METHODS {
        let Some(deterministic) = by(automaton, method, STEPS) else {
            assert!(matches!(method, Method::RunColouring | Method::Dual), "{method:?}");
            continue;
        };
        assert!(is_deterministic_letter_by_letter(&deterministic), "{method:?}");
        assert!(has_language(&deterministic, automaton), "{method:?}");
        if matches!(method, Method::Safra) {
            assert!(Parity::of(deterministic.acceptance()).is_some());
        }
    }
}

#[test]
fn blocks_are_determinized() {
    for marks in 1..3 {
        let random = RandomBlocks::over(["a"]).unwrap().marks(marks).seed(u64::from(marks));
        random.generate().take(80).for_each(|automaton| check(&automaton));
    }
}

#[test]
fn any_automata_are_determinized() {
    for marks in 0..4 {
        let random = RandomAutomata::over(["a"]).unwrap().states(4).density(0.4);
        let random = random.acceptance(RandomAcceptance::Condition(marks)).mark_probability(0.4);
        random.seed(7).generate().take(25).for_each(|automaton| check(&automaton));
    }
}

#[test]
fn semi_deterministic_automata_are_coloured() {
    let kinds = vec![ComponentKind::Rejecting, ComponentKind::Deterministic];
    let random = RandomBlocks::over(["a"]).unwrap().kinds(kinds).blocks(2..3).forward(0.1);
    let coloured = random.generate().take(200).filter(|automaton| {
        let result = by(automaton, Method::RunColouring, STEPS);
        result.is_some_and(|result| {
            assert!(has_language(&result, automaton));
            !automaton.is_deterministic()
        })
    });
    assert!(coloured.count() > 20);
}

#[test]
fn repeated_letters_are_taken_together() {
    let random = RandomBlocks::over(["a"]).unwrap().blocks(1..3).states(1..3).seed(3);
    let (mut invariant, mut before, mut after) = (0, 0, 0);
    for automaton in random.generate().take(60) {
        let closed = stutter::closure(&stutter::self_loopize(&automaton));
        if !stutter::invariance(&closed).is_invariant() {
            continue;
        }
        invariant += 1;
        let mut builder = closed.edit();
        let properties = vec!["stutter-invariant".to_owned()];
        builder.headers(Headers { properties, ..Headers::default() });
        let declared = builder.build();
        let Some(plain) = by(&closed, Method::Components, STEPS) else { continue };
        for method in METHODS {
            let Some(shortened) = by(&declared, method, STEPS) else { continue };
            assert!(is_deterministic_letter_by_letter(&shortened));
            assert!(has_language(&shortened, &plain), "{method:?}");
            if method == Method::Components {
                before += plain.state_count();
                after += shortened.state_count();
            }
        }
    }
    assert!(invariant > 30 && after <= before, "{invariant}: {before} {after}");
}

/// Counts the automata that these options determinize wrongly.
fn wrong(options: Options, whole: bool, kinds: &[ComponentKind]) -> usize {
    let random = RandomBlocks::over(["a"]).unwrap().kinds(kinds.to_vec()).seed(1);
    let random = random.blocks(2..4).states(1..4).forward(0.3);
    let is_wrong = |automaton: &Automaton| {
        let automaton = prune::trim(automaton);
        let regions = match whole {
            true => Regions::whole(&automaton, options),
            false => Regions::components(&automaton, options),
        };
        let result = explore::automaton(&regions, false, STEPS);
        result.is_some_and(|result| !same_language(&automaton, &result))
    };
    random.generate().take(2500).filter(is_wrong).count()
}

#[test]
fn wrong_constructions_are_found() {
    let all = [
        ComponentKind::Rejecting,
        ComponentKind::Accepting,
        ComponentKind::Deterministic,
        ComponentKind::Nondeterministic,
    ];
    let lists = [ComponentKind::Rejecting, ComponentKind::Deterministic];
    let sound = Options::default();
    for whole in [false, true] {
        assert_eq!(wrong(sound, whole, &all), 0);
        assert_eq!(wrong(Options { pruning: Pruning::Off, ..sound }, whole, &all), 0);
        assert!(wrong(Options { pruning: Pruning::Any, ..sound }, whole, &all) > 0);
        assert!(wrong(Options { pruning: Pruning::Reversed, ..sound }, whole, &all) > 0);
    }
    assert!(wrong(Options { pruning: Pruning::Older, ..sound }, false, &lists) > 0);
}

/// Infinitely often a, with the mark on the edge after a: the events of the first of several equal
/// letters are not enough.
#[test]
fn events_of_all_repetitions_count() {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.acceptance(Named::Buchi.acceptance());
    let (first, second) = (builder.add_states(2), StateId::new(1));
    let (tt, a) = (builder.alphabet().tt(), builder.alphabet().prop(0));
    let not_a = builder.alphabet().not(a);
    builder.initial(first);
    builder.edge(first, not_a, Marks::EMPTY, first).edge(first, a, Marks::EMPTY, second);
    builder.edge(second, tt, Marks::from_iter([0]), first);
    let automaton = builder.build();
    let accepts = |repetitions, word: &str| {
        let options = Options { repetitions, ..Options::default() };
        let regions = Regions::components(&automaton, options);
        let result = explore::automaton(&regions, true, STEPS).unwrap();
        membership::accepts(&result, &word.parse().unwrap())
    };
    assert!(accepts(Repetitions::All, "cycle{a}") && accepts(Repetitions::All, "cycle{a; !a}"));
    assert!(!accepts(Repetitions::All, "a; cycle{!a}"));
    assert!(!accepts(Repetitions::First, "cycle{a}"));
}

/// A counterexample for adding arrivals to an existing root.
#[test]
fn arrivals_need_a_root_of_their_own() {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.acceptance(Named::Buchi.acceptance());
    let states: Vec<StateId> = (0..3).map(|_| builder.add_state()).collect();
    let (tt, a) = (builder.alphabet().tt(), builder.alphabet().prop(0));
    let not_a = builder.alphabet().not(a);
    let (none, marked) = (Marks::EMPTY, Marks::from_iter([0]));
    builder.initial(states[0]);
    builder.edge(states[0], tt, none.clone(), states[0]);
    builder.edge(states[0], not_a, none.clone(), states[2]);
    builder.edge(states[1], tt, none.clone(), states[1]);
    builder.edge(states[1], a, marked.clone(), states[2]);
    builder.edge(states[2], tt, marked, states[1]);
    builder.edge(states[2], a, none, states[2]);
    let automaton = builder.build();
    let word = "a; !a; a; cycle{!a}".parse().unwrap();
    assert!(!membership::accepts(&automaton, &word));
    let result = |arrivals| {
        let options = Options { pruning: Pruning::Off, arrivals, ..Options::default() };
        explore::automaton(&Regions::components(&automaton, options), false, STEPS).unwrap()
    };
    assert!(!membership::accepts(&result(Arrivals::NewRoot), &word));
    assert!(membership::accepts(&result(Arrivals::OldestRoot), &word));
}

#[test]
fn steps_are_a_limit() {
    let random = RandomBlocks::over(["a"]).unwrap().kinds(vec![ComponentKind::Accepting]);
    let random = random.blocks(3..4).states(3..4);
    let automaton = random.generate().find(|automaton| !automaton.is_deterministic()).unwrap();
    for method in [Method::Components, Method::Safra] {
        assert!(by(&automaton, method, 3).is_none());
        assert!(by(&automaton, method, STEPS).is_some());
    }
}
