//! The parts of an automaton, checked side by side.

use super::part::check_part;
use super::{Options, Outcome, Refusal, Verdict};
use crate::explore::{Limits, Progress, Reason};
use crate::negation::Negation;
use crate::state_space::StateSpace;
use crate::store::Store;
use sempre_ltl::interrupt::Interrupt;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Checks the automaton as a whole, or its parts side by side.
pub(super) fn check_parts<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Negation,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let parts = match options.decompose {
        true => negation.parts(),
        false => vec![negation.clone()],
    };
    if let [whole] = &*parts {
        return check_part(space, whole, options, limits, progress);
    }
    // Every part has a limit of its own that all others can end.
    let ended = Interrupt::default();
    let inner = Limits { interrupt: Some(ended.clone()), ..limits.clone() };
    let system = space.system();
    let is_interrupted = || limits.interrupt.as_ref().is_some_and(Interrupt::is_raised);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for (number, part) in parts.iter().enumerate() {
            let (sender, inner) = (sender.clone(), &inner);
            scope.spawn(move || {
                let mut space = StateSpace::<T>::for_one_property(system);
                let outcome = check_part(&mut space, part, options, inner, progress);
                // The receiver waits for all parts.
                let _ = sender.send((number, outcome));
            });
        }
        drop(sender);
        let mut outcomes: Vec<Option<Result<Outcome, Refusal>>> = vec![None; parts.len()];
        loop {
            match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok((number, outcome)) => {
                    if !matches!(&outcome, Ok(Outcome { verdict: Verdict::Holds, .. })) {
                        ended.raise();
                    }
                    outcomes[number] = Some(outcome);
                }
                Err(RecvTimeoutError::Timeout) if is_interrupted() => ended.raise(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        combine(outcomes.into_iter().flatten().collect())
    })
}

/// The answer for all parts together: a violation counts most, then whatever hindered a part.
fn combine(outcomes: Vec<Result<Outcome, Refusal>>) -> Result<Outcome, Refusal> {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Holds => 0,
        // Another part has ended this one, for a better reason.
        Verdict::Unknown(Reason::Interrupt) => 1,
        Verdict::Unknown(_) => 2,
        Verdict::Violated(_) => 4,
    };
    let mut sum = Outcome::default();
    let mut refusal = None;
    for outcome in outcomes {
        let part = match outcome {
            Ok(part) => part,
            Err(error) => {
                refusal.get_or_insert(error);
                continue;
            }
        };
        if !sum.engine.is_empty() {
            sum.engine.push('+');
        }
        sum.engine.push_str(&part.engine);
        sum.states += part.states;
        sum.transitions += part.transitions;
        sum.effort.nodes += part.effort.nodes;
        sum.effort.edges += part.effort.edges;
        sum.effort.depth = sum.effort.depth.max(part.effort.depth);
        sum.bytes += part.bytes;
        if rank(&part.verdict) > rank(&sum.verdict) {
            sum.verdict = part.verdict;
        }
    }
    match (refusal, &sum.verdict) {
        (Some(error), Verdict::Holds | Verdict::Unknown(_)) => Err(error),
        _ => Ok(sum),
    }
}
