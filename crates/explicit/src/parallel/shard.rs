//! The states of one thread, and batches of states for it.

use super::letters::members;
use crate::store::{StateId, Store, append};

/// States sent to their owner.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) states: Vec<u32>,
    /// For each state, the automaton states that it is reached with, and those in an accepting SCC
    /// that an edge from the same SCC leads to.
    pub(super) sets: Vec<[u32; 2]>,
}

impl Batch {
    pub(super) fn push(&mut self, state: &[u32], sets: [u32; 2]) {
        append(&mut self.states, state);
        self.sets.push(sets);
    }
}

/// The states of one thread.
pub(super) struct Shard<T> {
    pub(super) store: T,
    /// For each state, the automaton states that it was reached with.
    pub(super) reached: Vec<u32>,
    /// The new ones of them, for the next level.
    pub(super) fresh: Vec<u32>,
    /// States to expand, with sets of automaton states, by levels.
    pub(super) queue: Vec<(u32, u32)>,
    /// The start of each level in the queue.
    pub(super) levels: Vec<usize>,
    /// The states of the next level.
    pub(super) next: Vec<u32>,
    /// For each state and each automaton state in an accepting SCC: the number of incoming edges
    /// inside the SCC from nodes that are not removed.
    pub(super) counts: Vec<u32>,
    /// The automaton states whose edges are counted.
    pub(super) counted: u32,
}

impl<T: Store> Shard<T> {
    /// Returns the index of a node in the counts.
    #[inline]
    pub(super) fn place(&self, id: u32, location: u32) -> usize {
        let slots = self.counted.count_ones() as usize;
        let slot = (self.counted & ((1 << location) - 1)).count_ones() as usize;
        id as usize * slots + slot
    }

    /// Returns the number of nodes.
    pub(super) fn nodes(&self) -> u64 {
        self.reached.iter().map(|set| u64::from(set.count_ones())).sum()
    }

    /// True if some node is not removed.
    pub(super) fn has_remainder(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }

    /// Returns the nodes that are not removed.
    pub(super) fn remainder(&self) -> impl Iterator<Item = (StateId, u32)> {
        let slots = (self.counted.count_ones() as usize).max(1);
        self.counts.chunks_exact(slots).enumerate().flat_map(move |(id, counts)| {
            let remaining = members(self.counted).zip(counts).filter(|(_, count)| **count > 0);
            remaining.map(move |(location, _)| (StateId(id as u32), location))
        })
    }

    /// True if the node is not removed.
    pub(super) fn remains(&self, state: &[u32], location: u32) -> bool {
        let id = self.store.find(state);
        self.counted >> location & 1 == 1
            && id.is_some_and(|id| self.counts[self.place(id.0, location)] > 0)
    }

    pub(super) fn other_bytes(&self) -> usize {
        let words = self.reached.capacity()
            + self.fresh.capacity()
            + 2 * self.queue.capacity()
            + self.next.capacity()
            + self.counts.capacity();
        4 * words + size_of::<usize>() * self.levels.capacity()
    }

    pub(super) fn bytes(&self) -> usize {
        self.store.bytes() + self.other_bytes()
    }
}
