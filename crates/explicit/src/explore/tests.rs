//! Compares searches on random graphs with simple reference searches.

use super::*;
use crate::store::{Arena, Store, Tree};
use proptest::prelude::*;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::expression::Expr;
use sempre_models::{
    ActionId, Expander, Fault, Meaning, Names, Scope, Successors, System, VariableId,
};
use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroUsize;
use std::time::Instant;

/// A graph as a system: a state is the number of a node, spread over three words.
#[derive(Clone, Debug)]
struct Digraph {
    edges: Vec<Vec<u32>>,
    initial: Vec<u32>,
    /// Nodes that have a fault.
    faulty: BTreeSet<u32>,
}

impl Digraph {
    fn pack(node: u32) -> [u32; 3] {
        [node % 5, node / 5, 7]
    }

    fn node(state: &[u32]) -> u32 {
        state[1] * 5 + state[0]
    }
}

impl Scope for Digraph {
    fn resolve(&self, _: &str) -> Option<Meaning> {
        None
    }

    fn fireable(&self, _: &str) -> Option<Expr> {
        None
    }

    fn value_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn action_names(&self) -> Vec<String> {
        Vec::new()
    }
}

impl System for Digraph {
    fn words(&self) -> usize {
        3
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        Ok(self.initial.iter().map(|node| Digraph::pack(*node).into()).collect())
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(self)
    }

    fn names(&self) -> &dyn Names {
        self
    }
}

impl Expander for &Digraph {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        let node = Digraph::node(state);
        if self.faulty.contains(&node) {
            return Err(Fault::Undefined { action: None, message: format!("fault at {node}") });
        }
        for (action, target) in self.edges[node as usize].iter().enumerate() {
            successors.push(ActionId(action as u32), &Digraph::pack(*target));
        }
        Ok(())
    }
}

impl Names for Digraph {
    fn action_name(&self, action: ActionId) -> String {
        format!("a{}", action.0)
    }

    fn variable_count(&self) -> usize {
        2
    }

    fn variable_name(&self, variable: VariableId) -> String {
        ["node", "minus"][variable.0 as usize].into()
    }

    fn value(&self, state: &[u32], variable: VariableId) -> i64 {
        let node = i64::from(Digraph::node(state));
        [node, -node][variable.0 as usize]
    }
}

/// Returns the distances of the reachable nodes, by a queue.
fn distances(graph: &Digraph) -> Vec<Option<u64>> {
    let mut distances = vec![None; graph.edges.len()];
    let mut queue = VecDeque::new();
    for &node in &graph.initial {
        distances[node as usize] = Some(0);
        queue.push_back(node);
    }
    while let Some(node) = queue.pop_front() {
        for &target in &graph.edges[node as usize] {
            if distances[target as usize].is_none() {
                distances[target as usize] = distances[node as usize].map(|far| far + 1);
                queue.push_back(target);
            }
        }
    }
    distances
}

/// Returns the nodes reachable from one.
fn reachable(graph: &Digraph, node: u32) -> BTreeSet<u32> {
    let from = Digraph { initial: vec![node], ..graph.clone() };
    let distances = distances(&from);
    (0..graph.edges.len() as u32).filter(|node| distances[*node as usize].is_some()).collect()
}

fn expected(graph: &Digraph) -> Counts {
    let distances = distances(graph);
    let reached = || graph.edges.iter().zip(&distances).filter(|(_, far)| far.is_some());
    Counts {
        initial: graph.initial.iter().collect::<BTreeSet<_>>().len() as u64,
        states: reached().count() as u64,
        transitions: reached().map(|(edges, _)| edges.len() as u64).sum(),
        deadlocks: reached().filter(|(edges, _)| edges.is_empty()).count() as u64,
        depth: distances.iter().flatten().max().copied().unwrap_or(0),
    }
}

fn graphs(max: u32) -> impl Strategy<Value = Digraph> {
    (1..max).prop_flat_map(|nodes| {
        let edges = prop::collection::vec(prop::collection::vec(0..nodes, 0..4), nodes as usize);
        let initial = prop::collection::vec(0..nodes, 1..3);
        (edges, initial).prop_map(|(edges, initial)| Digraph {
            edges,
            initial,
            faulty: BTreeSet::new(),
        })
    })
}

fn nothing(_: &Progress) {}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

