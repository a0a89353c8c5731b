//! The check by Tarjan's algorithm: every frame of the search remembers the lowest node that its
//! subtree leads back to, and the marks on the ways there.
//!
//! Linear in nodes and edges. It needs no stack of roots, but sees some cycles later than
//! [Couvreur's](super::couvreur): marks of a subtree count when the search returns from it. As
//! there, nodes that lie on no accepting cycle because of the automaton count as complete.

use super::walk::{DEAD, Next, Walk};
use super::{Property, lasso};
use crate::graph::{Edge, Effort, Graph, Lasso};

/// What is known about a node on the way.
struct Open {
    /// The lowest rank that is known to be reached from here.
    low: u32,
    /// The marks of the edge that leads here.
    entered: u32,
    /// The marks of edges that are in the same component as this node.
    inside: u32,
}

pub(super) fn search<G: Graph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let all = property.all.unwrap_or_default();
    // The value of a node is its place among the live ones, from 1; 0 if it is new.
    let mut walk = Walk::<u32, Open>::new();
    let mut live: Vec<u32> = Vec::new();
    for &start in &initial {
        let start = Edge { target: start, marks: 0 };
        let mut entering = (walk.value(start.target) == 0).then_some(start);
        loop {
            if let Some(Edge { target: node, marks }) = entering.take() {
                effort.nodes += 1;
                let mut rank = DEAD;
                if property.is_accepting(graph.location(node)) {
                    live.push(node);
                    rank = live.len() as u32;
                }
                walk.set(node, rank);
                let open = Open { low: rank, entered: marks, inside: 0 };
                walk.enter(graph, node, open, effort, || 4 * live.capacity())?;
            }
            let is_complete = match walk.next() {
                None => break,
                Some(Next::Edge(edge)) => match walk.value(edge.target) {
                    0 => {
                        entering = Some(edge);
                        false
                    }
                    rank => {
                        let here = &mut walk.last().expect("where the edge begins").data;
                        here.low = here.low.min(rank);
                        here.inside |= edge.marks;
                        here.inside == all
                    }
                },
                Some(Next::Left(left)) => match walk.value(left.node) {
                    DEAD => false,
                    rank if left.data.low == rank => {
                        for node in live.drain(rank as usize - 1..) {
                            walk.set(node, DEAD);
                        }
                        false
                    }
                    _ => {
                        let parent = &mut walk.last().expect("what leads back is below").data;
                        parent.low = parent.low.min(left.data.low);
                        parent.inside |= left.data.inside | left.data.entered;
                        parent.inside == all
                    }
                },
            };
            if is_complete {
                // Every live node reaches the last one on the way, so what that reaches among them
                // is one component.
                let last = walk.last().expect("the node whose marks are complete").node;
                let visited = |node| walk.value(node) != 0;
                let inside = |node| !matches!(walk.value(node), 0 | DEAD);
                return lasso::extract_from(graph, &initial, visited, inside, last, all).map(Some);
            }
        }
    }
    Ok(None)
}
