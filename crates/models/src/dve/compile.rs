//! Compiles a model: for each process and location, its steps.

use super::effect::{self, Effect, Effects};
use super::model::{Dve, Sync, Term};
use super::places::{Places, Queue};
use crate::expression::{Binary, Expr, Program};
use crate::layout::Field;
use crate::partial::Memory;
use crate::system::Fault;

/// The part of a process in the execution.
#[derive(Clone, Debug)]
pub(super) struct Control {
    pub(super) location: Field,
    /// For each location.
    pub(super) committed: Box<[bool]>,
    /// For each location the first of its steps; one more at the end.
    pub(super) first: Box<[u32]>,
    /// All but those that send at channels without capacity.
    pub(super) steps: Box<[Step]>,
    /// For each location.
    pub(super) assertions: Box<[Vec<Claim>]>,
}

/// An assertion, and its error message.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) condition: Program,
    pub(super) failure: String,
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) guard: Option<Program>,
    pub(super) effects: Box<[Effect]>,
    pub(super) role: Role,
    /// The number of the action, or the first of them.
    pub(super) action: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Role {
    Alone,
    /// Sends to a channel that keeps messages.
    Sends(Box<[Value]>),
    /// Receives from a process that sends in the same moment.
    Meets(u32),
}

/// A value that is sent, and the bounds at which it wraps around.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) program: Program,
    pub(super) bounds: Option<(i64, i64)>,
}

/// The transitions of a process that send at a channel without capacity.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    pub(super) process: usize,
    /// For each location the first of its offers; one more at the end.
    pub(super) first: Box<[u32]>,
    pub(super) offers: Box<[Offer]>,
}

#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) guard: Option<Program>,
    pub(super) values: Box<[Value]>,
    pub(super) effects: Box<[Effect]>,
    /// The number among those that send there.
    pub(super) number: u32,
}

/// A model in executable form.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) controls: Vec<Control>,
    /// For each channel.
    pub(super) senders: Vec<Vec<Sender>>,
    pub(super) queues: Vec<Option<Queue>>,
    /// True if some location is committed.
    pub(super) commits: bool,
    /// True if there are assertions.
    pub(super) asserts: bool,
    /// The maximal number of parts of a message.
    pub(super) message: usize,
}

impl Code {
    pub(super) fn new(dve: &Dve, places: &Places, actions: &[(u32, usize, usize)]) -> Self {
        let mut actions = actions.iter().copied().peekable();
        let mut controls = Vec::with_capacity(dve.processes.len());
        for (index, process) in dve.processes.iter().enumerate() {
            let mut steps = Vec::new();
            for (number, transition) in process.transitions.iter().enumerate() {
                // Transitions without an action only synchronize with others, or never fire.
                let found =
                    actions.next_if(|(_, process, other)| (*process, *other) == (index, number));
                if let Some((action, ..)) = found {
                    steps.push((transition.from, step(dve, places, index, number, action)));
                }
            }
            let (first, steps) = by_location(steps, process.locations.len());
            let assertions = (process.locations.iter())
                .map(|location| {
                    let claim = |assertion: &super::model::Assertion| Claim {
                        condition: Program::new(&places.expr(&assertion.condition)),
                        failure: format!(
                            "the assertion `{}` of the state `{}` of `{}` fails",
                            assertion.text, location.name, process.name
                        ),
                    };
                    location.assertions.iter().map(claim).collect()
                })
                .collect();
            let committed = process.locations.iter().map(|location| location.committed).collect();
            let location = places.locations[index];
            controls.push(Control { location, committed, first, steps, assertions });
        }
        let locations = || dve.processes.iter().flat_map(|process| &process.locations);
        let lengths =
            (dve.processes.iter()).flat_map(|process| &process.transitions).map(|transition| {
                match &transition.sync {
                    Sync::None => 0,
                    Sync::Send { values, .. } => values.len(),
                    Sync::Receive { targets, .. } => targets.len(),
                }
            });
        let parts = places.queues.iter().flatten().map(|queue| queue.parts.len());
        Code {
            controls,
            senders: senders(dve, places),
            queues: places.queues.clone(),
            commits: locations().any(|location| location.committed),
            asserts: locations().any(|location| !location.assertions.is_empty()),
            message: lengths.chain(parts).max().unwrap_or(0),
        }
    }
}