/// Runs all explorations with a store.
fn check<T: Store>(graph: &Digraph) -> Result<(), TestCaseError> {
    let none = Limits::default();
    let wanted = expected(graph);

    let mut store = T::new(3);
    let exploration = breadth_first(graph, &mut store, &none, nothing).unwrap();
    prop_assert_eq!(exploration.counts, wanted);
    prop_assert_eq!(exploration.incomplete, None);
    let all = bounds(graph, [&store]);
    let distances = distances(graph);
    let nodes = || (0..graph.edges.len()).filter(|node| distances[*node].is_some());
    let (least, greatest) = (nodes().min().unwrap() as i64, nodes().max().unwrap() as i64);
    prop_assert_eq!(all[0], Bound { least, greatest });
    prop_assert_eq!(all[1], Bound { least: -greatest, greatest: -least });

    for count in [1, 2, 3] {
        let (exploration, stores) = parallel::<T>(graph, threads(count), &none, nothing).unwrap();
        prop_assert_eq!((exploration.counts, exploration.incomplete), (wanted, None));
        prop_assert_eq!(&bounds(graph, &stores), &all);
    }

    let exploration = depth_first(graph, &mut T::new(3), &none, nothing).unwrap();
    prop_assert!(exploration.counts.depth >= wanted.depth);
    let depth = wanted.depth;
    prop_assert_eq!(Counts { depth, ..exploration.counts }, wanted);

    let found = components(graph, &mut T::new(3), &none, nothing).unwrap();
    prop_assert_eq!(Counts { depth, ..found.exploration.counts }, wanted);
    let from: Vec<_> = (0..graph.edges.len() as u32).map(|node| reachable(graph, node)).collect();
    let component = |node: usize| -> BTreeSet<u32> {
        let connected = |other: &u32| from[*other as usize].contains(&(node as u32));
        from[node].iter().copied().filter(connected).collect()
    };
    let sets: BTreeSet<BTreeSet<u32>> = nodes().map(component).collect();
    prop_assert_eq!(found.count, sets.len() as u64);
    prop_assert_eq!(found.largest, sets.iter().map(BTreeSet::len).max().unwrap() as u64);
    Ok(())
}

/// Checks that a path is one of the system, from an initial state, with this length.
fn check_path(graph: &Digraph, path: &Path, length: u64) -> Result<(), TestCaseError> {
    let mut node = Digraph::node(&path.initial);
    prop_assert!(graph.initial.contains(&node));
    for step in &path.steps {
        let target = Digraph::node(&step.state);
        prop_assert_eq!(graph.edges[node as usize][step.action.0 as usize], target);
        node = target;
    }
    prop_assert_eq!(path.steps.len() as u64, length);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn searches_see_everything(graph in graphs(40)) {
        check::<Arena>(&graph)?;
        check::<Tree>(&graph)?;
    }

    #[test]
    fn paths_are_shortest(graph in graphs(40)) {
        let none = Limits::default();
        let distances = distances(&graph);
        for (node, &distance) in distances.iter().enumerate().step_by(3) {
            let goal = |state: &[u32]| Ok(Digraph::node(state) as usize == node);
            let answer =
                shortest_path(&graph, &mut Tree::new(3), &none, nothing, goal).unwrap();
            prop_assert_eq!(answer.path.is_some(), distance.is_some());
            if let (Some(path), Some(distance)) = (answer.path, distance) {
                prop_assert_eq!(Digraph::node(path.last()) as usize, node);
                check_path(&graph, &path, distance)?;
            }
        }
        let nearest =
            distances.iter().zip(&graph.edges).filter(|(_, edges)| edges.is_empty());
        let nearest = nearest.filter_map(|(distance, _)| *distance).min();
        let mut store = Arena::new(3);
        let answer = shortest_path_to_deadlock(&graph, &mut store, &none, nothing).unwrap();
        prop_assert_eq!(answer.path.is_some(), nearest.is_some());
        if let (Some(path), Some(distance)) = (answer.path, nearest) {
            check_path(&graph, &path, distance)?;
            prop_assert!(graph.edges[Digraph::node(path.last()) as usize].is_empty());
        }
    }

    #[test]
    fn faults_come_with_shortest_paths(graph in graphs(40), faulty in 0u32..40) {
        let none = Limits::default();
        let faulty = faulty % graph.edges.len() as u32;
        let distance = distances(&graph)[faulty as usize];
        let graph = Digraph { faulty: [faulty].into(), ..graph };
        let outcomes = [
            breadth_first(&graph, &mut Arena::new(3), &none, nothing).map(|_| ()),
            depth_first(&graph, &mut Tree::new(3), &none, nothing).map(|_| ()),
            components(&graph, &mut Arena::new(3), &none, nothing).map(|_| ()),
            parallel::<Tree>(&graph, threads(2), &none, nothing).map(|_| ()),
            shortest_path(&graph, &mut Arena::new(3), &none, nothing, |_| Ok(false)).map(|_| ()),
        ];
        for outcome in outcomes {
            prop_assert_eq!(outcome.is_err(), distance.is_some());
            if let (Err(failure), Some(distance)) = (outcome, distance) {
                prop_assert_eq!(failure.to_string(), format!("fault at {faulty}"));
                let path = failure.path.unwrap();
                prop_assert_eq!(Digraph::node(path.last()), faulty);
                check_path(&graph, &path, distance)?;
            }
        }
    }

    #[test]
    fn limits_of_states_are_exact(graph in graphs(40), limit in 1u64..40) {
        let limits = Limits { states: Some(limit), ..Limits::default() };
        let all = expected(&graph).states;
        let initial = expected(&graph).initial;
        let reason = (all > limit).then_some(Reason::States);
        for exploration in [
            breadth_first(&graph, &mut Arena::new(3), &limits, nothing).unwrap(),
            depth_first(&graph, &mut Tree::new(3), &limits, nothing).unwrap(),
        ] {
            prop_assert_eq!(exploration.incomplete, reason);
            prop_assert_eq!(exploration.counts.states, all.min(limit));
        }
        let (exploration, _) =
            parallel::<Arena>(&graph, threads(2), &limits, nothing).unwrap();
        prop_assert_eq!(exploration.incomplete, reason);

        let drawn = super::graph(&graph, limit as usize).unwrap();
        prop_assert_eq!(drawn.incomplete, reason);
        prop_assert_eq!(drawn.states.len() as u64, all.min(limit));
        prop_assert_eq!(drawn.initial as u64, initial.min(limit));
        if reason.is_none() {
            prop_assert_eq!(drawn.edges.len() as u64, expected(&graph).transitions);
        }
        for edge in &drawn.edges {
            let node = |id: crate::store::StateId| Digraph::node(&drawn.states[id.index()]);
            let targets = &graph.edges[node(edge.source) as usize];
            prop_assert_eq!(targets[edge.action.0 as usize], node(edge.target));
        }
    }
}

