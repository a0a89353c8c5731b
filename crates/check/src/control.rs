//! Limits, cancellation and progress of a check.

use sempre_ltl::interrupt::{self, Interrupt};
use std::fmt;
use std::time::Instant;

/// The limits of a computation. By default there are none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The maximal number of stored states.
    pub states: Option<u64>,
    /// The memory budget, in bytes. Concurrent engines [divide](Control::divided) it.
    pub bytes: Option<usize>,
    /// The time at which to stop.
    pub deadline: Option<Instant>,
    /// The cancellation token: raising it stops the work.
    pub interrupt: Option<Interrupt>,
}

/// The limit that stopped a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The limit of states.
    States,
    /// The store has no more state numbers.
    Numbers,
    /// The memory budget.
    Memory,
    /// The deadline.
    Time,
    /// The cancellation token was [raised](Interrupt::raise).
    Interrupt,
}

impl Reason {
    /// Returns the name of the limit in JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Reason::States => "states",
            Reason::Numbers => "numbers",
            Reason::Memory => "memory",
            Reason::Time => "time",
            Reason::Interrupt => "interrupt",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Reason::States => "the state limit was reached",
            Reason::Numbers => "there are more states than 4294967294",
            Reason::Memory => "the memory limit was reached",
            Reason::Time => "the time limit was reached",
            Reason::Interrupt => "interrupted",
        })
    }
}

impl Limits {
    /// Returns the limit that has expired independently of the work: time or cancellation.
    pub fn expired(&self) -> Option<Reason> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
            return Some(Reason::Interrupt);
        }
        self.deadline.is_some_and(|end| Instant::now() >= end).then_some(Reason::Time)
    }

    /// Runs work that polls (see [`interrupt`]) until it ends, time expires or it is cancelled.
    ///
    /// # Errors
    /// The limit that stopped the work.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> Result<R, Reason> {
        let interrupt = self.interrupt.clone().unwrap_or_default();
        let done = interrupt::run(&interrupt, self.deadline, work);
        done.map_err(|_| if interrupt.is_raised() { Reason::Interrupt } else { Reason::Time })
    }
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of distinct initial states.
    pub initial: u64,
    /// The number of visited states.
    pub states: u64,
    /// The number of transitions of expanded states.
    pub transitions: u64,
    /// The number of expanded states without successors.
    pub deadlocks: u64,
    /// The depth of the search. Breadth-first: the maximal distance of a state from the initial
    /// states. Depth-first: the maximal length of the DFS stack.
    pub depth: u64,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The current counts.
    pub counts: Counts,
    /// The number of expanded states.
    pub expanded: u64,
    /// The nodes of decision diagrams, if states are sets.
    pub nodes: usize,
    /// The memory in use.
    pub bytes: usize,
}

/// The conditions of a check: limits, cancellation and a callback for progress.
#[derive(Clone)]
pub struct Control<'a> {
    /// The limits.
    pub limits: Limits,
    /// Called at intervals, from any thread.
    pub progress: &'a (dyn Fn(&Progress) + Sync),
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Control").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Default for Control<'_> {
    fn default() -> Self {
        Control::new(Limits::default())
    }
}

impl<'a> Control<'a> {
    /// Makes a control with these limits and without a progress callback.
    pub fn new(limits: Limits) -> Self {
        Control { limits, progress: &|_| () }
    }

    /// Returns this control with other limits.
    #[must_use]
    pub fn with(&self, limits: Limits) -> Control<'a> {
        Control { limits, progress: self.progress }
    }

    /// Returns the share of one of several engines that run concurrently: a part of the memory
    /// budget, and its own cancellation token below this one.
    #[must_use]
    pub fn divided(&self, engines: usize) -> Control<'a> {
        let token = self.limits.interrupt.clone().unwrap_or_default().inner();
        let bytes = self.limits.bytes.map(|bytes| bytes / engines.max(1));
        self.with(Limits { bytes, interrupt: Some(token), ..self.limits.clone() })
    }

    /// Returns the cancellation token; raising it stops all work under this control.
    pub fn token(&self) -> Interrupt {
        self.limits.interrupt.clone().unwrap_or_default()
    }
}
