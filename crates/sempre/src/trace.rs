//! Paths and states of models in output: the values of a state, and the changes of a step.

use sempre::check::Counterexample;
use sempre::explicit::explore::Path;
use sempre::models::{System, VariableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A path from an initial state.
#[derive(Debug, Serialize)]
pub(crate) struct Trace {
    /// The initial values, without zeros.
    pub(crate) initial: BTreeMap<String, String>,
    /// The initial values in the order of the model.
    #[serde(skip)]
    pub(crate) values: Vec<(String, String)>,
    pub(crate) steps: Vec<TraceStep>,
}

/// A counterexample for output: a prefix, and a cycle or a deadlock, or a prefix that cannot be
/// extended to satisfy the property.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunTrace {
    /// The initial values, without zeros.
    pub(crate) initial: BTreeMap<String, String>,
    /// The initial values in the order of the model.
    #[serde(skip)]
    pub(crate) values: Vec<(String, String)>,
    pub(crate) prefix: Vec<TraceStep>,
    /// Empty if the run ends in a deadlock, or has no cycle.
    pub(crate) cycle: Vec<TraceStep>,
    /// True if every continuation of the prefix violates the property, and no cycle is known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) open: bool,
}

impl RunTrace {
    pub(crate) fn new(system: &dyn System, run: &Counterexample) -> Self {
        let last = run.prefix.last().map_or(&run.initial, |step| &step.state);
        let is_deadlock = system.is_deadlock(last) == Ok(true);
        let open = run.cycle.is_empty() && !is_deadlock;
        let values = values(system, &run.initial);
        let mut before: &[u32] = &run.initial;
        let mut steps = Vec::with_capacity(run.prefix.len() + run.cycle.len());
        for step in run.prefix.iter().chain(&run.cycle) {
            let action = step.action.map(|action| system.names().action_name(action));
            steps.push(TraceStep {
                action: action.unwrap_or_else(|| STUTTER.to_owned()),
                changes: changes(system, before, &step.state),
            });
            before = &step.state;
        }
        let cycle = steps.split_off(run.prefix.len());
        RunTrace { initial: values.iter().cloned().collect(), values, prefix: steps, cycle, open }
    }

    /// Writes the initial state, then the action and the changes of each step.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "initial state")?;
        write_values(&self.values, out)?;
        let steps = self.prefix.iter().chain(&self.cycle);
        for (number, step) in steps.enumerate() {
            if number == self.prefix.len() {
                writeln!(out, "cycle")?;
            }
            writeln!(out, "{}. {}", number + 1, step.action)?;
            write_changes(&step.changes, out)?;
        }
        match self.ending() {
            Some(ending) => writeln!(out, "{ending}"),
            None => Ok(()),
        }
    }

    /// Returns the end of the run after the prefix, if it has no cycle.
    pub(crate) fn ending(&self) -> Option<&'static str> {
        match (&*self.cycle, self.open) {
            ([], true) => Some("every continuation violates the property"),
            ([], false) => Some("deadlock"),
            _ => None,
        }
    }
}

/// The action of a step that repeats a deadlock.
pub(crate) const STUTTER: &str = "(stutter)";

/// A step of a path.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TraceStep {
    pub(crate) action: String,
    pub(crate) changes: Vec<Change>,
}

/// A variable whose value changes.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    pub(crate) variable: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

impl Trace {
    pub(crate) fn new(system: &dyn System, path: &Path) -> Self {
        let values = values(system, &path.initial);
        let mut before = &path.initial;
        let mut steps = Vec::with_capacity(path.steps.len());
        for step in &path.steps {
            let changes = changes(system, before, &step.state);
            steps.push(TraceStep { action: system.names().action_name(step.action), changes });
            before = &step.state;
        }
        Trace { initial: values.iter().cloned().collect(), values, steps }
    }

    /// Writes the initial state, then the action and the changes of each step.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_values(&self.values, out)?;
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(out, "{}. {}", number + 1, step.action)?;
            write_changes(&step.changes, out)?;
        }
        Ok(())
    }
}

/// Returns the values of a state that are not 0, with the names of their variables.
pub(crate) fn values(system: &dyn System, state: &[u32]) -> Vec<(String, String)> {
    let variables = (0..system.names().variable_count() as u32).map(VariableId);
    variables
        .map(|variable| (variable, system.names().value_text(state, variable)))
        .filter(|(_, text)| text != "0")
        .map(|(variable, text)| (system.names().variable_name(variable), text))
        .collect()
}

/// Returns the variables that differ in the second state.
pub(crate) fn changes(system: &dyn System, before: &[u32], after: &[u32]) -> Vec<Change> {
    let variables = (0..system.names().variable_count() as u32).map(VariableId);
    variables
        .filter(|variable| {
            system.names().value(before, *variable) != system.names().value(after, *variable)
        })
        .map(|variable| Change {
            variable: system.names().variable_name(variable),
            before: system.names().value_text(before, variable),
            after: system.names().value_text(after, variable),
        })
        .collect()
}

/// Writes the values of a state, one per line.
pub(crate) fn write_values(values: &[(String, String)], out: &mut impl Write) -> io::Result<()> {
    if values.is_empty() {
        writeln!(out, "   all values are 0")?;
    }
    for (name, value) in values {
        writeln!(out, "   {name} = {value}")?;
    }
    Ok(())
}

/// Writes the changes of a step, one per line.
pub(crate) fn write_changes(changes: &[Change], out: &mut impl Write) -> io::Result<()> {
    if changes.is_empty() {
        writeln!(out, "   nothing changes")?;
    }
    for Change { variable, before, after } in changes {
        writeln!(out, "   {variable}: {before} -> {after}")?;
    }
    Ok(())
}
