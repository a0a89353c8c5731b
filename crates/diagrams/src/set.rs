//! Sets of tuples.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::manager::Manager;
use crate::nodes::{EMPTY, Edge, NodeId, UNIT};
use crate::store::Store;
use crate::tuples::Tuples;

/// A set of tuples of the same length, stored as a decision diagram of its manager.
///
/// Equal sets are the same diagram, so comparison takes constant time. Operations panic on sets of
/// different managers, or of tuples of different lengths.
pub struct Set<'f> {
    pub(crate) manager: Manager<'f>,
    pub(crate) root: NodeId,
    pub(crate) arity: u32,
}

impl Clone for Set<'_> {
    fn clone(&self) -> Self {
        self.manager.store.borrow_mut().hold(self.root);
        Set { manager: self.manager.clone(), ..*self }
    }
}

impl Drop for Set<'_> {
    fn drop(&mut self) {
        // The manager may be in use while an operation unwinds. Then the count stays too high,
        // which only costs memory.
        if let Ok(mut store) = self.manager.store.try_borrow_mut() {
            store.release(self.root);
        }
    }
}

impl PartialEq for Set<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.same_kind(other);
        self.root == other.root
    }
}

impl Eq for Set<'_> {}

impl Hash for Set<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.root.hash(state);
    }
}

impl fmt::Debug for Set<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The number of values to collect before building a diagram.
const MANY: usize = if cfg!(test) { 8 } else { 1 << 20 };

impl<'f> Set<'f> {
    pub(crate) fn same_kind(&self, other: &Set<'f>) {
        self.manager.own(&other.manager);
        assert_eq!(self.arity, other.arity, "tuples of different lengths do not mix");
    }

    fn combine(
        &self,
        other: &Set<'f>,
        operation: fn(&mut Store<'f>, NodeId, NodeId) -> NodeId,
    ) -> Set<'f> {
        self.same_kind(other);
        self.manager.handle(self.arity, |store| operation(store, self.root, other.root))
    }

    /// The length of the tuples.
    pub fn arity(&self) -> u32 {
        self.arity
    }

