//! Sets of packed states that number each state.
//!
//! Numbers are dense and in the order of insertion. Therefore a breadth-first search needs no
//! queue, and data per state are in a plain vector.

mod arena;
mod hash;
mod index;
mod pairs;
mod rows;
mod tree;

pub use arena::Arena;
pub use hash::hash;
pub(crate) use rows::{append, reserve};
pub use tree::Tree;

/// The number of a state in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// Returns the number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// No numbers are left: a store holds at most 2³² − 2 states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than 4294967294 states")]
pub struct Full;

/// A set of states of equal width, numbered in the order of insertion.
pub trait Store: Sized + Send {
    /// Makes an empty set of states of this number of words.
    ///
    /// # Panics
    /// If the number is 0.
    fn new(words: usize) -> Self;

    /// Returns the number of words of a state.
    fn words(&self) -> usize;

    /// Returns the number of states.
    fn len(&self) -> usize;

    /// True if there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of a state, and true if it is new.
    ///
    /// # Errors
    /// If no numbers are left.
    fn insert(&mut self, state: &[u32]) -> Result<(StateId, bool), Full>;

    /// Appends to `ids` the numbers of the states that are consecutive in `states`. New states get
    /// the numbers from [`Store::len`] on.
    ///
    /// This is faster than single insertions, since memory accesses overlap.
    ///
    /// # Errors
    /// If no numbers are left; some of the states may have been inserted.
    fn insert_all(&mut self, states: &[u32], ids: &mut Vec<StateId>) -> Result<(), Full>;

    /// Returns the number of a state, if it is stored.
    fn find(&self, state: &[u32]) -> Option<StateId>;

    /// Copies a state.
    ///
    /// # Panics
    /// If the state does not exist, or the slice has another width.
    fn get(&self, id: StateId, state: &mut [u32]);

    /// Copies a state whose successors will be inserted next. Stores may exploit their similarity.
    ///
    /// # Panics
    /// As for [`Store::get`].
    fn expand(&mut self, id: StateId, state: &mut [u32]) {
        self.get(id, state);
    }

    /// Returns the memory of the store, with spare capacity, in bytes.
    fn bytes(&self) -> usize;

    /// Returns the number of states that can be inserted without allocation.
    fn room(&self) -> usize;

    /// Returns the maximal memory of the store after `more` further states, in bytes.
    fn bytes_with(&self, more: usize) -> usize;
}
