//! Candidate orders of marks.

use rustc_hash::FxHashSet;

/// The maximal number of orders to try: 5!, all orders of up to five marks.
pub(super) const MOST: usize = 120;

/// Returns at most `most` orders of `count` marks, starting with the natural one. For few marks
/// these are all permutations in lexicographic order. Otherwise they move one mark in the natural
/// order or its reverse.
pub(super) fn some(count: u32, most: usize) -> Vec<Vec<u32>> {
    let most = most.min(MOST);
    let natural: Vec<u32> = (0..count).collect();
    if count <= 5 {
        let permutations = std::iter::successors(Some(natural), |order| successor(order));
        return permutations.take(most).collect();
    }
    let reverse: Vec<u32> = (0..count).rev().collect();
    let count = count as usize;
    // With too many moves, skip some at regular distances.
    let step = (2 * count * count / most.max(1)).max(1);
    let moves = [&natural, &reverse].into_iter().flat_map(|base| {
        (0..count * count).step_by(step).map(move |code| {
            let mut order = base.clone();
            let mark = order.remove(code / count);
            order.insert(code % count, mark);
            order
        })
    });
    let mut seen = FxHashSet::default();
    let all = [natural.clone(), reverse.clone()].into_iter().chain(moves);
    all.filter(|order| seen.insert(order.clone())).take(most).collect()
}

/// Returns the next permutation in lexicographic order.
fn successor(order: &[u32]) -> Option<Vec<u32>> {
    let pivot = order.windows(2).rposition(|pair| pair[0] < pair[1])?;
    let mut next = order.to_vec();
    let swap = (pivot + 1..next.len()).rev().find(|&place| next[place] > next[pivot])?;
    next.swap(pivot, swap);
    next[pivot + 1..].reverse();
    Some(next)
}

/// Returns the listed marks below `count`, each once, followed by the others.
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
            assert_eq!(some(count, MOST).len(), wanted);
        }
        for count in 0..40 {
            let orders = some(count, MOST);
            assert!(orders.len() <= MOST && orders[0].is_sorted());
            assert_eq!(orders.iter().collect::<HashSet<_>>().len(), orders.len());
            for mut order in orders {
                order.sort_unstable();
                assert!(order.into_iter().eq(0..count));
            }
        }
    }

    #[test]
    fn the_natural_order_comes_first() {
        for count in 0..9 {
            assert_eq!(some(count, 1), [(0..count).collect::<Vec<_>>()]);
        }
    }

    #[test]
    fn lists_are_completed() {
        assert_eq!(completed(&[2, 7, 2], 4), [2, 0, 1, 3]);
    }
}
