//! Replays a counterexample from JSON: every step must be a step of the model.
//!
//! A counterexample names actions and values. The values of all variables identify a state, so an
//! action and its changes identify the successor.

use crate::Exit;
use crate::models::ModelInput;
use crate::output::Output;
use crate::trace::{Change, RunTrace, STUTTER, TraceStep, changes, values};
use crate::trace::{write_changes, write_values};
use anyhow::{Context, Result, anyhow, bail};
use sempre::models::{Extent, Fault, System, VariableId};
use serde::Deserialize;
use serde_json::{Deserializer, Value};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;

/// The maximal number of actions in an error.
const NAMED: usize = 5;

/// Replays the counterexample in the file.
pub(super) fn replay(path: &Path, model: &ModelInput) -> Result<Exit> {
    let is_standard_input = path.as_os_str() == "-";
    if is_standard_input && model.is_standard_input() {
        bail!("standard input cannot be both the model and the counterexample");
    }
    let name = if is_standard_input { "<stdin>".into() } else { path.display().to_string() };
    let text = if is_standard_input {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = text.with_context(|| format!("cannot read {name}"))?;
    let mut run = read(&text).with_context(|| name.clone())?;
    let model = model.open()?;
    let replay = Replay { run: &run };
    let replayed = model.run(Extent::OnTheFly, |system| replay.on(&**system));
    let Replayed { initial, steps, error } = replayed.map_err(|fault| anyhow!("{fault}"))??;
    run.values = initial;
    let waits = !is_standard_input && io::stdin().is_terminal();
    let mut out = Output::standard();
    if show(&run, steps, error.is_none(), waits, &mut out)?
        && let Some(error) = error
    {
        out.finish()?;
        bail!("{error}");
    }
    out.finish()?;
    Ok(Exit::Success)
}

/// Returns the first counterexample of the objects.
fn read(text: &str) -> Result<RunTrace> {
    for object in Deserializer::from_str(text).into_iter::<Value>() {
        let object = object.context("expected the output of `sempre check --json`")?;
        let run = match object.get("counterexample") {
            Some(Value::Null) => continue,
            Some(run) => run,
            None if object.get("cycle").is_some() => &object,
            None => continue,
        };
        return RunTrace::deserialize(run).context("malformed counterexample");
    }
    bail!("there is no counterexample")
}

/// Shows the valid steps of the run, and its end if all steps are valid. False if the user quits.
fn show(
    run: &RunTrace,
    steps: usize,
    is_right: bool,
    waits: bool,
    out: &mut Output,
) -> io::Result<bool> {
    writeln!(out, "initial state")?;
    write_values(&run.values, out)?;
    for (number, step) in run.prefix.iter().chain(&run.cycle).enumerate().take(steps) {
        if waits && !goes_on(out)? {
            return Ok(false);
        }
        if number == run.prefix.len() {
            writeln!(out, "cycle")?;
        }
        writeln!(out, "{}. {}", number + 1, step.action)?;
        write_changes(&step.changes, out)?;
    }
    match (is_right, run.ending()) {
        (true, Some(ending)) => writeln!(out, "{ending}")?,
        (true, None) => {
            writeln!(out, "the cycle closes: step {} comes next", run.prefix.len() + 1)?
        }
        (false, _) => {}
    }
    Ok(true)
}

/// Waits for the user; false if the user quits.
fn goes_on(out: &mut Output) -> io::Result<bool> {
    write!(out, "> ")?;
    out.flush()?;
    let mut line = String::new();
    let is_end = io::stdin().lock().read_line(&mut line)? == 0;
    Ok(!is_end && !matches!(line.trim(), "q" | "quit" | "exit"))
}

/// The replay of a run on a system.
struct Replay<'a> {
    run: &'a RunTrace,
}

/// The valid part of a run.
struct Replayed {
    /// The initial values.
    initial: Vec<(String, String)>,
    /// The number of valid steps.
    steps: usize,
    /// The error in the next step.
    error: Option<String>,
}

