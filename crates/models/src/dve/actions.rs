//! Actions by name: which transitions take part in them, when they can happen, and where they are
//! written.
//!
//! A name stands for all actions that have it as a whole (`P: a -> b ! c ? Q: d -> e`), for those in
//! which a transition `P: a -> b` takes part, or for all steps of a process `P`.

use super::model::Sync;
use super::system::DveSystem;
use crate::expression::{Binary, Expr};
use crate::system::{ActionId, Actions, Names, Origin};
use rustc_hash::FxHashSet;

/// A transition: its process, and its index there.
type Part = (usize, usize);

impl DveSystem {
    /// The transitions that take part in an action of an asynchronous system: the one that is not
    /// merely a partner first.
    pub(super) fn parts(&self, action: ActionId) -> Vec<Part> {
        let index = self.actions.partition_point(|(first, ..)| *first <= action.0) - 1;
        let (first, process, number) = self.actions[index];
        let mut parts = vec![(process, number)];
        if let Sync::Receive { channel, .. } = &self.dve.processes[process].transitions[number].sync
            && self.dve.channels[*channel].capacity == 0
        {
            parts.push(self.senders[*channel][(action.0 - first) as usize]);
        }
        parts
    }

    /// All actions of an asynchronous system.
    fn all_actions(&self) -> impl Iterator<Item = ActionId> + '_ {
        let count = |process: usize, number: usize| match &self.dve.processes[process].transitions
            [number]
            .sync
        {
            Sync::Receive { channel, .. } if self.dve.channels[*channel].capacity == 0 => {
                self.senders[*channel].len() as u32
            }
            _ => 1,
        };
        self.actions.iter().flat_map(move |(first, process, number)| {
            (*first..*first + count(*process, *number)).map(ActionId)
        })
    }

    /// True if no process steps with itself.
    fn can_meet(&self, parts: &[Part]) -> bool {
        parts.len() < 2 || parts[0].0 != parts[1].0
    }

    fn arrow_of(&self, (process, number): Part) -> String {
        let transition = &self.dve.processes[process].transitions[number];
        self.dve.arrow(process, transition.from, transition.to)
    }

    fn has_name(&self, parts: &[Part], name: &str) -> bool {
        let is_part =
            |part: &Part| self.dve.processes[part.0].name == name || self.arrow_of(*part) == name;
        parts.iter().any(is_part)
    }

    /// The actions of that name.
    pub(super) fn actions_named(&self, name: &str) -> Option<Actions> {
        if let Some(joint) = self.joint() {
            // All processes take part in every step.
            if self.dve.processes.iter().any(|process| process.name == name) {
                return Some(Actions::new(|_| true));
            }
            let (process, from, to) = self.arrow_named(name)?;
            let joint = joint.clone();
            return Some(Actions::new(move |action| joint.parts(action)[process] == (from, to)));
        }
        let named = self.all_actions().filter(|action| {
            self.has_name(&self.parts(*action), name) || self.action_name(*action) == name
        });
        let named: Vec<ActionId> = named.collect();
        let is_known = !named.is_empty() || self.step_names().iter().any(|known| known == name);
        is_known.then(|| named.into_iter().collect())
    }

    /// The process, the source and the target of transitions of that name.
    fn arrow_named(&self, name: &str) -> Option<(usize, usize, usize)> {
        self.transitions().find(|part| self.arrow_of(*part) == name).map(|(process, number)| {
            let transition = &self.dve.processes[process].transitions[number];
            (process, transition.from, transition.to)
        })
    }

    pub(super) fn transitions(&self) -> impl Iterator<Item = Part> + '_ {
        let numbered = self.dve.processes.iter().enumerate();
        numbered.flat_map(|(process, all)| (0..all.transitions.len()).map(move |n| (process, n)))
    }

    /// The names of processes, transitions and actions.
    pub(super) fn step_names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.dve.processes.iter().map(|process| process.name.clone()).collect();
        names.extend(self.transitions().map(|part| self.arrow_of(part)));
        if self.joint().is_none() {
            names.extend(self.all_actions().map(|action| self.action_name(action)));
        }
        names
    }

    /// True exactly in the states in which an action of that name can happen.
    pub(super) fn is_fireable(&self, name: &str) -> Option<Expr> {
        if self.joint().is_some() {
            return self.is_jointly_fireable(name);
        }
        let mut any = Vec::new();
        let mut seen = FxHashSet::default();
        let mut is_known = self.step_names().iter().any(|known| known == name);
        for action in self.all_actions() {
            let parts = self.parts(action);
            if self.has_name(&parts, name) || self.action_name(action) == name {
                is_known = true;
                if self.can_meet(&parts) && seen.insert(parts.clone()) {
                    any.push(self.is_enabled(&parts));
                }
            }
        }
        is_known.then(|| Expr::Any(any.into()))
    }

    /// True where these transitions can happen together. As in a step, guards are evaluated only where
    /// the processes may step, since they may have no meaning elsewhere.
    fn is_enabled(&self, parts: &[Part]) -> Expr {
        let is_committed = |(process, number): &Part| {
            let process = &self.dve.processes[*process];
            process.locations[process.transitions[*number].from].committed
        };
        let committed = parts.iter().filter(|part| is_committed(part)).count();
        if committed > 0 && committed < parts.len() {
            return Expr::Constant(0);
        }
        let mut all: Vec<Expr> = parts.iter().map(|part| self.is_at_source(*part)).collect();
        if committed == 0 {
            all.extend(self.is_calm());
        }
        all.extend(parts.iter().flat_map(|part| self.conditions_of(*part)));
        Expr::All(all.into())
    }

    /// The process is where the transition begins.
    fn is_at_source(&self, (process, number): Part) -> Expr {
        let from = self.dve.processes[process].transitions[number].from;
        let here = Expr::Value(self.places.locations[process]);
        Expr::binary(Binary::Equal, here, Expr::Constant(from as i64))
    }

    /// The guard of a transition, and what it needs of a channel that keeps messages.
    fn conditions_of(&self, (process, number): Part) -> Vec<Expr> {
        let transition = &self.dve.processes[process].transitions[number];
        let mut all = vec![self.places.all(&transition.guard)];
        let queue = |channel: usize| self.places.queues[channel].as_ref();
        match &transition.sync {
            Sync::Send { channel, .. } => {
                let full = queue(*channel).map(|queue| (Expr::Value(queue.fill), queue.capacity));
                all.extend(full.map(|(fill, capacity)| {
                    Expr::binary(Binary::Less, fill, Expr::Constant(capacity as i64))
                }));
            }
            Sync::Receive { channel, .. } => {
                let fill = queue(*channel).map(|queue| Expr::Value(queue.fill));
                all.extend(fill.map(|fill| Expr::binary(Binary::Less, Expr::Constant(0), fill)));
            }
            Sync::None => {}
        }
        all
    }

    /// No process is in a committed state.
    fn is_calm(&self) -> Vec<Expr> {
        let mut all = Vec::new();
        for (process, field) in self.dve.processes.iter().zip(&self.places.locations) {
            for (number, location) in process.locations.iter().enumerate() {
                if location.committed {
                    let number = Expr::Constant(number as i64);
                    all.push(Expr::binary(Binary::NotEqual, Expr::Value(*field), number));
                }
            }
        }
        all
    }

    /// In a synchronous system all processes must be able to step.
    fn is_jointly_fireable(&self, name: &str) -> Option<Expr> {
        let all_of = |process: usize| 0..self.dve.processes[process].transitions.len();
        let is_named = |part: &Part| self.has_name(&[*part], name);
        let named: Vec<Part> = self.transitions().filter(is_named).collect();
        let is_process = self.dve.processes.iter().any(|process| process.name == name);
        let one_of = |process: usize, named: Option<&[Part]>| {
            let numbers = all_of(process)
                .filter(|number| named.is_none_or(|named| named.contains(&(process, *number))));
            let is_ready = |number: usize| {
                let mut all = vec![self.is_at_source((process, number))];
                all.extend(self.conditions_of((process, number)));
                Expr::All(all.into())
            };
            Expr::Any(numbers.map(is_ready).collect())
        };
        if named.is_empty() && !is_process {
            return None;
        }
        let process = named.first().map(|part| part.0);
        let all = (0..self.dve.processes.len())
            .map(|other| one_of(other, (Some(other) == process).then_some(&*named)));
        Some(Expr::All(all.collect()))
    }

    /// The transitions of an action as they are written.
    pub(super) fn origins_of(&self, action: ActionId) -> Vec<Origin> {
        let origin = |(process, number): Part| {
            self.dve.processes[process].transitions[number].origin.clone()
        };
        let Some(joint) = self.joint() else {
            let mut parts = self.parts(action);
            // The one that sends comes first, as in the name.
            parts.reverse();
            return parts.into_iter().map(origin).collect();
        };
        let arrows = joint.parts(action);
        let takes_part = |(process, number): &Part| {
            let transition = &self.dve.processes[*process].transitions[*number];
            arrows[*process] == (transition.from, transition.to)
        };
        self.transitions().filter(takes_part).map(origin).collect()
    }

    /// The processes that step.
    pub(super) fn stepping(&self, action: ActionId) -> Vec<u32> {
        match self.joint() {
            Some(_) => (0..self.dve.processes.len() as u32).collect(),
            None => {
                let mut all: Vec<u32> =
                    self.parts(action).iter().map(|(process, _)| *process as u32).collect();
                all.sort_unstable();
                all
            }
        }
    }

    /// The numbers of the transitions that happen, in the order of the text; of those with the same
    /// source and target in a synchronous system, that of the first.
    pub(super) fn happening(&self, action: ActionId) -> Vec<u32> {
        let number_of = |part: &Part| {
            let before = self.dve.processes[..part.0].iter();
            (before.map(|process| process.transitions.len()).sum::<usize>() + part.1) as u32
        };
        match self.joint() {
            None => {
                let mut all: Vec<u32> = self.parts(action).iter().map(number_of).collect();
                all.sort_unstable();
                all
            }
            Some(joint) => {
                let arrows = joint.parts(action);
                let first = |process: usize| {
                    let (from, to) = arrows[process];
                    let mut all = self.dve.processes[process].transitions.iter();
                    let number = all.position(|one| (one.from, one.to) == (from, to));
                    number_of(&(process, number.unwrap_or(0)))
                };
                (0..self.dve.processes.len()).map(first).collect()
            }
        }
    }
}
