use crate::acceptance::{Acceptance, Condition, Named};
use crate::arbitrary::{self, Size};
use crate::headers::Headers;
use crate::random::{RandomAcceptance, RandomAutomata};
use crate::scc::Sccs;
use crate::test_language::{lassos, lassos_up_to, runs};
use crate::{Alphabet, Automaton, EdgeId, Marks, SemiDeterminism, StateId, parallel, prune};
use proptest::prelude::*;

const TINY: Size = Size { states: 4, props: 1, marks: 2, degree: 2 };

/// Returns the marks of all strongly connected sets of edges in a component: of all its cycles.
fn cycles(automaton: &Automaton, sccs: &Sccs, component: &[StateId]) -> Vec<Marks> {
    let edges: Vec<(StateId, EdgeId)> = component
        .iter()
        .flat_map(|&s| automaton.edge_range(s).map(move |edge| (s, EdgeId::new(edge))))
        .filter(|(s, edge)| sccs.is_inside(*s, automaton.edge(*edge).target))
        .collect();
    let mut cycles = vec![];
    for set in 1..1u32 << edges.len() {
        let mut builder = Automaton::builder(automaton.alphabet().clone());
        builder.acceptance(Acceptance::new(automaton.acceptance().marks(), Condition::True));
        builder.add_states(automaton.state_count());
        let mut states = vec![];
        let mut count = 0;
        for (place, (source, edge)) in edges.iter().enumerate() {
            if set >> place & 1 == 1 {
                let edge = automaton.edge(*edge);
                builder.edge(*source, edge.label, edge.marks.clone(), edge.target);
                states.extend([*source, edge.target]);
                count += 1;
            }
        }
        builder.initial(states[0]);
        let part = builder.build();
        let sccs = Sccs::of(&part);
        let whole = sccs.component(states[0]).unwrap();
        let inside = |state: &StateId| sccs.component(*state) == Some(whole);
        if count > 0 && states.iter().all(inside) {
            cycles.push(sccs.marks(whole).clone());
        }
    }
    cycles
}

proptest! {
    #[test]
    fn strength_is_as_the_cycles_say(automaton in arbitrary::automaton_of(TINY)) {
        let sccs = Sccs::of(&automaton);
        let acceptance = automaton.acceptance();
        let cycles: Vec<Vec<Marks>> =
            sccs.iter().map(|scc| cycles(&automaton, &sccs, sccs.states(scc))).collect();
        let accepting = |marks: &Marks| acceptance.accepts(marks);
        let inherently_weak =
            cycles.iter().all(|c| c.iter().all(accepting) || !c.iter().any(accepting));
        let weak = automaton.transitions().all(|(s, edge)| {
            let inner = automaton.transitions().filter(|(s, edge)| sccs.is_inside(*s, edge.target));
            let mut beside = inner.filter(|(t, _)| sccs.component(*t) == sccs.component(s));
            !sccs.is_inside(s, edge.target) || beside.all(|(_, other)| edge.marks == other.marks)
        });
        prop_assert_eq!(automaton.is_inherently_weak(), inherently_weak);
        prop_assert_eq!(automaton.is_weak(), weak);
        let single = sccs.iter().all(|scc| sccs.states(scc).len() == 1);
        prop_assert_eq!(automaton.is_very_weak(), weak && single);
        for scc in sccs.iter() {
            let rejecting = cycles[scc.index()].iter().any(|marks| !accepting(marks));
            prop_assert_eq!(sccs.has_rejecting_cycle(&automaton, scc), rejecting);
        }
        // From an accepting component no run is lost: it reads every letter inside, and reaches
        // only accepting cycles.
        let stays = sccs.iter().filter(|&scc| sccs.is_accepting(&automaton, scc)).all(|scc| {
            sccs.states(scc).iter().all(|&state| {
                let mut builder = automaton.edit();
                builder.clear_initial().initial(state);
                let from_here = builder.build();
                let reachable = Sccs::of(&from_here);
                let good = |scc| {
                    reachable.is_trivial(scc) || reachable.is_accepting(&from_here, scc)
                };
                reachable.iter().all(good)
                    && (0..2).all(|letter| {
                        automaton.edges_from(state).iter().any(|edge| {
                            sccs.is_inside(state, edge.target)
                                && automaton.alphabet().satisfied(edge.label, letter)
                        })
                    })
            })
        });
        prop_assert_eq!(automaton.is_terminal(), weak && stays);
        prop_assert_eq!(automaton.is_inherently_terminal(), inherently_weak && stays);
        prop_assert_eq!(
            sccs.with_rejecting_cycle(&automaton),
            sccs.iter().map(|s| sccs.has_rejecting_cycle(&automaton, s)).collect::<Vec<_>>()
        );
        prop_assert!(!automaton.is_weak() || automaton.is_inherently_weak());
    }

    #[test]
    fn unambiguous_automata_have_one_accepting_run_per_word(
        automaton in arbitrary::automaton_of(TINY),
    ) {
        let ambiguous =
            lassos(1 << automaton.alphabet().props().len()).iter().any(|(prefix, cycle)| {
                has_two_runs(&automaton, prefix, cycle)
            });
        prop_assert!(!(ambiguous && automaton.is_unambiguous()));
    }

    #[test]
    fn divisions_are_those_found_by_trying_all(automaton in arbitrary::automaton()) {
        let sccs = Sccs::of(&automaton);
        let division = SemiDeterminism::of(&automaton);
        let (mut semi, mut cut) = (false, false);
        for set in 0..1u32 << sccs.len() {
            let second = |scc: crate::SccId| set >> scc.index() & 1 == 1;
            let closed = sccs.iter().all(|scc| {
                let keeps = sccs.successors(scc).iter().all(|&next| second(next));
                (!second(scc) || keeps) && (second(scc) || !sccs.is_accepting(&automaton, scc))
            });
            let is_second = |state| sccs.component(state).is_some_and(second);
            let deterministic = |part: bool| {
                let inside = |state| sccs.is_reachable(state) && is_second(state) == part;
                automaton.states().filter(|&state| inside(state)).all(|state| {
                    (0..1 << automaton.alphabet().props().len()).all(|letter| {
                        let reads = |edge: &&crate::Edge| {
                            inside(edge.target)
                                && automaton.alphabet().satisfied(edge.label, letter)
                        };
                        automaton.edges_from(state).iter().filter(reads).count() <= 1
                    })
                })
            };
            if closed && deterministic(true) {
                semi = true;
                cut |= deterministic(false) && automaton.initial().len() <= 1;
                for state in automaton.states().filter(|&state| sccs.is_reachable(state)) {
                    prop_assert!(!division.smallest[state.index()] || is_second(state));
                    prop_assert!(division.largest[state.index()] || !is_second(state));
                }
            }
        }
        prop_assert_eq!(automaton.is_semi_deterministic(), semi);
        prop_assert_eq!(automaton.is_cut_deterministic(), cut);
        prop_assert!(!automaton.is_deterministic() || cut);
        prop_assert_eq!(
            automaton.is_deterministic(),
            automaton.nondeterministic_state_count() == 0 && automaton.initial().len() <= 1
        );
    }
}

