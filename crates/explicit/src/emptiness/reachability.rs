//! The check for terminal automata: whoever reaches a terminal component can stay there, if only
//! the system can go on. Breadth-first, so that the way there is as short as can be; a cycle is
//! closed by going on inside the component.

use super::Property;
use super::walk::{Next, Walk, split_at_node};
use crate::bits::Bits;
use crate::graph::{Edge, Effort, Graph, Lasso};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

#[inline(never)]
pub(super) fn search<G: Graph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut queue = Vec::new();
    graph.initial(&mut queue)?;
    // Most edges lead to nodes that are known, which is all that is to be known about them then.
    let mut known = Bits::default();
    queue.retain(|node| known.insert(*node));
    // For each node in the queue the place of that from which it was reached; its own if initial.
    let mut parents: Vec<u32> = (0..queue.len() as u32).collect();
    let is_goal = |graph: &G, node| property.is_accepting(graph.location(node));
    effort.nodes = queue.len() as u64;
    let (mut next, mut level_end) = (0, queue.len());
    let mut edges: Vec<Edge> = Vec::new();
    let mut goal = queue.iter().position(|node| is_goal(graph, *node));
    while goal.is_none() && next < queue.len() {
        interrupt::poll();
        if next == level_end {
            effort.depth += 1;
            level_end = queue.len();
            graph.note_bytes(known.bytes() + 4 * (queue.capacity() + parents.capacity()));
        }
        edges.clear();
        let is_new = |node| !known.contains(node);
        effort.edges += graph.successors(queue[next], is_new, &mut edges)? as u64;
        for edge in &edges {
            if !known.insert(edge.target) {
                continue;
            }
            effort.nodes += 1;
            queue.push(edge.target);
            parents.push(next as u32);
            if is_goal(graph, edge.target) {
                goal = Some(queue.len() - 1);
                break;
            }
        }
        next += 1;
    }
    let Some(mut place) = goal else { return Ok(None) };
    let mut prefix = vec![queue[place]];
    while parents[place] as usize != place {
        place = parents[place] as usize;
        prefix.push(queue[place]);
    }
    prefix.reverse();
    go_on(graph, property, prefix).map(Some)
}

/// How far, and to how many nodes, a cycle is looked for where a walk does not come back.
const NEAR: usize = 64;
const MOST_NEARBY: usize = 4096;

/// Walks on inside the component in which the path ends, until a node comes back. If the graph cannot
/// be generated so far, a cycle is looked for nearby; if there is none, the path is all there is.
pub(crate) fn go_on<G: Graph>(
    graph: &mut G,
    property: &Property,
    mut path: Vec<u32>,
) -> Result<Lasso, G::Error> {
    let (length, mut here) = (path.len(), path.pop().expect("a path has nodes"));
    let component = property.component(graph.location(here));
    let mut places = FxHashMap::default();
    let mut edges = Vec::new();
    loop {
        interrupt::poll();
        if let Some(&start) = places.get(&here) {
            let cycle = path.split_off(start);
            return Ok(Lasso { prefix: path, cycle });
        }
        places.insert(here, path.len());
        path.push(here);
        edges.clear();
        if let Err(error) = graph.successors(here, |_| true, &mut edges) {
            path.truncate(length);
            return match graph.is_final(&error) {
                true => Ok(close_nearby(graph, component, property, path)),
                false => Err(error),
            };
        }
        let inside = |edge: &&Edge| property.component(graph.location(edge.target)) == component;
        here = edges.iter().find(inside).expect("a successor for each letter").target;
    }
}

/// Looks for a cycle inside the component not far from the end of the path, depth first.
fn close_nearby<G: Graph>(
    graph: &mut G,
    component: u32,
    property: &Property,
    mut path: Vec<u32>,
) -> Lasso {
    // Live are the nodes on the way.
    let mut walk = Walk::<()>::new();
    let mut entered = 0;
    let mut entering = path.last().copied();
    loop {
        if let Some(node) = entering.take() {
            entered += 1;
            walk.open(node);
            if walk.enter(graph, node, (), &mut Effort::default(), || 0).is_err() {
                break;
            }
        }
        let (edge, is_new) = match walk.next() {
            None => break,
            Some(Next::Left(left)) => {
                walk.close(left.node);
                continue;
            }
            Some(Next::Edge(edge, is_new)) => (edge, is_new),
        };
        if property.component(graph.location(edge.target)) != component {
            continue;
        }
        if !is_new {
            path.pop();
            path.extend(walk.nodes());
            let (prefix, cycle) = split_at_node(&path, edge.target);
            return Lasso { prefix: prefix.into(), cycle: cycle.into() };
        }
        if walk.depth() < NEAR && entered < MOST_NEARBY {
            entering = Some(edge.target);
        }
    }
    Lasso { prefix: path, cycle: vec![] }
}
