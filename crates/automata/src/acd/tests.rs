//! Compares decompositions with all strongly connected sets of edges of small automata.

use super::Decomposition;
use crate::acceptance::Parity;
use crate::arbitrary::{Size, automaton_of};
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::language;
use crate::marks::Marks;
use crate::random::{RandomAcceptance, RandomAutomata, RandomBlocks};
use crate::scc::Sccs;
use crate::test_language::{is_deterministic_letter_by_letter, same_language};
use proptest::prelude::*;

/// Cycles: states, marks, and whether they are accepting.
type Cycles = Vec<(u32, u64, bool)>;

const STEPS: usize = 1 << 20;

/// Returns the strongly connected sets of edges, as bits, with their states and verdicts. `None`
/// for a component with more than 10 edges.
fn cycles(automaton: &Automaton, states: &[StateId]) -> Option<Vec<(u32, u64, bool)>> {
    let inside = |state: StateId| states.contains(&state);
    let edges: Vec<(StateId, StateId, &Marks)> = automaton
        .transitions()
        .filter(|(source, edge)| inside(*source) && inside(edge.target))
        .map(|(source, edge)| (source, edge.target, &edge.marks))
        .collect();
    if edges.len() > 10 {
        return None;
    }
    let mut found = vec![];
    for set in 1u32..1 << edges.len() {
        let own: Vec<_> =
            (0..edges.len()).filter(|i| set >> i & 1 == 1).map(|i| edges[i]).collect();
        // From the target of each edge, every edge is reachable.
        let reach = |from: StateId| {
            let mut seen = 1u64 << from.index();
            for _ in 0..own.len() {
                for (source, target, _) in &own {
                    if seen >> source.index() & 1 == 1 {
                        seen |= 1 << target.index();
                    }
                }
            }
            seen
        };
        let sources = own.iter().fold(0u64, |all, edge| all | 1 << edge.0.index());
        if own.iter().all(|edge| sources & !reach(edge.1) == 0) {
            let mut marks = Marks::EMPTY;
            own.iter().for_each(|edge| marks |= edge.2);
            found.push((set, sources, automaton.acceptance().accepts(&marks)));
        }
    }
    Some(found)
}

/// True if the union of two sets with this verdict and a common state always has the verdict.
fn closed(cycles: &[(u32, u64, bool)], verdict: bool) -> bool {
    let own: Vec<_> = cycles.iter().filter(|cycle| cycle.2 == verdict).collect();
    let is_own = |set: u32| own.iter().any(|cycle| cycle.0 == set);
    own.iter().all(|l| own.iter().all(|r| l.1 & r.1 == 0 || is_own(l.0 | r.0)))
}

/// True if every superset of a set with this verdict has the verdict.
fn upwards(cycles: &[(u32, u64, bool)], verdict: bool) -> bool {
    cycles
        .iter()
        .filter(|cycle| cycle.2 == verdict)
        .all(|small| cycles.iter().all(|large| large.0 & small.0 != small.0 || large.2 == verdict))
}

