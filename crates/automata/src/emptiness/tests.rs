use super::*;
use crate::arbitrary::{Size, automaton_of};
use crate::{Alphabet, EdgeId, Named, StateId};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Small enough to try all sets of edges.
fn small() -> impl Strategy<Value = Automaton> {
    automaton_of(Size { states: 4, props: 1, marks: 4, degree: 3 })
}

fn sources(automaton: &Automaton) -> Vec<StateId> {
    automaton.transitions().map(|(source, _)| source).collect()
}

/// Returns the states reachable by the given edges.
fn reach(automaton: &Automaton, from: &[StateId], edges: &[EdgeId]) -> BTreeSet<StateId> {
    let sources = sources(automaton);
    let mut reached: BTreeSet<StateId> = from.iter().copied().collect();
    loop {
        let before = reached.len();
        for edge in edges {
            if reached.contains(&sources[edge.index()]) {
                reached.insert(automaton.edge(*edge).target);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

/// Tries every set of edges that a run could take infinitely often.
fn is_empty_by_brute_force(automaton: &Automaton, from: &[StateId]) -> bool {
    let sources = sources(automaton);
    let all: Vec<EdgeId> = (0..automaton.edge_count()).map(EdgeId::new).collect();
    let reachable = reach(automaton, from, &all);
    (1..1u32 << all.len()).all(|set| {
        let edges: Vec<EdgeId> =
            all.iter().copied().filter(|edge| set >> edge.index() & 1 == 1).collect();
        let mut marks = Marks::EMPTY;
        edges.iter().for_each(|edge| marks |= &automaton.edge(*edge).marks);
        let connected = || {
            let ends = |state| reach(automaton, &[state], &edges);
            edges.iter().all(|edge| {
                let reached = ends(automaton.edge(*edge).target);
                edges.iter().all(|other| reached.contains(&sources[other.index()]))
            })
        };
        !(automaton.acceptance().accepts(&marks)
            && edges.iter().all(|edge| reachable.contains(&sources[edge.index()]))
            && connected())
    })
}

/// Returns the minimal length of an accepting lasso, by following all walks step by step.
fn least_length(automaton: &Automaton) -> usize {
    type Walks = BTreeSet<(StateId, Marks)>;
    let step = |walks: &Walks| -> Walks {
        let further = |(state, marks): &(StateId, Marks)| {
            let (edges, marks) = (automaton.edges_from(*state), marks.clone());
            edges.iter().map(move |edge| (edge.target, &marks | &edge.marks)).collect::<Vec<_>>()
        };
        walks.iter().flat_map(further).collect()
    };
    let after = |state: StateId, length: usize| {
        (0..length).fold(Walks::from([(state, Marks::EMPTY)]), |walks, _| step(&walks))
    };
    let closes = |state: StateId, length: usize| {
        after(state, length)
            .iter()
            .any(|(end, marks)| *end == state && automaton.acceptance().accepts(marks))
    };
    let reached_after = |length: usize| -> BTreeSet<StateId> {
        let walks = automaton.initial().iter().flat_map(|state| after(*state, length));
        walks.map(|(state, _)| state).collect()
    };
    (1..)
        .find(|length| {
            (0..*length).any(|prefix| {
                reached_after(prefix).into_iter().any(|state| closes(state, length - prefix))
            })
        })
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn emptiness_agrees_with_all_sets_of_edges(automaton in small()) {
        let empty = is_empty_by_brute_force(&automaton, automaton.initial());
        prop_assert_eq!(is_empty(&automaton), empty);
        let run = accepting_run(&automaton);
        prop_assert_eq!(run.is_none(), empty);
        if let Some(run) = run {
            run.check(&automaton).unwrap();
        }
        let condition = automaton.acceptance().condition();
        let from = accepting_from(&automaton, condition, automaton.states());
        for state in automaton.states() {
            prop_assert_eq!(from[state.index()], !is_empty_by_brute_force(&automaton, &[state]));
        }
    }

    /// Compares with the other search for accepting components, which shares no code with this one.
    #[test]
    fn emptiness_agrees_with_accepting_components(
        automaton in automaton_of(Size { states: 40, props: 1, marks: 5, degree: 3 }),
    ) {
        let accepting = crate::Sccs::of(&automaton).accepting(&automaton);
        prop_assert_eq!(is_empty(&automaton), !accepting.contains(&true));
    }

    #[test]
    fn shortest_lassos_are_shortest(
        automaton in automaton_of(Size { states: 5, props: 1, marks: 4, degree: 2 }),
    ) {
        let shortest = shortest_accepting_run(&automaton);
        let some = accepting_run(&automaton);
        prop_assert_eq!(shortest.is_some(), some.is_some());
        if let (Some(shortest), Some(some)) = (shortest, some) {
            prop_assert!(shortest.len() <= some.len());
            prop_assert_eq!(shortest.len(), least_length(&automaton));
        }
    }

    /// A run is accepting for exactly one of a condition and its dual, so both cannot be empty if
    /// there is a run.
    #[test]
    fn a_condition_and_its_dual_share_the_runs(automaton in automaton_of(Size {
        states: 30, props: 2, marks: 6, degree: 4,
    })) {
        let mut dual = automaton.edit();
        dual.acceptance(automaton.acceptance().dual());
        let mut all = automaton.edit();
        all.acceptance(crate::Acceptance::new(automaton.acceptance().marks(), Condition::True));
        let empty = is_empty(&automaton) && is_empty(&dual.build());
        prop_assert_eq!(empty, is_empty(&all.build()));
    }
}

/// Builds a ring of `states` states with each mark on one edge.
fn ring(states: usize, acceptance: crate::Acceptance) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.add_states(states);
    builder.initial(StateId::new(0));
    let marks = acceptance.marks() as usize;
    builder.acceptance(acceptance);
    let label = builder.alphabet().tt();
    for state in 0..states {
        let mark = (state < marks).then_some(state as u32);
        let target = StateId::new((state + 1) % states);
        builder.edge(StateId::new(state), label, Marks::from_iter(mark), target);
    }
    builder.build()
}

#[test]
fn no_marks_is_not_one_mark_that_never_occurs() {
    let mut builder = ring(1, Named::All.acceptance()).edit();
    assert!(!is_empty(&builder.clone().build()));
    builder.acceptance(Named::Buchi.acceptance());
    assert!(is_empty(&builder.clone().build()));
    builder.acceptance(Named::None.acceptance());
    assert!(is_empty(&builder.build()));
}

#[test]
fn without_states_or_initial_states_nothing_is_accepted() {
    let nothing = Automaton::builder(Alphabet::new(["a"]).unwrap()).build();
    assert!(is_empty(&nothing));
    let mut builder = ring(3, Named::All.acceptance()).edit();
    builder.clear_initial();
    assert!(is_empty(&builder.build()));
}

#[test]
fn deep_graphs_and_many_marks_do_no_harm() {
    let count = 100_000;
    let run = accepting_run(&ring(count, Named::GeneralizedBuchi(200).acceptance())).unwrap();
    assert_eq!(run.len(), count);
    assert!(is_empty(&ring(count, Named::CoBuchi.acceptance())));
    assert!(is_empty(&ring(1000, Named::Rabin(20).acceptance())));
    assert!(!is_empty(&ring(1000, Named::Streett(20).acceptance())));
}

/// The cost for many components with `Fin` depends on their own sizes, not on the whole graph.
#[test]
fn many_components_with_fin() {
    let count = 50_000;
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.acceptance(Named::CoBuchi.acceptance());
    builder.add_states(count);
    builder.initial(StateId::new(0));
    let label = builder.alphabet().tt();
    for state in (0..count).map(StateId::new) {
        builder.edge(state, label, Marks::from_iter([0]), state);
        if state.index() + 1 < count {
            builder.edge(state, label, Marks::EMPTY, StateId::new(state.index() + 1));
        }
    }
    let automaton = builder.build();
    assert!(is_empty(&automaton));
}

#[test]
fn runs_that_are_none_are_refused() {
    let automaton = ring(3, Named::Buchi.acceptance());
    let run = |start: usize, prefix: &[usize], cycle: &[usize]| {
        let edges = |edges: &[usize]| edges.iter().copied().map(EdgeId::new).collect();
        let run = Run::new(StateId::new(start), edges(prefix), edges(cycle))?;
        run.check(&automaton)
    };
    let message = |result: Result<(), crate::Error>| result.unwrap_err().to_string();
    assert_eq!(run(0, &[0], &[1, 2, 0]), Ok(()));
    assert_eq!(message(run(0, &[0], &[])), "the cycle of a run cannot be empty");
    assert_eq!(message(run(1, &[], &[1, 2, 0])), "the run starts in 1, which is not initial");
    assert_eq!(message(run(0, &[1], &[2, 0])), "edge 1 does not leave state 0");
    assert_eq!(message(run(0, &[0], &[1, 2])), "the cycle starts in 1 but ends in 0");
    let never = ring(3, Named::None.acceptance());
    let edges = [0, 1, 2].map(EdgeId::new).to_vec();
    let run = Run::new(StateId::new(0), vec![], edges).unwrap();
    assert_eq!(message(run.check(&never)), "the marks of the cycle, {}, are not accepted");
}
