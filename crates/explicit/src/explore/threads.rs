//! What threads need that search level by level: a place to meet, boxes for batches of states,
//! counts, and one end for all.

use super::{Counts, Limits, Progress, Reason};
use sempre_ltl::interrupt;
use sempre_models::Fault;
use std::hint;
use std::num::NonZero;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Why the threads end before everything has been explored.
#[derive(Clone)]
pub(crate) enum End {
    Limit(Reason),
    Fault(Fault),
}

/// What the threads share.
pub(crate) struct Shared<B> {
    pub(crate) threads: usize,
    /// How often a thread looks for the others before it sleeps.
    looks_awake: u32,
    /// Set when the threads are to end.
    pub(crate) stop: AtomicBool,
    meeting: Mutex<Meeting>,
    /// How many times all of them have been at the meeting; changed under its lock.
    rounds: AtomicU64,
    /// Tells the threads that sleep that all are there.
    changed: Condvar,
    /// Tells the caller that a thread is done.
    done: Condvar,
    /// Batches of states for each of the threads.
    pub(crate) boxes: Vec<Mutex<Vec<B>>>,
    /// How many batches lie in each box.
    pub(crate) batches: Vec<AtomicUsize>,
    /// Whether a thread has states of the next level, for levels of even and odd numbers.
    pub(crate) next_level: [AtomicBool; 2],
    pub(crate) initial: AtomicU64,
    pub(crate) states: AtomicU64,
    pub(crate) expanded: AtomicU64,
    pub(crate) transitions: AtomicU64,
    pub(crate) deadlocks: AtomicU64,
    pub(crate) depth: AtomicU64,
    pub(crate) bytes: AtomicUsize,
}

/// How often that is if each thread has a core of its own, some ten microseconds:
/// to be woken takes about as long, and deep systems have many levels with little to do in each.
const LOOKS_AWAKE: u32 = 1 << 11;

/// A place where threads wait for each other.
#[derive(Default)]
struct Meeting {
    waiting: usize,
    /// How many of those sleep.
    sleeping: usize,
    finished: usize,
    end: Option<End>,
}

impl<B> Shared<B> {
    pub(crate) fn new(threads: usize) -> Self {
        // Where threads share a core, one that looks for the others keeps them from coming.
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Shared {
            threads,
            looks_awake: if threads <= cores { LOOKS_AWAKE } else { 0 },
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

    /// The meeting; a thread that panicked ends the others anyway.
    fn meeting(&self) -> MutexGuard<'_, Meeting> {
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all threads are here. False if they are to end.
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
        let mut looks = 0;
        while looks < self.looks_awake && !is_over() {
            looks += 1;
            hint::spin_loop();
        }
        if looks == self.looks_awake {
            let mut meeting = self.meeting();
            meeting.sleeping += 1;
            while !is_over() {
                meeting = self.changed.wait(meeting).unwrap_or_else(PoisonError::into_inner);
            }
            meeting.sleeping -= 1;
        }
        !self.stop.load(Relaxed)
    }

    /// Ends all threads, for the first reason that is given.
    pub(crate) fn end(&self, end: End) {
        self.meeting().end.get_or_insert(end);
        self.stop();
    }

    pub(crate) fn stop(&self) {
        // Under the lock, so that no thread misses it between looking and waiting.
        let meeting = self.meeting();
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
        self.done.notify_all();
        drop(meeting);
    }

    /// A thread has nothing to do any more.
    pub(crate) fn finish(&self) {
        self.meeting().finished += 1;
        self.done.notify_all();
    }

    pub(crate) fn ending(&self) -> Option<End> {
        self.meeting().end.clone()
    }

    /// Looks at the clock, and tells of the progress, until the threads end.
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

/// Ends all threads when one of them ends by a panic.
pub(crate) struct Finally<'a, B>(pub(crate) &'a Shared<B>);

impl<B> Drop for Finally<'_, B> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
