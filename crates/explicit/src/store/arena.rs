//! Stores states consecutively in one vector, with an index of their numbers.
//!
//! A state costs its words and about 6 bytes of the index. Finding a state usually touches one
//! cache line of the index and one of the vector.

use super::index::{Index, Search};
use super::{Full, StateId, Store, append, hash, rows};

/// A store of plain states: the fastest one.
///
/// ```
/// use sempre_explicit::store::{Arena, Store, StateId};
/// let mut store = Arena::new(2);
/// assert_eq!(store.insert(&[3, 4])?, (StateId(0), true));
/// assert_eq!(store.insert(&[5, 6])?, (StateId(1), true));
/// assert_eq!(store.insert(&[3, 4])?, (StateId(0), false));
/// let mut state = [0; 2];
/// store.get(StateId(1), &mut state);
/// assert_eq!((state, store.len()), ([5, 6], 2));
/// # Ok::<(), sempre_explicit::store::Full>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arena {
    width: usize,
    len: usize,
    words: Vec<u32>,
    index: Index,
    /// The hashes and probable numbers of the states that are being inserted together.
    pending: Vec<(u64, u32)>,
}

/// The value of a wrong guess.
const NO_GUESS: u32 = u32::MAX;

impl Arena {
    /// Returns the words of a state.
    ///
    /// # Panics
    /// If there is no such state.
    #[inline]
    pub fn state(&self, id: StateId) -> &[u32] {
        state(&self.words, self.width, id.0)
    }

    /// Allocates memory for more states.
    #[inline]
    fn reserve(&mut self, more: usize) -> Result<(), Full> {
        if self.len + more > self.index.capacity() {
            let (words, width) = (&self.words, self.width);
            self.index.grow(self.len, more, |id| hash(state(words, width, id)))?;
        }
        rows::reserve(&mut self.words, more * self.width, self.width);
        Ok(())
    }

    /// Inserts a state without allocation.
    #[inline]
    fn insert_hashed(&mut self, width: impl Width, new: &[u32], hash: u64) -> (StateId, bool) {
        let words = &self.words;
        match self.index.search(hash, |id| equal(state(words, width.get(), id), new)) {
            Search::Found(id) => (StateId(id), false),
            Search::Vacant(slot) => {
                let id = self.len as u32;
                self.index.occupy(slot, hash, id);
                append(&mut self.words, new);
                self.len += 1;
                (StateId(id), true)
            }
        }
    }

    /// Inserts states without allocation.
    #[inline]
    fn insert_states(&mut self, width: impl Width, states: &[u32], ids: &mut Vec<StateId>) {
        // The accesses of the first two loops do not depend on earlier iterations, so that the
        // processor overlaps them.
        let index = &self.index;
        self.pending.clear();
        self.pending.extend(states.chunks_exact(width.get()).map(|state| {
            let hash = hash(state);
            (hash, index.first_guess(hash).unwrap_or(NO_GUESS))
        }));
        for (new, (_, guess)) in states.chunks_exact(width.get()).zip(&mut self.pending) {
            if *guess != NO_GUESS && !equal(state(&self.words, width.get(), *guess), new) {
                *guess = NO_GUESS;
            }
        }
        ids.reserve(self.pending.len());
        for (number, state) in states.chunks_exact(width.get()).enumerate() {
            ids.push(match self.pending[number] {
                (hash, NO_GUESS) => self.insert_hashed(width, state, hash).0,
                (_, id) => StateId(id),
            });
        }
    }
}

/// The number of words of a state. Loops over the words of narrow states are unrolled: these are
/// the most frequent, and loop overhead would dominate.
trait Width: Copy {
    fn get(self) -> usize;
}

#[derive(Clone, Copy)]
struct Narrow<const WORDS: usize>;

impl<const WORDS: usize> Width for Narrow<WORDS> {
    #[inline]
    fn get(self) -> usize {
        WORDS
    }
}

#[derive(Clone, Copy)]
struct Wide(usize);

impl Width for Wide {
    #[inline]
    fn get(self) -> usize {
        self.0
    }
}

#[inline]
fn state(words: &[u32], width: usize, id: u32) -> &[u32] {
    &words[id as usize * width..][..width]
}

/// Compares short slices, for which a call would cost more than the comparison.
#[inline]
fn equal(left: &[u32], right: &[u32]) -> bool {
    left.iter().zip(right).all(|(left, right)| left == right)
}

impl Store for Arena {
    fn new(words: usize) -> Self {
        assert!(words > 0, "states without words");
        Arena {
            width: words,
            len: 0,
            words: Vec::new(),
            index: Index::default(),
            pending: Vec::new(),
        }
    }

    #[inline]
    fn words(&self) -> usize {
        self.width
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn insert(&mut self, state: &[u32]) -> Result<(StateId, bool), Full> {
        assert_eq!(state.len(), self.width, "a state of another length");
        self.reserve(1)?;
        Ok(self.insert_hashed(Wide(self.width), state, hash(state)))
    }

    fn insert_all(&mut self, states: &[u32], ids: &mut Vec<StateId>) -> Result<(), Full> {
        self.reserve(states.len() / self.width)?;
        match self.width {
            1 => self.insert_states(Narrow::<1>, states, ids),
            2 => self.insert_states(Narrow::<2>, states, ids),
            3 => self.insert_states(Narrow::<3>, states, ids),
            4 => self.insert_states(Narrow::<4>, states, ids),
            5 => self.insert_states(Narrow::<5>, states, ids),
            6 => self.insert_states(Narrow::<6>, states, ids),
            width => self.insert_states(Wide(width), states, ids),
        }
        Ok(())
    }

    fn find(&self, wanted: &[u32]) -> Option<StateId> {
        let found =
            self.index.search(hash(wanted), |id| equal(state(&self.words, self.width, id), wanted));
        match found {
            Search::Found(id) => Some(StateId(id)),
            Search::Vacant(_) => None,
        }
    }

    #[inline]
    fn get(&self, id: StateId, state: &mut [u32]) {
        state.copy_from_slice(self.state(id));
    }

    fn bytes(&self) -> usize {
        self.words.capacity() * 4 + self.index.bytes()
    }

    #[inline]
    fn room(&self) -> usize {
        let words = (self.words.capacity() - self.words.len()) / self.width;
        words.min(self.index.capacity() - self.len)
    }

    fn bytes_with(&self, more: usize) -> usize {
        let words = rows::capacity_with(&self.words, more * self.width, self.width);
        words * 4 + self.index.bytes_with(self.len + more)
    }
}
