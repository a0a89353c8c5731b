//! Tree compression (Laarman, van de Pol, Weber: *Parallel Recursive State Compression for Free*,
//! SPIN 2011).
//!
//! The words of a state are the leaves of a binary tree; an inner node is a pair of its children,
//! and equal pairs are stored once. Consecutive states differ in few words, so they share most
//! inner nodes. Asymptotically only the roots remain, one per state: 8 bytes, and about 6 of an
//! index.
//!
//! The tree is complete: node `i` has the children `2i` and `2i + 1`, the root is node 1, and the
//! words of a state are the nodes from `words` on. An inserted state is compared with the one
//! [expanded](Store::expand) last: only nodes above different words are looked up.

use super::pairs::{Pairs, pair};
use super::{Full, StateId, Store};

/// A store that shares common parts of states.
///
/// ```
/// use sempre_explicit::store::{Tree, Store, StateId};
/// let mut store = Tree::new(3);
/// assert_eq!(store.insert(&[3, 4, 5])?, (StateId(0), true));
/// assert_eq!(store.insert(&[9, 4, 5])?, (StateId(1), true));
/// assert_eq!(store.insert(&[3, 4, 5])?, (StateId(0), false));
/// let mut state = [0; 3];
/// store.get(StateId(1), &mut state);
/// assert_eq!((state, store.len()), ([9, 4, 5], 2));
/// # Ok::<(), sempre_explicit::store::Full>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    words: usize,
    roots: Pairs,
    inner: Pairs,
    /// The nodes of the state expanded last; from `words` on, its words. Nodes 0 and 1 are unused.
    base: Vec<u32>,
    /// The nodes of the state that is being inserted.
    nodes: Vec<u32>,
    /// The roots of the states that are being inserted together.
    pending: Vec<u64>,
}

impl Tree {
    /// Returns the number of nodes of a state besides its words and its root.
    fn inner_nodes(&self) -> usize {
        self.words.saturating_sub(2)
    }

    /// Inserts the inner nodes of a state and returns its root.
    #[inline]
    fn root(&mut self, state: &[u32]) -> Result<u64, Full> {
        let words = self.words;
        assert_eq!(state.len(), words, "a state of another length");
        match *state {
            [word] => return Ok(pair(word, 0)),
            [left, right] => return Ok(pair(left, right)),
            _ => (),
        }
        self.inner.reserve(self.inner_nodes())?;
        let (nodes, base) = (&mut self.nodes[..2 * words], &self.base[..2 * words]);
        nodes[words..].copy_from_slice(state);
        for node in (2..words).rev() {
            let (left, right) = (nodes[2 * node], nodes[2 * node + 1]);
            nodes[node] = if left == base[2 * node] && right == base[2 * node + 1] {
                base[node]
            } else {
                self.inner.insert(pair(left, right))
            };
        }
        Ok(pair(nodes[2], nodes[3]))
    }

    /// Returns the root of a state, if all its inner nodes are stored.
    fn find_root(&self, state: &[u32]) -> Option<u64> {
        if self.words == 1 {
            return Some(pair(state[0], 0));
        }
        let mut nodes = vec![0; 2 * self.words];
        nodes[self.words..].copy_from_slice(state);
        for node in (2..self.words).rev() {
            nodes[node] = self.inner.find(pair(nodes[2 * node], nodes[2 * node + 1]))?;
        }
        Some(pair(nodes[2], nodes[3]))
    }
}

impl Store for Tree {
    fn new(words: usize) -> Self {
        assert!(words > 0, "states without words");
        let mut inner = Pairs::default();
        inner.reserve(1).expect("a new table has room for one pair");
        // Number 0 is the pair of zeros, so that all-zero nodes represent a state.
        inner.insert(pair(0, 0));
        Tree {
            words,
            roots: Pairs::default(),
            inner,
            base: vec![0; 2 * words],
            nodes: vec![0; 2 * words],
            pending: Vec::new(),
        }
    }

    #[inline]
    fn words(&self) -> usize {
        self.words
    }

    #[inline]
    fn len(&self) -> usize {
        self.roots.len()
    }

    fn insert(&mut self, state: &[u32]) -> Result<(StateId, bool), Full> {
        let root = self.root(state)?;
        self.roots.reserve(1)?;
        let len = self.roots.len();
        let number = self.roots.insert(root);
        Ok((StateId(number), number as usize == len))
    }

