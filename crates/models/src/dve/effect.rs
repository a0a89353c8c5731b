//! The effect of a transition on a state, as a list of simple changes.
//!
//! Numbers that are assigned to variables of the same word, and the next location of the process,
//! are one change of that word, wherever nothing in between reads or writes these bits.

use super::places::{Places, Queue};
use crate::expression::{Binary, Expr, Program, element};
use crate::layout::{Array, Field, Footprint};
use crate::partial::Memory;
use crate::system::Fault;

#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// Other bits for a word: the ones that are kept, and the new ones.
    Bits {
        word: u32,
        keep: u32,
        bits: u32,
    },
    /// Adds a number.
    Add(Field, i64),
    Assign(Field, Program),
    /// The array, the index, the value.
    AssignElement(Array, Program, Program),
    /// Assigns a part of the message.
    Receive(Field, u32),
    ReceiveElement(Array, Program, u32),
    /// Appends the message to the contents of a channel.
    Enqueue(u32),
    /// Takes the first message of a channel.
    Dequeue(u32),
}

/// Applies the changes in order. The message is the one sent, and then the one received.
///
/// # Errors
/// If a division by zero or an index out of range has no meaning.
#[inline]
pub(super) fn apply<M: Memory + ?Sized>(
    effects: &[Effect],
    queues: &[Option<Queue>],
    state: &mut M,
    message: &mut [i64],
) -> Result<(), Box<Fault>> {
    for effect in effects {
        match effect {
            Effect::Bits { word, keep, bits } => state.replace(*word as usize, *keep, *bits),
            Effect::Add(field, number) => {
                let sum = state.get(*field)?.wrapping_add(*number);
                state.set_wrapping(*field, sum);
            }
            Effect::Assign(field, value) => {
                let value = value.run(state)?;
                state.set_wrapping(*field, value);
            }
            Effect::AssignElement(array, index, value) => {
                let field = element(*array, index.run(state)?)?;
                let value = value.run(state)?;
                state.set_wrapping(field, value);
            }
            Effect::Receive(field, part) => state.set_wrapping(*field, message[*part as usize]),
            Effect::ReceiveElement(array, index, part) => {
                let field = element(*array, index.run(state)?)?;
                state.set_wrapping(field, message[*part as usize]);
            }
            Effect::Enqueue(channel) => {
                if let Some(queue) = &queues[*channel as usize] {
                    queue.append(state, message)?;
                }
            }
            Effect::Dequeue(channel) => {
                if let Some(queue) = &queues[*channel as usize] {
                    queue.take(state, message)?;
                }
            }
        }
    }
    Ok(())
}

impl Queue {
    fn append<M: Memory + ?Sized>(&self, state: &mut M, message: &[i64]) -> Result<(), Box<Fault>> {
        let fill = state.get(self.fill)?;
        for (part, value) in self.parts.iter().zip(message) {
            state.set_wrapping(part.element(fill as usize), *value);
        }
        state.set_wrapping(self.fill, fill + 1);
        Ok(())
    }

    fn take<M: Memory + ?Sized>(
        &self,
        state: &mut M,
        message: &mut [i64],
    ) -> Result<(), Box<Fault>> {
        let fill = state.get(self.fill)?;
        for (part, value) in self.parts.iter().zip(message) {
            *value = state.get(part.element(0))?;
            for index in 1..fill as usize {
                let next = state.get(part.element(index))?;
                state.set_wrapping(part.element(index - 1), next);
            }
            // Clears old contents, so that equal states are equal words.
            state.set_wrapping(part.element(fill as usize - 1), 0);
        }
        state.set_wrapping(self.fill, fill - 1);
        Ok(())
    }
}

/// A list of effects that is being built.
#[derive(Default)]
pub(super) struct Effects {
    effects: Vec<(Effect, Footprint)>,
}

impl Effects {
    pub(super) fn finish(self) -> Box<[Effect]> {
        self.effects.into_iter().map(|(effect, _)| effect).collect()
    }

    /// Adds the assignment of a number.
    pub(super) fn set(&mut self, field: Field, value: i64) {
        let (word, mask) = (field.word() as u32, field.mask() << field.shift());
        let raw = (value.wrapping_sub(field.least()) as u32 & field.mask()) << field.shift();
        for (effect, footprint) in self.effects.iter_mut().rev() {
            if let Effect::Bits { word: other, keep, bits } = effect
                && *other == word
            {
                *keep &= !mask;
                *bits = *bits & !mask | raw;
                return;
            }
            if footprint.touches(field) {
                break;
            }
        }
        self.effects.push((Effect::Bits { word, keep: !mask, bits: raw }, Footprint::default()));
    }

    /// Adds an assignment.
    pub(super) fn assign(&mut self, target: Result<Field, (Array, Expr)>, value: &Expr) {
        let mut footprint = Footprint::default();
        value.read(&mut footprint);
        let effect = match target {
            Ok(field) => {
                if let Expr::Constant(value) = value {
                    return self.set(field, *value);
                }
                footprint.add(field);
                match increment(field, value) {
                    Some(number) => Effect::Add(field, number),
                    None => Effect::Assign(field, Program::new(value)),
                }
            }
            Err((array, index)) => {
                index.read(&mut footprint);
                footprint.add_array(array);
                Effect::AssignElement(array, Program::new(&index), Program::new(value))
            }
        };
        self.effects.push((effect, footprint));
    }

    /// Adds the assignment of a part of the message.
    pub(super) fn receive(&mut self, target: Result<Field, (Array, Expr)>, part: u32) {
        let mut footprint = Footprint::default();
        let effect = match target {
            Ok(field) => {
                footprint.add(field);
                Effect::Receive(field, part)
            }
            Err((array, index)) => {
                index.read(&mut footprint);
                footprint.add_array(array);
                Effect::ReceiveElement(array, Program::new(&index), part)
            }
        };
        self.effects.push((effect, footprint));
    }

    /// Adds a change of the contents of a channel, which nothing else reads or writes.
    pub(super) fn queue(&mut self, effect: Effect) {
        self.effects.push((effect, Footprint::default()));
    }
}

/// The number that the assignment of the value to the field adds, if it does that.
fn increment(field: Field, value: &Expr) -> Option<i64> {
    let Expr::Binary(op, left, right) = value else { return None };
    match (op, &**left, &**right) {
        (Binary::Add, Expr::Value(other), Expr::Constant(number))
        | (Binary::Add, Expr::Constant(number), Expr::Value(other))
            if *other == field =>
        {
            Some(*number)
        }
        (Binary::Subtract, Expr::Value(other), Expr::Constant(number)) if *other == field => {
            number.checked_neg()
        }
        _ => None,
    }
}

/// Returns the changes of a transition after receiving: the next location, then the assignments.
pub(super) fn after(
    effects: &mut Effects,
    places: &Places,
    process: usize,
    transition: &super::model::Transition,
) {
    effects.set(places.locations[process], transition.to as i64);
    for (target, value) in &transition.effects {
        effects.assign(places.target(target), &places.expr(value));
    }
}
