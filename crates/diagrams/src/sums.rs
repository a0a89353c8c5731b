//! Selection of tuples by a linear expression: its value must be in a range.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use crate::nodes::{EMPTY, Edge, NodeId};
use crate::set::Set;
use crate::store::Store;

/// The query, and the results so far.
struct Sums {
    /// The bounds of the whole sum.
    range: RangeInclusive<i64>,
    /// The least and the greatest sum below a node.
    extents: FxHashMap<NodeId, (i64, i64)>,
    /// The restriction of a node, given the sum above it.
    parts: FxHashMap<(NodeId, i64), NodeId>,
}

impl<'f> Set<'f> {
    /// Returns the tuples whose weighted sum is in `range`; the factors are given with descending
    /// levels. The cost is that of the diagram times the number of different sums, independent of
    /// the number of tuples.
    ///
    /// # Panics
    /// If the levels are not descending, or are not levels of the set.
    #[must_use]
    pub fn with_sum(&self, factors: &[(u32, i64)], range: RangeInclusive<i64>) -> Set<'f> {
        let levels: Vec<u32> = factors.iter().map(|(level, _)| *level).collect();
        self.check_levels(&levels);
        self.manager().handle(self.arity(), |store| {
            let held = store.protected.len();
            let mut sums =
                Sums { range, extents: FxHashMap::default(), parts: FxHashMap::default() };
            let result = store.with_sum(&mut sums, self.root, self.arity(), factors, 0);
            store.protected.truncate(held);
            result
        })
    }
}

impl Store<'_> {
    /// Returns the part of a node with a total sum in range; `sum` is the sum over the levels
    /// above. `factors` are those of this level and below.
    fn with_sum(
        &mut self,
        sums: &mut Sums,
        node: NodeId,
        level: u32,
        factors: &[(u32, i64)],
        sum: i64,
    ) -> NodeId {
        if node == EMPTY {
            return EMPTY;
        }
        let (least, most) = self.extent(sums, node, level, factors);
        if sum + least > *sums.range.end() || sum + most < *sums.range.start() {
            return EMPTY;
        }
        if sums.range.contains(&(sum + least)) && sums.range.contains(&(sum + most)) {
            return node;
        }
        if let Some(&part) = sums.parts.get(&(node, sum)) {
            return part;
        }
        let (factor, rest) = at(level, factors);
        let base = self.scratch.len();
        self.put_children(node, |store, Edge { value, child }| {
            let sum = sum + factor * i64::from(value);
            store.with_sum(sums, child, level - 1, rest, sum)
        });
        let part = self.make(base);
        // Cached nodes must not be collected.
        self.protected.push(part);
        sums.parts.insert((node, sum), part);
        part
    }

    /// Returns the least and the greatest sum of a nonempty node.
    fn extent(
        &mut self,
        sums: &mut Sums,
        node: NodeId,
        level: u32,
        factors: &[(u32, i64)],
    ) -> (i64, i64) {
        if factors.is_empty() {
            return (0, 0);
        }
        if let Some(&extent) = sums.extents.get(&node) {
            return extent;
        }
        let (factor, rest) = at(level, factors);
        let mut extent = (i64::MAX, i64::MIN);
        for i in 0..self.nodes.degree(node) {
            let Edge { value, child } = self.nodes.edge(node, i);
            let here = factor * i64::from(value);
            let (least, most) = self.deeper(|store| store.extent(sums, child, level - 1, rest));
            extent = (extent.0.min(here + least), extent.1.max(here + most));
        }
        sums.extents.insert(node, extent);
        extent
    }
}

/// Returns the factor of a level, and those below.
fn at(level: u32, factors: &[(u32, i64)]) -> (i64, &[(u32, i64)]) {
    match factors {
        [(here, factor), rest @ ..] if *here == level => (*factor, rest),
        _ => (0, factors),
    }
}
