//! Extracts accepting lassos from visited nodes: a shortest path to an SCC, then paths inside it
//! through all marks. Each path is a breadth-first search.

use crate::graph::{Edge, Lasso, SearchGraph};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// Returns a lasso whose cycle stays `inside` a strongly connected set of nodes and sees all these
/// marks.
pub(super) fn extract<G: SearchGraph>(
    graph: &mut G,
    initial: &[u32],
    visited: impl Fn(u32) -> bool,
    inside: impl Fn(u32) -> bool,
    all: u32,
) -> Result<Lasso, G::Error> {
    let prefix = match initial.iter().find(|node| inside(**node)) {
        Some(&node) => vec![node],
        None => path(graph, initial, |e| visited(e.target), |e| inside(e.target))?,
    };
    close_cycle(graph, prefix, inside, all)
}

/// As [`extract`], for a cycle through a node reachable from this one `inside`; all of these must
/// reach it.
pub(super) fn extract_from<G: SearchGraph>(
    graph: &mut G,
    initial: &[u32],
    visited: impl Fn(u32) -> bool,
    inside: impl Fn(u32) -> bool,
    node: u32,
    all: u32,
) -> Result<Lasso, G::Error> {
    let prefix = match initial.contains(&node) {
        true => vec![node],
        false => path(graph, initial, |e| visited(e.target), |e| e.target == node)?,
    };
    close_cycle(graph, prefix, inside, all)
}

/// Completes a path whose last node begins a cycle.
fn close_cycle<G: SearchGraph>(
    graph: &mut G,
    mut prefix: Vec<u32>,
    inside: impl Fn(u32) -> bool,
    all: u32,
) -> Result<Lasso, G::Error> {
    let entry = prefix.pop().expect("a path has nodes");
    let mut cycle = vec![entry];
    let mut missing = all;
    loop {
        let here = *cycle.last().expect("the entry");
        if missing == 0 && here == entry && cycle.len() > 1 {
            cycle.pop();
            return Ok(Lasso { prefix, cycle });
        }
        let mut seen = 0;
        let leg = path(
            graph,
            &[here],
            |edge| inside(edge.target),
            |edge| match missing {
                0 => edge.target == entry,
                _ => {
                    seen = edge.marks;
                    edge.marks & missing != 0
                }
            },
        )?;
        missing &= !seen;
        cycle.extend(&leg[1..]);
    }
}

/// Returns the nodes of a shortest path of at least one edge from one of the starts to a goal, by
/// admitted edges; one must exist.
pub(super) fn path<G: SearchGraph>(
    graph: &mut G,
    starts: &[u32],
    admitted: impl Fn(Edge) -> bool,
    mut goal: impl FnMut(Edge) -> bool,
) -> Result<Vec<u32>, G::Error> {
    let mut parents: FxHashMap<u32, u32> = starts.iter().map(|node| (*node, *node)).collect();
    let mut queue = starts.to_vec();
    let (mut next, mut edges) = (0, Vec::new());
    loop {
        interrupt::poll();
        let node = *queue.get(next).expect("the component can be reached");
        next += 1;
        edges.clear();
        graph.successors(node, |_| true, &mut edges)?;
        for &edge in &edges {
            if !admitted(edge) {
                continue;
            }
            if goal(edge) {
                let mut path = vec![edge.target, node];
                let mut here = node;
                while parents[&here] != here {
                    here = parents[&here];
                    path.push(here);
                }
                path.reverse();
                return Ok(path);
            }
            parents.entry(edge.target).or_insert_with(|| {
                queue.push(edge.target);
                node
            });
        }
    }
}
