//! DVE models as generators of packed states.

use super::compile::{Code, Control, Offer, Role, Step, Value, holds, range};
use super::effect;
use super::joint::{Choices, Joint};
use super::model::{Dve, Sync, wrap};
use super::places::Places;
use super::scope::View;
use crate::system::{ActionId, Fault, System, VariableId};

/// A DVE model in executable form.
#[derive(Clone, Debug)]
pub struct DveSystem {
    dve: Dve,
    places: Places,
    code: Code,
    /// If all processes step at once.
    joint: Option<Joint>,
    /// The first action, the process and the index of each transition that has actions.
    actions: Vec<(u32, usize, usize)>,
    /// For each channel the transitions that send there.
    senders: Vec<Vec<(usize, usize)>>,
    pub(super) view: View,
}

/// A state, and whether a process is committed there.
#[derive(Clone, Copy)]
struct Moment<'a> {
    state: &'a [u32],
    committed: bool,
}

/// Buffers for the computation of successors.
#[derive(Clone, Debug)]
pub struct Scratch {
    next: Box<[u32]>,
    message: Box<[i64]>,
    choices: Choices,
}

impl DveSystem {
    /// Compiles a model.
    pub fn new(dve: &Dve) -> Self {
        let places = Places::new(dve);
        // Models with more actions than there are numbers are not read.
        let actions = dve.actions().unwrap_or_default();
        let code = Code::new(dve, &places, &actions);
        let view = View::new(dve, &places);
        let joint = dve.synchronous.then(|| Joint::new(dve));
        let (dve, senders) = (dve.clone(), dve.senders());
        DveSystem { dve, places, code, joint, actions, senders, view }
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
        Moment { state, committed }: Moment<'_>,
        receiver: usize,
        step: &Step,
        channel: u32,
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
                let blame = |fault: Box<Fault>| blame(*fault, action);
                if !holds(guard, state).map_err(blame)? {
                    continue;
                }
                send(values, state, &mut scratch.message).map_err(blame)?;
                scratch.next.copy_from_slice(state);
                for effects in [&step.effects, effects] {
                    let Scratch { next, message, .. } = scratch;
                    effect::apply(effects, &self.code.queues, next, message).map_err(blame)?;
                }
                visit(ActionId(action), &scratch.next);
            }
        }
        Ok(())
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
fn blame(fault: Fault, action: u32) -> Fault {
    match fault {
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
            choices: Choices::default(),
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
        if let Some(joint) = &self.joint {
            let choices = &mut scratch.choices;
            return joint.successors(&self.dve, &self.code, state, choices, &mut visit);
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
                let blame = |fault: Box<Fault>| blame(*fault, step.action);
                if !holds(&step.guard, state).map_err(blame)? {
                    continue;
                }
                match &step.role {
                    Role::Alone => {}
                    Role::Sends(values) => {
                        send(values, state, &mut scratch.message).map_err(blame)?;
                    }
                    Role::Meets(channel) => {
                        let moment = Moment { state, committed };
                        self.meet(moment, process, step, *channel, scratch, &mut visit)?;
                        continue;
                    }
                }
                let Scratch { next, message, .. } = scratch;
                next.copy_from_slice(state);
                effect::apply(&step.effects, &self.code.queues, next, message).map_err(blame)?;
                visit(ActionId(step.action), next);
            }
        }
        Ok(())
    }

    fn action_name(&self, action: ActionId) -> String {
        if let Some(joint) = &self.joint {
            let parts = joint.parts(action).into_iter().enumerate();
            let arrows = parts.map(|(process, (from, to))| self.dve.arrow(process, from, to));
            return arrows.collect::<Vec<_>>().join(", ");
        }
        let index = self.actions.partition_point(|(first, ..)| *first <= action.0) - 1;
        let (first, process, number) = self.actions[index];
        let arrow = |process: usize, number: usize| {
            let transition = &self.dve.processes[process].transitions[number];
            self.dve.arrow(process, transition.from, transition.to)
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
        self.view.shown.len()
    }

    fn variable_name(&self, variable: VariableId) -> String {
        self.view.shown[variable.0 as usize].name.clone()
    }

    fn value(&self, state: &[u32], variable: VariableId) -> i64 {
        self.view.shown[variable.0 as usize].field.get(state)
    }

    fn value_text(&self, state: &[u32], variable: VariableId) -> String {
        let value = self.value(state, variable);
        match self.view.shown[variable.0 as usize].location {
            Some(process) => self.dve.processes[process].locations[value as usize].name.clone(),
            None => value.to_string(),
        }
    }
}
