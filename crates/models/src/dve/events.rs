//! The actions of a model as events: footprint and effect of each.

use super::compile::{Control, Offer, Role, holds, range};
use super::effect;
use super::model::{Sync, Target, Transition};
use super::system::{DveSystem, blame, send};
use crate::layout::Footprint;
use crate::partial::Memory;
use crate::system::{ActionId, Condition, Fault, Successors};

/// A step of a process, alone or with a sender. A receiving step without a sender never fires, but
/// its guard is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    process: usize,
    location: usize,
    /// Among the steps of the process.
    step: usize,
    partner: Option<Partner>,
    /// True if it is enabled only while no process is committed.
    calm: bool,
}

/// The place of the offer of a sending process.
#[derive(Clone, Copy, Debug)]
struct Partner {
    channel: usize,
    sender: usize,
    location: usize,
    offer: usize,
}

impl DveSystem {
    /// The events of a model with asynchronous processes.
    pub(super) fn list_events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for (process, control) in self.code.controls.iter().enumerate() {
            for location in 0..control.committed.len() {
                let calm = !control.committed[location];
                for step in range(&control.first, location) {
                    let event = Event { process, location, step, partner: None, calm };
                    match control.steps[step].role {
                        Role::Meets(channel) => {
                            let partners = self.partners(process, channel as usize);
                            // If one of the two is committed, the other must be committed, too.
                            let fitting = partners.filter(|partner| {
                                self.sender(*partner).committed[partner.location] != calm
                            });
                            events.extend(
                                fitting.map(|partner| Event { partner: Some(partner), ..event }),
                            );
                            // The guard must be defined even without a sender.
                            let guard = &control.steps[step].guard;
                            events.extend(
                                guard.as_ref().filter(|guard| guard.may_fault()).map(|_| event),
                            );
                        }
                        Role::Alone | Role::Sends(_) => events.push(event),
                    }
                }
            }
        }
        events
    }

    /// Returns the sending process.
    fn sender(&self, partner: Partner) -> &Control {
        &self.code.controls[self.code.senders[partner.channel][partner.sender].process]
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

    /// Returns the bits that an event may read or write.
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
        for control in self.committing(event) {
            footprint.add(control.location);
        }
        footprint
    }

    /// Returns the processes that must not be committed when the event fires.
    fn committing(&self, event: &Event) -> impl Iterator<Item = &Control> {
        let partner = event.partner.map(|partner| self.sender(partner).location);
        let own = [Some(self.code.controls[event.process].location), partner];
        let all = self.code.controls.iter().filter(|_| event.calm);
        all.filter(move |control| {
            control.committed.contains(&true) && !own.contains(&Some(control.location))
        })
    }

    /// Returns the condition that no process is committed, if it matters.
    pub(super) fn calm_conditions(&self, event: &Event) -> Vec<Condition> {
        let among = |control: &Control| {
            let all = control.committed.iter().zip(0..);
            all.filter(|(committed, _)| !**committed).map(|(_, location)| location).collect()
        };
        self.committing(event)
            .map(|control| Condition { field: control.location, among: among(control) })
            .collect()
    }

    /// Adds the variables that a transition reads or writes.
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

    /// Appends the successor of one event, if there is one.
    pub(super) fn fire_event(
        &self,
        event: &Event,
        state: &[u32],
        message: &mut [i64],
        successors: &mut Successors,
    ) -> Result<(), Fault> {
        let is_committed =
            |control: &Control| control.committed[control.location.get(state) as usize];
        if self.committing(event).any(is_committed) {
            return Ok(());
        }
        let action = self.action(event);
        let next = successors.push_copy(ActionId(action), state);
        if !self.perform(event, next, message).map_err(|fault| blame(*fault, action))? {
            successors.pop();
        }
        Ok(())
    }

    fn action(&self, event: &Event) -> u32 {
        let own = self.code.controls[event.process].steps[event.step].action;
        own + event.partner.map_or(0, |partner| self.offer(partner).number)
    }

    fn offer(&self, partner: Partner) -> &Offer {
        &self.code.senders[partner.channel][partner.sender].offers[partner.offer]
    }

    /// Fires an event if no process is committed, or if its processes are. False if it is disabled;
    /// the state is undefined then.
    pub(super) fn perform<M: Memory + ?Sized>(
        &self,
        event: &Event,
        state: &mut M,
        message: &mut [i64],
    ) -> Result<bool, Box<Fault>> {
        let control = &self.code.controls[event.process];
        if state.get(control.location)? as usize != event.location {
            return Ok(false);
        }
        if let Some(partner) = event.partner
            && state.get(self.sender(partner).location)? as usize != partner.location
        {
            return Ok(false);
        }
        let step = &control.steps[event.step];
        let offered = event.partner.map(|partner| self.offer(partner));
        if !holds(&step.guard, state)? {
            return Ok(false);
        }
        if let Some(offer) = offered
            && !holds(&offer.guard, state)?
        {
            return Ok(false);
        }
        let sent = match (&step.role, offered) {
            (_, Some(offer)) => Some(&offer.values),
            (Role::Sends(values), None) => Some(values),
            (Role::Meets(_), None) => return Ok(false),
            (Role::Alone, None) => None,
        };
        if let Some(values) = sent {
            send(values, state, message)?;
        }
        effect::apply(&step.effects, &self.code.queues, state, message)?;
        if let Some(offer) = offered {
            effect::apply(&offer.effects, &self.code.queues, state, message)?;
        }
        Ok(true)
    }

    /// Returns the bits that the assertions of a location read, with the location itself.
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
