//! Orders of marks to be tried.

use rustc_hash::FxHashSet;

/// How many orders are tried at most: 5!, all of up to five marks.
const MOST: usize = 120;

/// All orders of so many marks, or [`MOST`] of them, beginning with the natural one: all
/// permutations in lexicographic order as long as there are few. Of more, those that come from the
/// natural one and from its reverse by moving one mark to another place.
pub(super) fn all(count: u32) -> Vec<Vec<u32>> {
    let natural: Vec<u32> = (0..count).collect();
    if count <= 5 {
        let mut orders = vec![natural];
        while let Some(next) = orders.last().and_then(|order| successor(order)) {
            orders.push(next);
        }
        return orders;
    }
    let mut reverse = natural.clone();
    reverse.reverse();
    let mut orders = vec![natural, reverse];
    // Of many marks only some are moved, so that every part of the order has its turn.
    let step = (2 * count as usize * count as usize / MOST).max(1);
    for base in 0..2 {
        for code in (0..count as usize * count as usize).step_by(step) {
            let (from, to) = (code / count as usize, code % count as usize);
            let mut order = orders[base].clone();
            let mark = order.remove(from);
            order.insert(to, mark);
            orders.push(order);
        }
    }
    let mut seen = FxHashSet::default();
    orders.retain(|order| seen.insert(order.clone()));
    orders.truncate(MOST);
    orders
}

/// The next permutation in lexicographic order.
fn successor(order: &[u32]) -> Option<Vec<u32>> {
    let pivot = order.windows(2).rposition(|pair| pair[0] < pair[1])?;
    let mut next = order.to_vec();
    let swap = (pivot + 1..next.len()).rev().find(|&place| next[place] > next[pivot])?;
    next.swap(pivot, swap);
    next[pivot + 1..].reverse();
    Some(next)
}

/// The listed marks below `count`, each once, and after them the others.
pub(super) fn completed(listed: &[u32], count: u32) -> Vec<u32> {
    let mut order: Vec<u32> = vec![];
    for mark in listed.iter().copied().chain(0..count) {
        if mark < count && !order.contains(&mark) {
            order.push(mark);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn orders_are_distinct_permutations() {
        for (count, wanted) in [(0, 1), (1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
            assert_eq!(all(count).len(), wanted);
        }
        for count in 0..40 {
            let orders = all(count);
            assert!(orders.len() <= MOST && orders[0].is_sorted());
            assert_eq!(orders.iter().collect::<HashSet<_>>().len(), orders.len());
            for mut order in orders {
                order.sort_unstable();
                assert!(order.into_iter().eq(0..count));
            }
        }
    }

    #[test]
    fn lists_are_completed() {
        assert_eq!(completed(&[2, 7, 2], 4), [2, 0, 1, 3]);
    }
}
