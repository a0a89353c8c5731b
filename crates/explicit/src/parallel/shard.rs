//! The states that belong to one thread, and those that are on their way to it.

use super::letters::members;
use crate::store::{StateId, Store, append};

/// States on their way to their owner.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) states: Vec<u32>,
    /// For each the states of the automaton that it is reached with, and those in an accepting
    /// component that one edge from the same component leads to.
    pub(super) sets: Vec<[u32; 2]>,
}

impl Batch {
    pub(super) fn push(&mut self, state: &[u32], sets: [u32; 2]) {
        append(&mut self.states, state);
        self.sets.push(sets);
    }
}

/// The states that belong to one thread.
pub(super) struct Shard<T> {
    pub(super) store: T,
    /// For each state the set of the automaton's states that it has been reached with.
    pub(super) reached: Vec<u32>,
    /// The part of it that is for the next level.
    pub(super) fresh: Vec<u32>,
    /// States to be expanded, with sets of the automaton's states, level by level.
    pub(super) queue: Vec<(u32, u32)>,
    /// Where the levels begin in the queue.
    pub(super) levels: Vec<usize>,
    /// The states of the next level.
    pub(super) next: Vec<u32>,
    /// For each state and each of the automaton's states in accepting components: how many edges
    /// lead there, inside the component, from nodes that have not been removed.
    pub(super) counts: Vec<u32>,
    /// The automaton's states for which edges are counted.
    pub(super) counted: u32,
}

impl<T: Store> Shard<T> {
    /// The place of a node among the counts.
    #[inline]
    pub(super) fn place(&self, id: u32, location: u32) -> usize {
        let slots = self.counted.count_ones() as usize;
        let slot = (self.counted & ((1 << location) - 1)).count_ones() as usize;
        id as usize * slots + slot
    }

    /// The number of nodes.
    pub(super) fn nodes(&self) -> u64 {
        self.reached.iter().map(|set| u64::from(set.count_ones())).sum()
    }

    /// True if a node has not been removed.
    pub(super) fn has_remainder(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }

    /// The nodes that have not been removed.
    pub(super) fn remainder(&self) -> impl Iterator<Item = (StateId, u32)> {
        let slots = (self.counted.count_ones() as usize).max(1);
        self.counts.chunks_exact(slots).enumerate().flat_map(move |(id, counts)| {
            let remaining = members(self.counted).zip(counts).filter(|(_, count)| **count > 0);
            remaining.map(move |(location, _)| (StateId(id as u32), location))
        })
    }

    /// True if the node has not been removed.
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
