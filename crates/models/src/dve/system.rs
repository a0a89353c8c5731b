//! DVE models as generators of packed states.

use super::compile::{Code, Control, Offer, Role, Step, Value, holds, range};
use super::effect;
use super::events::Event;
use super::joint::{Choices, Joint};
use super::model::{Dve, Sync, wrap};
use super::places::Places;
use super::scope::View;
use crate::description::Description;
use crate::layout::{Field, Footprint};
use crate::model::{Source, Width};
use crate::partial::{Attempt, Memory, PartialState};
use crate::system::{
    ActionId, Condition, Events, Expander, Fault, Names, Origin, Successors, System, VariableId,
};
use smallvec::{SmallVec, smallvec};
use std::sync::{Arc, OnceLock};

/// A DVE model in executable form.
#[derive(Clone, Debug)]
pub struct DveSystem {
    pub(super) dve: Dve,
    pub(super) places: Places,
    pub(super) code: Code,
    /// If all processes step simultaneously.
    joint: Option<Joint>,
    /// The first action, the process and the index of each transition that has actions.
    pub(super) actions: Vec<(u32, usize, usize)>,
    /// For each channel the transitions that send there.
    pub(super) senders: Vec<Vec<(usize, usize)>>,
    /// The actions as events, computed on demand.
    events: OnceLock<Vec<Event>>,
    pub(super) view: View,
}

/// A state, and whether a process is committed there.
#[derive(Clone, Copy)]
struct Moment<'a> {
    state: &'a [u32],
    committed: bool,
}

/// The values of a message, most of which are short.
pub(super) type Message = SmallVec<[i64; 4]>;

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
        DveSystem { dve, places, code, joint, actions, senders, events: OnceLock::new(), view }
    }

    /// Returns the actions as events, computed at the first call.
    fn events(&self) -> &[Event] {
        self.events.get_or_init(|| self.list_events())
    }

    /// Checks the assertions of the locations in which the processes are.
    fn check_assertions<M: Memory + ?Sized>(&self, state: &M) -> Result<(), Box<Fault>> {
        for control in &self.code.controls {
            if control.assertions.iter().all(Vec::is_empty) {
                continue;
            }
            for claim in &control.assertions[state.get(control.location)? as usize] {
                if claim.condition.run(state)? == 0 {
                    let message = claim.failure.clone();
                    return Err(Box::new(Fault::Assertion { message }));
                }
            }
        }
        Ok(())
    }

    /// The data of joint steps, if all processes step simultaneously.
    pub(super) fn joint(&self) -> Option<&Joint> {
        self.joint.as_ref()
    }

    /// A buffer for a message.
    fn message(&self) -> Message {
        smallvec![0; self.code.message]
    }

    /// Appends all successors.
    fn expand(
        &self,
        state: &[u32],
        message: &mut [i64],
        choices: &mut Choices,
        successors: &mut Successors,
    ) -> Result<(), Fault> {
        if self.code.asserts {
            self.check_assertions(state).map_err(|fault| *fault)?;
        }
        if let Some(joint) = &self.joint {
            return joint.expand(&self.dve, &self.code, state, choices, successors);
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
                    Role::Sends(values) => send(values, state, message).map_err(blame)?,
                    Role::Meets(channel) => {
                        let moment = Moment { state, committed };
                        self.meet(moment, process, step, *channel, message, successors)?;
                        continue;
                    }
                }
                let next = successors.push_copy(ActionId(step.action), state);
                effect::apply(&step.effects, &self.code.queues, next, message).map_err(blame)?;
            }
        }
        Ok(())
    }

    /// Appends the successors by a step that a process makes together with one that sends.
    #[inline]
    fn meet(
        &self,
        Moment { state, committed }: Moment<'_>,
        receiver: usize,
        step: &Step,
        channel: u32,
        message: &mut [i64],
        successors: &mut Successors,
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
                send(values, state, message).map_err(blame)?;
                let next = successors.push_copy(ActionId(action), state);
                for effects in [&step.effects, effects] {
                    effect::apply(effects, &self.code.queues, next, message).map_err(blame)?;
                }
            }
        }
        Ok(())
    }
}

