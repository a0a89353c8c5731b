//! Limits of searches: when to look at them, and how many states a store may take.

use crate::store::{Full, StateId, Store};
use sempre_check::{Limits, Reason};

/// Counts the work that is done between two looks at the clock.
pub(crate) struct Patience(usize);

/// How much work that is: words of states, about a millisecond.
const WORK_BETWEEN_LOOKS: usize = 1 << 16;

impl Default for Patience {
    fn default() -> Self {
        Patience(WORK_BETWEEN_LOOKS)
    }
}

impl Patience {
    /// True if it is time to look, when this work has been done.
    #[inline]
    pub(crate) fn is_over(&mut self, work: usize) -> bool {
        if let Some(rest) = self.0.checked_sub(work) {
            self.0 = rest;
            return false;
        }
        *self = Patience::default();
        true
    }
}

/// Inserts states into stores as far as limits allow.
pub(crate) trait Insert {
    /// Inserts states unless there are too many of them, and appends their numbers to `ids`; `others`
    /// is the memory of everything besides the store.
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

/// Inserts states one by one as long as there are not too many.
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
