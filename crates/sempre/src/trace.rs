//! Paths and states of models as people read them: what a state is, and what a step changes.

use crate::schema::{Described, described};
use sempre::check::Counterexample;
use sempre::explicit::explore::Path;
use sempre::models::{System, VariableId};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;
use std::io::{self, Write};

/// The values of a state that are not 0, with the names of their variables, in the order of the
/// model. An object in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values(pub(crate) Vec<(String, String)>);

impl Values {
    /// The value of a variable.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(variable, _)| variable == name);
        found.map_or("0", |(_, value)| value)
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Values;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object of values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values, A::Error> {
                let mut values = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    values.push(entry);
                }
                Ok(Values(values))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

impl Described for Values {
    fn schema(_: &mut Map<String, Value>) -> Value {
        json!({ "type": "object", "additionalProperties": { "type": "string" } })
    }
}

described! {
    /// A path from an initial state.
    #[derive(Deserialize)]
    pub(crate) struct Trace {
        /// The values in the initial state, without those that are 0.
        pub(crate) initial: Values,
        /// The steps.
        pub(crate) steps: Vec<TraceStep>,
    }
}

described! {
    /// A run that violates a property: a prefix and a cycle that repeats for ever; or a prefix alone,
    /// to a deadlock or to a state from which every continuation violates the property.
    #[derive(Deserialize)]
    pub(crate) struct RunTrace {
        /// The values in the initial state, without those that are 0.
        pub(crate) initial: Values,
        /// The steps to the cycle.
        pub(crate) prefix: Vec<TraceStep>,
        /// The steps of the cycle. Empty if the run ends in a deadlock, or is open.
        pub(crate) cycle: Vec<TraceStep>,
        /// True if the run has no cycle because every continuation violates the property.
        #[serde(default)]
        pub(crate) open: bool,
        /// The number of steps, around the cycle if need be, after which every continuation violates
        /// the property; null if there is no such number.
        #[serde(default)]
        pub(crate) bad_state: Option<usize>,
    }
}

/// The label of the steps to the cycle.
const PREFIX: &str = "prefix";

/// The label of the steps that repeat.
const CYCLE: &str = "cycle, repeated for ever";

/// The last line of a run that ends at its bad state.
const BAD: &str = "bad state: every continuation violates the property";

impl RunTrace {
    pub(crate) fn new(system: &dyn System, run: &Counterexample) -> Self {
        let last = run.prefix.last().map_or(&run.initial, |step| &step.state);
        let is_deadlock = system.is_deadlock(last) == Ok(true);
        let open = run.cycle.is_empty() && !is_deadlock;
        let mut before: &[u32] = &run.initial;
        let mut steps = Vec::with_capacity(run.prefix.len() + run.cycle.len());
        for step in run.prefix.iter().chain(&run.cycle) {
            let action = step.action.map(|action| system.names().action_name(action));
            steps.push(TraceStep { action, changes: changes(system, before, &step.state) });
            before = &step.state;
        }
        let cycle = steps.split_off(run.prefix.len());
        let initial = values(system, &run.initial);
        RunTrace { initial, prefix: steps, cycle, open, bad_state: None }
    }

    /// The steps of the prefix and of the cycle.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &TraceStep> {
        self.prefix.iter().chain(&self.cycle)
    }

