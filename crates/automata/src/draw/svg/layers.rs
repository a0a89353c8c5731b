//! Layers: states from left to right, labels between them, and edges as chains.
//!
//! The first two steps of Sugiyama, Tagawa and Toda (1981). Some links are reversed to remove all
//! cycles. A state gets the layer of its longest incoming path. A link across several layers
//! becomes a chain of vertices, one per layer. States have even layers; odd ones are for labels, so
//! the layout treats labels as vertices with a size. Linear in the number of vertices.

use crate::Error;
use std::collections::VecDeque;

/// The maximal number of vertices of a layout: states, labels and bends together.
const MAX_VERTICES: usize = 400_000;

/// The distances of a shape's borders from its centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Extent {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) up: f64,
    pub(super) down: f64,
}

/// The input of the layout: nodes, and links between different nodes.
pub(super) struct Graph {
    pub(super) nodes: Vec<Extent>,
    /// The leftmost nodes.
    pub(super) roots: Vec<usize>,
    pub(super) links: Vec<Link>,
}

/// A link, with the extent of its label around the curve.
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: Extent,
}

/// A vertex of the layered graph: nodes come first, then labels and bends.
pub(super) struct Vertex {
    pub(super) layer: usize,
    pub(super) extent: Extent,
    pub(super) is_node: bool,
    /// The neighbours in the layer to the left and to the right.
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
}

/// The vertices of a link from left to right, including both ends.
pub(super) struct Chain {
    pub(super) vertices: Vec<usize>,
    /// The vertex of the label.
    pub(super) label: usize,
    /// True if the link leads from right to left.
    pub(super) reversed: bool,
}

/// The graph in layers.
pub(super) struct Layered {
    pub(super) vertices: Vec<Vertex>,
    /// The chain of each link.
    pub(super) chains: Vec<Chain>,
    /// The vertices of each layer from top to bottom.
    pub(super) layers: Vec<Vec<usize>>,
}

impl Layered {
    /// Assigns layers. Fails if the layout needs too many vertices.
    pub(super) fn new(graph: &Graph) -> Result<Self, Error> {
        // Depth-first search reverses few links, but its paths get long in large components.
        // Breadth-first search gives better pictures there.
        let candidates = [depth_first(graph), breadth_first(graph)].map(|reversed| {
            let layer = longest_paths(graph, &reversed);
            let span: usize = graph.links.iter().map(|l| layer[l.from].abs_diff(layer[l.to])).sum();
            let backwards = reversed.iter().filter(|r| **r).count();
            (span + 2 * backwards, span, reversed, layer)
        });
        let [first, second] = candidates;
        let (_, span, reversed, layer) = if first.0 <= second.0 { first } else { second };
        if span.saturating_mul(2) + graph.nodes.len() > MAX_VERTICES {
            return Err(Error::new(
                "the automaton has too many long edges to be drawn as SVG: \
                 use DOT, or show fewer states",
            ));
        }
        Ok(Self::chained(graph, &reversed, &layer))
    }

    fn chained(graph: &Graph, reversed: &[bool], layer: &[usize]) -> Self {
        let vertex = |layer, extent, is_node| Vertex {
            layer,
            extent,
            is_node,
            before: vec![],
            after: vec![],
        };
        let mut vertices: Vec<Vertex> =
            graph.nodes.iter().zip(layer).map(|(e, l)| vertex(2 * l, *e, true)).collect();
        let bend = Extent { up: 4.0, down: 4.0, ..Extent::default() };
        let mut chains = vec![];
        for (link, &reversed) in graph.links.iter().zip(reversed) {
            let (left, right) = if reversed { (link.to, link.from) } else { (link.from, link.to) };
            let middle = (layer[left] + layer[right]) / 2;
            let label_layer = if middle == layer[right] { 2 * middle - 1 } else { 2 * middle + 1 };
            let mut chain = Chain { vertices: vec![left], label: 0, reversed };
            for layer in 2 * layer[left] + 1..2 * layer[right] {
                if layer == label_layer {
                    chain.label = vertices.len();
                    vertices.push(vertex(layer, link.label, false));
                } else {
                    vertices.push(vertex(layer, bend, false));
                }
                chain.vertices.push(vertices.len() - 1);
            }
            chain.vertices.push(right);
            for pair in chain.vertices.windows(2) {
                vertices[pair[0]].after.push(pair[1] as u32);
                vertices[pair[1]].before.push(pair[0] as u32);
            }
            chains.push(chain);
        }
        let count = vertices.iter().map(|v| v.layer + 1).max().unwrap_or(0);
        let mut layers = vec![vec![]; count];
        for (place, vertex) in vertices.iter().enumerate() {
            layers[vertex.layer].push(place);
        }
        Layered { vertices, chains, layers }
    }
}

