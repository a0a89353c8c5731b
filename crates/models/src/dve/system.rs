//! DVE models as generators of packed states.

use super::compile::{Code, Control, Offer, Role, Step, Value};
use super::effect;
use super::model::{Dve, Sync, wrap};
use super::places::{Place, Places};
use crate::expression::Binary;
use crate::expression::{Expr, Program};
use crate::layout::Field;
use crate::system::{ActionId, Fault, Meaning, Scope, System, VariableId};
use rustc_hash::FxHashMap;

/// A DVE model in executable form.
#[derive(Clone, Debug)]
pub struct DveSystem {
    dve: Dve,
    places: Places,
    code: Code,
    /// The first action, the process and the index of each transition that has actions.
    actions: Vec<(u32, usize, usize)>,
    /// For each channel the transitions that send there.
    senders: Vec<Vec<(usize, usize)>>,
    shown: Vec<Shown>,
    names: FxHashMap<String, Meaning>,
}

/// A variable as people see it.
#[derive(Clone, Debug)]
struct Shown {
    name: String,
    field: Field,
    /// The process, if the value is its location.
    location: Option<usize>,
}

/// Buffers for the computation of successors.
#[derive(Clone, Debug)]
pub struct Scratch {
    next: Box<[u32]>,
    message: Box<[i64]>,
}

impl DveSystem {
    /// Compiles a model.
    pub fn new(dve: &Dve) -> Self {
        let places = Places::new(dve);
        // Models with more actions than there are numbers are not read.
        let actions = dve.actions().unwrap_or_default();
        let code = Code::new(dve, &places, &actions);
        let (shown, names) = shown(dve, &places);
        DveSystem { dve: dve.clone(), places, code, actions, senders: dve.senders(), shown, names }
    }

    /// Checks the assertions of the locations in which the processes are.
    fn check_assertions(&self, state: &[u32]) -> Result<(), Fault> {
        for control in &self.code.controls {
            for claim in &control.assertions[control.location.get(state) as usize] {
                if !claim.condition.holds(state)? {
                    return Err(Fault::Undefined { action: None, message: claim.failure.clone() });
                }
            }
        }
        Ok(())
    }

    /// The successors by a step that a process makes together with one that sends.
    #[inline]
    fn meet(
        &self,
        receiver: usize,
        step: &Step,
        channel: u32,
        committed: bool,
        state: &[u32],
        scratch: &mut Scratch,
        visit: &mut impl FnMut(ActionId, &[u32]),
    ) -> Result<(), Fault> {
        for sender in &self.code.senders[channel as usize] {
            if sender.process == receiver {
                continue;
            }
            let control = &self.code.controls[sender.process];
            let location = control.location.get(state) as usize;
            if committed && !control.committed[location] {
                continue;
            }
            let offers = &sender.offers[range(&sender.first, location)];
            for Offer { guard, values, effects, number } in offers {
                let action = step.action + number;
                let blame = |fault| blame(fault, action);
                if !holds(guard, state).map_err(blame)? {
                    continue;
                }
                send(values, state, &mut scratch.message).map_err(blame)?;
                scratch.next.copy_from_slice(state);
                for effects in [&step.effects, effects] {
                    let Scratch { next, message } = scratch;
                    effect::apply(effects, &self.code.queues, next, message).map_err(blame)?;
                }
                visit(ActionId(action), &scratch.next);
            }
        }
        Ok(())
    }
}

#[inline]
fn range(first: &[u32], location: usize) -> std::ops::Range<usize> {
    first[location] as usize..first[location + 1] as usize
}

#[inline]
fn holds(guard: &Option<Program>, state: &[u32]) -> Result<bool, Box<Fault>> {
    match guard {
        None => Ok(true),
        Some(guard) => Ok(guard.run(state)? != 0),
    }
}

/// Evaluates what is sent.
#[inline]
fn send(values: &[Value], state: &[u32], message: &mut [i64]) -> Result<(), Box<Fault>> {
    for (Value { program, bounds }, part) in values.iter().zip(message) {
        let value = program.run(state)?;
        *part = bounds.map_or(value, |bounds| wrap(value, bounds));
    }
    Ok(())
}

/// The fault, with the action that does it.
#[cold]
fn blame(fault: Box<Fault>, action: u32) -> Fault {
    match *fault {
        Fault::Undefined { action: None, message } => {
            Fault::Undefined { action: Some(ActionId(action)), message }
        }
        fault => fault,
    }
}

impl System for DveSystem {
    type Scratch = Scratch;

