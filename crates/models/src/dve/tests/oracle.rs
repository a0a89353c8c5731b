//! DVE models executed by the letter: states are maps from names to values, and terms are walked.

use crate::dve::model::{Dve, Sync, Target, Term, Transition, wrap};
use std::collections::BTreeMap;

/// The value of every variable, by its name as it is shown; of a process, its location; of a
/// channel, how many messages it has.
pub(super) type State = BTreeMap<String, i64>;

/// The division or the index that has no meaning, or the assertion that fails.
#[derive(Debug)]
pub(super) struct Undefined;

pub(super) fn initial(dve: &Dve) -> State {
    let mut state = State::new();
    for variable in dve.variables.iter().filter(|variable| !variable.constant) {
        for (index, value) in variable.initial.iter().enumerate() {
            let name = match variable.array {
                true => format!("{}[{index}]", variable.name),
                false => variable.name.clone(),
            };
            state.insert(name, *value);
        }
    }
    for process in &dve.processes {
        state.insert(process.name.clone(), process.initial as i64);
    }
    for channel in dve.channels.iter().filter(|channel| channel.capacity > 0) {
        state.insert(channel.name.clone(), 0);
        for index in 0..channel.capacity {
            for part in 0..channel.parts.as_ref().unwrap().len() {
                state.insert(part_name(dve, &channel.name, index, part), 0);
            }
        }
    }
    state
}

fn part_name(dve: &Dve, channel: &str, index: usize, part: usize) -> String {
    let channel = dve.channels.iter().find(|other| other.name == channel).unwrap();
    match channel.parts.as_ref().unwrap().len() {
        1 => format!("{}[{index}]", channel.name),
        _ => format!("{}[{index}].{part}", channel.name),
    }
}

fn value(dve: &Dve, state: &State, term: &Term) -> Result<i64, Undefined> {
    Ok(match term {
        Term::Number(number) => *number,
        Term::Variable(variable) => state[&dve.variables[*variable].name],
        Term::Element(variable, index) => {
            let variable = &dve.variables[*variable];
            let index = value(dve, state, index)?;
            if !(0..variable.initial.len() as i64).contains(&index) {
                return Err(Undefined);
            }
            match variable.constant {
                true => variable.initial[index as usize],
                false => state[&format!("{}[{index}]", variable.name)],
            }
        }
        Term::At(process, location) => {
            i64::from(state[&dve.processes[*process].name] == *location as i64)
        }
        Term::Not(term) => i64::from(value(dve, state, term)? == 0),
        Term::Complement(term) => -1 - value(dve, state, term)?,
        Term::Binary(op, left, right) => {
            let (left, right) = (value(dve, state, left)?, value(dve, state, right)?);
            op.apply(left, right).map_err(|_| Undefined)?
        }
        Term::And(terms) => {
            for term in terms {
                if value(dve, state, term)? == 0 {
                    return Ok(0);
                }
            }
            1
        }
        Term::Or(terms) => {
            for term in terms {
                if value(dve, state, term)? != 0 {
                    return Ok(1);
                }
            }
            0
        }
    })
}

fn assign(dve: &Dve, state: &mut State, target: &Target, new: i64) -> Result<(), Undefined> {
    let variable = &dve.variables[target.variable];
    let name = match &target.index {
        None => variable.name.clone(),
        Some(index) => format!("{}[{}]", variable.name, value(dve, state, index)?),
    };
    let bounds = (variable.least, variable.greatest);
    *state.get_mut(&name).ok_or(Undefined)? = wrap(new, bounds);
    Ok(())
}

