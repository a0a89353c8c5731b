//! The order of vertices within layers, with few crossings.
//!
//! Barycentre sweeps in both directions (Sugiyama, Tagawa and Toda 1981). In small graphs,
//! exchanges of neighbours follow each sweep while they help (Gansner, Koutsofios, North and Vo
//! 1993). The best order wins. A sweep and a count of crossings take `O(v log v)` each.

use super::layers::Layered;

/// The maximal number of vertices for exchanges and extra sweeps.
const SMALL: usize = 1500;

/// Orders the vertices of each layer.
pub(super) fn reduce_crossings(graph: &mut Layered) {
    let small = graph.vertices.len() <= SMALL;
    let mut place = vec![0; graph.vertices.len()];
    start(graph);
    renumber(graph, &mut place);
    let mut best = (crossings(graph, &place), graph.layers.clone());
    for sweep in 0..if small { 24 } else { 6 } {
        if best.0 == 0 {
            break;
        }
        let rightwards = sweep % 2 == 0;
        let count = graph.layers.len();
        for step in 1..count {
            let layer = if rightwards { step } else { count - 1 - step };
            sort_by_barycentre(graph, &mut place, layer, rightwards);
        }
        if small {
            exchange(graph, &mut place);
        }
        let now = crossings(graph, &place);
        if now < best.0 {
            best = (now, graph.layers.clone());
        }
    }
    graph.layers = best.1;
}

/// Sets the order in which a search from the left finds the vertices.
fn start(graph: &mut Layered) {
    let mut seen = vec![false; graph.vertices.len()];
    let mut layers = vec![vec![]; graph.layers.len()];
    let roots = graph.layers.iter().flatten().copied();
    let mut stack = vec![];
    for root in roots {
        stack.push(root);
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut seen[vertex], true) {
                layers[graph.vertices[vertex].layer].push(vertex);
                stack.extend(graph.vertices[vertex].after.iter().rev().map(|v| *v as usize));
            }
        }
    }
    graph.layers = layers;
}

fn renumber(graph: &Layered, place: &mut [usize]) {
    for layer in &graph.layers {
        layer.iter().enumerate().for_each(|(number, vertex)| place[*vertex] = number);
    }
}

fn sort_by_barycentre(graph: &mut Layered, place: &mut [usize], layer: usize, rightwards: bool) {
    let mut keyed: Vec<(f64, usize)> = graph.layers[layer]
        .iter()
        .map(|&vertex| {
            let v = &graph.vertices[vertex];
            let neighbours = if rightwards { &v.before } else { &v.after };
            let sum: usize = neighbours.iter().map(|n| place[*n as usize]).sum();
            let key = match neighbours.len() {
                0 => place[vertex] as f64,
                count => sum as f64 / count as f64,
            };
            (key, vertex)
        })
        .collect();
    keyed.sort_by(|l, r| l.0.total_cmp(&r.0));
    for (number, (_, vertex)) in keyed.into_iter().enumerate() {
        graph.layers[layer][number] = vertex;
        place[vertex] = number;
    }
}

/// Exchanges neighbours in a layer while that removes crossings.
fn exchange(graph: &mut Layered, place: &mut [usize]) {
    for _ in 0..4 {
        let mut better = false;
        for layer in 0..graph.layers.len() {
            for number in 1..graph.layers[layer].len() {
                let (upper, lower) = (graph.layers[layer][number - 1], graph.layers[layer][number]);
                let (u, l) = (&graph.vertices[upper], &graph.vertices[lower]);
                let now = pairs(&u.before, &l.before, place) + pairs(&u.after, &l.after, place);
                let then = pairs(&l.before, &u.before, place) + pairs(&l.after, &u.after, place);
                if then < now {
                    graph.layers[layer].swap(number - 1, number);
                    place.swap(upper, lower);
                    better = true;
                }
            }
        }
        if !better {
            break;
        }
    }
}

/// Counts the crossings between the links of a vertex and those of a vertex below it.
fn pairs(upper: &[u32], lower: &[u32], place: &[usize]) -> usize {
    let mut upper: Vec<usize> = upper.iter().map(|v| place[*v as usize]).collect();
    upper.sort_unstable();
    lower.iter().map(|v| upper.len() - upper.partition_point(|u| *u <= place[*v as usize])).sum()
}

/// Counts all crossings as inversions with a Fenwick tree (Barth, Jünger and Mutzel 2002).
fn crossings(graph: &Layered, place: &[usize]) -> usize {
    let mut total = 0;
    for (layer, next) in graph.layers.iter().zip(graph.layers.iter().skip(1)) {
        let mut tree = vec![0usize; next.len() + 1];
        let mut seen = 0;
        for &vertex in layer {
            let mut targets: Vec<usize> =
                graph.vertices[vertex].after.iter().map(|v| place[*v as usize]).collect();
            targets.sort_unstable();
            for &target in &targets {
                let (mut i, mut not_below) = (target + 1, 0);
                while i > 0 {
                    not_below += tree[i];
                    i &= i - 1;
                }
                total += seen - not_below;
            }
            for &target in &targets {
                let mut i = target + 1;
                while i < tree.len() {
                    tree[i] += 1;
                    i += i & i.wrapping_neg();
                }
            }
            seen += targets.len();
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::super::layers::{Extent, Graph, Link};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn crossings_are_those_of_all_pairs(
            links in prop::collection::vec((0usize..8, 0usize..8), 0..20)
        ) {
            let links = links.into_iter().filter(|(from, to)| from != to);
            let label = Extent::default();
            let links = links.map(|(from, to)| Link { from, to, label }).collect();
            let graph = Graph { nodes: vec![label; 8], roots: vec![0], links };
            let mut layered = Layered::new(&graph).unwrap();
            let mut place = vec![0; layered.vertices.len()];
            start(&mut layered);
            renumber(&layered, &mut place);
            let mut all = 0;
            for layer in &layered.layers {
                for (number, upper) in layer.iter().enumerate() {
                    for lower in &layer[number + 1..] {
                        let after = |v: usize| &layered.vertices[v].after;
                        all += pairs(after(*upper), after(*lower), &place);
                    }
                }
            }
            prop_assert_eq!(crossings(&layered, &place), all);
            reduce_crossings(&mut layered);
            renumber(&layered, &mut place);
            prop_assert!(crossings(&layered, &place) <= all);
        }
    }
}