    fn words(&self) -> usize {
        self.places.words
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            next: vec![0; self.places.words].into(),
            message: vec![0; self.code.message].into(),
        }
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        Ok(vec![self.places.initial(&self.dve)])
    }

    #[inline]
    fn successors(
        &self,
        state: &[u32],
        scratch: &mut Scratch,
        mut visit: impl FnMut(ActionId, &[u32]),
    ) -> Result<(), Fault> {
        if self.code.asserts {
            self.check_assertions(state)?;
        }
        let is_committed =
            |control: &Control| control.committed[control.location.get(state) as usize];
        let committed = self.code.commits && self.code.controls.iter().any(is_committed);
        for (process, control) in self.code.controls.iter().enumerate() {
            let location = control.location.get(state) as usize;
            if committed && !control.committed[location] {
                continue;
            }
            for step in &control.steps[range(&control.first, location)] {
                let blame = |fault| blame(fault, step.action);
                if !holds(&step.guard, state).map_err(blame)? {
                    continue;
                }
                match &step.role {
                    Role::Alone => {}
                    Role::Sends(values) => {
                        send(values, state, &mut scratch.message).map_err(blame)?;
                    }
                    Role::Meets(channel) => {
                        let channel = *channel;
                        self.meet(process, step, channel, committed, state, scratch, &mut visit)?;
                        continue;
                    }
                }
                let Scratch { next, message } = scratch;
                next.copy_from_slice(state);
                effect::apply(&step.effects, &self.code.queues, next, message).map_err(blame)?;
                visit(ActionId(step.action), next);
            }
        }
        Ok(())
    }

    fn action_name(&self, action: ActionId) -> String {
        let index = self.actions.partition_point(|(first, ..)| *first <= action.0) - 1;
        let (first, process, number) = self.actions[index];
        let arrow = |process: usize, number: usize| {
            let process = &self.dve.processes[process];
            let transition = &process.transitions[number];
            let name = |location: usize| &process.locations[location].name;
            format!("{}: {} -> {}", process.name, name(transition.from), name(transition.to))
        };
        let own = arrow(process, number);
        match &self.dve.processes[process].transitions[number].sync {
            Sync::None => own,
            Sync::Send { channel, .. } => format!("{own} ! {}", self.dve.channels[*channel].name),
            Sync::Receive { channel, .. } => {
                let name = &self.dve.channels[*channel].name;
                if self.dve.channels[*channel].capacity > 0 {
                    return format!("{own} ? {name}");
                }
                let (sender, sent) = self.senders[*channel][(action.0 - first) as usize];
                format!("{} ! {name} ? {own}", arrow(sender, sent))
            }
        }
    }

    fn variable_count(&self) -> usize {
        self.shown.len()
    }

    fn variable_name(&self, variable: VariableId) -> String {
        self.shown[variable.0 as usize].name.clone()
    }

    fn value(&self, state: &[u32], variable: VariableId) -> i64 {
        self.shown[variable.0 as usize].field.get(state)
    }

    fn value_text(&self, state: &[u32], variable: VariableId) -> String {
        let value = self.value(state, variable);
        match self.shown[variable.0 as usize].location {
            Some(process) => self.dve.processes[process].locations[value as usize].name.clone(),
            None => value.to_string(),
        }
    }
}

/// What is shown of a state, and the names of values.
fn shown(dve: &Dve, places: &Places) -> (Vec<Shown>, FxHashMap<String, Meaning>) {
    let (mut shown, mut names) = (Vec::new(), FxHashMap::default());
    let mut show = |name: String, field, location| shown.push(Shown { name, field, location });
    let mut show_variables =
        |process: Option<usize>, show: &mut dyn FnMut(String, Field, Option<usize>)| {
            for (variable, place) in dve.variables.iter().zip(&places.variables) {
                if variable.process != process {
                    continue;
                }
                let name = &variable.name;
                let meaning = match place {
                    Place::Field(field) => {
                        show(name.clone(), *field, None);
                        Meaning::Value(Expr::Value(*field))
                    }
                    Place::Array(array) => {
                        for index in 0..array.len() {
                            show(format!("{name}[{index}]"), array.element(index), None);
                        }
                        Meaning::Array(*array)
                    }
                    Place::Constants(values) if !variable.array => {
                        Meaning::Value(Expr::Constant(values[0]))
                    }
                    Place::Constants(_) => continue,
                };
                names.insert(name.clone(), meaning);
            }
        };
    show_variables(None, &mut show);
    let mut locations = Vec::new();
    for (index, process) in dve.processes.iter().enumerate() {
        show(process.name.clone(), places.locations[index], Some(index));
        show_variables(Some(index), &mut show);
        for (number, location) in process.locations.iter().enumerate() {
            let place = Expr::Value(places.locations[index]);
            let here = Expr::binary(Binary::Equal, place, Expr::Constant(number as i64));
            locations.push((format!("{}.{}", process.name, location.name), here));
        }
    }
    for (channel, queue) in dve.channels.iter().zip(&places.queues) {
        if let Some(queue) = queue {
            show(channel.name.clone(), queue.fill, None);
            locations.push((channel.name.clone(), Expr::Value(queue.fill)));
            for index in 0..queue.capacity {
                for (number, part) in queue.parts.iter().enumerate() {
                    let name = match queue.parts.len() {
                        1 => format!("{}[{index}]", channel.name),
                        _ => format!("{}[{index}].{number}", channel.name),
                    };
                    show(name, part.element(index), None);
                }
            }
        }
    }
    names.extend(locations.into_iter().map(|(name, value)| (name, Meaning::Value(value))));
    (shown, names)
}

impl Scope for DveSystem {
    /// Global variables by their names, those of a process as `Process.variable`, the states of
    /// processes as `Process.state`, and how many messages a channel holds by its name.
    fn resolve(&self, name: &str) -> Option<Meaning> {
        self.names.get(name).cloned()
    }

    fn fireable(&self, _name: &str) -> Option<Expr> {
        None
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.names.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    fn action_names(&self) -> Vec<String> {
        Vec::new()
    }
}
