//! Sets of packed states that give each state a number.
//!
//! Numbers are dense and given in the order of insertion. A breadth-first search therefore needs
//! no queue, and what belongs to a state lies in a plain vector.

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
    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// There are no numbers left for further states: a store holds 2³² − 2 of them at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than 4294967294 states")]
pub struct Full;

/// A set of states of the same number of words, numbered in the order of their insertion.
pub trait Store: Sized + Send {
    /// An empty set of states of that many words.
    ///
    /// # Panics
    /// If there is no word.
    fn new(words: usize) -> Self;

    /// How many words a state has.
    fn words(&self) -> usize;

    /// How many states there are.
    fn len(&self) -> usize;

    /// True if there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a state, and true if it was not there before.
    ///
    /// # Errors
    /// If there are no numbers left.
    fn insert(&mut self, state: &[u32]) -> Result<(StateId, bool), Full>;

    /// Appends to `ids` the numbers of the states that lie side by side in `states`. The new ones
    /// among them are those that get the numbers from [`Store::len`] on.
    ///
    /// This is faster than one after the other, because the memory can be asked for several states
    /// at a time.
    ///
    /// # Errors
    /// If there are not enough numbers left; some of the states may have been inserted.
    fn insert_all(&mut self, states: &[u32], ids: &mut Vec<StateId>) -> Result<(), Full>;

    /// The number of a state, if it is there.
    fn find(&self, state: &[u32]) -> Option<StateId>;

    /// Copies a state.
    ///
    /// # Panics
    /// If there is no such state, or the slice has not the length of a state.
    fn get(&self, id: StateId, state: &mut [u32]);

    /// Copies a state whose successors are about to be inserted: they will be similar to it, of
    /// which stores may make use.
    ///
    /// # Panics
    /// As for [`Store::get`].
    fn expand(&mut self, id: StateId, state: &mut [u32]) {
        self.get(id, state);
    }

    /// The memory that the store occupies, with what is allocated for further states.
    fn bytes(&self) -> usize;

    /// How many states can be inserted without more memory.
    fn room(&self) -> usize;

    /// The memory that the store will occupy at most when so many more states are in it.
    fn bytes_with(&self, more: usize) -> usize;
}
