//! DVE models by the letter: terms are walked, and each step copies the state.

use super::model::{Dve, Sync, Target, Term, Transition, wrap};
use crate::plain::{Meaning, NamedSteps, Plain, Step, Undefined};

/// A transition: its process, and its index there.
type Part = (usize, usize);

/// A DVE model, executed as it was read. Its variables are the global ones, for each process its
/// location and its variables, and for each channel with a capacity the number of its messages and
/// their parts.
pub struct PlainDve<'a> {
    dve: &'a Dve,
    names: Vec<String>,
    /// For each variable the place of its first element in states.
    variables: Vec<usize>,
    locations: Vec<usize>,
    /// For each channel the place of its number of messages, if it has a capacity.
    channels: Vec<Option<usize>>,
    /// For each process the number of its first transition.
    first: Vec<usize>,
    /// For each channel the number of transitions that send there.
    senders: Vec<usize>,
}

impl<'a> PlainDve<'a> {
    /// Gives each variable its place.
    pub fn new(dve: &'a Dve) -> Self {
        let senders = dve.senders().iter().map(Vec::len).collect();
        let mut plain = PlainDve {
            dve,
            names: Vec::new(),
            variables: vec![0; dve.variables.len()],
            locations: Vec::new(),
            channels: Vec::new(),
            first: Vec::new(),
            senders,
        };
        plain.declare(None);
        let mut transitions = 0;
        for (number, process) in dve.processes.iter().enumerate() {
            plain.first.push(transitions);
            transitions += process.transitions.len();
            plain.locations.push(plain.names.len());
            plain.names.push(process.name.clone());
            plain.declare(Some(number));
        }
        for channel in &dve.channels {
            let has_place = channel.capacity > 0;
            plain.channels.push(has_place.then_some(plain.names.len()));
            let Some(parts) = channel.parts.as_ref().filter(|_| has_place) else { continue };
            let name = &channel.name;
            plain.names.push(name.clone());
            for index in 0..channel.capacity {
                plain.names.extend((0..parts.len()).map(|part| match parts.len() {
                    1 => format!("{name}[{index}]"),
                    _ => format!("{name}[{index}].{part}"),
                }));
            }
        }
        plain
    }

    /// Adds the variables of a process, or the global ones.
    fn declare(&mut self, process: Option<usize>) {
        for number in self.dve.variables_of(process) {
            let variable = &self.dve.variables[number];
            self.variables[number] = self.names.len();
            match (variable.constant, variable.array) {
                (true, _) => {}
                (false, false) => self.names.push(variable.name.clone()),
                (false, true) => self.names.extend(
                    (0..variable.initial.len()).map(|index| format!("{}[{index}]", variable.name)),
                ),
            }
        }
    }