/// True if the automaton has two accepting runs on a lasso: in the trimmed graph of its runs, a
/// state has two edges or there are two initial states.
fn has_two_runs(automaton: &Automaton, prefix: &[u64], cycle: &[u64]) -> bool {
    let runs = prune::trim(&parallel::merge(&runs(automaton, prefix, cycle)));
    runs.initial().len() > 1 || runs.states().any(|state| runs.edges_from(state).len() > 1)
}

#[test]
fn inherently_weak_need_not_be_weak() {
    // a, !a, !a forever: only one edge is marked.
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.acceptance(Named::Buchi.acceptance());
    let (first, tt) = (builder.add_states(3), builder.alphabet().tt());
    builder.initial(first);
    for state in 0..3 {
        let marks = if state == 1 { Marks::from_iter([0]) } else { Marks::EMPTY };
        builder.edge(StateId::new(state), tt, marks, StateId::new((state + 1) % 3));
    }
    let automaton = builder.build();
    assert!(automaton.is_inherently_weak() && !automaton.is_weak());
    assert!(!automaton.is_very_weak() && !automaton.is_terminal());
    assert_eq!(automaton.declared_stutter_invariant(), None);
    let mut declared = automaton.edit();
    declared
        .headers(Headers { properties: vec!["stutter-sensitive".into()], ..Headers::default() });
    assert_eq!(declared.build().declared_stutter_invariant(), Some(false));
}

#[test]
fn ambiguous_automata_have_a_word_with_two_accepting_runs() {
    let (mut ambiguous, mut unambiguous) = (0, 0);
    let random = RandomAutomata::over(["a"]).unwrap().states(3).density(0.3).seed(4);
    for automaton in random.acceptance(RandomAcceptance::Condition(2)).generate().take(120) {
        let lassos = lassos_up_to(2, 4, 3);
        let found = lassos.iter().any(|(prefix, cycle)| has_two_runs(&automaton, prefix, cycle));
        assert_eq!(automaton.is_unambiguous(), !found, "{automaton:?}");
        *(if found { &mut ambiguous } else { &mut unambiguous }) += 1;
    }
    assert!(ambiguous > 30 && unambiguous > 30);
}
