//! The check for any acceptance condition: finds maximal SCCs with Tarjan's algorithm, and searches
//! each for an accepting cycle, by splitting it where needed (Baier, Blahoudek, Duret-Lutz, Klein,
//! Müller, Strejček 2019: the search in [`sempre_automata::emptiness`]). Stops at the first SCC
//! with such a cycle. Nodes whose automaton state is in no accepting SCC are closed from the start.
//! SCCs whose marks cannot satisfy the condition, even after splitting, are skipped.

use super::live::{DEAD, Live};
use super::walk::{Next, Status, Walk};
use super::{Property, lasso};
use crate::graph::{Edge, Effort, Lasso, SearchGraph};
use sempre_automata::emptiness::{self, Dense};
use sempre_automata::{Condition, Mark, Marks};
use sempre_ltl::interrupt;
use std::borrow::Cow;

#[inline(never)]
pub(super) fn search<G: SearchGraph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    // The necessary condition on the marks of an SCC for an accepting part.
    let hope = property.acceptance.condition().replace(&|term| match term {
        Condition::Fin(_) => Condition::True,
        other => other.clone(),
    });
    let mut walk = Walk::<Open>::new();
    let mut live = Live::default();
    for &start in &initial {
        let start = Edge { target: start, marks: 0 };
        let mut entering = walk.is_new(start.target).then_some(start);
        loop {
            if let Some(Edge { target: node, marks }) = entering.take() {
                effort.nodes += 1;
                let is_accepting = property.is_accepting(graph.location(node));
                let rank = if is_accepting { live.push(node) } else { DEAD };
                walk.open_or_close(node, is_accepting);
                let open = Open { rank, low: rank, entered: marks, inside: None };
                walk.enter(graph, node, open, effort, || live.bytes())?;
            }
            let left = match walk.next() {
                None => break,
                Some(Next::Edge(edge, true)) => {
                    entering = Some(edge);
                    continue;
                }
                Some(Next::Edge(edge, false)) => {
                    let here = &mut walk.last().expect("where the edge begins").data;
                    here.lead_to(live.rank(edge.target), edge.marks);
                    continue;
                }
                Some(Next::Left(left)) => left.data,
            };
            if left.rank == DEAD {
                continue;
            }
            if left.low < left.rank {
                let parent = &mut walk.last().expect("what leads back is below").data;
                parent.lead_to(left.low, left.inside.unwrap_or_default() | left.entered);
                continue;
            }
            if left.inside.is_some_and(|marks| hope.accepts(&Marks::from_bits(marks.into()))) {
                // All live successors of nodes of the SCC belong to it.
                let is_inside = |node| walk.status(node) == Status::Live;
                let component = Component::new(graph, &live, left.rank, is_inside)?;
                let condition = property.acceptance.condition();
                if let Some(lasso) = emptiness::accepting_lasso(&component, condition) {
                    let node = |place: usize| live.node(left.rank + place as u32);
                    let cycle: Vec<u32> = lasso.cycle.iter().map(|(n, _)| node(*n)).collect();
                    let entry = cycle[0];
                    let visited = |edge: Edge| !walk.is_new(edge.target);
                    let mut prefix = match initial.contains(&entry) {
                        true => vec![entry],
                        false => lasso::path(graph, &initial, visited, |e| e.target == entry)?,
                    };
                    prefix.pop();
                    return Ok(Some(Lasso { prefix, cycle }));
                }
            }
            live.remove_since(left.rank).for_each(|node| walk.close(node));
        }
    }
    Ok(None)
}

/// The data of a node on the DFS stack.
struct Open {
    /// The rank of the node, or [`DEAD`].
    rank: u32,
    /// The lowest rank known to be reachable.
    low: u32,
    /// The marks of the edge to this node.
    entered: u32,
    /// The marks of edges in the SCC of this node, if there are any.
    inside: Option<u32>,
}

impl Open {
    /// Records a path with these marks to a live node.
    fn lead_to(&mut self, rank: u32, marks: u32) {
        self.low = self.low.min(rank);
        self.inside = Some(self.inside.unwrap_or_default() | marks);
    }
}

/// An SCC, with its edges grouped by source. Nodes are identified by their index in it.
struct Component {
    offsets: Vec<usize>,
    targets: Vec<usize>,
    marks: Vec<u32>,
}

impl Component {
    /// Makes the SCC of the nodes from a rank on.
    fn new<G: SearchGraph>(
        graph: &mut G,
        live: &Live,
        first: u32,
        is_inside: impl Fn(u32) -> bool,
    ) -> Result<Self, G::Error> {
        let mut component = Component { offsets: vec![0], targets: vec![], marks: vec![] };
        let mut edges = Vec::new();
        for node in live.since(first) {
            interrupt::poll();
            edges.clear();
            graph.successors(*node, &is_inside, &mut edges)?;
            let places = edges.iter().map(|edge| (live.rank(edge.target) - first) as usize);
            component.targets.extend(places);
            component.marks.extend(edges.iter().map(|edge| edge.marks));
            component.offsets.push(component.targets.len());
        }
        Ok(component)
    }
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
