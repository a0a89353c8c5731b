//! Checks of the parts of an automaton, one for each strength, concurrently.
//!
//! Source: Renault, Duret-Lutz, Kordon and Poitrenaud, Strength-based decomposition of the property
//! Büchi automaton for faster model checking (TACAS 2013). The first violation stops the checks of the
//! other parts; a property holds if all parts do. Parts and their reports are in the order of their
//! strengths, whatever ends first.

use crate::control::{Control, Limits, Reason};
use crate::outcome::{CheckError, Cost, Outcome, Unknown, Verdict};
use crate::provenance::Provenance;
use crate::question::Question;
use sempre_automata::decompose::Part;
use sempre_ltl::interrupt::Interrupt;
use std::fmt;
use std::thread;

/// The check of a part of the automaton. Counts are `None` if the engine does not count them for
/// each part, or if another part stopped this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartCheck {
    /// The strength of the accepting components.
    pub part: Part,
    /// Violated if the system has a run that the part accepts.
    pub verdict: Verdict,
    /// The algorithm.
    pub algorithm: &'static str,
    /// The number of states of the automaton.
    pub automaton: usize,
    /// The number of states of the system.
    pub states: Option<u64>,
    /// The number of transitions of the system.
    pub transitions: Option<u64>,
    /// The number of product states that were stored.
    pub stored: Option<u64>,
    /// The number of product transitions that were visited, counted each time.
    pub visited: Option<u64>,
}

impl PartCheck {
    /// Describes the check of a part by its outcome.
    pub fn new(part: Part, outcome: &Outcome) -> Self {
        let (provenance, cost) = (&outcome.provenance, &outcome.cost);
        let is_stopped = outcome.verdict.is_cancelled();
        let count = |count: Option<u64>| count.filter(|_| !is_stopped);
        PartCheck {
            part,
            verdict: outcome.verdict.clone(),
            algorithm: provenance.algorithms.first().copied().unwrap_or_default(),
            automaton: provenance.automaton.map_or(0, |automaton| automaton.states),
            states: count(cost.states.as_ref().and_then(|states| u64::try_from(states).ok())),
            transitions: count(cost.transitions),
            stored: count(cost.stored),
            visited: count(cost.visited),
        }
    }

    /// Returns the word for the result: a verdict, or `stopped` if another part ended the check.
    pub fn result(&self) -> &'static str {
        match self.verdict.is_cancelled() {
            true => "stopped",
            false => self.verdict.name(),
        }
    }
}

/// Prints `key: value` pairs.
impl fmt::Display for PartCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.part.name();
        write!(out, "{name} part: {} ({}), automaton: ", self.result(), self.algorithm)?;
        match self.automaton {
            1 => write!(out, "1 state")?,
            states => write!(out, "{states} states")?,
        }
        let counts = [
            ("states", self.states),
            ("transitions", self.transitions),
            ("stored", self.stored),
            ("visited", self.visited),
        ];
        for (name, count) in counts {
            if let Some(count) = count {
                write!(out, ", {name}: {count}")?;
            }
        }
        Ok(())
    }
}

/// The result of the check of a part.
type Checked = Result<Outcome, CheckError>;

/// Checks the parts at the same time: the strongest by `here` on this thread, the others by `there`
/// on threads of their own. The first that does not hold stops the others.
pub fn check_concurrently<N: Sync>(
    parts: &[(Part, N)],
    control: &Control<'_>,
    there: impl Fn(Part, &N, &Control<'_>) -> Checked + Sync,
    here: impl FnOnce(Part, &N, &Control<'_>) -> Checked,
) -> Vec<(Part, Checked)> {
    let Some(((part, last), others)) = parts.split_last() else { return Vec::new() };
    let stop = Raise(control.token().inner());
    let limits = Limits { interrupt: Some(stop.0.clone()), ..control.limits.clone() };
    let control = &control.with(limits);
    let stop_unless_holds = |checked: &Checked| {
        if !checked.as_ref().is_ok_and(|outcome| outcome.verdict == Verdict::Holds) {
            stop.0.raise();
        }
    };
    thread::scope(|scope| {
        // Work on this thread may be unwound; then the scope would wait for the other threads.
        let unwound = Raise(stop.0.clone());
        let handles: Vec<_> = others
            .iter()
            .map(|(part, negation)| {
                let (there, stop_unless_holds) = (&there, &stop_unless_holds);
                scope.spawn(move || {
                    let checked = there(*part, negation, control);
                    stop_unless_holds(&checked);
                    checked
                })
            })
            .collect();
        let checked = here(*part, last, control);
        stop_unless_holds(&checked);
        std::mem::forget(unwound);
        let mut all: Vec<_> = others
            .iter()
            .zip(handles)
            .map(|((part, _), handle)| match handle.join() {
                Ok(checked) => (*part, checked),
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect();
        all.push((*part, checked));
        all
    })
}

/// Raises an interrupt when it is dropped.
struct Raise(Interrupt);

impl Drop for Raise {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Combines the outcomes of the parts, each on the same states: a violation has priority, then an
/// error or a limit of a part. Memory is summed up.
///
/// # Errors
/// The first error of a part, if no part is violated.
pub fn combine_parts(
    question: &Question,
    engine: &'static str,
    outcomes: Vec<(Part, Checked)>,
) -> Checked {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Holds => 0,
        // Another part cancelled this one, and its reason is more specific.
        Verdict::Unknown(Unknown::Limit(Reason::Interrupt)) => 1,
        Verdict::Unknown(_) => 2,
        Verdict::Violated => 4,
    };
    let mut sum: Option<Outcome> = None;
    let mut refusal = None;
    for (part, outcome) in outcomes {
        let mut outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                refusal.get_or_insert(error);
                continue;
            }
        };
        outcome.cost.parts = vec![PartCheck::new(part, &outcome)];
        sum = Some(match sum {
            None => outcome,
            Some(mut sum) => {
                add(&mut sum, &outcome);
                if rank(&outcome.verdict) > rank(&sum.verdict) {
                    (sum.verdict, sum.evidence) = (outcome.verdict, outcome.evidence);
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
            system: question.system().clone(),
            provenance: Provenance { engine, ..Provenance::default() },
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
    all.parts.extend(one.parts.iter().cloned());
    all.states = all.states.take().max(one.states.clone());
    all.transitions = all.transitions.max(one.transitions);
    let plus = |all: &mut Option<u64>, one: Option<u64>| {
        if let (Some(all), Some(one)) = (all, one) {
            *all += one;
        }
    };
    plus(&mut all.stored, one.stored);
    plus(&mut all.visited, one.visited);
    all.peak_nodes = all.peak_nodes.zip(one.peak_nodes).map(|(all, one)| all + one);
    all.bytes += one.bytes;
}