    /// The steps that are shown: those to the bad state, or prefix and cycle.
    pub(crate) fn shown(&self) -> Box<dyn Iterator<Item = &TraceStep> + '_> {
        match self.bad_state {
            Some(steps) => {
                Box::new(self.prefix.iter().chain(self.cycle.iter().cycle()).take(steps))
            }
            None => Box::new(self.steps()),
        }
    }

    /// The label before the step of that number, counted from 0.
    pub(crate) fn label(&self, number: usize) -> Option<&'static str> {
        match number {
            _ if self.bad_state.is_some() || self.cycle.is_empty() => None,
            _ if number == self.prefix.len() => Some(CYCLE),
            0 => Some(PREFIX),
            _ => None,
        }
    }

    /// Writes the first state, and for each step its action and its changes.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_with(out, |_| None)
    }

    /// As [`RunTrace::write`], where `note` gives a line for the state after that many steps. If it
    /// gives any, the changes of the other steps are left out.
    pub(crate) fn write_with(
        &self,
        out: &mut impl Write,
        note: impl Fn(usize) -> Option<String>,
    ) -> io::Result<()> {
        let positions = 0..=self.shown().count();
        let is_brief = positions.into_iter().any(|position| note(position).is_some());
        writeln!(out, "initial state")?;
        write_values(&self.initial, out)?;
        if let Some(note) = note(0) {
            writeln!(out, "   {note}")?;
        }
        for (number, step) in self.shown().enumerate() {
            if let Some(label) = self.label(number) {
                writeln!(out, "{label}")?;
            }
            writeln!(out, "{}. {}", number + 1, step.name())?;
            let note = note(number + 1);
            if !is_brief || note.is_some() {
                write_changes(&step.changes, out)?;
            }
            if let Some(note) = note {
                writeln!(out, "   {note}")?;
            }
        }
        match self.ending() {
            Some(ending) => writeln!(out, "{ending}"),
            None => Ok(()),
        }
    }

    /// The end of the run, if it is not a cycle.
    pub(crate) fn ending(&self) -> Option<&'static str> {
        match (&*self.cycle, self.open) {
            _ if self.bad_state.is_some() => Some(BAD),
            ([], true) => Some(BAD),
            ([], false) => Some("deadlock"),
            _ => None,
        }
    }
}

/// The name of a step in which the last state of a run that ends repeats.
pub(crate) const STUTTER: &str = "(the deadlock repeats)";

described! {
    /// A step of a path.
    #[derive(Deserialize)]
    pub(crate) struct TraceStep {
        /// The action; null if a deadlock repeats.
        pub(crate) action: Option<String>,
        /// The variables that have another value afterwards.
        pub(crate) changes: Vec<Change>,
    }
}

impl TraceStep {
    /// The action as people read it.
    pub(crate) fn name(&self) -> &str {
        self.action.as_deref().unwrap_or(STUTTER)
    }
}

described! {
    /// A variable that has another value than before.
    #[derive(Deserialize, PartialEq, Eq)]
    pub(crate) struct Change {
        /// The name of the variable.
        pub(crate) variable: String,
        /// Its value before the step.
        pub(crate) before: String,
        /// Its value after the step.
        pub(crate) after: String,
    }
}

impl Trace {
    pub(crate) fn new(system: &dyn System, path: &Path) -> Self {
        let mut before = &path.initial;
        let mut steps = Vec::with_capacity(path.steps.len());
        for step in &path.steps {
            let changes = changes(system, before, &step.state);
            let action = Some(system.names().action_name(step.action));
            steps.push(TraceStep { action, changes });
            before = &step.state;
        }
        Trace { initial: values(system, &path.initial), steps }
    }

    /// Writes the first state, and for each step its action and its changes.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_values(&self.initial, out)?;
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(out, "{}. {}", number + 1, step.name())?;
            write_changes(&step.changes, out)?;
        }
        Ok(())
    }
}

/// The values of a state that are not 0, with the names of their variables.
pub(crate) fn values(system: &dyn System, state: &[u32]) -> Values {
    let variables = (0..system.names().variable_count() as u32).map(VariableId);
    let all = variables
        .map(|variable| (variable, system.names().value_text(state, variable)))
        .filter(|(_, text)| text != "0")
        .map(|(variable, text)| (system.names().variable_name(variable), text));
    Values(all.collect())
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
pub(crate) fn write_values(values: &Values, out: &mut impl Write) -> io::Result<()> {
    if values.0.is_empty() {
        writeln!(out, "   all values are 0")?;
    }
    for (name, value) in &values.0 {
        writeln!(out, "   {name} = {value}")?;
    }
    Ok(())
}

/// Writes what a step changes, one variable in a line.
pub(crate) fn write_changes(changes: &[Change], out: &mut impl Write) -> io::Result<()> {
    if changes.is_empty() {
        writeln!(out, "   nothing changes")?;
    }
    for Change { variable, before, after } in changes {
        writeln!(out, "   {variable}: {before} -> {after}")?;
    }
    Ok(())
}
