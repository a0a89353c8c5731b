//! The check for weak automata: one depth-first search for any cycle whose nodes belong to an
//! accepting component of the automaton (Černá, Pelánek 2003). Linear, and needs no marks.

use super::Property;
use super::walk::{Next, Value, Walk, split_at_node};
use crate::graph::{Effort, Graph, Lasso};

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Colour {
    #[default]
    New,
    /// On the way, in an accepting component of the automaton.
    Open,
    Closed,
}

impl Value for Colour {
    const DONE: Colour = Colour::Closed;
}

pub(super) fn search<G: Graph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let mut walk = Walk::<Colour>::new();
    for start in initial {
        let mut entering = (walk.value(start) == Colour::New).then_some(start);
        loop {
            if let Some(node) = entering.take() {
                // A cycle stays in one component of the automaton.
                let is_accepting = property.is_accepting(graph.location(node));
                walk.set(node, if is_accepting { Colour::Open } else { Colour::Closed });
                effort.nodes += 1;
                walk.enter(graph, node, (), effort, || 0)?;
            }
            match walk.next() {
                None => break,
                Some(Next::Left(frame)) => walk.set(frame.node, Colour::Closed),
                Some(Next::Edge(edge)) => match walk.value(edge.target) {
                    Colour::New => entering = Some(edge.target),
                    Colour::Open => {
                        let nodes = walk.nodes();
                        let (prefix, cycle) = split_at_node(&nodes, edge.target);
                        return Ok(Some(Lasso { prefix: prefix.into(), cycle: cycle.into() }));
                    }
                    Colour::Closed => {}
                },
            }
        }
    }
    Ok(None)
}
