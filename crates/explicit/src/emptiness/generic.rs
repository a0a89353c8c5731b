//! The check for any acceptance condition: maximal strongly connected components, found by Tarjan's
//! algorithm; each is then searched for a cycle that the condition accepts, which may mean to take
//! it apart (Baier, Blahoudek, Duret-Lutz, Klein, Müller, Strejček 2019: the search in
//! [`sempre_automata::emptiness`]). Stops at the first component that has one.

use super::couvreur::DEAD;
use super::lasso;
use crate::graph::{Edge, Effort, Graph, Lasso};
use rustc_hash::FxHashMap;
use sempre_automata::emptiness::{self, Dense};
use sempre_automata::{Acceptance, Mark, Marks};
use sempre_ltl::interrupt;
use std::borrow::Cow;

struct Frame {
    node: u32,
    /// Where the edges of this node begin that are still to be followed; they are at the end.
    edges: usize,
    low: u32,
}

pub(super) fn search<G: Graph>(
    graph: &mut G,
    acceptance: &Acceptance,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let mut ranks: Vec<u32> = Vec::new();
    let rank_of = |ranks: &[u32], node: u32| ranks.get(node as usize).copied().unwrap_or(0);
    let mut live: Vec<u32> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut edges: Vec<Edge> = Vec::new();
    for &start in &initial {
        if rank_of(&ranks, start) != 0 {
            continue;
        }
        let mut entering = Some(start);
        loop {
            if let Some(node) = entering.take() {
                interrupt::poll();
                if ranks.len() <= node as usize {
                    ranks.resize((node as usize + 1).max(ranks.len() * 3 / 2), 0);
                }
                live.push(node);
                let rank = live.len() as u32;
                ranks[node as usize] = rank;
                let from = edges.len();
                frames.push(Frame { node, edges: from, low: rank });
                effort.nodes += 1;
                effort.depth = effort.depth.max(frames.len() as u64);
                graph.successors(node, &mut edges)?;
                effort.edges += (edges.len() - from) as u64;
            }
            let Some(frame) = frames.last_mut() else { break };
            if edges.len() > frame.edges {
                let target = edges.pop().expect("edges that belong to the frame").target;
                match rank_of(&ranks, target) {
                    0 => entering = Some(target),
                    DEAD => {}
                    rank => frame.low = frame.low.min(rank),
                }
                continue;
            }
            let done = frames.pop().expect("the frame that was looked at");
            let rank = ranks[done.node as usize];
            if done.low < rank {
                let parent = frames.last_mut().expect("what leads back is below");
                parent.low = parent.low.min(done.low);
                continue;
            }
            let component: Vec<u32> = live.drain(rank as usize - 1..).collect();
            if let Some(cycle) = accepting_cycle(graph, &component, acceptance)? {
                let entry = cycle[0];
                let visited = |edge: Edge| rank_of(&ranks, edge.target) != 0;
                let mut prefix = match initial.contains(&entry) {
                    true => vec![entry],
                    false => lasso::path(graph, &initial, visited, |e| e.target == entry)?,
                };
                prefix.pop();
                return Ok(Some(Lasso { prefix, cycle }));
            }
            for node in component {
                ranks[node as usize] = DEAD;
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
    marks: Vec<u64>,
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
        Cow::Owned((0..u64::BITS as Mark).filter(|mark| bits >> mark & 1 == 1).collect())
    }
}
