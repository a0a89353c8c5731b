//! The displayed values of a state, and the names that propositions can use.

use super::model::Dve;
use super::places::{Place, Places};
use super::system::DveSystem;
use crate::expression::{Binary, Expr};
use crate::layout::Field;
use crate::system::{Actions, Meaning, Scope};
use rustc_hash::FxHashMap;

/// A variable as people see it.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) field: Field,
    /// The process, if the value is its location.
    pub(super) location: Option<usize>,
}

/// The displayed values of a state, and the meaning of names.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) shown: Vec<Shown>,
    names: FxHashMap<String, Meaning>,
}

impl View {
    pub(super) fn new(dve: &Dve, places: &Places) -> Self {
        let mut view = View::default();
        view.variables(dve, places, None);
        for (index, process) in dve.processes.iter().enumerate() {
            let field = places.locations[index];
            view.show(process.name.clone(), field, Some(index));
            let name = process.name.clone();
            view.names.entry(name).or_insert(Meaning::Named(Expr::Value(field)));
            view.variables(dve, places, Some(index));
            for (number, location) in process.locations.iter().enumerate() {
                let number = Expr::Constant(number as i64);
                let here = Expr::binary(Binary::Equal, Expr::Value(field), number);
                let name = format!("{}.{}", process.name, location.name);
                view.names.insert(name, Meaning::Value(here));
            }
        }
        for (channel, queue) in dve.channels.iter().zip(&places.queues) {
            let Some(queue) = queue else { continue };
            let name = &channel.name;
            view.show(name.clone(), queue.fill, None);
            view.names.insert(name.clone(), Meaning::Value(Expr::Value(queue.fill)));
            for index in 0..queue.capacity {
                for (number, part) in queue.parts.iter().enumerate() {
                    let name = match queue.parts.len() {
                        1 => format!("{name}[{index}]"),
                        _ => format!("{name}[{index}].{number}"),
                    };
                    let value = Meaning::Value(Expr::Value(part.element(index)));
                    view.names.insert(name.clone(), value);
                    view.show(name, part.element(index), None);
                }
            }
        }
        view
    }

    fn show(&mut self, name: String, field: Field, location: Option<usize>) {
        self.shown.push(Shown { name, field, location });
    }

    /// Adds the variables of a process, or the global ones.
    fn variables(&mut self, dve: &Dve, places: &Places, process: Option<usize>) {
        for index in dve.variables_of(process) {
            let variable = &dve.variables[index];
            let name = &variable.name;
            let meaning = match &places.variables[index] {
                Place::Field(field) => {
                    self.show(name.clone(), *field, None);
                    Meaning::Value(Expr::Value(*field))
                }
                Place::Array(array) => {
                    for index in 0..array.len() {
                        self.show(format!("{name}[{index}]"), array.element(index), None);
                    }
                    Meaning::Array(*array)
                }
                Place::Constants(values) if !variable.array => {
                    Meaning::Value(Expr::Constant(values[0]))
                }
                Place::Constants(values) => Meaning::Table(values.clone()),
            };
            self.names.insert(name.clone(), meaning);
        }
    }
}

impl Scope for DveSystem {
    /// Global variables by their names, those of a process as `Process.variable`, the states of
    /// processes as `Process.state`, a process by its name to be compared with its states, how many
    /// messages a channel holds by its name, and the messages by their places.
    fn resolve(&self, name: &str) -> Option<Meaning> {
        self.view.names.get(name).cloned()
    }

    fn fireable(&self, name: &str) -> Option<Expr> {
        self.is_fireable(name)
    }

    fn fired(&self, name: &str) -> Option<Actions> {
        self.actions_named(name)
    }

    fn value_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.view.names.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    fn action_names(&self) -> Vec<String> {
        let mut names = self.step_names();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        let process = self.process_named(name)?;
        let locations = &self.dve.processes[process].locations;
        locations.iter().position(|location| location.name == value).map(|place| place as i64)
    }

    fn constants(&self, name: &str) -> Vec<String> {
        let process = self.process_named(name).map(|process| &self.dve.processes[process]);
        let locations = process.map_or(&[][..], |process| &process.locations);
        locations.iter().map(|location| location.name.clone()).collect()
    }
}

impl DveSystem {
    /// The process of that name, unless a variable hides it.
    fn process_named(&self, name: &str) -> Option<usize> {
        let is_process = matches!(self.view.names.get(name), Some(Meaning::Named(_)));
        let mut processes = self.dve.processes.iter();
        processes.position(|process| is_process && process.name == name)
    }
}
