//! Fewer marks by a SAT solver, compared with all marks and conditions, and with typeness.

use super::recolor::fewer_marks;
use super::sat::Limits;
use crate::acd::Decomposition;
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::random::{RandomAcceptance, RandomAutomata};
use crate::scc::Sccs;
use crate::test_language::same_language;
use crate::{convert, language, parallel, prune};

fn inputs(marks: u32, states: usize, seed: u64) -> impl Iterator<Item = Automaton> {
    let random = RandomAutomata::over(["a"]).unwrap().states(states).deterministic(true);
    let random = random.acceptance(RandomAcceptance::Condition(marks)).mark_probability(0.4);
    let automata = random.density(0.5).seed(seed).generate();
    automata.map(|automaton| {
        let trimmed = parallel::merge(&prune::trim(&automaton));
        convert::simplify_acceptance(&trimmed)
    })
}

/// By strongly connected set of edges, as bits, its verdict; sets are found by trial.
fn verdicts(automaton: &Automaton) -> Option<Vec<(u32, bool)>> {
    let edges: Vec<(StateId, &crate::Edge)> = automaton.transitions().collect();
    if edges.len() > 8 {
        return None;
    }
    let mut found = vec![];
    for set in 1u32..1 << edges.len() {
        let mut builder = automaton.edit();
        let mut number = 0;
        builder.retain_edges(|_, _| {
            number += 1;
            set >> (number - 1) & 1 == 1
        });
        let part = builder.build();
        let sccs = Sccs::of_all(&part);
        let inside = |(source, edge): (StateId, &crate::Edge)| sccs.is_inside(source, edge.target);
        let first = part.transitions().next().map(|(source, _)| sccs.component(source))?;
        let one = part.transitions().all(|(source, _)| sccs.component(source) == first);
        if one && part.transitions().all(inside) {
            let mut marks = crate::Marks::EMPTY;
            part.edges().iter().for_each(|edge| marks |= &edge.marks);
            found.push((set, automaton.acceptance().accepts(&marks)));
        }
    }
    Some(found)
}

/// Whether this number of marks suffices, by trial of all marks of all edges: sets with the same marks must
/// have the same verdict.
fn suffices(edges: usize, verdicts: &[(u32, bool)], marks: u32) -> bool {
    (0u64..1 << (edges as u32 * marks)).any(|choice| {
        let mut known = vec![None; 1 << marks];
        verdicts.iter().all(|&(set, verdict)| {
            let inside = (0..edges).filter(|edge| set >> edge & 1 == 1);
            let seen = inside.fold(0, |seen, edge| {
                seen | (choice >> (edge as u32 * marks) & ((1 << marks) - 1)) as usize
            });
            *known[seen].get_or_insert(verdict) == verdict
        })
    })
}

#[test]
fn the_fewest_marks_are_found() {
    let (mut fewer, mut same) = (0, 0);
    for automaton in inputs(3, 2, 5).take(150) {
        let marks = automaton.acceptance().marks();
        let Some(verdicts) = verdicts(&automaton) else { continue };
        let found = fewer_marks(&automaton, Limits::default());
        if let Some(found) = &found {
            assert_eq!(found.state_count(), automaton.state_count());
            assert!(language::equivalent(&automaton, found) && same_language(&automaton, found));
            fewer += 1;
        }
        let least = found.map_or(marks, |found| found.acceptance().marks());
        let edges = automaton.edge_count();
        if (1..=2).contains(&least) && edges as u32 * (least - 1) <= 8 {
            assert!(!suffices(edges, &verdicts, least - 1), "{automaton:?}");
            same += 1;
        }
    }
    assert!(fewer > 5 && same > 30, "{fewer} {same}");
}

#[test]
fn one_mark_is_found_exactly_where_the_type_allows_it() {
    let mut one = 0;
    for automaton in inputs(4, 4, 6).take(60).filter(|one| one.acceptance().marks() > 1) {
        let typeness = Decomposition::of(&automaton, 1 << 20).unwrap().typeness();
        let allowed =
            typeness.is_parity && (typeness.is_buchi_language || typeness.is_co_buchi_language);
        let found = fewer_marks(&automaton, Limits::default());
        if let Some(found) = &found {
            assert!(language::equivalent(&automaton, found));
        }
        assert_eq!(found.is_some_and(|found| found.acceptance().marks() < 2), allowed);
        one += usize::from(allowed);
    }
    assert!(one > 3, "{one}");
}