    fn value(&self, state: &[i64], term: &Term) -> Result<i64, Undefined> {
        Ok(match term {
            Term::Number(number) => *number,
            Term::Variable(variable) => self.read(state, *variable, 0)?,
            Term::Element(variable, index) => {
                self.read(state, *variable, self.value(state, index)?)?
            }
            Term::At(process, location) => {
                i64::from(state[self.locations[*process]] == *location as i64)
            }
            Term::Not(term) => i64::from(self.value(state, term)? == 0),
            Term::Complement(term) => -1 - self.value(state, term)?,
            Term::Binary(op, left, right) => {
                let (left, right) = (self.value(state, left)?, self.value(state, right)?);
                op.apply(left, right).map_err(|fault| Undefined(fault.to_string()))?
            }
            Term::And(terms) => {
                for term in terms {
                    if self.value(state, term)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Term::Or(terms) => {
                for term in terms {
                    if self.value(state, term)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
        })
    }

    /// The value of a variable, or of an element of an array.
    fn read(&self, state: &[i64], variable: usize, index: i64) -> Result<i64, Undefined> {
        let index = self.index(variable, index)?;
        let declared = &self.dve.variables[variable];
        Ok(match declared.constant {
            true => declared.initial[index],
            false => state[self.variables[variable] + index],
        })
    }

    fn index(&self, variable: usize, index: i64) -> Result<usize, Undefined> {
        let variable = &self.dve.variables[variable];
        let inside = usize::try_from(index).ok().filter(|index| *index < variable.initial.len());
        inside.ok_or_else(|| Undefined(format!("`{}` has no element {index}", variable.name)))
    }

    fn assign(&self, state: &mut [i64], target: &Target, new: i64) -> Result<(), Undefined> {
        let index = match &target.index {
            None => 0,
            Some(index) => self.value(state, index)?,
        };
        let index = self.index(target.variable, index)?;
        let variable = &self.dve.variables[target.variable];
        state[self.variables[target.variable] + index] =
            wrap(new, (variable.least, variable.greatest));
        Ok(())
    }

    fn holds(&self, state: &[i64], transition: &Transition) -> Result<bool, Undefined> {
        for guard in &transition.guard {
            if self.value(state, guard)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes to the target of a transition and applies its effects, one after the other.
    fn finish(
        &self,
        state: &mut [i64],
        process: usize,
        transition: &Transition,
    ) -> Result<(), Undefined> {
        state[self.locations[process]] = transition.to as i64;
        for (target, term) in &transition.effects {
            let new = self.value(state, term)?;
            self.assign(state, target, new)?;
        }
        Ok(())
    }

    fn message(
        &self,
        state: &[i64],
        channel: usize,
        values: &[Term],
    ) -> Result<Vec<i64>, Undefined> {
        let mut message = Vec::new();
        for (index, term) in values.iter().enumerate() {
            let part = self.value(state, term)?;
            let bounds = self.dve.channels[channel].parts.as_ref().map(|parts| parts[index]);
            message.push(bounds.map_or(part, |bounds| wrap(part, bounds)));
        }
        Ok(message)
    }

    fn location(&self, state: &[i64], process: usize) -> Result<usize, Undefined> {
        let count = self.dve.processes[process].locations.len();
        let location = usize::try_from(state[self.locations[process]]).ok();
        location.filter(|location| *location < count).ok_or_else(|| {
            Undefined(format!("`{}` has no such location", self.dve.processes[process].name))
        })
    }

    fn transition(&self, (process, number): Part) -> &Transition {
        &self.dve.processes[process].transitions[number]
    }

    /// The step by these transitions, each of another process.
    fn step(&self, parts: &[Part]) -> Step {
        let number = |(process, number): &Part| (self.first[*process] + number) as u32;
        Step {
            processes: parts.iter().map(|(process, _)| *process as u32).collect(),
            transitions: parts.iter().map(number).collect(),
        }
    }

    /// The successors by one transition without a partner. It may use a channel with a capacity.
    fn alone(&self, state: &[i64], part: Part) -> Result<Option<Vec<i64>>, Undefined> {
        let transition = self.transition(part);
        let mut next = state.to_vec();
        // The queue: its place, its number of messages, and the number of parts of each.
        let queue = |channel: usize| {
            let place = self.channels[channel]?;
            let parts = self.dve.channels[channel].parts.as_ref()?.len();
            Some((place, state[place], parts))
        };
        match &transition.sync {
            Sync::None if self.holds(state, transition)? => {}
            Sync::Send { channel, values } if self.dve.channels[*channel].capacity > 0 => {
                let Some((place, fill, parts)) = queue(*channel) else { return Ok(None) };
                let capacity = self.dve.channels[*channel].capacity as i64;
                if !self.holds(state, transition)? || !(0..capacity).contains(&fill) {
                    return Ok(None);
                }
                let message = self.message(state, *channel, values)?;
                for (part, new) in message.into_iter().enumerate() {
                    next[place + 1 + fill as usize * parts + part] = new;
                }
                next[place] = fill + 1;
            }
            Sync::Receive { channel, targets } if self.dve.channels[*channel].capacity > 0 => {
                let Some((place, fill, parts)) = queue(*channel) else { return Ok(None) };
                if !self.holds(state, transition)? || fill <= 0 {
                    return Ok(None);
                }
                let messages = place + 1..place + 1 + self.dve.channels[*channel].capacity * parts;
                let first: Vec<i64> = state[messages.clone()][..parts].to_vec();
                next[messages.clone()].rotate_left(parts);
                next[messages.end - parts..messages.end].fill(0);
                next[place] = fill - 1;
                for (target, new) in targets.iter().zip(first) {
                    self.assign(&mut next, target, new)?;
                }
            }
            _ => return Ok(None),
        }
        self.finish(&mut next, part.0, transition)?;
        Ok(Some(next))
    }

    /// Calls `visit` with all successors of a synchronous step: every choice of an enabled
    /// transition for each process.
    fn joint(&self, state: &[i64], visit: &mut dyn FnMut(&Step, &[i64])) -> Result<(), Undefined> {
        let mut enabled: Vec<Vec<Part>> = Vec::new();
        for (number, process) in self.dve.processes.iter().enumerate() {
            let mut own = Vec::new();
            for (index, transition) in process.transitions.iter().enumerate() {
                let here = state[self.locations[number]] == transition.from as i64;
                if here && self.holds(state, transition)? {
                    own.push((number, index));
                }
            }
            if own.is_empty() {
                return Ok(());
            }
            enabled.push(own);
        }
        // For each choice: its transitions, and the state after them.
        let mut all: Vec<(Vec<Part>, Vec<i64>)> = vec![(Vec::new(), state.to_vec())];
        for own in enabled {
            let mut longer = Vec::new();
            for part in own {
                let mut alone = state.to_vec();
                self.finish(&mut alone, part.0, self.transition(part))?;
                for (parts, merged) in &all {
                    let mut merged = merged.clone();
                    let changed = (0..state.len()).filter(|place| alone[*place] != state[*place]);
                    changed.for_each(|place| merged[place] = alone[place]);
                    longer.push(([&parts[..], &[part]].concat(), merged));
                }
            }
            all = longer;
        }
        if all.iter().any(|(parts, _)| self.is_conflict(parts)) {
            return Err(Undefined("two processes assign the same variable".to_owned()));
        }
        for (parts, next) in all {
            // Transitions with the same source and target are one there.
            let first = |(process, number): &Part| {
                let arrow = |t: &Transition| (t.from, t.to);
                let mut own = self.dve.processes[*process].transitions.iter();
                let same =
                    own.position(|one| arrow(one) == arrow(self.transition((*process, *number))));
                (*process, same.unwrap_or(*number))
            };
            let parts: Vec<Part> = parts.iter().map(first).collect();
            visit(&self.step(&parts), &next);
        }
        Ok(())
    }

    /// True if two processes assign the same variable.
    fn is_conflict(&self, parts: &[Part]) -> bool {
        let targets = |part: &Part| -> Vec<usize> {
            let effects = self.transition(*part).effects.iter();
            effects.map(|(target, _)| target.variable).collect()
        };
        let all: Vec<Vec<usize>> = parts.iter().map(targets).collect();
        let meet = |one: &[usize], two: &[usize]| one.iter().any(|target| two.contains(target));
        (0..all.len()).any(|two| (0..two).any(|one| meet(&all[one], &all[two])))
    }

    fn arrow(&self, part: Part) -> String {
        let transition = self.transition(part);
        self.dve.arrow(part.0, transition.from, transition.to)
    }

    /// The name of a step as a whole.
    fn step_name(&self, parts: &[Part]) -> String {
        let channel = |sync: &Sync| match sync {
            Sync::None => None,
            Sync::Send { channel, .. } => Some(('!', self.dve.channels[*channel].name.clone())),
            Sync::Receive { channel, .. } => Some(('?', self.dve.channels[*channel].name.clone())),
        };
        match parts {
            [receiver, sender] => {
                let name = channel(&self.transition(*receiver).sync).map(|(_, name)| name);
                let name = name.unwrap_or_default();
                format!("{} ! {name} ? {}", self.arrow(*sender), self.arrow(*receiver))
            }
            [part, ..] => match channel(&self.transition(*part).sync) {
                Some((sign, name)) => format!("{} {sign} {name}", self.arrow(*part)),
                None => self.arrow(*part),
            },
            [] => String::new(),
        }
    }

    /// All transitions.
    fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        let processes = self.dve.processes.iter().enumerate();
        processes.flat_map(|(process, all)| (0..all.transitions.len()).map(move |n| (process, n)))
    }

    /// All steps of an asynchronous system that have a name, whether they can happen or not.
    fn combinations(&self) -> Vec<Vec<Part>> {
        let mut all = Vec::new();
        for part in self.parts() {
            match &self.transition(part).sync {
                Sync::Send { channel, .. } if self.dve.channels[*channel].capacity == 0 => {}
                Sync::Receive { channel, .. } if self.dve.channels[*channel].capacity == 0 => {
                    let sends = |other: &Part| {
                        matches!(&self.transition(*other).sync,
                            Sync::Send { channel: there, .. } if there == channel)
                    };
                    all.extend(self.parts().filter(sends).map(|sender| vec![part, sender]));
                }
                _ => all.push(vec![part]),
            }
        }
        all
    }
}

impl Plain for PlainDve<'_> {
    fn variables(&self) -> Vec<String> {
        self.names.clone()
    }

    fn initial(&self) -> Vec<Vec<i64>> {
        let mut state = vec![0; self.names.len()];
        for (variable, place) in self.dve.variables.iter().zip(&self.variables) {
            if !variable.constant {
                state[*place..*place + variable.initial.len()].copy_from_slice(&variable.initial);
            }
        }
        for (process, place) in self.dve.processes.iter().zip(&self.locations) {
            state[*place] = process.initial as i64;
        }
        vec![state]
    }

    fn successors(
        &self,
        state: &[i64],
        visit: &mut dyn FnMut(&Step, &[i64]),
    ) -> Result<(), Undefined> {
        let dve = self.dve;
        let mut urgent = false;
        let mut locations = Vec::new();
        for (number, process) in dve.processes.iter().enumerate() {
            let location = self.location(state, number)?;
            locations.push(location);
            let location = &process.locations[location];
            urgent |= location.committed;
            for assertion in &location.assertions {
                if self.value(state, &assertion.condition)? == 0 {
                    let name = &process.name;
                    let message = format!("the assertion `{}` of {name} fails", assertion.text);
                    return Err(Undefined(message));
                }
            }
        }
        if dve.synchronous {
            return self.joint(state, visit);
        }
        // The transitions of processes that may step, from where they are.
        let is_ready = |part: &Part| {
            let here = locations[part.0];
            let may_step = !urgent || dve.processes[part.0].locations[here].committed;
            may_step && self.transition(*part).from == here
        };
        let ready: Vec<Part> = self.parts().filter(is_ready).collect();
        for &part in &ready {
            let transition = self.transition(part);
            let Sync::Receive { channel, targets } = &transition.sync else {
                if let Some(next) = self.alone(state, part)? {
                    visit(&self.step(&[part]), &next);
                }
                continue;
            };
            if dve.channels[*channel].capacity > 0 {
                if let Some(next) = self.alone(state, part)? {
                    visit(&self.step(&[part]), &next);
                }
                continue;
            }
            // The guard of a transition that can never happen does not matter.
            if self.senders[*channel] == 0 || !self.holds(state, transition)? {
                continue;
            }
            for &other in ready.iter().filter(|other| other.0 != part.0) {
                let sender = self.transition(other);
                let Sync::Send { channel: there, values } = &sender.sync else { continue };
                if there != channel || !self.holds(state, sender)? {
                    continue;
                }
                let mut next = state.to_vec();
                let message = self.message(state, *channel, values)?;
                for (target, new) in targets.iter().zip(message) {
                    self.assign(&mut next, target, new)?;
                }
                self.finish(&mut next, part.0, transition)?;
                self.finish(&mut next, other.0, sender)?;
                visit(&self.step(&[part, other]), &next);
            }
        }
        Ok(())
    }

    fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some(place) = (self.dve.channels.iter().zip(&self.channels))
            .find_map(|(channel, place)| (channel.name == name).then_some(*place).flatten())
        {
            return Some(Meaning::Sum(vec![place]));
        }
        for (process, place) in self.dve.processes.iter().zip(&self.locations) {
            let location = name.strip_prefix(&process.name).and_then(|rest| rest.strip_prefix('.'));
            let number = process.locations.iter().position(|one| Some(&*one.name) == location);
            if let Some(number) = number {
                return Some(Meaning::Equal(*place, number as i64));
            }
        }
        let variable = self.dve.variables.iter().position(|variable| variable.name == name);
        if let Some(number) = variable {
            let (variable, place) = (&self.dve.variables[number], self.variables[number]);
            return Some(match (variable.constant, variable.array) {
                (true, true) => Meaning::Table(variable.initial.clone()),
                (true, false) => Meaning::Constant(variable.initial[0]),
                (false, true) => Meaning::Array(place, variable.initial.len()),
                (false, false) => Meaning::Sum(vec![place]),
            });
        }
        if let Some(process) = self.dve.processes.iter().position(|process| process.name == name) {
            return Some(Meaning::Named(self.locations[process]));
        }
        // The messages of channels.
        let place = self.names.iter().position(|known| known == name)?;
        let first = self.channels.iter().flatten().min()?;
        (place >= *first).then(|| Meaning::Sum(vec![place]))
    }

    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        let Some(Meaning::Named(place)) = self.meaning(name) else { return None };
        let process = self.locations.iter().position(|location| *location == place)?;
        let locations = &self.dve.processes[process].locations;
        locations.iter().position(|location| location.name == value).map(|number| number as i64)
    }

    /// A name stands for the steps that have it as a whole, for those in which a transition of that
    /// name takes part, or for all steps of a process.
    fn steps(&self, name: &str) -> Option<NamedSteps<'_>> {
        let is_part =
            |part: &Part| self.dve.processes[part.0].name == name || self.arrow(*part) == name;
        let mut parts: Vec<u32> = Vec::new();
        let number = |part: Part| (self.first[part.0] + part.1) as u32;
        parts.extend(self.parts().filter(is_part).map(number));
        let mut whole = Vec::new();
        if !self.dve.synchronous {
            let named = self.combinations().into_iter().filter(|all| self.step_name(all) == name);
            whole.extend(named.map(|all| self.step(&all).transitions));
        }
        let is_process = self.dve.processes.iter().any(|process| process.name == name);
        if parts.is_empty() && whole.is_empty() && !is_process {
            return None;
        }
        Some(Box::new(move |step| {
            step.transitions.iter().any(|one| parts.contains(one))
                || whole.contains(&step.transitions)
        }))
    }

    fn process_count(&self) -> usize {
        self.dve.processes.len()
    }

    fn transition_count(&self) -> usize {
        self.parts().count()
    }
}
