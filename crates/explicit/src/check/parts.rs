//! Checks the parts of an automaton concurrently, on one state space.

use super::part::check_part;
use super::{Job, Options, SearchOrder};
use crate::state_space::StateSpace;
use crate::store::Store;
use sempre_automata::decompose::Part;
use sempre_check::{
    CheckError, Control, Limits, Outcome, PartCheck, Unsupported, check_concurrently, combine_parts,
};
use sempre_testing::Negation;

/// Checks the automaton as a whole, or its parts concurrently.
pub(super) fn check_parts<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Negation,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let Some(way) = job.options.decompose else {
        return check_part(space, negation, job);
    };
    let parts = job.limits().run(|| negation.parts(way))?;
    let parts = parts.map_err(|error| Unsupported(error.to_string()))?;
    if let [(part, negation)] = &*parts {
        let options = options_for(*part, job.options);
        let mut outcome = check_part(space, negation, Job { options: &options, ..job })?;
        outcome.cost.parts = vec![PartCheck::new(*part, &outcome)];
        return Ok(outcome);
    }
    // Searches by levels and those about steps have states of their own, and a share of the memory.
    let is_by_levels = matches!(job.options.order, SearchOrder::LevelByLevel { .. });
    let has_own_states = is_by_levels || job.question.is_about_steps();
    let bytes = match has_own_states {
        true => job.limits().bytes.map(|bytes| bytes / parts.len().max(1)),
        false => job.limits().bytes,
    };
    let control = job.control.with(Limits { bytes, ..job.limits().clone() });
    let system = space.system();
    let joint = space.take_joint();
    let check = |part: Part, negation: &Negation, control: &Control<'_>| {
        let options = options_for(part, job.options);
        let job = Job { control, options: &options, ..job };
        check_part(&mut StateSpace::join(system, &joint), negation, job)
    };
    let outcomes = check_concurrently(&parts, &control, check, check);
    let ((states, transitions), peak) = (joint.counts(), joint.peak());
    space.give_back(joint);
    let mut outcome = combine_parts(job.question, "explicit", outcomes)?;
    let cost = &mut outcome.cost;
    cost.states = cost.states.take().max(Some(states.into()));
    cost.transitions = cost.transitions.max(Some(transitions));
    if !has_own_states {
        cost.bytes = peak.max(space.bytes());
    }
    Ok(outcome)
}

/// Returns the options for a part: the chosen emptiness check is for the strong one.
fn options_for(part: Part, options: &Options) -> Options {
    match part {
        Part::Strong => *options,
        Part::Terminal | Part::Weak => Options { emptiness: None, ..*options },
    }
}
