//! Breadth-first search by levels, on several threads.
//!
//! A hash assigns each state to a thread, which stores and expands it; successors of other threads
//! are sent in batches. A level ends when all threads have expanded their states and inserted the
//! received ones. Only the mailboxes of batches have locks. All counts equal those of the
//! sequential search.

use super::Failure;
use super::Insert;
use super::breadth_first::trace;
use super::limits::PollTimer;
use super::threads::{End, Shared, StopOnPanic};
use super::{Exploration, Limits, Progress, Reason};
use crate::store::{StateId, Store, append, hash};
use sempre_models::{Expander, Successors, System};
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{MutexGuard, PoisonError};

/// Explores all states on several threads, with one store each. Calls `progress` at intervals, on
/// the thread of the caller.
///
/// The limit of states may be exceeded slightly.
///
/// # Errors
/// If the system has a fault; a sequential search finds a shortest path to it.
pub fn parallel<T: Store>(
    system: &dyn System,
    threads: NonZeroUsize,
    limits: &Limits,
    mut progress: impl FnMut(&Progress),
) -> Result<(Exploration, Vec<T>), Failure> {
    let threads = threads.get();
    let initial = system.initial()?;
    let shared = Shared::new(threads);
    let share = limits.bytes.map(|bytes| bytes / threads);
    let stores: Vec<T> = std::thread::scope(|scope| {
        // Stops the workers if the caller is interrupted in `coordinate`.
        let _end = StopOnPanic(&shared);
        let workers: Vec<_> = (0..threads)
            .map(|me| {
                let (shared, initial, states) = (&shared, &initial, limits.states);
                scope.spawn(move || {
                    let _done = StopOnPanic(shared);
                    let limits = Limits { states: None, bytes: share, ..Limits::default() };
                    let mut worker = Worker::<T>::new(system, shared, me, limits, states);
                    match worker.run(initial).and(worker.publish_counts()) {
                        Ok(()) => shared.finish(),
                        Err(end) => shared.end(end),
                    }
                    worker.store
                })
            })
            .collect();
        shared.coordinate(limits, &mut progress);
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(store) => store,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    });
    let incomplete = match shared.ending() {
        None => None,
        Some(End::Limit(reason)) => Some(reason),
        Some(End::Fault(fault)) => {
            drop(stores);
            return Err(trace(system, &mut T::new(system.words()), limits, fault, progress));
        }
    };
    let mut counts = shared.counts();
    counts.states = stores.iter().map(|store| store.len() as u64).sum();
    Ok((Exploration { counts, incomplete, bytes: stores.iter().map(Store::bytes).sum() }, stores))
}

/// The number of words per batch.
const BATCH: usize = 1 << 11;

struct Worker<'a, T> {
    system: &'a dyn System,
    shared: &'a Shared<Vec<u32>>,
    me: usize,
    /// The limits of this thread.
    limits: Limits,
    /// The limit of states of all threads together.
    all_states: Option<u64>,
    store: T,
    /// Batches for each thread; states of this one are inserted directly.
    outgoing: Vec<Vec<u32>>,
    /// Numbers of inserted states.
    ids: Vec<StateId>,
    /// The counts not yet added to the shared ones.
    recent: RecentCounts,
}

#[derive(Default)]
struct RecentCounts {
    expanded: u64,
    transitions: u64,
    deadlocks: u64,
    /// The numbers of states and bytes already added.
    states: usize,
    bytes: usize,
}

impl<'a, T: Store> Worker<'a, T> {
    fn new(
        system: &'a dyn System,
        shared: &'a Shared<Vec<u32>>,
        me: usize,
        limits: Limits,
        all_states: Option<u64>,
    ) -> Self {
        Worker {
            system,
            shared,
            me,
            limits,
            all_states,
            store: T::new(system.words()),
            outgoing: vec![Vec::new(); shared.threads],
            ids: Vec::new(),
            recent: RecentCounts::default(),
        }
    }

