//! The check for weak automata: one depth-first search for any cycle whose nodes belong to an
//! accepting component of the automaton (Černá, Pelánek 2003). Linear, and needs no marks.

use super::Property;
use crate::graph::{Edge, Effort, Graph, Lasso};
use sempre_ltl::interrupt;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    New,
    /// On the stack.
    Open,
    Closed,
}

struct Frame {
    node: u32,
    /// Where the edges of this node begin that are still to be followed; they are at the end.
    edges: usize,
}

pub(super) fn search<G: Graph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let mut colours: Vec<Colour> = Vec::new();
    let colour =
        |colours: &[Colour], node: u32| colours.get(node as usize).copied().unwrap_or(Colour::New);
    let mut frames: Vec<Frame> = Vec::new();
    let mut edges: Vec<Edge> = Vec::new();
    for start in initial {
        if colour(&colours, start) != Colour::New {
            continue;
        }
        let mut entering = Some(start);
        loop {
            if let Some(node) = entering.take() {
                interrupt::poll();
                if colours.len() <= node as usize {
                    colours.resize((node as usize + 1).max(colours.len() * 3 / 2), Colour::New);
                }
                colours[node as usize] = Colour::Open;
                let from = edges.len();
                frames.push(Frame { node, edges: from });
                effort.nodes += 1;
                effort.depth = effort.depth.max(frames.len() as u64);
                graph.successors(node, &mut edges)?;
                effort.edges += (edges.len() - from) as u64;
            }
            let Some(frame) = frames.last() else { break };
            if edges.len() == frame.edges {
                colours[frame.node as usize] = Colour::Closed;
                frames.pop();
                continue;
            }
            let target = edges.pop().expect("edges that belong to the frame").target;
            match colour(&colours, target) {
                Colour::New => entering = Some(target),
                // A cycle stays in one component of the automaton.
                Colour::Open if property.strength(graph.location(target)).is_accepting() => {
                    let nodes: Vec<u32> = frames.iter().map(|frame| frame.node).collect();
                    let start = nodes.iter().position(|node| *node == target);
                    let (prefix, cycle) = nodes.split_at(start.expect("a node on the stack"));
                    return Ok(Some(Lasso { prefix: prefix.to_vec(), cycle: cycle.to_vec() }));
                }
                Colour::Open | Colour::Closed => {}
            }
        }
    }
    Ok(None)
}
