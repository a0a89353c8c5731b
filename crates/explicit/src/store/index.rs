//! An open-addressing hash table of numbers, for sets whose elements are stored elsewhere.
//!
//! An entry is one word. Its low bits hold the number plus one; the other bits hold a part of the
//! hash, so that only probable elements are compared. The table grows by half, or by a quarter if
//! it is large. It is rebuilt from the elements after the old one is freed, so that both are never
//! in memory together.

use super::Full;

/// Of [`SLOTS`] slots, at most [`OCCUPIED`] are used.
const SLOTS: u64 = 5;
const OCCUPIED: u64 = 4;

/// The capacity of the first table.
const FIRST_CAPACITY: u64 = 128;

/// The capacity from which memory matters more than the time of rebuilding.
const LARGE: u64 = 1 << 15;

/// The maximal capacity: numbers plus one must fit in a word.
const GREATEST_CAPACITY: u64 = u32::MAX as u64 - 1;

#[derive(Clone, Debug)]
pub(crate) struct Index {
    entries: Vec<u32>,
    /// The mask of the low bits, which hold the number.
    mask: u32,
    capacity: usize,
}

/// The result of a search.
pub(crate) enum Search {
    /// The number of the element.
    Found(u32),
    /// Not found; its number belongs in this slot.
    Vacant(usize),
}

impl Default for Index {
    fn default() -> Self {
        Index::with_capacity(FIRST_CAPACITY)
    }
}

impl Index {
    fn with_capacity(capacity: u64) -> Self {
        let bits = 64 - capacity.leading_zeros();
        Index {
            entries: vec![0; slots(capacity)],
            mask: u32::MAX >> (32 - bits),
            capacity: capacity as usize,
        }
    }

    /// Returns the capacity.
    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the stored bits of the hash.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) & !self.mask
    }

    /// Returns the slot where the search for an element begins.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize
    }

    /// Returns the number in the slot where the search begins: probably the right one.
    #[inline]
    pub(crate) fn first_guess(&self, hash: u64) -> Option<u32> {
        let entry = self.entries[self.home(hash)];
        (entry & !self.mask == self.tag(hash)).then(|| (entry & self.mask).wrapping_sub(1))
    }

    /// Searches for the number of an element with this hash that satisfies `equal`.
    #[inline]
    pub(crate) fn search(&self, hash: u64, equal: impl Fn(u32) -> bool) -> Search {
        let tag = self.tag(hash);
        let mut slot = self.home(hash);
        loop {
            let entry = self.entries[slot];
            if entry == 0 {
                return Search::Vacant(slot);
            }
            if entry & !self.mask == tag {
                let number = (entry & self.mask) - 1;
                if equal(number) {
                    return Search::Found(number);
                }
            }
            slot += 1;
            if slot == self.entries.len() {
                slot = 0;
            }
        }
    }

    /// Writes a number into a vacant slot.
    #[inline]
    pub(crate) fn occupy(&mut self, slot: usize, hash: u64, number: u32) {
        debug_assert!((number as usize) < self.capacity && self.entries[slot] == 0);
        self.entries[slot] = self.tag(hash) | (number + 1);
    }

    /// Grows to `len + more` numbers of elements whose hashes `hash` returns.
    #[cold]
    pub(crate) fn grow(
        &mut self,
        len: usize,
        more: usize,
        hash: impl Fn(u32) -> u64,
    ) -> Result<(), Full> {
        let needed = len as u64 + more as u64;
        if needed > GREATEST_CAPACITY {
            return Err(Full);
        }
        let capacity = self.next_capacity().max(needed);
        self.entries = Vec::new();
        *self = Index::with_capacity(capacity);
        for number in 0..len as u32 {
            let hash = hash(number);
            let mut slot = self.home(hash);
            while self.entries[slot] != 0 {
                slot = if slot + 1 == self.entries.len() { 0 } else { slot + 1 };
            }
            self.occupy(slot, hash, number);
        }
        Ok(())
    }

    fn next_capacity(&self) -> u64 {
        let capacity = self.capacity as u64;
        let more = if capacity < LARGE { capacity / 2 } else { capacity / 4 };
        (capacity + more).min(GREATEST_CAPACITY)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * 4
    }

    /// Returns the memory of the table for `len` numbers, in bytes.
    pub(crate) fn bytes_with(&self, len: usize) -> usize {
        if len <= self.capacity {
            return self.bytes();
        }
        slots(self.next_capacity().max(len as u64)) * 4
    }
}

fn slots(capacity: u64) -> usize {
    (capacity * SLOTS / OCCUPIED + 1) as usize
}
