//! Processes: their states, their transitions, and the terms in them.

use super::{Entity, Resolver, unknown};
use crate::dve::model::{Assertion, Location, Process, Sync, Target, Term, Transition};
use crate::dve::syntax::{self, Name, Place};
use crate::expression::Binary;
use crate::system::Origin;
use sempre_ltl::Error;

impl<'a> Resolver<'a> {
    pub(super) fn process(
        &self,
        index: usize,
        process: &syntax::Process<'a>,
    ) -> Result<Process, Error> {
        let mut locations: Vec<Location> = (process.states.iter())
            .map(|state| Location {
                name: state.text.to_string(),
                committed: false,
                assertions: Vec::new(),
            })
            .collect();
        for state in &process.committed {
            locations[self.location(index, state)?].committed = true;
        }
        for state in &process.mentioned {
            self.location(index, state)?;
        }
        for syntax::Assertion { state, condition, text } in &process.assertions {
            let location = self.location(index, state)?;
            let condition = self.term(condition, Some(index))?;
            locations[location].assertions.push(Assertion { condition, text: text.to_string() });
        }
        let transitions = (process.transitions.iter())
            .map(|transition| self.transition(index, process.name.text, transition))
            .collect::<Result<_, _>>()?;
        let initial = self.location(index, &process.initial)?;
        let name = process.name.text.to_string();
        Ok(Process { name, locations, initial, transitions })
    }

    fn location(&self, process: usize, state: &Name<'a>) -> Result<usize, Error> {
        match self.locals[process].get(state.text) {
            Some(Entity::Location(location)) => Ok(*location),
            _ => {
                let names = (self.locals[process].iter())
                    .filter(|(_, entity)| matches!(entity, Entity::Location(_)))
                    .map(|(name, _)| *name);
                Err(unknown(state, "state", names))
            }
        }
    }

    fn process_index(&self, process: &Name<'a>) -> Result<usize, Error> {
        match self.globals.get(process.text) {
            Some(Entity::Process(index)) => Ok(*index),
            _ => {
                let names = (self.globals.iter())
                    .filter(|(_, entity)| matches!(entity, Entity::Process(_)))
                    .map(|(name, _)| *name);
                Err(unknown(process, "process", names))
            }
        }
    }

    fn transition(
        &self,
        process: usize,
        name: &str,
        transition: &syntax::Transition<'a>,
    ) -> Result<Transition, Error> {
        let guard = (transition.guard.iter())
            .map(|guard| self.term(guard, Some(process)))
            .collect::<Result<_, _>>()?;
        let sync = match &transition.sync {
            None => Sync::None,
            Some(sync) => match self.sync(process, sync)? {
                // Synchronous processes do not wait for a partner.
                _ if self.synchronous => Sync::None,
                sync => sync,
            },
        };
        let effects = (transition.effects.iter())
            .map(|(place, value)| {
                Ok((self.target(place, process)?, self.term(value, Some(process))?))
            })
            .collect::<Result<_, Error>>()?;
        let from = self.location(process, &transition.from)?;
        let to = self.location(process, &transition.to)?;
        let syntax::Source { line, guard: condition, sync: message, effect } = transition.source;
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let origin = Origin {
            process: Some(name.to_owned()),
            line: Some(line),
            guard: one_line(condition),
            sync: one_line(message),
            effect: one_line(effect),
        };
        Ok(Transition { from, to, guard, sync, effects, origin })
    }

    pub(super) fn target(&self, place: &Place<'a>, process: usize) -> Result<Target, Error> {
        let variable = self.variable(place, Some(process))?;
        if self.variables[variable].constant {
            let message = format!("`{}` is a constant", place.name.text);
            return Err(Error::at(place.name.span.clone(), message).expected("a variable"));
        }
        let index = match &place.index {
            Some(index) => Some(self.term(index, Some(process))?),
            None => None,
        };
        Ok(Target { variable, index })
    }

    /// Resolves a variable name in the scope of a process.
    fn variable(&self, place: &Place<'a>, process: Option<usize>) -> Result<usize, Error> {
        let Place { process: foreign, name, index } = place;
        let entity = match foreign {
            Some(foreign) => self.locals[self.process_index(foreign)?].get(name.text),
            None => process
                .and_then(|process| self.locals[process].get(name.text))
                .filter(|entity| matches!(entity, Entity::Variable(_)))
                .or_else(|| self.globals.get(name.text)),
        };
        let Some(Entity::Variable(variable)) = entity.copied() else {
            let mut scopes = Vec::new();
            match foreign {
                Some(foreign) => scopes.push(&self.locals[self.process_index(foreign)?]),
                None => {
                    scopes.extend(process.map(|process| &self.locals[process]));
                    scopes.push(&self.globals);
                }
            }
            let names = (scopes.into_iter().flatten())
                .filter(|(_, entity)| matches!(entity, Entity::Variable(_)))
                .map(|(name, _)| *name);
            return Err(unknown(name, "variable", names));
        };
        let span = name.span.clone();
        match (self.variables[variable].array, index) {
            (true, None) => {
                let message = format!("`{}` is an array", name.text);
                Err(Error::at(span, message).expected("an index in brackets"))
            }
            (false, Some(_)) => Err(Error::at(span, format!("`{}` is not an array", name.text))),
            _ => Ok(variable),
        }
    }

    /// Recurses as deep as the term nests, which the parser limits.
    pub(super) fn term(
        &self,
        term: &syntax::Term<'a>,
        process: Option<usize>,
    ) -> Result<Term, Error> {
        let boxed = |term: &syntax::Term<'a>| self.term(term, process).map(Box::new);
        let all = |terms: &[syntax::Term<'a>]| {
            terms.iter().map(|term| self.term(term, process)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match term {
            syntax::Term::Number(number) => Term::Number(*number),
            syntax::Term::Variable(place) => {
                let variable = self.variable(place, process)?;
                match &place.index {
                    Some(index) => Term::Element(variable, boxed(index)?),
                    None if self.variables[variable].constant => {
                        Term::Number(self.variables[variable].initial[0])
                    }
                    None => Term::Variable(variable),
                }
            }
            syntax::Term::Location(other, state) => {
                let other = self.process_index(other)?;
                Term::At(other, self.location(other, state)?)
            }
            syntax::Term::Not(term) => Term::Not(boxed(term)?),
            syntax::Term::Negate(term) => {
                Term::Binary(Binary::Subtract, Box::new(Term::Number(0)), boxed(term)?)
            }
            syntax::Term::Complement(term) => Term::Complement(boxed(term)?),
            syntax::Term::Binary(op, left, right) => Term::Binary(*op, boxed(left)?, boxed(right)?),
            syntax::Term::And(terms) => Term::And(all(terms)?),
            syntax::Term::Or(terms) => Term::Or(all(terms)?),
        })
    }
}
