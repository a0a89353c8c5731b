//! Limits of searches, and what is to be known while one is under way.

use super::Counts;
use crate::store::{Full, StateId, Store};
use sempre_ltl::interrupt::Interrupt;
use std::fmt;
use std::time::Instant;

/// What a search may use. Without limits it ends when it has seen everything, or when the limits
/// of [`interrupt::run`](sempre_ltl::interrupt::run) end it, in which case its result is lost.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The greatest number of states to be stored.
    pub states: Option<u64>,
    /// The greatest number of bytes for the store and what else belongs to states.
    pub bytes: Option<usize>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops the search when it is raised.
    pub interrupt: Option<Interrupt>,
}

/// Why a search is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are more states than were to be stored.
    States,
    /// There are more states than a [store](crate::store::Full) has numbers.
    Numbers,
    /// More memory would have been needed.
    Memory,
    /// The time was over.
    Time,
    /// Somebody [raised](Interrupt::raise) the interrupt.
    Interrupt,
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Reason::States => "the limit of states was reached",
            Reason::Numbers => "there are more states than 4294967294",
            Reason::Memory => "the limit of memory was reached",
            Reason::Time => "the time limit was reached",
            Reason::Interrupt => "interrupted",
        })
    }
}

/// How far a search has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What has been counted so far.
    pub counts: Counts,
    /// How many of the states have been expanded.
    pub expanded: u64,
    /// The memory that is in use.
    pub bytes: usize,
}

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

impl Limits {
    /// The reason to stop that lies outside the search.
    pub(crate) fn outside(&self) -> Option<Reason> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
            return Some(Reason::Interrupt);
        }
        self.deadline.is_some_and(|end| Instant::now() >= end).then_some(Reason::Time)
    }

    /// Inserts states unless there are too many of them, and appends their numbers to `ids`; `others`
    /// is the memory of everything besides the store.
    #[inline]
    pub(crate) fn insert<T: Store>(
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