impl Replay<'_> {
    fn on(&self, system: &dyn System) -> Result<Result<Replayed>, Fault> {
        let mut here = match self.initial(system)? {
            Ok(initial) => initial,
            Err(error) => return Ok(Err(error)),
        };
        let mut replayed = Replayed { initial: values(system, &here), steps: 0, error: None };
        let RunTrace { prefix, cycle, .. } = self.run;
        let mut begin = here.clone();
        for (number, step) in prefix.iter().chain(cycle).enumerate() {
            match follow(system, &here, step)? {
                Ok(next) => here = next,
                Err(error) => {
                    replayed.error = Some(format!("step {}: {error}", number + 1));
                    return Ok(Ok(replayed));
                }
            }
            replayed.steps += 1;
            if replayed.steps == prefix.len() {
                begin.clone_from(&here);
            }
        }
        if cycle.is_empty() && !self.run.open && !system.is_deadlock(&here)? {
            let error = "the run has no cycle and does not end in a deadlock";
            replayed.error = Some(error.to_owned());
        }
        if !cycle.is_empty() && here != begin {
            replayed.error = Some(open_cycle(system, &begin, &here));
        }
        Ok(Ok(replayed))
    }

    /// Returns the initial state of the run.
    fn initial(&self, system: &dyn System) -> Result<Result<Box<[u32]>>, Fault> {
        let expected = not_zero(&self.run.initial);
        let all = system.initial()?;
        let mut differences = Vec::new();
        for state in &all {
            let values: BTreeMap<String, String> = values(system, state).into_iter().collect();
            let values = not_zero(&values);
            let of =
                |map: &BTreeMap<&str, &str>, name| map.get(name).map_or("0", |v| *v).to_owned();
            let mut names = expected.keys().chain(values.keys());
            let Some(name) = names.find(|name| expected.get(*name) != values.get(*name)) else {
                return Ok(Ok(state.clone()));
            };
            differences.push(match knows(system, name) {
                true => format!("`{name}` is {}, not {}", of(&values, name), of(&expected, name)),
                false => unknown(name),
            });
        }
        Ok(Err(match &*differences {
            [difference] => anyhow!("in the initial state, {difference}"),
            all => anyhow!("the run begins in none of the {} initial states", all.len()),
        }))
    }
}

/// Returns the values that are not 0.
fn not_zero(values: &BTreeMap<String, String>) -> BTreeMap<&str, &str> {
    let texts = values.iter().map(|(name, value)| (&**name, &**value));
    texts.filter(|(_, value)| *value != "0").collect()
}

/// Returns the state after the step, or why the step is invalid.
fn follow(
    system: &dyn System,
    here: &[u32],
    step: &TraceStep,
) -> Result<Result<Box<[u32]>, String>, Fault> {
    let mut moves = moves(system, here)?;
    if moves.is_empty() && step.action == STUTTER {
        moves.push((STUTTER.to_owned(), here.into()));
    }
    let right = moves.iter().find(|(name, successor)| {
        *name == step.action && agree(&step.changes, &changes(system, here, successor))
    });
    Ok(right.map(|(_, state)| state.clone()).ok_or_else(|| wrong(system, here, step, &moves)))
}

/// The name of an enabled action, and its successor.
type Named = (String, Box<[u32]>);

/// Returns the enabled actions.
fn moves(system: &dyn System, state: &[u32]) -> Result<Vec<Named>, Fault> {
    let successors = system.successors(state)?;
    let named = |(action, state): (_, &[u32])| (system.names().action_name(action), state.into());
    Ok(successors.iter().map(named).collect())
}

/// True if these are the same changes, in any order.
fn agree(expected: &[Change], real: &[Change]) -> bool {
    expected.len() == real.len() && expected.iter().all(|change| real.contains(change))
}

/// Returns why a step is invalid.
fn wrong(system: &dyn System, state: &[u32], step: &TraceStep, moves: &[Named]) -> String {
    let action = &step.action;
    let after = match moves.iter().find(|(name, _)| name == action) {
        Some((_, after)) => after,
        None => {
            let mut enabled: Vec<String> = Vec::new();
            for name in moves.iter().map(|(name, _)| format!("`{name}`")) {
                if !enabled.contains(&name) {
                    enabled.push(name);
                }
            }
            let more = enabled.len().saturating_sub(NAMED);
            enabled.truncate(NAMED);
            let more = (more > 0).then(|| format!("{more} more"));
            let named = enabled.into_iter().chain(more).collect::<Vec<_>>().join(", ");
            return match (action == STUTTER, moves.is_empty()) {
                (true, _) => format!("this is no deadlock: {named} is enabled"),
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
        let expected = format!("does not change `{variable}` from {before} to {after}");
        return match real.iter().find(|change| change.variable == *variable) {
            Some(change) => {
                format!("`{action}` {expected}, but from {} to {}", change.before, change.after)
            }
            None => format!("`{action}` {expected}"),
        };
    }
    match real.iter().find(|change| !step.changes.contains(change)) {
        Some(Change { variable, before, after }) => {
            format!("`{action}` also changes `{variable}` from {before} to {after}")
        }
        None => format!("a change of `{action}` occurs twice"),
    }
}

/// Describes how the end of a cycle differs from its beginning.
fn open_cycle(system: &dyn System, begin: &[u32], end: &[u32]) -> String {
    let changes = changes(system, begin, end);
    let mut differences = changes.iter().map(|Change { variable, before, after }| {
        format!("`{variable}` is {before} at its beginning and {after} at its end")
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