/// Returns the outgoing links of each node.
fn outgoing(graph: &Graph) -> Vec<Vec<usize>> {
    let mut outgoing = vec![vec![]; graph.nodes.len()];
    for (place, link) in graph.links.iter().enumerate() {
        outgoing[link.from].push(place);
    }
    outgoing
}

/// Reverses the links that close a cycle in a depth-first search from the roots.
fn depth_first(graph: &Graph) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let outgoing = outgoing(graph);
    let mut visits = vec![Visit::New; graph.nodes.len()];
    let mut reversed = vec![false; graph.links.len()];
    let mut stack: Vec<(usize, usize)> = vec![];
    for root in graph.roots.iter().copied().chain(0..graph.nodes.len()) {
        if visits[root] == Visit::New {
            visits[root] = Visit::Open;
            stack.push((root, 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            let Some(&link) = outgoing[*node].get(*next) else {
                visits[*node] = Visit::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let target = graph.links[link].to;
            match visits[target] {
                Visit::New => {
                    visits[target] = Visit::Open;
                    stack.push((target, 0));
                }
                Visit::Open => reversed[link] = true,
                Visit::Done => {}
            }
        }
    }
    reversed
}

/// Reverses the links that lead backwards in breadth-first order from the roots.
fn breadth_first(graph: &Graph) -> Vec<bool> {
    let outgoing = outgoing(graph);
    let mut found = vec![usize::MAX; graph.nodes.len()];
    let mut count = 0;
    let mut queue: VecDeque<usize> = VecDeque::new();
    let mut find = |node: usize, queue: &mut VecDeque<usize>| {
        if found[node] == usize::MAX {
            found[node] = count;
            count += 1;
            queue.push_back(node);
        }
    };
    // All roots come first, because all are on the left.
    graph.roots.iter().for_each(|root| find(*root, &mut queue));
    for root in 0..=graph.nodes.len() {
        while let Some(node) = queue.pop_front() {
            outgoing[node].iter().for_each(|link| find(graph.links[*link].to, &mut queue));
        }
        if root < graph.nodes.len() {
            find(root, &mut queue);
        }
    }
    graph.links.iter().map(|link| found[link.to] < found[link.from]).collect()
}

/// Returns the layer of each node: leftmost by its predecessors, then further right if that
/// shortens its links.
fn longest_paths(graph: &Graph, reversed: &[bool]) -> Vec<usize> {
    let count = graph.nodes.len();
    let (mut before, mut after) = (vec![vec![]; count], vec![vec![]; count]);
    for (link, &reversed) in graph.links.iter().zip(reversed) {
        let (left, right) = if reversed { (link.to, link.from) } else { (link.from, link.to) };
        after[left].push(right);
        before[right].push(left);
    }
    let mut missing: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..count).filter(|node| missing[*node] == 0).collect();
    let mut layer = vec![0; count];
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &target in &after[node] {
            layer[target] = layer[target].max(layer[node] + 1);
            missing[target] -= 1;
            if missing[target] == 0 {
                order.push(target);
            }
        }
    }
    for &node in order.iter().rev() {
        if after[node].len() > before[node].len() {
            let nearest = after[node].iter().map(|target| layer[*target] - 1).min();
            layer[node] = nearest.unwrap_or(layer[node]);
        }
    }
    // Empty layers on the left are not drawn.
    let first = layer.iter().copied().min().unwrap_or(0);
    layer.iter().map(|layer| layer - first).collect()
}