/// Sorts by location, and keeps the order at each.
fn by_location<T>(mut all: Vec<(usize, T)>, locations: usize) -> (Box<[u32]>, Box<[T]>) {
    all.sort_by_key(|(location, _)| *location);
    let first = (0..=locations)
        .map(|location| all.partition_point(|(other, _)| *other < location) as u32)
        .collect();
    (first, all.into_iter().map(|(_, one)| one).collect())
}

/// Where the entries of a location lie.
#[inline]
pub(super) fn range(first: &[u32], location: usize) -> std::ops::Range<usize> {
    first[location] as usize..first[location + 1] as usize
}

/// True if the guard holds.
#[inline]
pub(super) fn holds<M: Memory + ?Sized>(
    guard: &Option<Program>,
    state: &M,
) -> Result<bool, Box<Fault>> {
    match guard {
        None => Ok(true),
        Some(guard) => Ok(guard.run(state)? != 0),
    }
}

fn senders(dve: &Dve, places: &Places) -> Vec<Vec<Sender>> {
    let of_channel = |(channel, transitions): (usize, Vec<(usize, usize)>)| {
        if dve.channels[channel].capacity > 0 {
            return Vec::new();
        }
        let mut senders = Vec::new();
        let mut number = 0;
        for group in transitions.chunk_by(|one, other| one.0 == other.0) {
            let process = group[0].0;
            let mut offers = Vec::with_capacity(group.len());
            for (_, index) in group {
                let transition = &dve.processes[process].transitions[*index];
                if let Sync::Send { values: sent, .. } = &transition.sync {
                    let mut effects = Effects::default();
                    effect::after(&mut effects, places, process, transition);
                    let guard = guard(places.all(&transition.guard));
                    let values = values(dve, places, channel, sent);
                    let effects = effects.finish();
                    offers.push((transition.from, Offer { guard, values, effects, number }));
                }
                number += 1;
            }
            let (first, offers) = by_location(offers, dve.processes[process].locations.len());
            senders.push(Sender { process, first, offers });
        }
        senders
    };
    dve.senders().into_iter().enumerate().map(of_channel).collect()
}

fn values(dve: &Dve, places: &Places, channel: usize, values: &[Term]) -> Box<[Value]> {
    let parts = dve.channels[channel].parts.as_deref().unwrap_or_default();
    (values.iter().enumerate())
        .map(|(index, value)| Value {
            program: Program::new(&places.expr(value)),
            bounds: parts.get(index).copied(),
        })
        .collect()
}

/// The guard as a program, unless it holds in any case.
fn guard(condition: Expr) -> Option<Program> {
    match &condition {
        Expr::All(operands) if operands.is_empty() => None,
        _ => Some(Program::new(&condition)),
    }
}

fn step(dve: &Dve, places: &Places, process: usize, number: usize, action: u32) -> Step {
    let transition = &dve.processes[process].transitions[number];
    let mut condition = vec![places.all(&transition.guard)];
    let mut effects = Effects::default();
    let fill = |channel: &usize| places.queues[*channel].as_ref();
    let role = match &transition.sync {
        Sync::None => Role::Alone,
        Sync::Send { channel, values: sent } => {
            if let Some(queue) = fill(channel) {
                let capacity = Expr::Constant(queue.capacity as i64);
                condition.push(Expr::binary(Binary::Less, Expr::Value(queue.fill), capacity));
                effects.queue(Effect::Enqueue(*channel as u32));
            }
            Role::Sends(values(dve, places, *channel, sent))
        }
        Sync::Receive { channel, targets } => {
            let mut role = Role::Meets(*channel as u32);
            if let Some(queue) = fill(channel) {
                let none = Expr::Constant(0);
                condition.push(Expr::binary(Binary::Less, none, Expr::Value(queue.fill)));
                effects.queue(Effect::Dequeue(*channel as u32));
                role = Role::Alone;
            }
            for (part, target) in targets.iter().enumerate() {
                effects.receive(places.target(target), part as u32);
            }
            role
        }
    };
    effect::after(&mut effects, places, process, transition);
    let guard = match (condition.len(), condition.swap_remove(0)) {
        (1, condition) => guard(condition),
        (_, first) => {
            condition.insert(0, first);
            Some(Program::new(&Expr::All(condition.into())))
        }
    };
    Step { guard, effects: effects.finish(), role, action }
}