/// Returns a long cycle with a tail.
fn cycle(nodes: u32) -> Digraph {
    let edges = (0..nodes).map(|node| vec![(node + 1) % nodes]).collect();
    Digraph { edges, initial: vec![0], faulty: BTreeSet::new() }
}

#[test]
fn deep_graphs_need_no_deep_stack() {
    let graph = cycle(300_000);
    let none = Limits::default();
    let found = components(&graph, &mut Arena::new(3), &none, nothing).unwrap();
    assert_eq!((found.count, found.largest), (1, 300_000));
    assert_eq!(found.exploration.counts.depth, 299_999);
}

#[test]
fn all_limits_end_all_searches() {
    let graph = cycle(100_000);
    let raised = Interrupt::default();
    raised.raise();
    let cases = [
        (Limits { bytes: Some(100_000), ..Limits::default() }, Reason::Memory),
        (Limits { deadline: Some(Instant::now()), ..Limits::default() }, Reason::Time),
        (Limits { interrupt: Some(raised), ..Limits::default() }, Reason::Interrupt),
    ];
    for (limits, reason) in cases {
        let explorations = [
            breadth_first(&graph, &mut Tree::new(3), &limits, nothing).unwrap(),
            depth_first(&graph, &mut Arena::new(3), &limits, nothing).unwrap(),
            components(&graph, &mut Tree::new(3), &limits, nothing).unwrap().exploration,
            parallel::<Tree>(&graph, threads(2), &limits, nothing).unwrap().0,
        ];
        for exploration in explorations {
            assert_eq!(exploration.incomplete, Some(reason));
            let states = exploration.counts.states;
            assert!(0 < states && states < 100_000, "{exploration:?}");
            if let Some(limit) = limits.bytes {
                assert!(exploration.bytes <= limit);
            }
        }
    }
}

#[test]
fn interruptions_end_parallel_searches() {
    let graph = cycle(300_000);
    let outcome = interrupt::run(&Interrupt::default(), Some(Instant::now()), || {
        parallel::<Arena>(&graph, threads(2), &Limits::default(), nothing).map(|_| ())
    });
    assert_eq!(outcome, Err(interrupt::Interrupted));
}

#[test]
fn progress_is_reported() {
    let graph = cycle(200_000);
    let mut seen = Vec::new();
    breadth_first(&graph, &mut Arena::new(3), &Limits::default(), |progress| {
        seen.push(progress.expanded);
    })
    .unwrap();
    assert!(seen.len() > 1 && seen.is_sorted());
}
