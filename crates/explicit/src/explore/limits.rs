//! Limits of searches: when to poll them, and how many states a store may hold.

use crate::store::{Full, StateId, Store};
use sempre_check::{Limits, Reason};

/// Counts the work between two polls of the clock.
pub(crate) struct PollTimer(usize);

/// The work between two polls, in words of states: about a millisecond.
const WORK_BETWEEN_POLLS: usize = 1 << 16;

impl Default for PollTimer {
    fn default() -> Self {
        PollTimer(WORK_BETWEEN_POLLS)
    }
}

impl PollTimer {
    /// Adds this work; true if a poll is due.
    #[inline]
    pub(crate) fn is_due(&mut self, work: usize) -> bool {
        if let Some(rest) = self.0.checked_sub(work) {
            self.0 = rest;
            return false;
        }
        *self = PollTimer::default();
        true
    }
}

/// Inserts states into stores within limits.
pub(crate) trait Insert {
    /// Inserts states within the limits, and appends their numbers to `ids`; `others` is the memory
    /// besides the store, in bytes.
    fn insert<T: Store>(
        &self,
        store: &mut T,
        others: usize,
        states: &[u32],
        ids: &mut Vec<StateId>,
    ) -> Result<(), Reason>;
}

impl Insert for Limits {
    #[inline]
    fn insert<T: Store>(
        &self,
        store: &mut T,
        others: usize,
        states: &[u32],
        ids: &mut Vec<StateId>,
    ) -> Result<(), Reason> {
        let more = states.len() / store.words();
        if more > store.room()
            && self.bytes.is_some_and(|limit| store.bytes_with(more) + others > limit)
        {
            return Err(Reason::Memory);
        }
        match self.states {
            Some(limit) if (store.len() + more) as u64 > limit => {
                insert_while_allowed(limit, store, states, ids)
            }
            _ => store.insert_all(states, ids).map_err(|Full| Reason::Numbers),
        }
    }
}

/// Inserts states one by one up to the limit.
#[cold]
fn insert_while_allowed<T: Store>(
    limit: u64,
    store: &mut T,
    states: &[u32],
    ids: &mut Vec<StateId>,
) -> Result<(), Reason> {
    for state in states.chunks_exact(store.words()) {
        ids.push(match store.find(state) {
            Some(id) => id,
            None if store.len() as u64 >= limit => return Err(Reason::States),
            None => store.insert(state).map_err(|Full| Reason::Numbers)?.0,
        });
    }
    Ok(())
}
