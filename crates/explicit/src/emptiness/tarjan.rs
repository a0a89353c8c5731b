//! The check by Tarjan's algorithm: every frame of the DFS stack has the lowest node that its
//! subtree reaches, and the marks on the paths there.
//!
//! Linear in nodes and edges. It needs no stack of roots, but detects some cycles later than
//! [Couvreur's](super::couvreur): marks of a subtree count when the search returns from it. As
//! there, nodes that the automaton excludes from accepting cycles are closed from the start.

use super::live::{DEAD, Live};
use super::walk::{Next, Status, Walk};
use super::{Property, lasso};
use crate::graph::{Edge, Effort, Lasso, SearchGraph};

/// The data of a node on the DFS stack.
struct Open {
    /// The rank of the node, or [`DEAD`].
    rank: u32,
    /// The lowest rank known to be reachable.
    low: u32,
    /// The marks of the edge to this node.
    entered: u32,
    /// The marks of edges in the SCC of this node.
    inside: u32,
}

#[inline(never)]
pub(super) fn search<G: SearchGraph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let all = property.all.unwrap_or_default();
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
                let open = Open { rank, low: rank, entered: marks, inside: 0 };
                walk.enter(graph, node, open, effort, || live.bytes())?;
            }
            let is_complete = match walk.next() {
                None => break,
                Some(Next::Edge(edge, true)) => {
                    entering = Some(edge);
                    false
                }
                Some(Next::Edge(edge, false)) => {
                    let here = &mut walk.last().expect("where the edge begins").data;
                    here.low = here.low.min(live.rank(edge.target));
                    here.inside |= edge.marks;
                    here.inside == all
                }
                Some(Next::Left(left)) if left.data.rank == DEAD => false,
                Some(Next::Left(left)) if left.data.low == left.data.rank => {
                    live.remove_since(left.data.rank).for_each(|node| walk.close(node));
                    false
                }
                Some(Next::Left(left)) => {
                    let parent = &mut walk.last().expect("what leads back is below").data;
                    parent.low = parent.low.min(left.data.low);
                    parent.inside |= left.data.inside | left.data.entered;
                    parent.inside == all
                }
            };
            if is_complete {
                // Every live node reaches the last one on the stack, so the live nodes that it
                // reaches are one SCC.
                let last = walk.last().expect("the node whose marks are complete").node;
                let visited = |node| !walk.is_new(node);
                let inside = |node| walk.status(node) == Status::Live;
                return lasso::extract_from(graph, &initial, visited, inside, last, all).map(Some);
            }
        }
    }
    Ok(None)
}
