//! Models whose names have been looked up.

use crate::expression::Binary;
use crate::system::Origin;
use std::ops::Range;

/// A DVE model, read by [`parse`](super::parse).
#[derive(Clone, Debug)]
pub struct Dve {
    /// The global ones first, then those of each process.
    pub(super) variables: Vec<Variable>,
    pub(super) channels: Vec<Channel>,
    pub(super) processes: Vec<Process>,
    /// True if all processes step simultaneously; then no transition uses a channel.
    pub(super) synchronous: bool,
    pub(super) notes: Vec<String>,
}

impl Dve {
    /// Parts of the model without influence on its behaviour here, in sentences for the user:
    /// properties, accepting states.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A transition of a process, for people.
    pub(super) fn arrow(&self, process: usize, from: usize, to: usize) -> String {
        let Process { name, locations, .. } = &self.processes[process];
        format!("{name}: {} -> {}", locations[from].name, locations[to].name)
    }

    /// The variables of a process, or the global ones.
    pub(super) fn variables_of(&self, process: Option<usize>) -> Range<usize> {
        let first = self.variables.partition_point(|variable| variable.process < process);
        let end = self.variables.partition_point(|variable| variable.process <= process);
        first..end
    }

    /// The numbers of the actions, if there are not too many: for each transition that is not a
    /// partner of others only, the first of its actions, its process and its index there. A
    /// transition that receives at a channel without capacity has an action for each that sends.
    pub(super) fn actions(&self) -> Option<Vec<(u32, usize, usize)>> {
        let senders: Vec<usize> = self.senders().iter().map(Vec::len).collect();
        let mut actions = Vec::new();
        let mut next = 0u32;
        for (process, Process { transitions, .. }) in self.processes.iter().enumerate() {
            for (index, transition) in transitions.iter().enumerate() {
                let count = match &transition.sync {
                    Sync::Send { channel, .. } if self.channels[*channel].capacity == 0 => 0,
                    Sync::Receive { channel, .. } if self.channels[*channel].capacity == 0 => {
                        senders[*channel]
                    }
                    _ => 1,
                };
                if count > 0 {
                    actions.push((next, process, index));
                }
                next = next.checked_add(u32::try_from(count).ok()?)?;
            }
        }
        Some(actions)
    }

    /// For each channel the transitions that send there: the process and the index.
    pub(super) fn senders(&self) -> Vec<Vec<(usize, usize)>> {
        let mut senders = vec![Vec::new(); self.channels.len()];
        for (process, Process { transitions, .. }) in self.processes.iter().enumerate() {
            for (index, transition) in transitions.iter().enumerate() {
                if let Sync::Send { channel, .. } = &transition.sync {
                    senders[*channel].push((process, index));
                }
            }
        }
        senders
    }
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// With the name of the process before a dot, unless it is global.
    pub(super) name: String,
    pub(super) process: Option<usize>,
    pub(super) least: i64,
    pub(super) greatest: i64,
    pub(super) array: bool,
    pub(super) constant: bool,
    /// One value, or those of all elements.
    pub(super) initial: Vec<i64>,
}

#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// With the name of the process before a dot, unless it is global.
    pub(super) name: String,
    /// 0 for a channel at which processes meet.
    pub(super) capacity: usize,
    /// The least and the greatest value of each part of a message, if they are declared.
    pub(super) parts: Option<Vec<(i64, i64)>>,
}

#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) name: String,
    pub(super) locations: Vec<Location>,
    pub(super) initial: usize,
    pub(super) transitions: Vec<Transition>,
}

#[derive(Clone, Debug)]
pub(super) struct Location {
    pub(super) name: String,
    pub(super) committed: bool,
    pub(super) assertions: Vec<Assertion>,
}

#[derive(Clone, Debug)]
pub(super) struct Assertion {
    pub(super) condition: Term,
    pub(super) text: String,
}

#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) from: usize,
    pub(super) to: usize,
    /// All of them must hold.
    pub(super) guard: Vec<Term>,
    pub(super) sync: Sync,
    pub(super) effects: Vec<(Target, Term)>,
    pub(super) origin: Origin,
}

#[derive(Clone, Debug)]
pub(super) enum Sync {
    None,
    Send { channel: usize, values: Vec<Term> },
    Receive { channel: usize, targets: Vec<Target> },
}

/// The target of an assignment.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) variable: usize,
    pub(super) index: Option<Term>,
}

#[derive(Clone, Debug)]
pub(super) enum Term {
    Number(i64),
    Variable(usize),
    Element(usize, Box<Term>),
    /// 1 if that process is in that location.
    At(usize, usize),
    Not(Box<Term>),
    Complement(Box<Term>),
    Binary(Binary, Box<Term>, Box<Term>),
    And(Vec<Term>),
    Or(Vec<Term>),
}

/// The value that a variable with these bounds has after an assignment: it wraps around.
pub(super) fn wrap(value: i64, (least, greatest): (i64, i64)) -> i64 {
    (value.wrapping_sub(least)).rem_euclid(greatest - least + 1) + least
}
