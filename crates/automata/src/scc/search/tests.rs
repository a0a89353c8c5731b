//! Compares the calls of visitors on random graphs with the reachability matrix.

use super::*;
use crate::graph::{FunctionGraph, Identity, Sparse};
use crate::marks::Marks;
use sempre_ltl::generate::Rng;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Edges with a mark each, some of them twice.
struct Marked(Vec<Vec<(u32, u32)>>);

impl Graph for Marked {
    type Node = u32;
    type Edge = u32;
    type Numbering = Sparse<u32>;

    fn numbering(&self) -> Sparse<u32> {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = u32> + '_ {
        [0, self.0.len() as u32 / 2].into_iter()
    }

    fn successors(&self, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.0[node as usize].iter().copied()
    }

    fn marks(&self, mark: u32) -> Cow<'_, Marks> {
        Cow::Owned(Marks::from_iter([mark]))
    }
}

fn random(seed: u64) -> Marked {
    let mut rng = Rng::new(seed);
    let count = 1 + rng.below(12);
    let density = 1 + rng.below(3);
    let mut edges = vec![vec![]; count as usize];
    for _ in 0..count * density {
        let (source, target) = (rng.below(count), rng.below(count));
        edges[source as usize].push((rng.below(6) as u32, target as u32));
    }
    Marked(edges)
}

