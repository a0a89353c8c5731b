//! The actions of a model one by one: what each touches, and what it does.

use super::compile::{Control, Role, holds, range};
use super::effect;
use super::model::{Sync, Target, Transition};
use super::system::{DveSystem, Scratch, blame, send};
use crate::layout::Footprint;
use crate::system::{ActionId, Fault};

/// A step of a process, alone or together with one that sends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    process: usize,
    location: usize,
    /// Among the steps of the process.
    step: usize,
    partner: Option<Partner>,
}

/// Where the offer of a process that sends is found.
#[derive(Clone, Copy, Debug)]
struct Partner {
    channel: usize,
    sender: usize,
    location: usize,
    offer: usize,
}

impl DveSystem {
    /// All events of a model whose processes do not step at once.
    pub(super) fn list_events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for (process, control) in self.code.controls.iter().enumerate() {
            for location in 0..control.committed.len() {
                for step in range(&control.first, location) {
                    let event = Event { process, location, step, partner: None };
                    match control.steps[step].role {
                        Role::Meets(channel) => {
                            let partners = self.partners(process, channel as usize);
                            events.extend(
                                partners.map(|partner| Event { partner: Some(partner), ..event }),
                            );
                        }
                        Role::Alone | Role::Sends(_) => events.push(event),
                    }
                }
            }
        }
        events
    }

    fn partners(&self, receiver: usize, channel: usize) -> impl Iterator<Item = Partner> {
        let senders = self.code.senders[channel].iter().enumerate();
        let others = senders.filter(move |(_, other)| other.process != receiver);
        others.flat_map(move |(sender, other)| {
            (0..other.first.len() - 1).flat_map(move |location| {
                range(&other.first, location).map(move |offer| Partner {
                    channel,
                    sender,
                    location,
                    offer,
                })
            })
        })
    }

    /// What an event may read or write.
    pub(super) fn event_footprint(&self, event: &Event) -> Footprint {
        let mut footprint = Footprint::default();
        let action = self.code.controls[event.process].steps[event.step].action;
        let index = self.actions.partition_point(|(first, ..)| *first <= action) - 1;
        let (_, process, number) = self.actions[index];
        self.touch(process, &self.dve.processes[process].transitions[number], &mut footprint);
        if let Some(Partner { channel, sender, offer, .. }) = event.partner {
            let number = self.code.senders[channel][sender].offers[offer].number;
            let (process, index) = self.senders[channel][number as usize];
            self.touch(process, &self.dve.processes[process].transitions[index], &mut footprint);
        }
        for control in self.committing() {
            footprint.add(control.location);
        }
        footprint
    }

    /// The processes that may be committed.
    fn committing(&self) -> impl Iterator<Item = &Control> {
        self.code.controls.iter().filter(|control| control.committed.contains(&true))
    }

    /// Adds what a transition reads or writes.
    fn touch(&self, process: usize, transition: &Transition, footprint: &mut Footprint) {
        footprint.add(self.places.locations[process]);
        self.places.all(&transition.guard).read(footprint);
        let mut assign = |target: &Target| match self.places.target(target) {
            Ok(field) => footprint.add(field),
            Err((array, index)) => {
                footprint.add_array(array);
                index.read(footprint);
            }
        };
        transition.effects.iter().for_each(|(target, _)| assign(target));
        let channel = match &transition.sync {
            Sync::None => None,
            Sync::Send { channel, .. } => Some(*channel),
            Sync::Receive { channel, targets } => {
                targets.iter().for_each(&mut assign);
                Some(*channel)
            }
        };
        if let Sync::Send { values, .. } = &transition.sync {
            values.iter().for_each(|value| self.places.expr(value).read(footprint));
        }
        transition.effects.iter().for_each(|(_, value)| self.places.expr(value).read(footprint));
        if let Some(queue) = channel.and_then(|channel| self.places.queues[channel].as_ref()) {
            footprint.add(queue.fill);
            queue.parts.iter().for_each(|part| footprint.add_array(*part));
        }
    }

    /// The successors by one event.
    pub(super) fn fire_event(
        &self,
        event: &Event,
        state: &[u32],
        scratch: &mut Scratch,
        mut visit: impl FnMut(ActionId, &[u32]),
    ) -> Result<(), Fault> {
        let here = |control: &Control| control.location.get(state) as usize;
        let control = &self.code.controls[event.process];
        if here(control) != event.location {
            return Ok(());
        }
        let committed = self.committing().any(|control| control.committed[here(control)]);
        let is_late = |control: &Control| committed && !control.committed[here(control)];
        if is_late(control) {
            return Ok(());
        }
        let step = &control.steps[event.step];
        let Scratch { next, message, .. } = scratch;
        let mut action = step.action;
        let mut offered = None;
        if let Some(Partner { channel, sender, location, offer }) = event.partner {
            let sender = &self.code.senders[channel][sender];
            let control = &self.code.controls[sender.process];
            if here(control) != location || is_late(control) {
                return Ok(());
            }
            let offer = &sender.offers[offer];
            action += offer.number;
            offered = Some(offer);
        }
        let blame = |fault: Box<Fault>| blame(*fault, action);
        if !holds(&step.guard, state).map_err(blame)? {
            return Ok(());
        }
        if let Some(offer) = offered
            && !holds(&offer.guard, state).map_err(blame)?
        {
            return Ok(());
        }
        let sent = match (&step.role, offered) {
            (_, Some(offer)) => Some(&offer.values),
            (Role::Sends(values), None) => Some(values),
            _ => None,
        };
        if let Some(values) = sent {
            send(values, state, message).map_err(blame)?;
        }
        next.copy_from_slice(state);
        effect::apply(&step.effects, &self.code.queues, next, message).map_err(blame)?;
        if let Some(offer) = offered {
            effect::apply(&offer.effects, &self.code.queues, next, message).map_err(blame)?;
        }
        visit(ActionId(action), next);
        Ok(())
    }

    /// What the assertions of a location read, and the location itself.
    pub(super) fn assertion_footprint(&self) -> Footprint {
        let mut footprint = Footprint::default();
        for (process, field) in self.dve.processes.iter().zip(&self.places.locations) {
            for assertion in process.locations.iter().flat_map(|location| &location.assertions) {
                footprint.add(*field);
                self.places.expr(&assertion.condition).read(&mut footprint);
            }
        }
        footprint
    }
}
