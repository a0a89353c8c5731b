//! Breadth-first search on several threads, level by level.
//!
//! Each thread has a store of its own for the states whose hash says so, and expands them;
//! successors that belong to others are sent to them in batches. A level is over when all threads
//! have expanded their states of it and have inserted what the others sent. Nothing is locked but
//! the boxes in which batches lie, and all counts are those of the sequential search.

use super::Failure;
use super::Insert;
use super::breadth_first::trace;
use super::limits::Patience;
use super::threads::{End, Finally, Shared};
use super::{Exploration, Limits, Progress, Reason};
use crate::store::{StateId, Store, append, hash};
use sempre_models::{Expander, Successors, System};
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{MutexGuard, PoisonError};

/// Explores everything on that many threads; the states lie in as many stores. `progress` is
/// called now and then, on the thread of the caller.
///
/// The limit of states may be exceeded a little before it is noticed.
///
/// # Errors
/// If the system has a fault; with a shortest path to it, for which a search is done on one thread.
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
        // Ends the workers if the caller is interrupted in `coordinate`.
        let _end = Finally(&shared);
        let workers: Vec<_> = (0..threads)
            .map(|me| {
                let (shared, initial, states) = (&shared, &initial, limits.states);
                scope.spawn(move || {
                    let _done = Finally(shared);
                    let limits = Limits { states: None, bytes: share, ..Limits::default() };
                    let mut worker = Worker::<T>::new(system, shared, me, limits, states);
                    match worker.run(initial).and(worker.tell()) {
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

/// How many words are sent together.
const BATCH: usize = 1 << 11;

struct Worker<'a, T> {
    system: &'a dyn System,
    shared: &'a Shared<Vec<u32>>,
    me: usize,
    /// The limits of this thread alone.
    limits: Limits,
    /// The limit of states of all threads together.
    all_states: Option<u64>,
    store: T,
    /// Batches for each of the threads; what is for this one is inserted at once.
    outgoing: Vec<Vec<u32>>,
    /// Numbers of states that were inserted.
    ids: Vec<StateId>,
    /// What has been counted since it was last added to the shared counts.
    recent: Recent,
}

#[derive(Default)]
struct Recent {
    expanded: u64,
    transitions: u64,
    deadlocks: u64,
    /// The number of states and bytes that have been told.
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
            recent: Recent::default(),
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
            // Nobody reads or writes it before all have met again.
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
        let mut patience = Patience::default();
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
            if patience.is_over(width * (successors.len() + 1)) || self.all_states.is_some() {
                self.tell()?;
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

    /// Inserts what others have sent.
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

    /// Adds to the shared counts what was counted since the last time.
    fn tell(&mut self) -> Result<(), End> {
        let (states, bytes) = (self.store.len(), self.store.bytes());
        let recent =
            std::mem::replace(&mut self.recent, Recent { states, bytes, ..Recent::default() });
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

/// The thread to which a state belongs. Stores use the upper bits of the hash for places and the
/// lowest ones to tell states apart; these are the ones between.
#[inline]
pub(crate) fn owner(state: &[u32], threads: usize) -> usize {
    ((u64::from(hash(state) as u32) * threads as u64) >> 32) as usize
}