fn holds(dve: &Dve, state: &State, transition: &Transition) -> Result<bool, Undefined> {
    for guard in &transition.guard {
        if value(dve, state, guard)? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn finish(
    dve: &Dve,
    state: &mut State,
    process: usize,
    transition: &Transition,
) -> Result<(), Undefined> {
    state.insert(dve.processes[process].name.clone(), transition.to as i64);
    for (target, term) in &transition.effects {
        let new = value(dve, state, term)?;
        assign(dve, state, target, new)?;
    }
    Ok(())
}

fn message(
    dve: &Dve,
    state: &State,
    channel: usize,
    values: &[Term],
) -> Result<Vec<i64>, Undefined> {
    let mut message = Vec::new();
    for (index, term) in values.iter().enumerate() {
        let part = value(dve, state, term)?;
        let bounds = dve.channels[channel].parts.as_ref().map(|parts| parts[index]);
        message.push(bounds.map_or(part, |bounds| wrap(part, bounds)));
    }
    Ok(message)
}

/// All successors, in any order.
pub(super) fn successors(dve: &Dve, state: &State) -> Result<Vec<State>, Undefined> {
    let location = |process: usize| state[&dve.processes[process].name] as usize;
    let committed = |process: usize| dve.processes[process].locations[location(process)].committed;
    for (index, process) in dve.processes.iter().enumerate() {
        for assertion in &process.locations[location(index)].assertions {
            if value(dve, state, &assertion.condition)? == 0 {
                return Err(Undefined);
            }
        }
    }
    if dve.synchronous {
        return joint(dve, state);
    }
    let urgent = (0..dve.processes.len()).any(committed);
    let may = |process: usize| !urgent || committed(process);
    let mut all = Vec::new();
    let enabled = || {
        (dve.processes.iter().enumerate()).filter(|(index, _)| may(*index)).flat_map(
            |(index, process)| {
                let here = location(index);
                let own = process.transitions.iter().filter(move |one| one.from == here);
                own.map(move |transition| (index, transition))
            },
        )
    };
    for (index, transition) in enabled() {
        let mut next = state.clone();
        match &transition.sync {
            Sync::None => {
                if !holds(dve, state, transition)? {
                    continue;
                }
            }
            Sync::Send { channel, values } => {
                let named = &dve.channels[*channel];
                if named.capacity == 0 || !holds(dve, state, transition)? {
                    continue;
                }
                let fill = state[&named.name] as usize;
                if fill == named.capacity {
                    continue;
                }
                for (part, new) in message(dve, state, *channel, values)?.into_iter().enumerate() {
                    next.insert(part_name(dve, &named.name, fill, part), new);
                }
                next.insert(named.name.clone(), fill as i64 + 1);
            }
            Sync::Receive { channel, targets } if dve.channels[*channel].capacity > 0 => {
                let named = &dve.channels[*channel];
                if !holds(dve, state, transition)? || state[&named.name] == 0 {
                    continue;
                }
                let parts = named.parts.as_ref().unwrap().len();
                let first: Vec<i64> =
                    (0..parts).map(|part| state[&part_name(dve, &named.name, 0, part)]).collect();
                for part in 0..parts {
                    for index in 0..named.capacity {
                        let after = part_name(dve, &named.name, index + 1, part);
                        let new = state.get(&after).copied().unwrap_or(0);
                        next.insert(part_name(dve, &named.name, index, part), new);
                    }
                }
                next.insert(named.name.clone(), state[&named.name] - 1);
                for (target, new) in targets.iter().zip(first) {
                    assign(dve, &mut next, target, new)?;
                }
            }
            Sync::Receive { channel, targets } => {
                // The guard of a transition that can never happen does not matter.
                if dve.senders()[*channel].is_empty() || !holds(dve, state, transition)? {
                    continue;
                }
                for (other, sender) in enabled().filter(|(other, _)| *other != index) {
                    let Sync::Send { channel: there, values } = &sender.sync else { continue };
                    if there != channel || !holds(dve, state, sender)? {
                        continue;
                    }
                    let mut next = state.clone();
                    let message = message(dve, state, *channel, values)?;
                    for (target, new) in targets.iter().zip(message) {
                        assign(dve, &mut next, target, new)?;
                    }
                    finish(dve, &mut next, index, transition)?;
                    finish(dve, &mut next, other, sender)?;
                    all.push(next);
                }
                continue;
            }
        }
        finish(dve, &mut next, index, transition)?;
        all.push(next);
    }
    Ok(all)
}

/// All successors of a synchronous step: every choice of an enabled transition for each process.
fn joint(dve: &Dve, state: &State) -> Result<Vec<State>, Undefined> {
    // For each process and enabled transition: the variables that it assigns, and what is there
    // after it.
    let mut enabled = Vec::new();
    for process in &dve.processes {
        let mut own = Vec::new();
        for transition in &process.transitions {
            let here = state[&process.name] == transition.from as i64;
            if here && holds(dve, state, transition)? {
                own.push(transition);
            }
        }
        if own.is_empty() {
            return Ok(Vec::new());
        }
        enabled.push(own);
    }
    let mut all = vec![(state.clone(), Vec::new())];
    for (index, own) in enabled.into_iter().enumerate() {
        let mut longer = Vec::new();
        for transition in own {
            let mut alone = state.clone();
            finish(dve, &mut alone, index, transition)?;
            for (merged, assigned) in &all {
                let (mut merged, mut assigned): (State, Vec<usize>) =
                    (merged.clone(), assigned.clone());
                for (target, _) in &transition.effects {
                    assigned.push(target.variable + dve.variables.len() * index);
                }
                merged.extend(alone.clone().into_iter().filter(|(name, new)| state[name] != *new));
                longer.push((merged, assigned));
            }
        }
        all = longer;
    }
    let conflict = |assigned: &[usize]| {
        let parts =
            assigned.iter().map(|one| (one % dve.variables.len(), one / dve.variables.len()));
        let parts: Vec<_> = parts.collect();
        parts.iter().any(|one| parts.iter().any(|two| one.0 == two.0 && one.1 != two.1))
    };
    if all.iter().any(|(_, assigned)| conflict(assigned)) {
        return Err(Undefined);
    }
    Ok(all.into_iter().map(|(merged, _)| merged).collect())
}
