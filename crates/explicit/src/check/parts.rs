//! Checks the parts of an automaton concurrently.

use super::Job;
use super::part::check_part;
use crate::state_space::StateSpace;
use crate::store::Store;
use sempre_check::{CheckError, Cost, Limits, Outcome, Provenance, Reason, Unknown, Verdict};
use sempre_ltl::interrupt::Interrupt;
use sempre_testing::Negation;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Checks the automaton as a whole, or its parts concurrently.
pub(super) fn check_parts<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Negation,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let parts = match job.options.decompose {
        true => negation.parts(),
        false => vec![negation.clone()],
    };
    if let [whole] = &*parts {
        return check_part(space, whole, job);
    }
    // Every part has its own cancellation token, which the other parts can raise.
    let ended = Interrupt::default();
    let limits = Limits { interrupt: Some(ended.clone()), ..job.limits().clone() };
    let control = job.control.with(limits);
    let (inner, system) = (Job { control: &control, ..job }, space.system());
    let is_interrupted = || job.limits().interrupt.as_ref().is_some_and(Interrupt::is_raised);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for (number, part) in parts.iter().enumerate() {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut space = StateSpace::<T>::for_one_property(system);
                // The receiver waits for all parts.
                let _ = sender.send((number, check_part(&mut space, part, inner)));
            });
        }
        drop(sender);
        let mut outcomes: Vec<Option<Result<Outcome, CheckError>>> = vec![None; parts.len()];
        loop {
            match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok((number, outcome)) => {
                    if !outcome.as_ref().is_ok_and(|outcome| outcome.verdict == Verdict::Holds) {
                        ended.raise();
                    }
                    outcomes[number] = Some(outcome);
                }
                Err(RecvTimeoutError::Timeout) if is_interrupted() => ended.raise(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        combine(outcomes.into_iter().flatten(), job)
    })
}

/// Combines the outcomes: a violation has priority, then an error or a limit of a part.
fn combine(
    outcomes: impl Iterator<Item = Result<Outcome, CheckError>>,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Holds => 0,
        // Another part cancelled this one, and its reason is more specific.
        Verdict::Unknown(Unknown::Limit(Reason::Interrupt)) => 1,
        Verdict::Unknown(_) => 2,
        Verdict::Violated => 4,
    };
    let mut sum: Option<Outcome> = None;
    let mut refusal = None;
    for outcome in outcomes {
        let part = match outcome {
            Ok(part) => part,
            Err(error) => {
                refusal.get_or_insert(error);
                continue;
            }
        };
        sum = Some(match sum {
            None => part,
            Some(mut sum) => {
                add(&mut sum, &part);
                if rank(&part.verdict) > rank(&sum.verdict) {
                    (sum.verdict, sum.evidence) = (part.verdict, part.evidence);
                }
                sum
            }
        });
    }
    match (refusal, sum) {
        (None, Some(sum)) => Ok(sum),
        (_, Some(sum)) if sum.verdict == Verdict::Violated => Ok(sum),
        (Some(error), _) => Err(error),
        // An automaton without parts accepts nothing.
        (None, None) => Ok(Outcome {
            verdict: Verdict::Holds,
            evidence: None,
            system: job.question.system().clone(),
            provenance: Provenance { engine: "explicit", ..Provenance::default() },
            cost: Cost {
                states: Some(0u8.into()),
                transitions: Some(0),
                stored: Some(0),
                visited: Some(0),
                ..Cost::default()
            },
        }),
    }
}

/// Adds the cost and the algorithm of a part.
fn add(sum: &mut Outcome, part: &Outcome) {
    sum.provenance.algorithms.extend(&part.provenance.algorithms);
    if let (Some(all), Some(one)) = (&mut sum.provenance.automaton, part.provenance.automaton) {
        all.states += one.states;
    }
    let (all, one) = (&mut sum.cost, &part.cost);
    if let (Some(all), Some(one)) = (&mut all.states, &one.states) {
        *all += one;
    }
    let plus = |all: &mut Option<u64>, one: Option<u64>| {
        if let (Some(all), Some(one)) = (all, one) {
            *all += one;
        }
    };
    plus(&mut all.transitions, one.transitions);
    plus(&mut all.stored, one.stored);
    plus(&mut all.visited, one.visited);
    all.bytes += one.bytes;
}