/// Evaluates the sent values.
#[inline]
pub(super) fn send<M: Memory + ?Sized>(
    values: &[Value],
    state: &M,
    message: &mut [i64],
) -> Result<(), Box<Fault>> {
    for (Value { program, bounds }, part) in values.iter().zip(message) {
        let value = program.run(state)?;
        *part = bounds.map_or(value, |bounds| wrap(value, bounds));
    }
    Ok(())
}

/// The fault, with the action that does it.
#[cold]
pub(super) fn blame(fault: Fault, action: u32) -> Fault {
    match fault {
        Fault::Undefined { action: None, message } => {
            Fault::Undefined { action: Some(ActionId(action)), message }
        }
        fault => fault,
    }
}

impl System for DveSystem {
    fn words(&self) -> usize {
        self.places.words
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        Ok(vec![self.places.initial(&self.dve)])
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let message = vec![0; self.code.message].into();
        Box::new(Stepper { system: self, message, choices: Choices::default() })
    }

    fn names(&self) -> &dyn Names {
        self
    }

    fn events(&self) -> Option<&dyn Events> {
        Some(self)
    }
}

/// The expander, with its buffers.
struct Stepper<'a> {
    system: &'a DveSystem,
    message: Box<[i64]>,
    choices: Choices,
}

impl Expander for Stepper<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        let Stepper { system, message, choices } = self;
        system.expand(state, message, choices, successors)
    }
}

impl Events for DveSystem {
    fn event_count(&self) -> usize {
        match self.joint {
            Some(_) => 1,
            // A separate event without changes checks assertions.
            None => self.events().len() + usize::from(self.code.asserts),
        }
    }

    fn footprint(&self, event: usize) -> Footprint {
        match self.events().get(event) {
            _ if self.joint.is_some() => Footprint::all(self.places.words),
            Some(event) => self.event_footprint(event),
            None => self.assertion_footprint(),
        }
    }

    fn fire(&self, event: usize, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        let mut message = self.message();
        match self.events().get(event) {
            _ if self.joint.is_some() => {
                self.expand(state, &mut message, &mut Choices::default(), successors)
            }
            Some(event) => self.fire_event(event, state, &mut message, successors),
            None => self.check_assertions(state).map_err(|fault| *fault),
        }
    }

    fn try_fire(&self, event: usize, state: &mut PartialState) -> Attempt {
        match self.events().get(event) {
            _ if self.joint.is_some() => Attempt::Unsupported,
            Some(event) => {
                let tried = self.perform(event, state, &mut self.message());
                state.attempt(tried)
            }
            None => {
                let tried = self.check_assertions(state);
                state.attempt(tried.map(|()| false))
            }
        }
    }

    fn conditions(&self, event: usize) -> Vec<Condition> {
        match self.events().get(event) {
            Some(event) if self.joint.is_none() => self.calm_conditions(event),
            _ => Vec::new(),
        }
    }

    fn field(&self, variable: VariableId) -> Option<Field> {
        Some(self.view.shown[variable.0 as usize].field)
    }
}

impl Names for DveSystem {
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

    fn origins(&self, action: ActionId) -> Vec<Origin> {
        self.origins_of(action)
    }

    fn processes(&self) -> Vec<String> {
        self.dve.processes.iter().map(|process| process.name.clone()).collect()
    }

    fn processes_of(&self, action: ActionId) -> Vec<u32> {
        self.stepping(action)
    }

    fn transitions_of(&self, action: ActionId) -> Vec<u32> {
        self.happening(action)
    }
}

impl Source for Dve {
    fn system(self: Arc<Self>, _: Width) -> Arc<dyn System> {
        Arc::new(DveSystem::new(&self))
    }

    fn notes(&self) -> &[String] {
        Dve::notes(self)
    }

    fn describe(&self) -> Description {
        Dve::describe(self)
    }
}
