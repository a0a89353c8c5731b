//! Where the variables, the locations of processes and the contents of channels lie in a state.

use super::model::{Dve, Target, Term};
use super::ranges::Ranges;
use crate::expression::{Binary, Expr};
use crate::layout::{Array, Field, Layout};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) enum Place {
    Field(Field),
    Array(Array),
    /// Constants take no place.
    Constants(Arc<[i64]>),
}

/// The contents of a channel with a capacity: the first message lies at index 0.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub(super) fill: Field,
    /// One array for each part of a message.
    pub(super) parts: Vec<Array>,
    pub(super) capacity: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) words: usize,
    pub(super) variables: Vec<Place>,
    pub(super) locations: Vec<Field>,
    /// For each channel that has a capacity.
    pub(super) queues: Vec<Option<Queue>>,
}

impl Places {
    pub(super) fn new(dve: &Dve) -> Self {
        let mut layout = Layout::default();
        let ranges = Ranges::new(dve);
        let mut variables = Vec::with_capacity(dve.variables.len());
        let mut place = |layout: &mut Layout, process: Option<usize>| {
            for index in dve.variables_of(process) {
                let variable = &dve.variables[index];
                let (least, greatest) = ranges.variables[index];
                variables.push(match (variable.constant, variable.array) {
                    (true, _) => Place::Constants(variable.initial.clone().into()),
                    (_, true) => {
                        let length = variable.initial.len();
                        Place::Array(layout.array(least as i32, greatest, length))
                    }
                    (_, false) => Place::Field(layout.field(least as i32, greatest)),
                });
            }
        };
        place(&mut layout, None);
        let mut locations = Vec::new();
        for (index, process) in dve.processes.iter().enumerate() {
            locations.push(layout.field(0, process.locations.len() as i64 - 1));
            place(&mut layout, Some(index));
        }
        let queues = (dve.channels.iter().zip(&ranges.parts))
            .map(|(channel, sent)| {
                (channel.capacity > 0).then(|| Queue {
                    fill: layout.field(0, channel.capacity as i64),
                    // If no process sends a part, only the number of messages matters.
                    parts: (0..channel.parts.as_ref().map_or(0, Vec::len))
                        .map(|part| {
                            let (least, greatest) = sent.get(part).copied().unwrap_or((0, 0));
                            layout.array(least as i32, greatest, channel.capacity)
                        })
                        .collect(),
                    capacity: channel.capacity,
                })
            })
            .collect();
        Places { words: layout.words().max(1), variables, locations, queues }
    }

    /// The initial state.
    pub(super) fn initial(&self, dve: &Dve) -> Box<[u32]> {
        let mut state = vec![0; self.words];
        for (variable, place) in dve.variables.iter().zip(&self.variables) {
            match place {
                Place::Field(field) => field.set(&mut state, variable.initial[0]),
                Place::Array(array) => {
                    for (index, value) in variable.initial.iter().enumerate() {
                        array.element(index).set(&mut state, *value);
                    }
                }
                Place::Constants(_) => {}
            }
        }
        for (process, field) in dve.processes.iter().zip(&self.locations) {
            field.set(&mut state, process.initial as i64);
        }
        for queue in self.queues.iter().flatten() {
            queue.fill.set(&mut state, 0);
            for part in &queue.parts {
                (0..queue.capacity).for_each(|index| part.element(index).set(&mut state, 0));
            }
        }
        state.into()
    }

    /// The term over places. Recurses as deep as the term nests, which the parser limits.
    pub(super) fn expr(&self, term: &Term) -> Expr {
        match term {
            Term::Number(number) => Expr::Constant(*number),
            Term::Variable(variable) => match &self.variables[*variable] {
                Place::Field(field) => Expr::Value(*field),
                place => unreachable!("a variable at {place:?}"),
            },
            Term::Element(variable, index) => {
                match (&self.variables[*variable], self.expr(index)) {
                    (Place::Array(array), Expr::Constant(index))
                        if (0..array.len() as i64).contains(&index) =>
                    {
                        Expr::Value(array.element(index as usize))
                    }
                    (Place::Constants(values), Expr::Constant(index))
                        if (0..values.len() as i64).contains(&index) =>
                    {
                        Expr::Constant(values[index as usize])
                    }
                    (Place::Array(array), index) => Expr::Element(*array, Box::new(index)),
                    (Place::Constants(values), index) => {
                        Expr::Lookup(values.clone(), Box::new(index))
                    }
                    (place, _) => unreachable!("an array at {place:?}"),
                }
            }
            Term::At(process, location) => Expr::binary(
                Binary::Equal,
                Expr::Value(self.locations[*process]),
                Expr::Constant(*location as i64),
            ),
            Term::Not(term) => match self.expr(term) {
                Expr::Constant(number) => Expr::Constant(i64::from(number == 0)),
                // The opposite comparison, which is evaluated faster.
                Expr::Binary(Binary::Equal, left, right) => {
                    Expr::Binary(Binary::NotEqual, left, right)
                }
                Expr::Binary(Binary::NotEqual, left, right) => {
                    Expr::Binary(Binary::Equal, left, right)
                }
                term => Expr::Not(Box::new(term)),
            },
            Term::Complement(term) => match self.expr(term) {
                Expr::Constant(number) => Expr::Constant(!number),
                term => Expr::Complement(Box::new(term)),
            },
            Term::Binary(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                if let (Expr::Constant(left), Expr::Constant(right)) = (&left, &right)
                    && let Ok(value) = op.apply(*left, *right)
                {
                    return Expr::Constant(value);
                }
                Expr::binary(*op, left, right)
            }
            Term::And(terms) => self.all(terms),
            Term::Or(terms) => Expr::Any(terms.iter().map(|term| self.expr(term)).collect()),
        }
    }

    /// The conjunction of the terms.
    pub(super) fn all(&self, terms: &[Term]) -> Expr {
        let mut all = Vec::with_capacity(terms.len());
        for term in terms {
            match self.expr(term) {
                Expr::Constant(number) if number != 0 => {}
                Expr::All(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        Expr::All(all.into())
    }

    /// The target of an assignment: a field, or an array with an index.
    pub(super) fn target(&self, target: &Target) -> Result<Field, (Array, Expr)> {
        match (&self.variables[target.variable], &target.index) {
            (Place::Field(field), None) => Ok(*field),
            (Place::Array(array), Some(index)) => match self.expr(index) {
                Expr::Constant(index) if (0..array.len() as i64).contains(&index) => {
                    Ok(array.element(index as usize))
                }
                index => Err((*array, index)),
            },
            (place, _) => unreachable!("an assignment to {place:?}"),
        }
    }
}
