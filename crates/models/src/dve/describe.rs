//! The parts of a model, for people.

use super::model::Dve;
use super::ranges::Ranges;
use crate::description::{Channel, Description, Process, Transition, Variable};
use crate::proposition::quoted;

/// The number of examples of each kind of proposition.
const EXAMPLES: usize = 1;

impl Dve {
    /// Describes the model.
    pub(super) fn describe(&self) -> Description {
        let ranges = Ranges::new(self);
        let variable = |(variable, (least, greatest)): (&super::model::Variable, &(i64, i64))| {
            let values = variable.initial.iter();
            Variable {
                name: variable.name.clone(),
                kind: if variable.constant { "constant" } else { "variable" },
                length: variable.array.then_some(variable.initial.len()),
                least: Some(*least),
                greatest: Some(*greatest),
                values: Vec::new(),
                initial: values.map(i64::to_string).collect(),
            }
        };
        let process = |process: &super::model::Process| Process {
            name: process.name.clone(),
            states: process.locations.iter().map(|location| location.name.clone()).collect(),
            initial: process.locations[process.initial].name.clone(),
        };
        let channel = |channel: &super::model::Channel| Channel {
            name: channel.name.clone(),
            capacity: channel.capacity,
            parts: channel.parts.as_ref().map(Vec::len),
        };
        let transitions = self.processes.iter().enumerate().flat_map(|(index, process)| {
            process.transitions.iter().map(move |transition| Transition {
                name: self.arrow(index, transition.from, transition.to),
                origin: transition.origin.clone(),
            })
        });
        Description {
            kind: if self.synchronous { "synchronous processes" } else { "processes" },
            processes: self.processes.iter().map(process).collect(),
            variables: self.variables.iter().zip(&ranges.variables).map(variable).collect(),
            channels: self.channels.iter().map(channel).collect(),
            transitions: transitions.collect(),
            others: vec![],
            propositions: self.examples(),
        }
    }

    fn examples(&self) -> Vec<String> {
        let mut examples = Vec::new();
        for process in self.processes.iter().take(EXAMPLES) {
            let (name, state) = (&process.name, &process.locations[process.initial].name);
            examples.push(quoted(&format!("{name}.{state}")).into_owned());
            examples.push(format!("{} = {}", quoted(name), quoted(state)));
        }
        let plain = self.variables.iter().filter(|variable| !variable.array && !variable.constant);
        let arrays = self.variables.iter().filter(|variable| variable.array);
        examples.extend(plain.take(EXAMPLES).map(|one| format!("{} < 2", quoted(&one.name))));
        examples.extend(arrays.take(EXAMPLES).map(|one| format!("{}[0] = 1", quoted(&one.name))));
        let channels = self.channels.iter().filter(|channel| channel.capacity > 0);
        examples.extend(channels.take(EXAMPLES).map(|one| format!("{} > 0", quoted(&one.name))));
        for (index, process) in self.processes.iter().enumerate().take(EXAMPLES) {
            examples.push(format!("fireable({})", quoted(&process.name)));
            examples.push(format!("fired({})", quoted(&process.name)));
            if let Some(transition) = process.transitions.first() {
                let arrow = self.arrow(index, transition.from, transition.to);
                examples.push(format!("fired({})", quoted(&arrow)));
            }
        }
        examples.push("deadlock".to_owned());
        examples
    }
}