fn check(automaton: &Automaton) -> Result<(), TestCaseError> {
    let decomposition = Decomposition::of(automaton, STEPS).unwrap();
    let typeness = decomposition.typeness();
    let parity = decomposition.to_parity();
    prop_assert!(Parity::of(parity.acceptance()).is_some());
    prop_assert!(same_language(automaton, &parity));
    prop_assert!(!automaton.is_deterministic() || is_deterministic_letter_by_letter(&parity));
    prop_assert!(!automaton.is_complete() || parity.is_complete());
    let sccs = Sccs::of(automaton);
    let reachable = automaton.states().filter(|&state| sccs.is_reachable(state)).count();
    prop_assert!(!typeness.is_parity || parity.state_count() == reachable);
    if let Some(rabin) = decomposition.to_rabin() {
        prop_assert!(same_language(automaton, &rabin));
    }
    let all: Option<Vec<_>> = sccs.iter().map(|scc| cycles(automaton, sccs.states(scc))).collect();
    if let Some(all) = all {
        let every = |holds: &dyn Fn(&Cycles) -> bool| all.iter().all(holds);
        prop_assert_eq!(typeness.is_rabin, every(&|c| closed(c, false)));
        prop_assert_eq!(typeness.is_streett, every(&|c| closed(c, true)));
        prop_assert_eq!(typeness.is_parity, typeness.is_rabin && typeness.is_streett);
        prop_assert_eq!(typeness.is_buchi_language, every(&|c| upwards(c, true)));
        prop_assert_eq!(typeness.is_co_buchi_language, every(&|c| upwards(c, false)));
        let uniform = |c: &Cycles| c.iter().all(|cycle| cycle.2 == c[0].2);
        prop_assert_eq!(typeness.is_weak, every(&uniform));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_condition_becomes_parity(
        automaton in automaton_of(Size { states: 5, props: 1, marks: 4, degree: 2 }),
    ) {
        check(&automaton)?;
    }
}

#[test]
fn blocks_become_parity() {
    for marks in 1..3 {
        let random = RandomBlocks::over(["a"]).unwrap().marks(marks).seed(u64::from(marks));
        random.generate().take(60).for_each(|automaton| check(&automaton).unwrap());
    }
}

#[test]
fn deterministic_automata_keep_their_languages_exactly() {
    for marks in 1..5 {
        let random = RandomAutomata::over(["a", "b"]).unwrap().states(4).deterministic(true);
        let random = random.acceptance(RandomAcceptance::Condition(marks)).mark_probability(0.3);
        for automaton in random.seed(5).density(0.5).generate().take(60) {
            let decomposition = Decomposition::of(&automaton, STEPS).unwrap();
            let parity = decomposition.to_parity();
            assert!(is_deterministic_letter_by_letter(&parity));
            assert!(language::equivalent(&automaton, &parity));
            assert!(Decomposition::of(&parity, STEPS).unwrap().typeness().is_parity);
            if let Some(rabin) = decomposition.to_rabin() {
                assert!(language::equivalent(&automaton, &rabin));
            }
        }
    }
}

#[test]
fn steps_are_a_limit() {
    let random = RandomAutomata::over(["a"]).unwrap().states(8).density(0.5);
    let random = random.acceptance(RandomAcceptance::Condition(8)).mark_probability(0.2);
    let automaton = random.generate().next().unwrap();
    assert!(Decomposition::of(&automaton, 10).is_none());
}

/// A run that forgets the child from which it comes waits for the same marks again.
#[test]
fn children_that_are_forgotten_are_found() {
    let wrong = |forgets: bool, marks: u32| {
        super::parity::FORGETS_CHILD.set(forgets);
        let blocks = RandomBlocks::over(["a", "b"]).unwrap().marks(marks).seed(9);
        let automata = blocks.generate().take(60).filter(|automaton| {
            let parity = Decomposition::of(automaton, STEPS).unwrap().to_parity();
            !same_language(automaton, &parity)
        });
        let count = automata.count();
        super::parity::FORGETS_CHILD.set(false);
        count
    };
    // With one mark there is at most one child on each level.
    assert_eq!([1, 2, 3].map(|marks| wrong(false, marks)), [0, 0, 0]);
    assert_eq!(wrong(true, 1), 0);
    assert!(wrong(true, 2) > 0 && wrong(true, 3) > 0);
}

/// A component of the edges with allowed marks may have fewer marks, and the other verdict.
#[test]
fn components_that_are_not_judged_again_are_found() {
    let random = RandomAutomata::over(["a", "b"]).unwrap().states(3).deterministic(true);
    let random = random.acceptance(RandomAcceptance::Condition(3)).mark_probability(0.4);
    let wrong = |unjudged: bool| {
        super::tree::UNJUDGED.set(unjudged);
        let automata = random.clone().seed(5).density(0.6).generate().take(150);
        let count = automata.filter(|automaton| {
            let parity = Decomposition::of(automaton, STEPS).unwrap().to_parity();
            !same_language(automaton, &parity)
        });
        count.count()
    };
    assert_eq!(wrong(false), 0);
    let found = wrong(true);
    super::tree::UNJUDGED.set(false);
    assert!(found > 0);
}
