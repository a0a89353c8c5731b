use super::*;
use crate::acceptance::Named;
use crate::graph::Sparse;
use crate::label::Alphabet;
use crate::random::{RandomAcceptance, RandomAutomata};
use crate::{AutomatonBuilder, EdgeId};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

fn random(states: usize, marks: u32, seed: u64) -> Automaton {
    let random = RandomAutomata::over(["a"]).unwrap().states(states).seed(seed);
    let random = random.acceptance(RandomAcceptance::Condition(marks)).mark_probability(0.4);
    random.density([0.05, 0.2, 0.5][seed as usize % 3]).generate().next().unwrap()
}

/// Returns the reachability relation, in one step or more.
fn reachability(automaton: &Automaton) -> Vec<Vec<bool>> {
    let count = automaton.state_count();
    let mut reaches = vec![vec![false; count]; count];
    for (source, edge) in automaton.transitions() {
        reaches[source.index()][edge.target.index()] = true;
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                reaches[from][to] |= reaches[from][via] && reaches[via][to];
            }
        }
    }
    reaches
}

#[test]
fn components_are_classes_of_mutual_reachability() {
    for seed in 0..300 {
        let mut builder = random(1 + seed as usize % 12, 2, seed).edit();
        if seed % 5 == 0 {
            builder.retain_edges(|source, edge| edge.target.index() + source.index() != 7);
        }
        let automaton = builder.build();
        let (sccs, reaches) = (Sccs::of(&automaton), reachability(&automaton));
        for s in automaton.states() {
            let reachable = s.index() == 0 || reaches[0][s.index()];
            assert_eq!(sccs.is_reachable(s), reachable);
            let Some(scc) = sccs.component(s) else { continue };
            assert_eq!(sccs.is_trivial(scc), !reaches[s.index()][s.index()]);
            for t in automaton.states().filter(|t| *t != s) {
                let mutual = reaches[s.index()][t.index()] && reaches[t.index()][s.index()];
                assert_eq!(Some(scc) == sccs.component(t), mutual);
            }
        }
        for scc in sccs.iter() {
            let inside = |state: &StateId| sccs.component(*state) == Some(scc);
            assert!(sccs.states(scc).iter().all(inside));
            let edges = || automaton.transitions().filter(|(source, _)| inside(source));
            let marks = edges()
                .filter(|(_, edge)| inside(&edge.target))
                .fold(Marks::EMPTY, |marks, (_, edge)| &marks | &edge.marks);
            assert_eq!(sccs.marks(scc), &marks);
            let successors: BTreeSet<SccId> =
                edges().filter_map(|(_, edge)| sccs.component(edge.target)).collect();
            let successors: Vec<SccId> = successors.into_iter().filter(|s| *s != scc).collect();
            assert_eq!(sccs.successors(scc), successors);
            assert!(successors.iter().all(|successor| *successor < scc));
            assert_eq!(sccs.is_bottom(scc), successors.is_empty());
        }
    }
}

/// An automaton as an on-the-fly graph.
struct Unknown<'a>(&'a Automaton, RefCell<HashMap<StateId, u32>>);

impl Graph for Unknown<'_> {
    type Node = StateId;
    type Edge = ();
    type Numbering = Sparse<StateId>;

    fn numbering(&self) -> Sparse<StateId> {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = StateId> + '_ {
        self.0.initial().iter().copied()
    }

    fn successors(&self, node: StateId) -> impl Iterator<Item = ((), StateId)> + '_ {
        *self.1.borrow_mut().entry(node).or_default() += 1;
        self.0.edges_from(node).iter().map(|edge| ((), edge.target))
    }
}

