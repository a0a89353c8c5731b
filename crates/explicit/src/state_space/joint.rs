//! A state space that searches on several threads extend together.
//!
//! Each state is stored once, and expanded once but for a rare coincidence; a lock guards both. A
//! search copies the successors that it visits again into lists of its own, so that later visits
//! need no lock. The memory of all searches counts against the same limit.

use super::Explored;
use crate::bits::Bits;
use crate::explore::{Insert, Limits};
use crate::product::Stop;
use crate::store::{StateId, Store};
use sempre_models::Successors;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state space of several searches.
pub(crate) struct Joint<T> {
    common: Mutex<Common<T>>,
    /// The memory of the searches besides the common part, in bytes.
    own_bytes: AtomicUsize,
    /// The memory of the common part, and the greatest one of all.
    common_bytes: AtomicUsize,
    peak: AtomicUsize,
}

struct Common<T> {
    explored: Explored<T>,
    /// The states that one of the searches has reached, and those that one has expanded.
    reached: Bits,
    expanded: Bits,
    states: u64,
    transitions: u64,
}

impl<T: Store> Common<T> {
    fn reach(&mut self, state: StateId) {
        self.states += u64::from(self.reached.insert(state.0));
    }

    fn expand(&mut self, state: u32, successors: &[StateId]) {
        if self.expanded.insert(state) {
            self.transitions += successors.len() as u64;
            successors.iter().for_each(|successor| self.reach(*successor));
        }
    }

    fn bytes(&self) -> usize {
        self.explored.bytes() + self.reached.bytes() + self.expanded.bytes()
    }
}

impl<T: Store> Joint<T> {
    pub(super) fn new(explored: Explored<T>) -> Self {
        let (reached, expanded) = (Bits::default(), Bits::default());
        let common = Common { explored, reached, expanded, states: 0, transitions: 0 };
        let bytes = AtomicUsize::new(common.bytes());
        let (own_bytes, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Joint { common: Mutex::new(common), own_bytes, common_bytes: bytes, peak }
    }

    pub(super) fn into_explored(self) -> Explored<T> {
        self.common.into_inner().unwrap_or_else(PoisonError::into_inner).explored
    }

    pub(super) fn member(&self) -> Member<'_, T> {
        Member { joint: self, published: 0, states: self.lock().explored.store.len() }
    }

    /// Returns the numbers of states and of transitions that these searches have reached.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let common = self.lock();
        (common.states, common.transitions)
    }

    /// Returns the greatest memory of all searches together, in bytes.
    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Common<T>> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The access of one search.
pub(super) struct Member<'a, T> {
    joint: &'a Joint<T>,
    /// The memory of this search that the others know of, in bytes.
    published: usize,
    /// The number of stored states when this search last looked.
    states: usize,
}

impl<T> Drop for Member<'_, T> {
    fn drop(&mut self) {
        self.joint.own_bytes.fetch_sub(self.published, Relaxed);
    }
}

impl<T: Store> Member<'_, T> {
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// Returns the memory of the common part and of the other searches, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let own = self.joint.own_bytes.load(Relaxed).saturating_sub(self.published);
        self.joint.common_bytes.load(Relaxed) + own
    }

    /// Lets the other searches know the memory of this one, in bytes.
    pub(super) fn publish(&mut self, bytes: usize) {
        let joint = self.joint;
        joint.own_bytes.fetch_add(bytes, Relaxed);
        joint.own_bytes.fetch_sub(std::mem::replace(&mut self.published, bytes), Relaxed);
        let all = joint.common_bytes.load(Relaxed) + joint.own_bytes.load(Relaxed);
        joint.peak.fetch_max(all, Relaxed);
    }

    /// Copies the words of a state that is likely to be expanded next.
    pub(super) fn words(&self, state: u32, words: &mut [u32]) {
        self.joint.lock().explored.store.expand(StateId(state), words);
    }

    /// Returns the number of a state; adds it if it is new.
    pub(super) fn number(&mut self, state: &[u32], limits: &Limits) -> Result<u32, Stop> {
        let mut common = self.joint.lock();
        let others = self.joint.own_bytes.load(Relaxed) + common.explored.lists.bytes();
        let mut ids = Vec::new();
        let inserted = limits.insert(&mut common.explored.store, others, state, &mut ids);
        inserted.map_err(Stop::Limit)?;
        common.reach(ids[0]);
        self.states = common.explored.store.len();
        Ok(ids[0].0)
    }

    /// Copies the successors of a state into an empty list; false if no search has expanded it.
    pub(super) fn copy(&mut self, state: u32, list: &mut Vec<StateId>) -> bool {
        let mut common = self.joint.lock();
        let Some(place) = common.explored.lists.place(state) else { return false };
        list.extend_from_slice(common.explored.lists.at(place));
        common.expand(state, list);
        self.states = common.explored.store.len();
        true
    }

    /// Adds the successors of a state, and copies their numbers into an empty list.
    pub(super) fn add(
        &mut self,
        state: u32,
        successors: &Successors,
        limits: &Limits,
        list: &mut Vec<StateId>,
    ) -> Result<(), Stop> {
        // Another search may have been faster.
        if self.copy(state, list) {
            return Ok(());
        }
        let mut common = self.joint.lock();
        let others = self.joint.own_bytes.load(Relaxed);
        let place = common.explored.add(state, successors, true, limits, others)?;
        list.extend_from_slice(common.explored.lists.at(place));
        common.expand(state, list);
        self.states = common.explored.store.len();
        self.joint.common_bytes.store(common.bytes(), Relaxed);
        Ok(())
    }
}
