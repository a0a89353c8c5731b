//! The check for weak automata: one depth-first search for a cycle whose nodes belong to an
//! accepting SCC of the automaton (Černá, Pelánek 2003). Linear, without marks.

use super::Property;
use super::walk::{Next, Walk, split_at_node};
use crate::graph::{Effort, Lasso, SearchGraph};

#[inline(never)]
pub(super) fn search<G: SearchGraph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    // Live nodes are on the DFS stack and in an accepting SCC of the automaton.
    let mut walk = Walk::<()>::new();
    for start in initial {
        let mut entering = walk.is_new(start).then_some(start);
        loop {
            if let Some(node) = entering.take() {
                // A cycle stays in one SCC of the automaton.
                let is_accepting = property.is_accepting(graph.location(node));
                walk.open_or_close(node, is_accepting);
                effort.nodes += 1;
                walk.enter(graph, node, (), effort, || 0)?;
            }
            match walk.next() {
                None => break,
                Some(Next::Left(frame)) => walk.close(frame.node),
                Some(Next::Edge(edge, true)) => entering = Some(edge.target),
                Some(Next::Edge(edge, false)) => {
                    let nodes = walk.nodes();
                    let (prefix, cycle) = split_at_node(&nodes, edge.target);
                    return Ok(Some(Lasso { prefix: prefix.into(), cycle: cycle.into() }));
                }
            }
        }
    }
    Ok(None)
}
