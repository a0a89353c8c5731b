//! Coordinates: each vertex as near to its neighbours as order and sizes allow.
//!
//! The placement of a layer minimizes the weighted sum of squared distances from the positions that
//! the neighbours suggest. Vertices keep a minimal distance. This is an isotonic regression, which
//! pooling adjacent violators solves exactly in linear time (Ayer et al. 1955). Sweeps in both
//! directions balance all layers. Links across several layers have more weight, so that they are
//! straight.

use super::layers::Layered;

/// The minimal distance between neighbours in a layer.
const NODE_GAP: f64 = 22.0;
const LINK_GAP: f64 = 8.0;
/// The minimal and the maximal distance between layers.
const LAYER_GAP: f64 = 20.0;
const WIDEST_GAP: f64 = 110.0;

/// The coordinates of all vertices.
pub(super) struct Places {
    /// The height of each vertex.
    pub(super) y: Vec<f64>,
    /// The horizontal range of each layer, and its axis, on which nodes are centred.
    pub(super) columns: Vec<Column>,
}

/// The horizontal extent of a layer.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) left: f64,
    pub(super) axis: f64,
    pub(super) right: f64,
}

/// Places the vertices of an ordered graph.
pub(super) fn place(graph: &Layered) -> Places {
    let y = heights(graph);
    let columns = columns(graph, &y);
    Places { y, columns }
}

fn heights(graph: &Layered) -> Vec<f64> {
    let mut y = vec![0.0; graph.vertices.len()];
    let distances: Vec<Vec<f64>> = graph.layers.iter().map(|l| distances(graph, l)).collect();
    for (layer, distances) in graph.layers.iter().zip(&distances) {
        // Initially each layer is centred.
        let mut at = -distances.iter().sum::<f64>() / 2.0;
        for (number, &vertex) in layer.iter().enumerate() {
            at += if number > 0 { distances[number] } else { 0.0 };
            y[vertex] = at;
        }
    }
    let count = graph.layers.len();
    let sweeps = if graph.vertices.len() <= 5000 { 60 } else { 8 };
    for sweep in 0..sweeps {
        // The first sweeps use one side, which untangles; the last ones both sides, which balances.
        let both = sweep >= sweeps / 2;
        for step in 0..count {
            let rightwards = sweep % 2 == 0;
            let layer = if rightwards { step } else { count - 1 - step };
            place_layer(graph, layer, &distances[layer], (both, rightwards), &mut y);
        }
    }
    y
}

/// Returns the minimal distance of each vertex of a layer from the one above it; 0 for the first.
fn distances(graph: &Layered, layer: &[usize]) -> Vec<f64> {
    let mut distances = vec![0.0; layer.len()];
    for (number, pair) in layer.windows(2).enumerate() {
        let (upper, lower) = (&graph.vertices[pair[0]], &graph.vertices[pair[1]]);
        let gap = if upper.is_node && lower.is_node { NODE_GAP } else { LINK_GAP };
        distances[number + 1] = upper.extent.down + gap + lower.extent.up;
    }
    distances
}

fn place_layer(
    graph: &Layered,
    layer: usize,
    distances: &[f64],
    (both, rightwards): (bool, bool),
    y: &mut [f64],
) {
    let mut wishes = vec![];
    let mut offset = 0.0;
    for (number, &vertex) in graph.layers[layer].iter().enumerate() {
        offset += distances[number];
        let v = &graph.vertices[vertex];
        let (mut sum, mut weight) = (0.0, 0.0);
        let sides = [(&v.before, both || rightwards), (&v.after, both || !rightwards)];
        for &neighbour in sides.iter().filter(|side| side.1).flat_map(|side| side.0) {
            let straight = !v.is_node && !graph.vertices[neighbour as usize].is_node;
            let w = if straight { 8.0 } else { 1.0 };
            sum += w * y[neighbour as usize];
            weight += w;
        }
        // Vertices without neighbours on that side prefer their position, with a low weight.
        let wish = if weight > 0.0 { (sum / weight, weight) } else { (y[vertex], 0.1) };
        wishes.push((wish.0 - offset, wish.1));
    }
    let mut offset = 0.0;
    for (number, at) in isotonic(&wishes).into_iter().enumerate() {
        offset += distances[number];
        y[graph.layers[layer][number]] = at + offset;
    }
}

/// Returns the ascending sequence nearest to the values, by weighted squares.
pub(super) fn isotonic(values: &[(f64, f64)]) -> Vec<f64> {
    // Blocks of equal results: mean, weight, length.
    let mut blocks: Vec<(f64, f64, usize)> = vec![];
    for &(value, weight) in values {
        let mut block = (value, weight, 1);
        while let Some(&(mean, w, length)) = blocks.last().filter(|last| last.0 > block.0) {
            let total = w + block.1;
            block = ((mean * w + block.0 * block.1) / total, total, length + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    blocks.into_iter().flat_map(|(mean, _, length)| std::iter::repeat_n(mean, length)).collect()
}

fn columns(graph: &Layered, y: &[f64]) -> Vec<Column> {
    let mut columns: Vec<Column> = vec![];
    for layer in &graph.layers {
        let extents = || layer.iter().map(|vertex| graph.vertices[*vertex].extent);
        let left = extents().map(|e| e.left).fold(0.0, f64::max);
        let right = extents().map(|e| e.right).fold(0.0, f64::max);
        let start = match columns.last() {
            Some(last) => last.right + gap(graph, layer, y),
            None => 0.0,
        };
        columns.push(Column { left: start, axis: start + left, right: start + left + right });
    }
    columns
}

/// Returns the distance of a layer from the one on its left: more if links are steep between them.
fn gap(graph: &Layered, layer: &[usize], y: &[f64]) -> f64 {
    let steepest = layer
        .iter()
        .flat_map(|&vertex| {
            let before = graph.vertices[vertex].before.iter();
            before.map(move |neighbour| (y[vertex] - y[*neighbour as usize]).abs())
        })
        .fold(0.0, f64::max);
    (LAYER_GAP + 0.28 * steepest).min(WIDEST_GAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn isotonic_regression_is_optimal(
            values in prop::collection::vec((-50i32..50, 1u8..5), 1..9)
        ) {
            let values: Vec<(f64, f64)> =
                values.into_iter().map(|(v, w)| (f64::from(v), f64::from(w))).collect();
            let found = isotonic(&values);
            prop_assert!(found.windows(2).all(|pair| pair[0] <= pair[1]));
            // The min-max formula: the result at i is the maximum over starts, of the minimum over
            // ends, of the mean of an interval that contains i.
            for (i, found) in found.into_iter().enumerate() {
                let mean = |l: usize, r: usize| {
                    let weight: f64 = values[l..=r].iter().map(|v| v.1).sum();
                    values[l..=r].iter().map(|v| v.0 * v.1).sum::<f64>() / weight
                };
                let best = (0..=i)
                    .map(|l| (i..values.len()).map(|r| mean(l, r)).fold(f64::INFINITY, f64::min))
                    .fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((found - best).abs() < 1e-9);
            }
        }
    }
}