    /// Returns the manager of the set.
    pub fn manager(&self) -> &Manager<'f> {
        &self.manager
    }

    /// True if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.root == EMPTY
    }

    /// True if all tuples of the set are in `other`.
    pub fn is_subset(&self, other: &Set<'f>) -> bool {
        (self - other).is_empty()
    }

    /// True if a tuple, given from the top, is in the set.
    pub fn contains(&self, tuple: &[u32]) -> bool {
        assert_eq!(tuple.len(), self.arity as usize, "tuples of different lengths do not mix");
        let store = self.manager.store.borrow();
        let node = (tuple.iter()).fold(self.root, |node, &value| store.nodes.child(node, value));
        node == UNIT
    }

    /// The number of nodes of the diagram, without terminals.
    pub fn nodes(&self) -> usize {
        self.manager.store.borrow().size(&[self.root])
    }

    /// The number of tuples, exactly.
    pub fn count(&self) -> BigUint {
        let store = self.manager.store.borrow();
        let mut counts: FxHashMap<NodeId, BigUint> = FxHashMap::default();
        counts.insert(EMPTY, BigUint::zero());
        counts.insert(UNIT, BigUint::one());
        let mut stack = vec![self.root];
        while let Some(&node) = stack.last() {
            if counts.contains_key(&node) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            let edges = store.nodes.edges(node);
            stack.extend(
                (edges.iter().map(|edge| edge.child)).filter(|child| !counts.contains_key(child)),
            );
            if stack.len() == waiting {
                let sum = edges.iter().map(|edge| &counts[&edge.child]).sum();
                counts.insert(node, sum);
                stack.pop();
            }
        }
        counts[&self.root].clone()
    }

    /// Returns the least tuple of the set, compared from the top.
    pub fn pick(&self) -> Option<Vec<u32>> {
        self.iter().next()
    }

    /// Returns the tuples of the set in order, each from the top.
    pub fn iter(&self) -> impl Iterator<Item = Vec<u32>> {
        let mut tuples = Tuples::new(self.root, self.arity as usize);
        // Holding the set prevents the collection of its nodes.
        let set = self.clone();
        std::iter::from_fn(move || {
            let store = set.manager.store.borrow();
            tuples.next(&store).map(<[u32]>::to_vec)
        })
    }

    /// Returns, for each variable from the top, its least and greatest value; `None` for the empty
    /// set.
    pub fn ranges(&self) -> Option<Vec<(u32, u32)>> {
        if self.is_empty() {
            return None;
        }
        let store = self.manager.store.borrow();
        let mut ranges = Vec::with_capacity(self.arity as usize);
        let mut level = FxHashSet::from_iter([self.root]);
        for _ in 0..self.arity {
            let edges = || level.iter().flat_map(|&node| store.nodes.edges(node));
            let values = || edges().map(|edge| edge.value);
            // Every node has an edge, so there is a least value.
            ranges.push((values().min()?, values().max()?));
            level = edges().map(|edge| edge.child).collect();
        }
        Some(ranges)
    }

    /// Returns the tuples that start with `value`, without their first value.
    ///
    /// # Panics
    /// If the tuples are empty.
    #[must_use]
    pub fn below(&self, value: u32) -> Set<'f> {
        assert!(self.arity > 0, "the empty tuple has no first value");
        self.manager.handle(self.arity - 1, |store| store.nodes.child(self.root, value))
    }

    /// Puts `value` in front of all tuples.
    #[must_use]
    pub fn under(&self, value: u32) -> Set<'f> {
        self.manager.handle(self.arity + 1, |store| {
            if self.root == EMPTY {
                return EMPTY;
            }
            let base = store.scratch.len();
            store.scratch.push(Edge { value, child: self.root });
            store.make(base)
        })
    }

    /// Returns the first values of the tuples.
    pub fn first_values(&self) -> Vec<u32> {
        let store = self.manager.store.borrow();
        (store.nodes.edges(self.root).iter()).map(|edge| edge.value).collect()
    }

    /// Projects the tuples to `levels`, which must be descending.
    ///
    /// # Panics
    /// If the levels are not descending, or are not levels of the set.
    #[must_use]
    pub fn project(&self, levels: &[u32]) -> Set<'f> {
        self.check_levels(levels);
        self.manager.handle(levels.len() as u32, |store| {
            let support = store.support_of(levels);
            store.project(self.root, self.arity, support)
        })
    }

    /// Returns the tuples whose parts at `levels`, which must be descending, are in `values`.
    ///
    /// # Panics
    /// If the levels are not descending or not levels of the set, or if their number differs from
    /// the arity of `values`.
    #[must_use]
    pub fn select(&self, levels: &[u32], values: &Set<'f>) -> Set<'f> {
        self.manager.own(&values.manager);
        self.check_levels(levels);
        assert_eq!(levels.len(), values.arity as usize, "a value for each level");
        self.manager.handle(self.arity, |store| {
            let support = store.support_of(levels);
            store.select(self.root, self.arity, support, values.root)
        })
    }

    /// Returns the tuples whose parts at `levels`, which must be descending, satisfy a predicate.
    /// It is called once for all tuples with equal parts.
    ///
    /// # Panics
    /// If the levels are not descending, or are not levels of the set.
    #[must_use]
    pub fn filter(&self, levels: &[u32], mut predicate: impl FnMut(&[u32]) -> bool) -> Set<'f> {
        let parts = self.project(levels);
        if levels.is_empty() {
            let keep = !parts.is_empty() && predicate(&[]);
            return if keep { self.clone() } else { self.manager.empty(self.arity) };
        }
        let mut good = self.manager.empty(parts.arity);
        let mut some: Vec<u32> = Vec::new();
        for part in parts.iter().filter(|part| predicate(part)) {
            some.extend(part);
            // All parts together may exceed the memory.
            if some.len() >= MANY {
                good |= self.manager.tuples(parts.arity, &some);
                some.clear();
            }
        }
        self.select(levels, &(good | self.manager.tuples(parts.arity, &some)))
    }

    pub(crate) fn check_levels(&self, levels: &[u32]) {
        assert!(
            levels.is_sorted_by(|a, b| a > b)
                && levels.iter().all(|&level| (1..=self.arity).contains(&level)),
            "levels go down from {} to 1 at most",
            self.arity
        );
    }
}

macro_rules! operator {
    ($operator:ident, $method:ident, $assign:ident, $assign_method:ident, $operation:ident) => {
        impl<'f> $operator<&Set<'f>> for &Set<'f> {
            type Output = Set<'f>;
            fn $method(self, other: &Set<'f>) -> Set<'f> {
                self.combine(other, Store::$operation)
            }
        }
        impl<'f> $operator<Set<'f>> for &Set<'f> {
            type Output = Set<'f>;
            fn $method(self, other: Set<'f>) -> Set<'f> {
                self.combine(&other, Store::$operation)
            }
        }
        impl<'f> $operator<&Set<'f>> for Set<'f> {
            type Output = Set<'f>;
            fn $method(self, other: &Set<'f>) -> Set<'f> {
                self.combine(other, Store::$operation)
            }
        }
        impl<'f> $operator for Set<'f> {
            type Output = Set<'f>;
            fn $method(self, other: Set<'f>) -> Set<'f> {
                self.combine(&other, Store::$operation)
            }
        }
        impl<'f> $assign<&Set<'f>> for Set<'f> {
            fn $assign_method(&mut self, other: &Set<'f>) {
                *self = self.combine(other, Store::$operation);
            }
        }
        impl<'f> $assign for Set<'f> {
            fn $assign_method(&mut self, other: Set<'f>) {
                *self = self.combine(&other, Store::$operation);
            }
        }
    };
}

operator!(BitOr, bitor, BitOrAssign, bitor_assign, union);
operator!(BitAnd, bitand, BitAndAssign, bitand_assign, intersection);
operator!(Sub, sub, SubAssign, sub_assign, difference);