#[test]
fn generated_graphs_have_the_same_components() {
    for seed in 0..200 {
        let automaton = random(1 + seed as usize % 15, 0, seed);
        let sccs = Sccs::of(&automaton);
        let graph = Unknown(&automaton, RefCell::default());
        let mut found = vec![];
        let _ = components(&graph, |component| {
            found.push(component.to_vec());
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(found, sccs.iter().map(|scc| sccs.states(scc).to_vec()).collect::<Vec<_>>());
        assert!(graph.1.borrow().values().all(|&asked| asked == 1));
    }
}

#[test]
fn the_search_ends_when_the_visitor_breaks() {
    let automaton = random(10, 0, 3);
    let mut visits = 0;
    let stopped = components(&Unknown(&automaton, RefCell::default()), |component| {
        visits += 1;
        ControlFlow::Break(component[0])
    });
    assert!(stopped.is_break());
    assert_eq!(visits, 1);
}

fn chain(length: usize, closed: bool) -> AutomatonBuilder {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.acceptance(Named::CoBuchi.acceptance());
    let (first, tt) = (builder.add_states(length), builder.alphabet().tt());
    builder.initial(first);
    for state in 1..length {
        builder.edge(StateId::new(state - 1), tt, Marks::EMPTY, StateId::new(state));
    }
    if closed {
        builder.edge(StateId::new(length - 1), tt, Marks::from_iter([0]), first);
    }
    builder
}

#[test]
fn chains_of_a_million_states_need_no_recursion() {
    for closed in [false, true] {
        let automaton = chain(1_000_000, closed).build();
        let sccs = Sccs::of(&automaton);
        assert_eq!(sccs.len(), if closed { 1 } else { 1_000_000 });
        assert!(sccs.accepting(&automaton).iter().all(|accepting| !accepting));
        let mut count = 0;
        let _ = components(&Unknown(&automaton, RefCell::default()), |_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(count, sccs.len());
    }
}

/// True if the edges of the set are strongly connected: a run can take exactly these infinitely
/// often.
fn is_connected(automaton: &Automaton, sources: &[StateId], edges: &[usize]) -> bool {
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.add_states(automaton.state_count());
    for &edge in edges {
        let target = automaton.edge(EdgeId::new(edge)).target;
        builder.edge(sources[edge], automaton.alphabet().tt(), Marks::EMPTY, target);
    }
    let reaches = reachability(&builder.build());
    let ends = |edge: usize| (sources[edge].index(), automaton.edges()[edge].target.index());
    edges.iter().all(|&last| {
        edges.iter().all(|&next| {
            let (from, to) = (ends(last).1, ends(next).0);
            from == to || reaches[from][to]
        })
    })
}

#[test]
fn accepting_components_have_an_accepting_set_of_edges() {
    let (mut accepting, mut rejecting, mut searched) = (0, 0, 0);
    for seed in 0..1500 {
        let automaton = random(1 + seed as usize % 4, 1 + seed as u32 % 6, seed);
        if automaton.edge_count() > 9 {
            continue;
        }
        let sources: Vec<StateId> = automaton.transitions().map(|(source, _)| source).collect();
        let sccs = Sccs::of(&automaton);
        let answers = sccs.accepting(&automaton);
        for scc in sccs.iter() {
            let inner: Vec<usize> = (0..automaton.edge_count())
                .filter(|&edge| {
                    let ends = [sources[edge], automaton.edges()[edge].target];
                    ends.iter().all(|state| sccs.component(*state) == Some(scc))
                })
                .collect();
            let wanted = (1..1u32 << inner.len()).any(|set| {
                let places = (0..inner.len()).filter(|place| set >> place & 1 == 1);
                let edges: Vec<usize> = places.map(|place| inner[place]).collect();
                let marks = edges
                    .iter()
                    .fold(Marks::EMPTY, |marks, &edge| &marks | &automaton.edges()[edge].marks);
                automaton.acceptance().accepts(&marks) && is_connected(&automaton, &sources, &edges)
            });
            assert_eq!(answers[scc.index()], wanted, "{automaton:?}");
            assert_eq!(sccs.is_accepting(&automaton, scc), wanted);
            let part = sccs.accepting_part(&automaton, scc);
            assert_eq!(part.is_some(), wanted);
            if let Some(part) = part {
                let edges: Vec<usize> = (0..automaton.edge_count())
                    .filter(|&edge| {
                        let inside = [sources[edge], automaton.edges()[edge].target];
                        inside.iter().all(|state| part.states.contains(state))
                            && automaton.edges()[edge].marks.is_disjoint(&part.avoided)
                    })
                    .collect();
                assert!(is_connected(&automaton, &sources, &edges) && !edges.is_empty());
                let marks = edges
                    .iter()
                    .fold(Marks::EMPTY, |marks, &edge| &marks | &automaton.edges()[edge].marks);
                assert!(automaton.acceptance().accepts(&marks));
                searched += usize::from(!part.avoided.is_empty());
            }
            *(if wanted { &mut accepting } else { &mut rejecting }) += 1;
        }
    }
    assert!(accepting > 200 && rejecting > 200 && searched > 20, "{accepting} {searched}");
}