    fn insert_all(&mut self, states: &[u32], ids: &mut Vec<StateId>) -> Result<(), Full> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        for state in states.chunks_exact(self.words) {
            pending.push(self.root(state)?);
        }
        self.roots.reserve(pending.len())?;
        self.roots.insert_all(&pending, |number| ids.push(StateId(number)));
        self.pending = pending;
        Ok(())
    }

    fn find(&self, state: &[u32]) -> Option<StateId> {
        self.roots.find(self.find_root(state)?).map(StateId)
    }

    fn get(&self, id: StateId, state: &mut [u32]) {
        let words = self.words;
        assert_eq!(state.len(), words, "a state of another length");
        let (left, right) = self.roots.get(id.0);
        state[0] = left;
        if words == 1 {
            return;
        }
        // After node `i` is replaced by its children, the nodes from `i + 1` to `2i + 1` are left.
        // These are never more than `words`, so they fit in the state itself, each at its number
        // modulo `words`. Words end at their own index.
        state[2 % words] = left;
        state[3 % words] = right;
        for node in 2..words {
            let (left, right) = self.inner.get(state[node]);
            let first = if 2 * node < words { 2 * node } else { 2 * node - words };
            let second = if 2 * node + 1 < words { 2 * node + 1 } else { 2 * node + 1 - words };
            state[first] = left;
            state[second] = right;
        }
    }

    fn expand(&mut self, id: StateId, state: &mut [u32]) {
        let words = self.words;
        if words == 1 {
            return self.get(id, state);
        }
        let nodes = &mut self.base[..2 * words];
        (nodes[2], nodes[3]) = self.roots.get(id.0);
        for node in 2..words {
            (nodes[2 * node], nodes[2 * node + 1]) = self.inner.get(nodes[node]);
        }
        state.copy_from_slice(&nodes[words..]);
    }

    fn bytes(&self) -> usize {
        self.roots.bytes() + self.inner.bytes()
    }

    #[inline]
    fn room(&self) -> usize {
        match self.inner_nodes() {
            0 => self.roots.room(),
            nodes => self.roots.room().min(self.inner.room() / nodes),
        }
    }

    fn bytes_with(&self, more: usize) -> usize {
        self.roots.bytes_with(more) + self.inner.bytes_with(more * self.inner_nodes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Arena;
    use proptest::prelude::*;

    /// Sequences of states with repeated values, and lengths of batches.
    fn states() -> impl Strategy<Value = (usize, Vec<Vec<u32>>)> {
        (1usize..20).prop_flat_map(|words| {
            let state = prop::collection::vec(prop_oneof![0u32..4, Just(u32::MAX)], words);
            (Just(words), prop::collection::vec(state, 1..200))
        })
    }

    fn check<T: Store>(words: usize, states: &[Vec<u32>]) -> Result<(), TestCaseError> {
        let (mut single, mut batches) = (T::new(words), T::new(words));
        let mut expected: Vec<&[u32]> = Vec::new();
        let (mut ids, mut numbers) = (Vec::new(), Vec::new());
        let mut copy = vec![0; words];
        for batch in states.chunks(7) {
            for state in batch {
                let known = expected.iter().position(|other| *other == state.as_slice());
                prop_assert_eq!(single.find(state), known.map(|id| StateId(id as u32)));
                let id = StateId(known.unwrap_or(expected.len()) as u32);
                prop_assert_eq!(single.insert(state), Ok((id, known.is_none())));
                numbers.push(id);
                if known.is_none() {
                    expected.push(state);
                }
                single.expand(StateId(id.0 / 2), &mut copy);
                prop_assert_eq!(&copy, expected[id.index() / 2]);
            }
            let more = batch.len();
            let (room, promised) = (batches.room(), batches.bytes_with(more));
            let before = batches.bytes();
            batches.insert_all(&batch.concat(), &mut ids).unwrap();
            prop_assert_eq!(&ids, &numbers);
            prop_assert!(batches.bytes() <= promised);
            prop_assert!(more > room || batches.bytes() == before);
        }
        prop_assert_eq!(single.len(), expected.len());
        for (id, state) in expected.iter().enumerate() {
            for store in [&single, &batches] {
                store.get(StateId(id as u32), &mut copy);
                prop_assert_eq!(&copy, state);
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn stores_are_sets_in_the_order_of_insertion((words, states) in states()) {
            check::<Arena>(words, &states)?;
            check::<Tree>(words, &states)?;
        }
    }

    /// Inserts many states, so that all tables grow several times.
    fn grow<T: Store>() {
        let mut store = T::new(5);
        let number = |n: u32| [n % 7, n / 7, n.wrapping_mul(0x9e37_79b9), n & 1, n >> 9];
        for n in 0..20_000 {
            assert_eq!(store.insert(&number(n)), Ok((StateId(n), true)));
        }
        let mut state = [0; 5];
        for n in 0..20_000 {
            assert_eq!(store.insert(&number(n)), Ok((StateId(n), false)));
            store.get(StateId(n), &mut state);
            assert_eq!(state, number(n));
        }
        assert_eq!(store.find(&[8; 5]), None);
    }

    #[test]
    fn tables_grow() {
        grow::<Arena>();
        grow::<Tree>();
    }
}