    fn run(&mut self, initial: &[Box<[u32]>]) -> Result<(), End> {
        for state in initial {
            if owner(state, self.shared.threads) == self.me {
                self.insert(state)?;
            }
        }
        self.shared.initial.fetch_add(self.store.len() as u64, Relaxed);
        let mut expander = self.system.expander();
        let mut start = 0;
        for level in 0.. {
            let end = self.store.len();
            self.expand(start, end, &mut *expander)?;
            if !self.shared.meet() {
                break;
            }
            self.receive()?;
            let here = level as usize % 2;
            if self.store.len() > end {
                self.shared.next_level[here].store(true, Relaxed);
            }
            if !self.shared.meet() || !self.shared.next_level[here].load(Relaxed) {
                break;
            }
            // No thread accesses it before the next meeting.
            self.shared.next_level[1 - here].store(false, Relaxed);
            self.shared.depth.fetch_max(level + 1, Relaxed);
            start = end;
        }
        Ok(())
    }

    /// Expands the states with numbers from `start` to `end`.
    fn expand(&mut self, start: usize, end: usize, expander: &mut dyn Expander) -> Result<(), End> {
        let (width, threads) = (self.system.words(), self.shared.threads);
        let mut successors = Successors::new(width);
        let mut state = vec![0; width];
        let mut poll_timer = PollTimer::default();
        for id in start..end {
            self.store.expand(StateId(id as u32), &mut state);
            successors.clear();
            expander.expand(&state, &mut successors).map_err(End::Fault)?;
            for successor in successors.words().chunks_exact(width) {
                append(&mut self.outgoing[owner(successor, threads)], successor);
            }
            self.recent.expanded += 1;
            self.recent.transitions += successors.len() as u64;
            self.recent.deadlocks += u64::from(successors.is_empty());

            let mut own = std::mem::take(&mut self.outgoing[self.me]);
            self.insert(&own)?;
            own.clear();
            self.outgoing[self.me] = own;
            for other in 0..threads {
                if self.outgoing[other].len() >= BATCH {
                    self.send(other);
                }
            }
            if self.shared.batches[self.me].load(Relaxed) > 0 {
                self.receive()?;
            }
            if poll_timer.is_due(width * (successors.len() + 1)) || self.all_states.is_some() {
                self.publish_counts()?;
                if self.shared.stop.load(Relaxed) {
                    return Ok(());
                }
            }
        }
        for other in 0..threads {
            if !self.outgoing[other].is_empty() {
                self.send(other);
            }
        }
        Ok(())
    }

    fn insert(&mut self, states: &[u32]) -> Result<(), End> {
        self.ids.clear();
        self.limits.insert(&mut self.store, 0, states, &mut self.ids).map_err(End::Limit)
    }

    fn send(&mut self, other: usize) {
        let batch = std::mem::replace(&mut self.outgoing[other], Vec::with_capacity(BATCH * 5 / 4));
        self.lock(other).push(batch);
        self.shared.batches[other].fetch_add(1, Relaxed);
    }

    /// Inserts the states received from other threads.
    fn receive(&mut self) -> Result<(), End> {
        let batches = std::mem::take(&mut *self.lock(self.me));
        self.shared.batches[self.me].fetch_sub(batches.len(), Relaxed);
        for batch in batches {
            self.insert(&batch)?;
        }
        Ok(())
    }

    fn lock(&self, thread: usize) -> MutexGuard<'a, Vec<Vec<u32>>> {
        self.shared.boxes[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the recent counts to the shared ones.
    fn publish_counts(&mut self) -> Result<(), End> {
        let (states, bytes) = (self.store.len(), self.store.bytes());
        let recent = std::mem::replace(
            &mut self.recent,
            RecentCounts { states, bytes, ..RecentCounts::default() },
        );
        let shared = self.shared;
        shared.expanded.fetch_add(recent.expanded, Relaxed);
        shared.transitions.fetch_add(recent.transitions, Relaxed);
        shared.deadlocks.fetch_add(recent.deadlocks, Relaxed);
        shared.bytes.fetch_add(bytes - recent.bytes, Relaxed);
        let new = (states - recent.states) as u64;
        let all = shared.states.fetch_add(new, Relaxed) + new;
        match self.all_states {
            Some(limit) if all > limit => Err(End::Limit(Reason::States)),
            _ => Ok(()),
        }
    }
}

/// Returns the thread of a state. Stores use the upper bits of the hash as an address and the
/// lowest bits as a tag; this uses bits in between.
#[inline]
pub(crate) fn owner(state: &[u32], threads: usize) -> usize {
    ((u64::from(hash(state) as u32) * threads as u64) >> 32) as usize
}
