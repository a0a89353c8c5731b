//! A bounded cache of results of operations.
//!
//! The hash table has no chains: a new result replaces an older one in its slot. Up to a limit the
//! table grows with the number of nodes and with the number of replaced results. The latter matters
//! because a few nodes with many edges can take part in very many operations, which would be
//! recomputed.

use crate::nodes::{EMPTY, Marked, NodeId};

/// The number of slots per node, because each event has its own results.
const RESULTS: usize = 8;

/// The operands of an operation. Operands that are not nodes come first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    /// The operation, with an operand of up to 24 bits that is not a node.
    pub(crate) operation: u32,
    /// A further operand that is not a node.
    pub(crate) plain: u32,
    pub(crate) nodes: [NodeId; 3],
}

impl Key {
    fn hash(&self) -> u64 {
        let low = u64::from(self.operation) << 32 | u64::from(self.plain);
        let middle = u64::from(self.nodes[0]) << 32 | u64::from(self.nodes[1]);
        let mut hash = 0x243F_6A88_85A3_08D3;
        for word in [low, middle, u64::from(self.nodes[2])] {
            let product = u128::from(hash ^ word) * 0x9E37_79B9_7F4A_7C15;
            hash = (product as u64) ^ ((product >> 64) as u64);
        }
        hash
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    result: NodeId,
}

/// The empty slot; no operation has this number.
const VACANT: Entry =
    Entry { key: Key { operation: u32::MAX, plain: 0, nodes: [EMPTY; 3] }, result: EMPTY };

pub(crate) struct Cache {
    entries: Vec<Entry>,
    most: usize,
    /// The number of replaced results since the last growth.
    lost: usize,
}

impl Cache {
    /// Creates a cache of at most about `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Entry>()).max(1 << 10);
        let most = 1 << most.ilog2();
        Cache { entries: vec![VACANT; most.min(1 << 12)], most, lost: 0 }
    }

    /// Returns the number of slots.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    #[inline]
    fn place(&self, key: &Key) -> usize {
        key.hash() as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub(crate) fn get(&self, key: &Key) -> Option<NodeId> {
        let entry = &self.entries[self.place(key)];
        (entry.key == *key).then_some(entry.result)
    }

    #[inline]
    pub(crate) fn put(&mut self, key: Key, result: NodeId) {
        let place = self.place(&key);
        let entry = &mut self.entries[place];
        self.lost += usize::from(entry.key.operation != VACANT.key.operation);
        *entry = Entry { key, result };
    }

    /// Reserves space for the results of operations on this many nodes, and for the lost ones.
    pub(crate) fn fit(&mut self, nodes: usize) {
        let len = self.entries.len();
        if (nodes * RESULTS).max(self.lost) <= len || len == self.most {
            return;
        }
        let size = (2 * nodes * RESULTS).next_power_of_two().max(2 * len).min(self.most);
        self.lost = 0;
        let old = std::mem::replace(&mut self.entries, vec![VACANT; size]);
        for entry in old {
            if entry.key.operation != VACANT.key.operation {
                self.put(entry.key, entry.result);
            }
        }
    }

    /// Removes all results.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(VACANT);
    }

    /// Removes results with unmarked nodes.
    pub(crate) fn sweep(&mut self, marked: &Marked) {
        for entry in &mut self.entries {
            let alive = |node: NodeId| node == NodeId::MAX || marked.contains(node);
            if entry.key.operation != VACANT.key.operation
                && !(entry.key.nodes.iter().all(|&node| alive(node)) && alive(entry.result))
            {
                *entry = VACANT;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(plain: u32) -> Key {
        Key { operation: 0, plain, nodes: [EMPTY; 3] }
    }

    fn kept(cache: &Cache, count: u32) -> usize {
        (0..count).filter(|plain| cache.get(&key(*plain)) == Some(*plain)).count()
    }

    /// Few nodes may take part in many operations.
    #[test]
    fn it_grows_where_results_are_lost() {
        let mut cache = Cache::new(64 << 20);
        let count = 1 << 16;
        for _ in 0..8 {
            for plain in 0..count {
                cache.put(key(plain), plain);
            }
            cache.fit(1);
        }
        assert!(kept(&cache, count) > count as usize * 3 / 4, "of {count}");
    }

    #[test]
    fn it_stays_within_its_memory() {
        let bytes = 1 << 17;
        let mut cache = Cache::new(bytes);
        for plain in 0..1 << 16 {
            cache.put(key(plain), plain);
            cache.fit(plain as usize);
        }
        assert!(cache.bytes() <= bytes, "{}", cache.bytes());
        assert!(kept(&cache, 1 << 16) > 0);
    }
}
