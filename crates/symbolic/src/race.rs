//! Both engines on one property: whichever decides it first.
//!
//! Nobody can tell in advance which one that will be: a violation that is close to the initial
//! states, or a small state space, is found at once by looking at states one by one; of a large
//! space decision diagrams may take milliseconds, or more memory than the states would. So states
//! are looked at one by one, and if that is not over soon, sets of states join on a second thread.
//! Once that thread has begun to look for all states it does not give up before it is stopped: they
//! serve for the properties to come.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use sempre_explicit::explore::Limits;
use sempre_explicit::{Refusal, Verdict};
use sempre_ltl::Formula;
use sempre_ltl::interrupt::Interrupt;
use sempre_models::System;

use crate::check::{Options, Outcome};
use crate::sets::Sets;

/// How long states are looked at one by one before sets of states join.
const HEAD_START: Duration = Duration::from_secs(1);

/// The same if all states are known as a set: verdicts are close then.
const SHORT_HEAD_START: Duration = Duration::from_millis(100);

/// How often it is looked whether somebody still waits.
const PATIENCE: Duration = Duration::from_millis(20);

/// What the engine that was first has found out.
#[derive(Clone, Debug)]
pub enum First {
    /// States were looked at one by one, and sets of states had not even begun.
    AtOnce(sempre_explicit::Outcome),
    /// States were looked at one by one, while sets of states were not done.
    Explicit(sempre_explicit::Outcome),
    /// Sets of states.
    Symbolic(Outcome),
}

/// Sets of states on a thread of their own, against whom states one by one race.
pub struct Rival {
    /// `None` when no more will come.
    properties: Option<Sender<Property>>,
    stop: Interrupt,
    thread: Option<JoinHandle<()>>,
}

/// A property that the rival is to check.
struct Property {
    formula: Formula,
    options: Options,
    limits: Limits,
    /// Ends when the property is decided.
    waiting: Receiver<()>,
    has_begun: Arc<AtomicBool>,
    /// To be raised when it is decided here.
    others: Interrupt,
    answer: Sender<Outcome>,
}

impl Rival {
    /// Starts the thread, which ends when this is dropped. Diagrams may take half of the bytes.
    pub fn start(system: &Arc<dyn System>, bytes: Option<usize>) -> Self {
        let (properties, given) = mpsc::channel::<Property>();
        let stop = Interrupt::default();
        let (until, system) = (stop.clone(), Arc::clone(system));
        let thread = thread::spawn(move || {
            let mut sets = None::<Sets>;
            for property in given {
                let head_start = match &sets {
                    Some(sets) if sets.are_found() => SHORT_HEAD_START,
                    _ => HEAD_START,
                };
                if property.waiting.recv_timeout(head_start) == Err(RecvTimeoutError::Timeout) {
                    let sets = sets
                        .get_or_insert_with(|| Sets::new(&system, bytes.map(|bytes| bytes / 2)));
                    property.check(sets, &until);
                }
            }
        });
        Rival { properties: Some(properties), stop, thread: Some(thread) }
    }

    /// Checks a system with both engines. States one by one are looked at by `one_by_one`, with
    /// the limits it is given, which have half of the bytes.
    ///
    /// # Errors
    /// Those of `one_by_one`.
    pub fn race(
        &self,
        formula: &Formula,
        options: &Options,
        limits: &Limits,
        one_by_one: impl FnOnce(&Limits) -> Result<sempre_explicit::Outcome, Refusal>,
    ) -> Result<First, Refusal> {
        let outer = limits.interrupt.clone().unwrap_or_default();
        let (states, sets) = (outer.inner(), outer.inner());
        let (done, waiting) = mpsc::channel();
        let (answer, answered) = mpsc::channel();
        let has_begun = Arc::new(AtomicBool::new(false));
        let property = Property {
            formula: formula.clone(),
            options: options.clone(),
            limits: Limits { interrupt: Some(sets.clone()), ..limits.clone() },
            waiting,
            has_begun: Arc::clone(&has_begun),
            others: states.clone(),
            answer,
        };
        // A thread that is gone has panicked, which is seen when it is joined.
        let is_asked = self.properties.as_ref().is_some_and(|all| all.send(property).is_ok());
        let bytes = limits.bytes.map(|bytes| bytes / 2);
        let outcome = one_by_one(&Limits { interrupt: Some(states), bytes, ..limits.clone() })?;
        if is_asked && is_unknown(&outcome.verdict) && !outer.is_raised() {
            loop {
                match answered.recv_timeout(PATIENCE) {
                    Ok(sets) if is_unknown(&sets.verdict) => break,
                    Ok(sets) => return Ok(First::Symbolic(sets)),
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        let is_over = limits.deadline.is_some_and(|end| Instant::now() > end);
                        if is_over || outer.is_raised() {
                            break;
                        }
                    }
                }
            }
        }
        sets.raise();
        drop(done);
        Ok(match has_begun.load(Ordering::Relaxed) {
            true => First::Explicit(outcome),
            false => First::AtOnce(outcome),
        })
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        self.stop.raise();
        self.properties = None;
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
            && !thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Property {
    /// Looks for all states until `stop` is raised, and then checks as long as somebody waits.
    fn check(self, sets: &mut Sets, stop: &Interrupt) {
        self.has_begun.store(true, Ordering::Relaxed);
        sets.prepare(&self.options, stop, None);
        // What is wrong with the model or the formula, the other engine tells as well.
        let Ok(outcome) = sets.verify(&self.formula, &self.options, &self.limits) else { return };
        if !is_unknown(&outcome.verdict) {
            self.others.raise();
        }
        // Nobody need be waiting any more.
        let _ = self.answer.send(outcome);
    }
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}
