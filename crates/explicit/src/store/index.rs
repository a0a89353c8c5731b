//! An open-addressing hash table of numbers, for sets whose elements lie elsewhere.
//!
//! An entry is one word: the number plus one in as many low bits as the table needs for its
//! numbers, and bits of the hash in the rest, so that elements are looked at only if they are
//! likely to be the right ones. The table may have any size; it grows by half of it, when it is large
//! by a quarter, and is made anew from the elements when the old one is gone, so that both are
//! never there together.

use super::Full;

/// Of that many slots, [`OCCUPIED`] are used at most.
const SLOTS: u64 = 5;
const OCCUPIED: u64 = 4;

/// How many numbers the first table has place for.
const FIRST_CAPACITY: u64 = 128;

/// From this capacity on, memory counts more than the time to make tables anew.
const LARGE: u64 = 1 << 15;

/// The greatest capacity: the numbers plus one must fit in a word.
const GREATEST_CAPACITY: u64 = u32::MAX as u64 - 1;

#[derive(Clone, Debug)]
pub(crate) struct Index {
    entries: Vec<u32>,
    /// The low bits, which hold the number.
    mask: u32,
    capacity: usize,
}

/// What a search has found.
pub(crate) enum Search {
    /// The number of the element.
    Found(u32),
    /// The element is not there; its number belongs in this slot.
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

    /// How many numbers there is place for.
    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The bits of the hash that are stored.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) & !self.mask
    }

    /// The slot at which the search for an element begins.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize
    }

    /// What is in the slot at which the search begins: a number that is likely to be the right
    /// one, or none.
    #[inline]
    pub(crate) fn first_guess(&self, hash: u64) -> Option<u32> {
        let entry = self.entries[self.home(hash)];
        (entry & !self.mask == self.tag(hash)).then(|| (entry & self.mask).wrapping_sub(1))
    }

    /// Looks for the number of the element with that hash for which `equal` is true.
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

    /// Puts a number into a vacant slot.
    #[inline]
    pub(crate) fn occupy(&mut self, slot: usize, hash: u64, number: u32) {
        debug_assert!((number as usize) < self.capacity && self.entries[slot] == 0);
        self.entries[slot] = self.tag(hash) | (number + 1);
    }

    /// Makes place for `len + more` numbers, of elements whose hashes are given by `hash`.
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

    /// The memory of the table when there are so many numbers.
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
