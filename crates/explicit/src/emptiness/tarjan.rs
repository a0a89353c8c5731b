//! The check by Tarjan's algorithm: every frame of the search remembers the lowest node that its
//! subtree leads back to, and the marks on the ways there.
//!
//! Linear in nodes and edges. It needs no stack of roots, but sees some cycles later than
//! [Couvreur's](super::couvreur): marks of a subtree count when the search returns from it.

use super::couvreur::DEAD;
use super::lasso;
use crate::graph::{Edge, Effort, Graph, Lasso};
use sempre_ltl::interrupt;

struct Frame {
    node: u32,
    /// Where the edges of this node begin that are still to be followed; they are at the end.
    edges: usize,
    /// The lowest rank that is known to be reached from here.
    low: u32,
    /// The marks of the edge that leads here.
    entered: u64,
    /// The marks of edges that are in the same component as this node.
    inside: u64,
}

pub(super) fn search<G: Graph>(
    graph: &mut G,
    all: u64,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    // For each node its place among the live ones, from 1; 0 if it is new.
    let mut ranks: Vec<u32> = Vec::new();
    let rank_of = |ranks: &[u32], node: u32| ranks.get(node as usize).copied().unwrap_or(0);
    let mut live: Vec<u32> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut edges: Vec<Edge> = Vec::new();
    for &start in &initial {
        if rank_of(&ranks, start) != 0 {
            continue;
        }
        let mut entering = Some(Edge { target: start, marks: 0 });
        loop {
            if let Some(Edge { target: node, marks }) = entering.take() {
                interrupt::poll();
                if ranks.len() <= node as usize {
                    ranks.resize((node as usize + 1).max(ranks.len() * 3 / 2), 0);
                }
                live.push(node);
                let rank = live.len() as u32;
                ranks[node as usize] = rank;
                let from = edges.len();
                frames.push(Frame { node, edges: from, low: rank, entered: marks, inside: 0 });
                effort.nodes += 1;
                effort.depth = effort.depth.max(frames.len() as u64);
                graph.successors(node, &mut edges)?;
                effort.edges += (edges.len() - from) as u64;
            }
            let Some(frame) = frames.last_mut() else { break };
            let found = if edges.len() > frame.edges {
                let edge = edges.pop().expect("edges that belong to the frame");
                match rank_of(&ranks, edge.target) {
                    0 => {
                        entering = Some(edge);
                        false
                    }
                    DEAD => false,
                    rank => {
                        frame.low = frame.low.min(rank);
                        frame.inside |= edge.marks;
                        frame.inside == all
                    }
                }
            } else {
                let done = frames.pop().expect("the frame that was looked at");
                let rank = ranks[done.node as usize];
                if done.low == rank {
                    for node in live.drain(rank as usize - 1..) {
                        ranks[node as usize] = DEAD;
                    }
                    false
                } else {
                    let parent = frames.last_mut().expect("what leads back is below");
                    parent.low = parent.low.min(done.low);
                    parent.inside |= done.inside | done.entered;
                    parent.inside == all
                }
            };
            if found {
                // Every live node reaches the top of the stack, so what the top reaches among them
                // is one component.
                let visited = |node| rank_of(&ranks, node) != 0;
                let top = frames.last().expect("the frame in which marks are complete").node;
                let inside = |node| !matches!(rank_of(&ranks, node), 0 | DEAD);
                return lasso::extract_from(graph, &initial, visited, inside, top, all).map(Some);
            }
        }
    }
    Ok(None)
}