/// Returns the reachability relation, in one step or more.
fn reachability(graph: &Marked) -> Vec<Vec<bool>> {
    let count = graph.0.len();
    let mut reaches = vec![vec![false; count]; count];
    for (source, edges) in graph.0.iter().enumerate() {
        edges.iter().for_each(|(_, target)| reaches[source][*target as usize] = true);
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

/// Records all calls, and ends the search after a number of calls.
struct Log {
    calls_left: usize,
    nodes: Vec<u32>,
    components: Vec<(Vec<u32>, Marks)>,
    /// The nodes and marks of an open component when a cycle was last closed.
    last_cycle: Option<(Vec<u32>, Marks)>,
    done: BTreeSet<u32>,
}

impl Log {
    fn new(calls_left: usize) -> Self {
        let (nodes, components) = (vec![], vec![]);
        Log { calls_left, nodes, components, last_cycle: None, done: BTreeSet::new() }
    }

    fn call(&mut self) -> ControlFlow<()> {
        match self.calls_left.checked_sub(1) {
            Some(left) => {
                self.calls_left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

impl Visitor<Marked> for Log {
    type Break = ();
    /// The marks of the edge to the component, and those inside.
    type Summary = (Marks, Marks);

    fn enter(
        &mut self,
        graph: &Marked,
        number: u32,
        node: &u32,
        edge: Option<u32>,
    ) -> (Marks, Marks) {
        assert_eq!(number as usize, self.nodes.len());
        self.nodes.push(*node);
        (edge.map_or(Marks::EMPTY, |edge| graph.marks(edge).into_owned()), Marks::EMPTY)
    }

    fn cycle<'a>(
        &mut self,
        graph: &Marked,
        edge: u32,
        nodes: &[u32],
        whole: &mut (Marks, Marks),
        parts: impl Iterator<Item = &'a (Marks, Marks)>,
    ) -> ControlFlow<()> {
        whole.1 |= &graph.marks(edge);
        for (entered, inside) in parts {
            whole.1 |= entered;
            whole.1 |= inside;
        }
        let nodes = nodes.iter().map(|number| self.nodes[*number as usize]).collect();
        self.last_cycle = Some((nodes, whole.1.clone()));
        self.call()
    }

    fn reach(&mut self, _: &mut (Marks, Marks), target: u32) {
        assert!(self.done.contains(&target));
    }

    fn component(
        &mut self,
        search: &Search<Sparse<u32>>,
        nodes: &[u32],
        (_, inside): (Marks, Marks),
        _: Option<&mut (Marks, Marks)>,
    ) -> ControlFlow<()> {
        for (place, number) in nodes.iter().enumerate() {
            assert_eq!(search.place_after(nodes[0], *number), Some(place as u32));
            assert!(self.done.insert(*number));
        }
        let nodes = nodes.iter().map(|number| self.nodes[*number as usize]).collect();
        self.components.push((nodes, inside));
        self.call()
    }
}

fn run(graph: &Marked, calls: usize) -> (Log, bool) {
    let mut log = Log::new(calls);
    let mut search = Search::new(graph.numbering());
    let stopped = graph.initial().any(|root| search.run(graph, root, &mut log).is_break());
    (log, stopped)
}

#[test]
fn components_and_their_marks_are_those_of_the_matrix() {
    let mut cyclic = 0;
    for seed in 0..400 {
        let graph = random(seed);
        let reaches = reachability(&graph);
        let (log, stopped) = run(&graph, usize::MAX);
        assert!(!stopped);
        let mutual = |s: u32, t: u32| {
            s == t || reaches[s as usize][t as usize] && reaches[t as usize][s as usize]
        };
        let is_reached =
            |t: u32| graph.initial().any(|root| root == t || reaches[root as usize][t as usize]);
        let reached: Vec<u32> = (0..graph.0.len() as u32).filter(|t| is_reached(*t)).collect();
        let mut found: Vec<u32> =
            log.components.iter().flat_map(|(nodes, _)| nodes.clone()).collect();
        for (place, (nodes, marks)) in log.components.iter().enumerate() {
            let class: BTreeSet<u32> =
                reached.iter().copied().filter(|t| mutual(nodes[0], *t)).collect();
            assert_eq!(nodes.iter().copied().collect::<BTreeSet<u32>>(), class);
            let edges = || nodes.iter().flat_map(|node| &graph.0[*node as usize]);
            let inner = edges().filter(|(_, target)| class.contains(target));
            assert_eq!(*marks, inner.map(|(mark, _)| *mark).collect::<Marks>());
            cyclic += usize::from(!marks.is_empty());
            // Components come in reverse topological order.
            let earlier = &log.components[..=place];
            assert!(edges().all(|(_, t)| earlier.iter().any(|(nodes, _)| nodes.contains(t))));
        }
        found.sort_unstable();
        assert_eq!(found, reached);
        let count = graph.0.len();
        let targets = |node: u32| graph.0[node as usize].iter().map(|(_, target)| *target);
        let (component, several) =
            numbered(&FunctionGraph::new(count, targets), count, graph.initial());
        assert_eq!(several, log.components.len());
        for s in 0..count as u32 {
            assert_eq!(component[s as usize] != u32::MAX, is_reached(s));
            for &t in &reached {
                let same = component[s as usize] == component[t as usize];
                assert_eq!(same, is_reached(s) && mutual(s, t));
            }
        }
    }
    assert!(cyclic > 200);
}

#[test]
fn a_search_that_ends_early_has_seen_a_beginning() {
    let (mut in_cycles, mut in_components) = (0, 0);
    for seed in 0..200 {
        let graph = random(seed);
        let reaches = reachability(&graph);
        let (whole, _) = run(&graph, usize::MAX);
        for calls in 0.. {
            let (log, stopped) = run(&graph, calls);
            if !stopped {
                assert_eq!(log.components, whole.components);
                break;
            }
            assert!(whole.nodes.starts_with(&log.nodes));
            assert!(whole.components.starts_with(&log.components));
            in_components += usize::from(!log.components.is_empty());
            if let Some((nodes, marks)) = log.last_cycle {
                assert!(!marks.is_empty());
                let all = |s: &u32| nodes.iter().all(|t| reaches[*s as usize][*t as usize]);
                assert!(nodes.iter().all(all));
                in_cycles += 1;
            }
        }
    }
    assert!(in_cycles > 200 && in_components > 200);
}

#[test]
fn forgotten_nodes_are_searched_again_in_a_part() {
    for seed in 0..100 {
        let graph = random(seed);
        let count = graph.0.len();
        let reaches = reachability(&graph);
        let mut search = Search::new(Identity);
        let targets = |node: u32| graph.0[node as usize].iter().map(|(_, target)| *target);
        let all = FunctionGraph::new(count, targets);
        let mut components: Vec<Vec<u32>> = vec![];
        for root in all.initial() {
            let _ = search.each(&all, root, |nodes| {
                components.push(nodes.to_vec());
                ControlFlow::<()>::Continue(())
            });
        }
        assert_eq!(components.iter().map(Vec::len).sum::<usize>(), count);
        // Without the edges to its first node, this node is a separate component.
        for nodes in components.iter().filter(|nodes| nodes.len() > 1) {
            search.forget(nodes.iter().copied());
            let inner = |node| targets(node).filter(|t| nodes[1..].contains(t));
            let part = FunctionGraph::new(count, inner);
            let mut parts = vec![];
            for &root in nodes {
                let _ = search.each(&part, root, |nodes| {
                    parts.push(nodes.to_vec());
                    ControlFlow::<()>::Continue(())
                });
            }
            assert!(parts.contains(&vec![nodes[0]]));
            assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), nodes.len());
            let tied = |part: &Vec<u32>| {
                part.len() == 1 || part.iter().all(|s| reaches[*s as usize][part[0] as usize])
            };
            assert!(parts.iter().all(tied));
        }
    }
}
