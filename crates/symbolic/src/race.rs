//! Both engines on one property: whichever decides it first.
//!
//! Nobody can tell in advance which one that will be: a violation that is close to the initial
//! states, or a small state space, is found at once by looking at states one by one; of a large
//! space decision diagrams may take milliseconds, or more memory than the states would. So states
//! are looked at one by one, and if that is not over soon, sets of states join on a second thread.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use sempre_explicit::explore::Limits;
use sempre_explicit::{Refusal, Verdict};
use sempre_ltl::Formula;
use sempre_models::System;

use crate::check::{self, Options, Outcome};

/// How long states are looked at one by one before sets of states join.
pub const HEAD_START: Duration = Duration::from_secs(1);

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

/// Checks a system with both engines. States one by one are looked at by `one_by_one`, with the
/// limits it is given. Each engine may take half of the memory.
///
/// # Errors
/// Those of `one_by_one`.
pub fn race<S: System>(
    system: &S,
    formula: &Formula,
    symbolic: &Options,
    limits: &Limits,
    one_by_one: impl FnOnce(&Limits) -> Result<sempre_explicit::Outcome, Refusal>,
) -> Result<First, Refusal> {
    let outer = limits.interrupt.clone().unwrap_or_default();
    let (states, sets) = (outer.inner(), outer.inner());
    let half = |interrupt| Limits {
        interrupt: Some(interrupt),
        bytes: limits.bytes.map(|bytes| bytes / 2),
        ..limits.clone()
    };
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let (states, sets) = (&states, &sets);
        let other = scope.spawn(move || {
            if waiting.recv_timeout(HEAD_START) != Err(RecvTimeoutError::Timeout) {
                return None;
            }
            // What is wrong with the model or the formula, the other engine tells as well.
            let outcome = check::verify(system, formula, symbolic, &half(sets.clone())).ok()?;
            if !is_unknown(&outcome.verdict) {
                states.raise();
            }
            Some(outcome)
        });
        let outcome = one_by_one(&half(states.clone()));
        if !outcome.as_ref().is_ok_and(|outcome| is_unknown(&outcome.verdict)) {
            sets.raise();
        }
        drop(done);
        let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match (outcome, other) {
            (Err(refusal), _) => Err(refusal),
            (Ok(outcome), Some(sets))
                if is_unknown(&outcome.verdict) && !is_unknown(&sets.verdict) =>
            {
                Ok(First::Symbolic(sets))
            }
            (Ok(outcome), None) => Ok(First::AtOnce(outcome)),
            (Ok(outcome), Some(_)) => Ok(First::Explicit(outcome)),
        }
    })
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}
