//! Limits, cancellation and progress of a check.

use sempre_ltl::interrupt::{self, Interrupt};
use std::fmt;
use std::time::Instant;

/// The limits that work has to keep. Without limits it ends when it is done.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The greatest number of states to be stored.
    pub states: Option<u64>,
    /// The memory budget, in bytes. Engines that run side by side [divide](Control::divided) it.
    pub bytes: Option<usize>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The cancellation token: the work stops when it is raised.
    pub interrupt: Option<Interrupt>,
}

/// The limit that ended some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are more states than were to be stored.
    States,
    /// There are more states than a store has numbers.
    Numbers,
    /// More memory would have been needed.
    Memory,
    /// The time was over.
    Time,
    /// The cancellation token was [raised](Interrupt::raise).
    Interrupt,
}

impl Reason {
    /// Returns the word for the limit in output for programs.
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
            Reason::States => "the limit of states was reached",
            Reason::Numbers => "there are more states than 4294967294",
            Reason::Memory => "the limit of memory was reached",
            Reason::Time => "the time limit was reached",
            Reason::Interrupt => "interrupted",
        })
    }
}

impl Limits {
    /// Returns the reason to stop that does not depend on the work itself: time or cancellation.
    pub fn expired(&self) -> Option<Reason> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
            return Some(Reason::Interrupt);
        }
        self.deadline.is_some_and(|end| Instant::now() >= end).then_some(Reason::Time)
    }

    /// Does work that polls (see [`interrupt`]), and ends it when the time is over or it is
    /// cancelled.
    ///
    /// # Errors
    /// With the limit that ended the work.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> Result<R, Reason> {
        let interrupt = self.interrupt.clone().unwrap_or_default();
        let done = interrupt::run(&interrupt, self.deadline, work);
        done.map_err(|_| if interrupt.is_raised() { Reason::Interrupt } else { Reason::Time })
    }
}

/// Counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The different initial states.
    pub initial: u64,
    /// The states that were reached.
    pub states: u64,
    /// The transitions that leave the states that were expanded.
    pub transitions: u64,
    /// The states that were expanded and have no successor.
    pub deadlocks: u64,
    /// The depth of the search. Breadth-first: the number of steps that the states farthest away
    /// from the initial ones need. Depth-first: the greatest number of steps on the stack.
    pub depth: u64,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The counts so far.
    pub counts: Counts,
    /// The number of states that have been expanded.
    pub expanded: u64,
    /// The nodes of decision diagrams, if states are sets.
    pub nodes: usize,
    /// The memory in use.
    pub bytes: usize,
}

/// The conditions under which an engine works: limits, a cancellation token, and a callback for
/// progress.
#[derive(Clone)]
pub struct Control<'a> {
    /// The limits.
    pub limits: Limits,
    /// Called now and then, from any thread.
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
    /// Makes a control with these limits, whose progress nobody sees.
    pub fn new(limits: Limits) -> Self {
        Control { limits, progress: &|_| () }
    }

    /// Returns the same control with other limits.
    #[must_use]
    pub fn with(&self, limits: Limits) -> Control<'a> {
        Control { limits, progress: self.progress }
    }

    /// Returns the share of one of several engines that run side by side: a part of the memory
    /// budget, and a cancellation token of its own inside the given one.
    #[must_use]
    pub fn divided(&self, engines: usize) -> Control<'a> {
        let token = self.limits.interrupt.clone().unwrap_or_default().inner();
        let bytes = self.limits.bytes.map(|bytes| bytes / engines.max(1));
        self.with(Limits { bytes, interrupt: Some(token), ..self.limits.clone() })
    }

    /// Returns the cancellation token; raising it ends the work under this control.
    pub fn token(&self) -> Interrupt {
        self.limits.interrupt.clone().unwrap_or_default()
    }
}
