//! Small sets of states with fast comparisons.

use smallvec::SmallVec;

/// States of the alternating automaton by number.
///
/// A list of ascending numbers, and bits by number modulo 64, which decide most comparisons.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct States {
    bits: u64,
    list: SmallVec<[u32; 4]>,
}

fn bit(state: u32) -> u64 {
    1 << (state % 64)
}

impl States {
    pub(super) fn one(state: u32) -> Self {
        States { bits: bit(state), list: SmallVec::from_slice(&[state]) }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.list.iter().copied()
    }

    pub(super) fn contains(&self, state: u32) -> bool {
        let exact = state < 64 && self.is_exact();
        self.bits & bit(state) != 0 && (exact || self.list.binary_search(&state).is_ok())
    }

    /// True if the bits are exact: all states are below 64.
    fn is_exact(&self) -> bool {
        self.list.last().is_none_or(|&last| last < 64)
    }

    pub(super) fn is_subset(&self, other: &States) -> bool {
        if self.bits & !other.bits != 0 || self.len() > other.len() {
            return false;
        }
        let mut rest = other.list.iter();
        other.is_exact() && self.is_exact()
            || self.list.iter().all(|state| rest.any(|other| other == state))
    }

    pub(super) fn union(&self, other: &States) -> States {
        if other.is_subset(self) {
            return self.clone();
        }
        if self.is_subset(other) {
            return other.clone();
        }
        let mut all = SmallVec::with_capacity(self.len() + other.len());
        let (mut left, mut right) = (&self.list[..], &other.list[..]);
        while let ([l, after_left @ ..], [r, after_right @ ..]) = (left, right) {
            all.push(*l.min(r));
            if l <= r {
                left = after_left;
            }
            if r <= l {
                right = after_right;
            }
        }
        all.extend_from_slice(left);
        all.extend_from_slice(right);
        States { bits: self.bits | other.bits, list: all }
    }
}

/// Collects ascending numbers.
impl FromIterator<u32> for States {
    fn from_iter<I: IntoIterator<Item = u32>>(states: I) -> Self {
        let list: SmallVec<[u32; 4]> = states.into_iter().collect();
        debug_assert!(list.is_sorted_by(|l, r| l < r), "not ascending: {list:?}");
        States { bits: list.iter().fold(0, |bits, &state| bits | bit(state)), list }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set() -> impl Strategy<Value = BTreeSet<u32>> {
        let number = prop_oneof![0..6u32, 60..70u32, 128..131u32];
        prop::collection::btree_set(number, 0..6)
    }

    proptest! {
        #[test]
        fn they_are_sets(left in set(), right in set(), number in 0..131u32) {
            let states = |set: &BTreeSet<u32>| set.iter().copied().collect::<States>();
            let (l, r) = (states(&left), states(&right));
            prop_assert_eq!(l.union(&r), states(&(&left | &right)));
            prop_assert_eq!(l.is_subset(&r), left.is_subset(&right));
            prop_assert_eq!(l.contains(number), left.contains(&number));
            prop_assert!(l.is_subset(&l.union(&r)) && l.contains(5) == left.contains(&5));
        }
    }
}
