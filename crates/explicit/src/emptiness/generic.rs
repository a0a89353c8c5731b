//! The check for any acceptance condition: maximal strongly connected components, found by Tarjan's
//! algorithm; each is then searched for a cycle that the condition accepts, which may mean to take
//! it apart (Baier, Blahoudek, Duret-Lutz, Klein, Müller, Strejček 2019: the search in
//! [`sempre_automata::emptiness`]). Stops at the first component that has one. Nodes whose state of
//! the automaton is in no accepting component count as complete from the beginning.

use super::walk::{DEAD, Next, Walk};
use super::{Property, lasso};
use crate::graph::{Edge, Effort, Graph, Lasso};
use rustc_hash::FxHashMap;
use sempre_automata::emptiness::{self, Dense};
use sempre_automata::{Acceptance, Mark, Marks};
use std::borrow::Cow;

pub(super) fn search<G: Graph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    // The value of a node is its place among the live ones, from 1; 0 if it is new. On the way it
    // has the lowest rank that is known to be reached from it.
    let mut walk = Walk::<u32, u32>::new();
    let mut live: Vec<u32> = Vec::new();
    for &start in &initial {
        let mut entering = (walk.value(start) == 0).then_some(start);
        loop {
            if let Some(node) = entering.take() {
                effort.nodes += 1;
                let mut rank = DEAD;
                if property.is_accepting(graph.location(node)) {
                    live.push(node);
                    rank = live.len() as u32;
                }
                walk.set(node, rank);
                walk.enter(graph, node, rank, effort, || 4 * live.capacity())?;
            }
            let left = match walk.next() {
                None => break,
                Some(Next::Edge(edge)) => {
                    match walk.value(edge.target) {
                        0 => entering = Some(edge.target),
                        rank => {
                            let low = &mut walk.last().expect("where the edge begins").data;
                            *low = rank.min(*low);
                        }
                    }
                    continue;
                }
                Some(Next::Left(left)) => left,
            };
            let rank = walk.value(left.node);
            if rank == DEAD {
                continue;
            }
            if left.data < rank {
                let low = &mut walk.last().expect("what leads back is below").data;
                *low = left.data.min(*low);
                continue;
            }
            let component: Vec<u32> = live.drain(rank as usize - 1..).collect();
            if let Some(cycle) = accepting_cycle(graph, &component, &property.acceptance)? {
                let entry = cycle[0];
                let visited = |edge: Edge| walk.value(edge.target) != 0;
                let mut prefix = match initial.contains(&entry) {
                    true => vec![entry],
                    false => lasso::path(graph, &initial, visited, |e| e.target == entry)?,
                };
                prefix.pop();
                return Ok(Some(Lasso { prefix, cycle }));
            }
            for node in component {
                walk.set(node, DEAD);
            }
        }
    }
    Ok(None)
}

/// The nodes of an accepting cycle of a component, if there is one.
fn accepting_cycle<G: Graph>(
    graph: &mut G,
    nodes: &[u32],
    acceptance: &Acceptance,
) -> Result<Option<Vec<u32>>, G::Error> {
    let places: FxHashMap<u32, usize> =
        nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect();
    let mut component = Component { offsets: vec![0], targets: vec![], marks: vec![] };
    let mut edges = Vec::new();
    for node in nodes {
        edges.clear();
        graph.successors(*node, &mut edges)?;
        for edge in &edges {
            if let Some(&place) = places.get(&edge.target) {
                component.targets.push(place);
                component.marks.push(edge.marks);
            }
        }
        component.offsets.push(component.targets.len());
    }
    let lasso = emptiness::accepting_lasso(&component, acceptance.condition());
    Ok(lasso.map(|lasso| lasso.cycle.iter().map(|(place, _)| nodes[*place]).collect()))
}

/// A component, with its edges side by side by source.
struct Component {
    offsets: Vec<usize>,
    targets: Vec<usize>,
    marks: Vec<u32>,
}

impl emptiness::Graph for Component {
    type Node = usize;
    type Edge = usize;
    type Numbering = Dense;

    fn numbering(&self) -> Dense {
        Dense::new(self.offsets.len() - 1)
    }

    fn initial(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(0)
    }

    fn successors(&self, node: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        (self.offsets[node]..self.offsets[node + 1]).map(|edge| (edge, self.targets[edge]))
    }

    fn marks(&self, edge: usize) -> Cow<'_, Marks> {
        let bits = self.marks[edge];
        Cow::Owned((0..u32::BITS as Mark).filter(|mark| bits >> mark & 1 == 1).collect())
    }
}
