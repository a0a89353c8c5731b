//! Declarations of a model: variables, with their initial values, and channels.

use super::{Entity, MAX_ELEMENTS, Resolver, bounds, declare};
use crate::dve::model::{Channel, Term, Variable, wrap};
use crate::dve::syntax::{self, Name};
use sempre_ltl::Error;
use std::ops::Range;

impl<'a> Resolver<'a> {
    pub(super) fn declare_variable(
        &mut self,
        variable: &syntax::Variable<'a>,
        process: Option<usize>,
        process_name: &str,
    ) -> Result<(), Error> {
        let syntax::Variable { constant, kind, name, length, initial } = variable;
        let (least, greatest) = bounds(*kind);
        let count = match length {
            Some(length) => {
                let count = self.size(length, process, name, 1)?;
                self.reserve(count, 1, &name.span)?;
                count
            }
            None => 1,
        };
        let mut values = Vec::new();
        if let Some(initial) = initial {
            if initial.many != length.is_some() {
                let expected = if initial.many { "one value" } else { "values in braces" };
                let message = format!("`{}` cannot have this initial value", name.text);
                return Err(Error::at(initial.span.clone(), message).expected(expected));
            }
            if initial.values.len() > count {
                let note = format!("`{}` has {count} elements; more values are ignored", name.text);
                self.notes.push(note);
            }
            for value in initial.values.iter().take(count) {
                let value = self.constant(value, process, &initial.span)?;
                values.push(wrap(value, (least, greatest)));
            }
        }
        values.resize(count, 0);
        let entity = Entity::Variable(self.variables.len());
        let name = self.declare_at(name, process, process_name, entity)?;
        self.variables.push(Variable {
            name,
            process,
            least,
            greatest,
            array: length.is_some(),
            constant: *constant,
            initial: values,
        });
        Ok(())
    }

    pub(super) fn declare_channel(
        &mut self,
        channel: &syntax::Channel<'a>,
        process: Option<usize>,
        process_name: &str,
    ) -> Result<(), Error> {
        let syntax::Channel { name, types, capacity } = channel;
        let capacity = match capacity {
            Some(capacity) => self.size(capacity, process, name, 0)?,
            None => 0,
        };
        self.reserve(capacity, types.as_ref().map_or(1, Vec::len), &name.span)?;
        let parts = types.as_ref().map(|types| types.iter().copied().map(bounds).collect());
        let name =
            self.declare_at(name, process, process_name, Entity::Channel(self.channels.len()))?;
        self.channels.push(Channel { name, capacity, parts });
        Ok(())
    }

    /// Gives a name of a process, or a global one, to an entity; the name as it is shown.
    fn declare_at(
        &mut self,
        name: &Name<'a>,
        process: Option<usize>,
        process_name: &str,
        entity: Entity,
    ) -> Result<String, Error> {
        match process {
            Some(process) => {
                declare(&mut self.locals[process], name, entity)?;
                Ok(format!("{process_name}.{}", name.text))
            }
            None => {
                declare(&mut self.globals, name, entity)?;
                Ok(name.text.to_string())
            }
        }
    }

    /// The number of elements of an array or of a channel.
    fn size(
        &self,
        size: &syntax::Term<'a>,
        process: Option<usize>,
        name: &Name<'a>,
        least: i64,
    ) -> Result<usize, Error> {
        let size = self.constant(size, process, &name.span)?;
        if size < least {
            let message = format!("`{}` cannot have {size} elements", name.text);
            return Err(Error::at(name.span.clone(), message));
        }
        Ok(usize::try_from(size).unwrap_or(usize::MAX))
    }

    /// Counts elements, of which there may not be too many.
    pub(super) fn reserve(
        &mut self,
        count: usize,
        parts: usize,
        span: &Range<usize>,
    ) -> Result<(), Error> {
        self.elements = self.elements.saturating_add(count.saturating_mul(parts));
        if self.elements > MAX_ELEMENTS {
            let expected = format!("at most {MAX_ELEMENTS} elements in all");
            let message = "the arrays and channels are too large";
            return Err(Error::at(span.clone(), message).expected(expected));
        }
        Ok(())
    }

    /// The value of an expression over constants and initial values.
    fn constant(
        &self,
        term: &syntax::Term<'a>,
        process: Option<usize>,
        span: &Range<usize>,
    ) -> Result<i64, Error> {
        let term = self.term(term, process)?;
        self.initial_value(&term).map_err(|message| Error::at(span.clone(), message))
    }

    /// Recurses as deep as the term nests, which the parser limits.
    fn initial_value(&self, term: &Term) -> Result<i64, String> {
        Ok(match term {
            Term::Number(number) => *number,
            Term::Variable(variable) => self.variables[*variable].initial[0],
            Term::Element(variable, index) => {
                let values = &self.variables[*variable].initial;
                let index = self.initial_value(index)?;
                let element = usize::try_from(index).ok().and_then(|index| values.get(index));
                *element.ok_or_else(|| format!("the index {index} is out of range"))?
            }
            Term::At(..) => return Err("a process has no state before the start".to_string()),
            Term::Not(term) => i64::from(self.initial_value(term)? == 0),
            Term::Complement(term) => !self.initial_value(term)?,
            Term::Binary(op, left, right) => {
                let (left, right) = (self.initial_value(left)?, self.initial_value(right)?);
                op.apply(left, right).map_err(|fault| fault.to_string())?
            }
            Term::And(terms) => {
                for term in terms {
                    if self.initial_value(term)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Term::Or(terms) => {
                for term in terms {
                    if self.initial_value(term)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
        })
    }
}
