//! Follows a counterexample that was written as JSON: every step must be one of the model.
//!
//! A counterexample names actions and values. The values of all variables distinguish states, so an
//! action and its changes determine the next state.

use crate::trace::{Change, RunTrace, STUTTER, TraceStep, Values, changes, values};
use anyhow::{Result, bail};
use sempre::check::{Counterexample, Move};
use sempre::models::{ActionId, Fault, System, VariableId};
use std::collections::BTreeMap;

/// The maximal number of actions that an error names.
const NAMED: usize = 5;

/// The part of a run that can be followed.
pub(crate) struct Followed {
    /// The values in the initial state.
    pub(crate) initial: Values,
    /// The run as far as it can be followed.
    pub(crate) run: Counterexample,
    /// The number of steps that are right.
    pub(crate) steps: usize,
    /// The reason why the next step is wrong, or why the run does not end as it should.
    pub(crate) error: Option<String>,
}

/// Follows a run in a system.
///
/// # Errors
/// If the run begins in no initial state, or with a [`Fault`] of the model.
pub(crate) fn follow(run: &RunTrace, system: &dyn System) -> Result<Followed> {
    let mut here = initial(run, system)?;
    let mut followed = Followed {
        initial: values(system, &here),
        run: Counterexample { initial: here.clone(), prefix: Vec::new(), cycle: Vec::new() },
        steps: 0,
        error: None,
    };
    let RunTrace { prefix, cycle, .. } = run;
    let mut begin = here.clone();
    for (number, step) in run.steps().enumerate() {
        match after(system, &here, step)? {
            Ok((action, next)) => {
                let part = match number < prefix.len() {
                    true => &mut followed.run.prefix,
                    false => &mut followed.run.cycle,
                };
                part.push(Move { action, state: next.clone() });
                here = next;
            }
            Err(error) => {
                followed.error = Some(format!("step {}: {error}", number + 1));
                return Ok(followed);
            }
        }
        followed.steps += 1;
        if followed.steps == prefix.len() {
            begin.clone_from(&here);
        }
    }
    if cycle.is_empty() && !run.open && !system.is_deadlock(&here)? {
        let error = "the run has no cycle, and where it ends there is no deadlock";
        followed.error = Some(error.to_owned());
    }
    if !cycle.is_empty() && here != begin {
        followed.error = Some(open_cycle(system, &begin, &here));
    }
    Ok(followed)
}

/// The initial state in which the run begins.
fn initial(run: &RunTrace, system: &dyn System) -> Result<Box<[u32]>> {
    let given = not_zero(&run.initial);
    let all = system.initial()?;
    let mut differences = Vec::new();
    for state in &all {
        let values = values(system, state);
        let values = not_zero(&values);
        let of = |map: &BTreeMap<&str, &str>, name| map.get(name).map_or("0", |v| *v).to_owned();
        let mut names = given.keys().chain(values.keys());
        let Some(name) = names.find(|name| given.get(*name) != values.get(*name)) else {
            return Ok(state.clone());
        };
        differences.push(match knows(system, name) {
            true => format!("`{name}` is {}, not {}", of(&values, name), of(&given, name)),
            false => unknown(name),
        });
    }
    match &*differences {
        [difference] => bail!("in the initial state, {difference}"),
        all => bail!("the run begins in none of the {} initial states", all.len()),
    }
}

/// The values that are not 0.
fn not_zero(values: &Values) -> BTreeMap<&str, &str> {
    let texts = values.0.iter().map(|(name, value)| (&**name, &**value));
    texts.filter(|(_, value)| *value != "0").collect()
}

/// An enabled action with its name, and where it leads.
type Enabled = (Option<ActionId>, String, Box<[u32]>);

/// The action and the state after the step, or why it cannot be taken.
#[expect(clippy::type_complexity, reason = "a move, an error for people, a fault of the model")]
fn after(
    system: &dyn System,
    here: &[u32],
    step: &TraceStep,
) -> Result<Result<(Option<ActionId>, Box<[u32]>), String>, Fault> {
    let mut enabled = enabled(system, here)?;
    if enabled.is_empty() && step.name() == STUTTER {
        enabled.push((None, STUTTER.to_owned(), here.into()));
    }
    let right = enabled.iter().find(|(_, name, successor)| {
        *name == step.name() && agree(&step.changes, &changes(system, here, successor))
    });
    let right = right.map(|(action, _, state)| (*action, state.clone()));
    Ok(right.ok_or_else(|| wrong(system, here, step, &enabled)))
}

/// The enabled actions.
fn enabled(system: &dyn System, state: &[u32]) -> Result<Vec<Enabled>, Fault> {
    let successors = system.successors(state)?;
    let named = |(action, state): (ActionId, &[u32])| {
        (Some(action), system.names().action_name(action), state.into())
    };
    Ok(successors.iter().map(named).collect())
}

/// True if these are the same changes, in any order.
fn agree(given: &[Change], real: &[Change]) -> bool {
    given.len() == real.len() && given.iter().all(|change| real.contains(change))
}

/// Why a step cannot be taken.
fn wrong(system: &dyn System, state: &[u32], step: &TraceStep, enabled: &[Enabled]) -> String {
    let action = step.name();
    let after = match enabled.iter().find(|(_, name, _)| name == action) {
        Some((_, _, after)) => after,
        None => {
            let mut names: Vec<String> = Vec::new();
            for name in enabled.iter().map(|(_, name, _)| format!("`{name}`")) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let more = names.len().saturating_sub(NAMED);
            names.truncate(NAMED);
            let more = (more > 0).then(|| format!("{more} more"));
            let named = names.into_iter().chain(more).collect::<Vec<_>>().join(", ");
            return match (action == STUTTER, enabled.is_empty()) {
                (true, _) => format!("this is no deadlock: {named} can happen"),
                (false, true) => format!("`{action}` is not enabled, this is a deadlock"),
                (false, false) => format!("`{action}` is not enabled, but {named}"),
            };
        }
    };
    let real = changes(system, state, after);
    let differs = |change: &&Change| !real.contains(change);
    if let Some(Change { variable, before, after }) = step.changes.iter().find(differs) {
        if !knows(system, variable) {
            return unknown(variable);
        }
        let given = format!("does not change `{variable}` from {before} to {after}");
        return match real.iter().find(|change| change.variable == *variable) {
            Some(change) => {
                format!("`{action}` {given}, but from {} to {}", change.before, change.after)
            }
            None => format!("`{action}` {given}"),
        };
    }
    match real.iter().find(|change| !step.changes.contains(change)) {
        Some(Change { variable, before, after }) => {
            format!("`{action}` also changes `{variable}` from {before} to {after}")
        }
        None => format!("a change of `{action}` is given twice"),
    }
}

/// How the end of a cycle differs from its beginning.
fn open_cycle(system: &dyn System, begin: &[u32], end: &[u32]) -> String {
    let changes = changes(system, begin, end);
    let mut differences = changes.iter().map(|Change { variable, before, after }| {
        format!("`{variable}` is {after} at its end, not {before} as where it began")
    });
    let difference = differences.next();
    let difference = difference.unwrap_or_else(|| "its end is another state".to_owned());
    format!("the cycle does not close: {difference}")
}

fn knows(system: &dyn System, name: &str) -> bool {
    (0..system.names().variable_count() as u32)
        .any(|id| system.names().variable_name(VariableId(id)) == name)
}

fn unknown(name: &str) -> String {
    format!("the model has no variable named `{name}`")
}
