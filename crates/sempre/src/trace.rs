//! Paths and states of models as people read them: what a state is, and what a step changes.

use crate::origin::{Source, sources, write_sources};
use sempre::check::Counterexample;
use sempre::explicit::explore::Path;
use sempre::models::proposition::{written, written_value};
use sempre::models::{System, VariableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A path from an initial state.
#[derive(Debug, Serialize)]
pub(crate) struct Trace {
    /// The values in the beginning, without those that are 0.
    pub(crate) initial: BTreeMap<String, String>,
    /// The same in the order of the model.
    #[serde(skip)]
    pub(crate) values: Vec<(String, String)>,
    pub(crate) steps: Vec<TraceStep>,
}

/// A run that violates a property: a way to a cycle that repeats for ever, to a deadlock, or to
/// where it no longer matters what comes next.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunTrace {
    /// The values in the beginning, without those that are 0.
    pub(crate) initial: BTreeMap<String, String>,
    /// The same in the order of the model.
    #[serde(skip)]
    pub(crate) values: Vec<(String, String)>,
    pub(crate) prefix: Vec<TraceStep>,
    /// Empty if the run ends in a deadlock, or is open.
    pub(crate) cycle: Vec<TraceStep>,
    /// True if whatever comes after the prefix violates the property, and no cycle is known.
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
                source: step.action.map_or_else(Vec::new, |action| sources(system, action)),
                changes: changes(system, before, &step.state),
            });
            before = &step.state;
        }
        let cycle = steps.split_off(run.prefix.len());
        RunTrace { initial: values.iter().cloned().collect(), values, prefix: steps, cycle, open }
    }

    /// Writes the first state, and for each step what happens and what it changes.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "initial state")?;
        write_values(&self.values, out)?;
        let steps = self.prefix.iter().chain(&self.cycle);
        for (number, step) in steps.enumerate() {
            if number == self.prefix.len() {
                writeln!(out, "from here on, again and again")?;
            }
            writeln!(out, "{}. {}", number + 1, step.action)?;
            write_sources(&step.source, out)?;
            write_changes(&step.changes, out)?;
        }
        match self.ending() {
            Some(ending) => writeln!(out, "{ending}"),
            None => Ok(()),
        }
    }

    /// What comes after the prefix, if it is not a cycle.
    pub(crate) fn ending(&self) -> Option<&'static str> {
        match (&*self.cycle, self.open) {
            ([], true) => Some("whatever comes next"),
            ([], false) => Some("deadlock"),
            _ => None,
        }
    }
}

/// What happens when the last state of a run that ends repeats.
pub(crate) const STUTTER: &str = "(the deadlock repeats)";

/// A step of a path.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TraceStep {
    pub(crate) action: String,
    /// The transitions that take part, as they are written in the model.
    #[serde(default)]
    pub(crate) source: Vec<Source>,
    pub(crate) changes: Vec<Change>,
}

/// A variable that has another value than before.
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
            let action = system.names().action_name(step.action);
            steps.push(TraceStep { action, source: sources(system, step.action), changes });
            before = &step.state;
        }
        Trace { initial: values.iter().cloned().collect(), values, steps }
    }

    /// Writes the first state, and for each step what happens and what it changes.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_values(&self.values, out)?;
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(out, "{}. {}", number + 1, step.action)?;
            write_sources(&step.source, out)?;
            write_changes(&step.changes, out)?;
        }
        Ok(())
    }
}

/// The values of a state that are not 0, with the names of their variables.
pub(crate) fn values(system: &dyn System, state: &[u32]) -> Vec<(String, String)> {
    let variables = (0..system.names().variable_count() as u32).map(VariableId);
    variables
        .map(|variable| (variable, system.names().value_text(state, variable)))
        .filter(|(_, text)| text != "0")
        .map(|(variable, text)| (system.names().variable_name(variable), text))
        .collect()
}

/// What is different in the second state.
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

/// Writes the values of a state, one in a line.
pub(crate) fn write_values(values: &[(String, String)], out: &mut impl Write) -> io::Result<()> {
    if values.is_empty() {
        writeln!(out, "   all values are 0")?;
    }
    for (name, value) in values {
        writeln!(out, "   {} = {}", written(name), written_value(value))?;
    }
    Ok(())
}

/// Writes what a step changes, one variable in a line.
pub(crate) fn write_changes(changes: &[Change], out: &mut impl Write) -> io::Result<()> {
    if changes.is_empty() {
        writeln!(out, "   nothing changes")?;
    }
    for Change { variable, before, after } in changes {
        let (before, after) = (written_value(before), written_value(after));
        writeln!(out, "   {}: {before} -> {after}", written(variable))?;
    }
    Ok(())
}
