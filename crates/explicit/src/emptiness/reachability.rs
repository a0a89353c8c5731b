//! The check for terminal automata: a run that reaches a terminal SCC can stay there, if the system
//! has no deadlock. Breadth-first, so that the prefix is shortest; the cycle is closed by
//! continuing inside the SCC.

use super::Property;
use super::walk::{Next, Walk, split_at_node};
use crate::bits::Bits;
use crate::graph::{Edge, Effort, Lasso, SearchGraph};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

#[inline(never)]
pub(super) fn search<G: SearchGraph>(
    graph: &mut G,
    property: &Property,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut queue = Vec::new();
    graph.initial(&mut queue)?;
    // Most edges lead to visited nodes, for which nothing else needs to be stored.
    let mut known = Bits::default();
    queue.retain(|node| known.insert(*node));
    // For each node in the queue, the index of its predecessor; its own index if initial.
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
            graph.report_bytes(known.bytes() + 4 * (queue.capacity() + parents.capacity()));
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
    extend_to_cycle(graph, property, prefix).map(Some)
}

/// The limits of the search for a cycle if a walk does not close one: depth and nodes.
const NEAR: usize = 64;
const MAX_NEARBY: usize = 4096;

/// Walks inside the SCC where the path ends, until a node repeats. If the graph cannot be generated
/// further, searches for a cycle nearby; if there is none, returns the path.
pub(crate) fn extend_to_cycle<G: SearchGraph>(
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

/// Searches depth-first for a cycle inside the SCC near the end of the path.
fn close_nearby<G: SearchGraph>(
    graph: &mut G,
    component: u32,
    property: &Property,
    mut path: Vec<u32>,
) -> Lasso {
    // Live nodes are on the DFS stack.
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
        if walk.depth() < NEAR && entered < MAX_NEARBY {
            entering = Some(edge.target);
        }
    }
    Lasso { prefix: path, cycle: vec![] }
}
