//! Shared data of threads that search by levels: a barrier, mailboxes for batches of states,
//! counts, and a common end.

use super::{Counts, Limits, Progress, Reason};
use sempre_ltl::interrupt;
use sempre_models::Fault;
use std::hint;
use std::num::NonZero;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Why the threads stop early.
#[derive(Clone)]
pub(crate) enum End {
    Limit(Reason),
    Fault(Fault),
}

/// The data shared by the threads.
pub(crate) struct Shared<B> {
    pub(crate) threads: usize,
    /// The number of polls before a thread sleeps.
    polls_awake: u32,
    /// True if the threads are to stop.
    pub(crate) stop: AtomicBool,
    meeting: Mutex<Meeting>,
    /// The number of meetings so far; changed under the lock.
    rounds: AtomicU64,
    /// Wakes the sleeping threads when all have arrived.
    changed: Condvar,
    /// Wakes the caller when a thread has finished.
    done: Condvar,
    /// Batches of states for each thread.
    pub(crate) boxes: Vec<Mutex<Vec<B>>>,
    /// The number of batches in each mailbox.
    pub(crate) batches: Vec<AtomicUsize>,
    /// Whether a thread has states of the next level, for even and odd levels.
    pub(crate) next_level: [AtomicBool; 2],
    pub(crate) initial: AtomicU64,
    pub(crate) states: AtomicU64,
    pub(crate) expanded: AtomicU64,
    pub(crate) transitions: AtomicU64,
    pub(crate) deadlocks: AtomicU64,
    pub(crate) depth: AtomicU64,
    pub(crate) bytes: AtomicUsize,
}

/// The number of polls if each thread has its own core, some ten microseconds. Waking a thread
/// takes about as long, and deep systems have many small levels.
const POLLS_AWAKE: u32 = 1 << 11;

/// A barrier.
#[derive(Default)]
struct Meeting {
    waiting: usize,
    /// The number of sleeping threads.
    sleeping: usize,
    finished: usize,
    end: Option<End>,
}

impl<B> Shared<B> {
    pub(crate) fn new(threads: usize) -> Self {
        // Where threads share a core, polling would delay the others.
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Shared {
            threads,
            polls_awake: if threads <= cores { POLLS_AWAKE } else { 0 },
            stop: AtomicBool::new(false),
            meeting: Mutex::default(),
            rounds: AtomicU64::new(0),
            changed: Condvar::new(),
            done: Condvar::new(),
            boxes: (0..threads).map(|_| Mutex::default()).collect(),
            batches: (0..threads).map(|_| AtomicUsize::new(0)).collect(),
            next_level: Default::default(),
            initial: AtomicU64::new(0),
            states: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            deadlocks: AtomicU64::new(0),
            depth: AtomicU64::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    /// Locks the barrier; a panicked thread stops the others anyway.
    fn meeting(&self) -> MutexGuard<'_, Meeting> {
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all threads have arrived. False if they are to stop.
    pub(crate) fn meet(&self) -> bool {
        let mut meeting = self.meeting();
        let round = self.rounds.load(Relaxed);
        meeting.waiting += 1;
        if meeting.waiting == self.threads {
            meeting.waiting = 0;
            self.rounds.store(round + 1, Release);
            if meeting.sleeping > 0 {
                self.changed.notify_all();
            }
        }
        drop(meeting);
        let is_over = || self.rounds.load(Acquire) != round || self.stop.load(Relaxed);
        let mut polls = 0;
        while polls < self.polls_awake && !is_over() {
            polls += 1;
            hint::spin_loop();
        }
        if polls == self.polls_awake {
            let mut meeting = self.meeting();
            meeting.sleeping += 1;
            while !is_over() {
                meeting = self.changed.wait(meeting).unwrap_or_else(PoisonError::into_inner);
            }
            meeting.sleeping -= 1;
        }
        !self.stop.load(Relaxed)
    }

    /// Stops all threads; the first reason counts.
    pub(crate) fn end(&self, end: End) {
        self.meeting().end.get_or_insert(end);
        self.stop();
    }

    pub(crate) fn stop(&self) {
        // Under the lock, so that no thread misses it between its check and its sleep.
        let meeting = self.meeting();
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
        self.done.notify_all();
        drop(meeting);
    }

    /// Records that a thread has finished.
    pub(crate) fn finish(&self) {
        self.meeting().finished += 1;
        self.done.notify_all();
    }

    pub(crate) fn ending(&self) -> Option<End> {
        self.meeting().end.clone()
    }

    /// Polls the limits and reports progress until the threads end.
    pub(crate) fn coordinate(&self, limits: &Limits, progress: &mut impl FnMut(&Progress)) {
        let mut meeting = self.meeting();
        while meeting.finished < self.threads && !self.stop.load(Relaxed) {
            let pause = Duration::from_millis(20);
            meeting = match self.done.wait_timeout(meeting, pause) {
                Ok((meeting, timeout)) if !timeout.timed_out() => meeting,
                Ok((meeting, _)) => {
                    drop(meeting);
                    interrupt::poll_now();
                    progress(&Progress {
                        counts: self.counts(),
                        expanded: self.expanded.load(Relaxed),
                        nodes: 0,
                        bytes: self.bytes.load(Relaxed),
                    });
                    if let Some(reason) = limits.expired() {
                        self.end(End::Limit(reason));
                    }
                    self.meeting()
                }
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            initial: self.initial.load(Relaxed),
            states: self.states.load(Relaxed),
            transitions: self.transitions.load(Relaxed),
            deadlocks: self.deadlocks.load(Relaxed),
            depth: self.depth.load(Relaxed),
        }
    }
}

/// Stops all threads if one of them panics.
pub(crate) struct StopOnPanic<'a, B>(pub(crate) &'a Shared<B>);

impl<B> Drop for StopOnPanic<'_, B> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
