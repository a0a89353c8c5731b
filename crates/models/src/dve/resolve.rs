//! Looks up the names of a model.

use super::model::{
    Assertion, Channel, Dve, Location, Process, Sync, Target, Term, Transition, Variable,
};
use super::syntax::{self, File, Name, Passed, Place, Type};
use crate::expression::Binary;
use crate::nearest;
use rustc_hash::FxHashMap;
use sempre_ltl::Error;
use std::ops::Range;

/// What a name stands for.
#[derive(Clone, Copy)]
enum Entity {
    Variable(usize),
    Channel(usize),
    Process(usize),
    Location(usize),
}

type Names<'a> = FxHashMap<&'a str, Entity>;

/// How many elements all arrays and channels together may have.
const MOST_ELEMENTS: usize = 1 << 20;

#[derive(Default)]
struct Resolver<'a> {
    globals: Names<'a>,
    /// For each process.
    locals: Vec<Names<'a>>,
    variables: Vec<Variable>,
    channels: Vec<Channel>,
    elements: usize,
    notes: Vec<String>,
}

/// The model, with its names looked up.
pub(super) fn resolve(file: File<'_>) -> Result<Dve, Error> {
    let File { variables, channels, mut processes, property, mut notes } = file;
    if let Some(property) = property {
        let Some(index) = processes.iter().position(|process| process.name.text == property.text)
        else {
            let names = processes.iter().map(|process| process.name.text);
            return Err(unknown(&property, "process", names));
        };
        processes.remove(index);
        notes.push(format!("the process `{}` is a property and is ignored", property.text));
        if processes.is_empty() {
            return Err(Error::at(property.span, "the model has no other process"));
        }
    }
    let mut resolver = Resolver { notes, ..Resolver::default() };
    for variable in &variables {
        resolver.declare_variable(variable, None, "")?;
    }
    for channel in &channels {
        resolver.declare_channel(channel)?;
    }
    for (index, process) in processes.iter().enumerate() {
        declare(&mut resolver.globals, &process.name, Entity::Process(index))?;
    }
    for (index, process) in processes.iter().enumerate() {
        resolver.locals.push(Names::default());
        for (number, state) in process.states.iter().enumerate() {
            declare(&mut resolver.locals[index], state, Entity::Location(number))?;
        }
        for variable in &process.variables {
            resolver.declare_variable(variable, Some(index), process.name.text)?;
        }
    }
    let mut resolved = Vec::with_capacity(processes.len());
    for (index, process) in processes.iter().enumerate() {
        resolved.push(resolver.process(index, process)?);
    }
    resolver.check_messages(&processes, &resolved)?;
    let Resolver { variables, channels, notes, .. } = resolver;
    let dve = Dve { variables, channels, processes: resolved, notes };
    match dve.actions() {
        Some(_) => Ok(dve),
        None => Err(Error::new("the model has too many synchronisations")),
    }
}

fn declare<'a>(names: &mut Names<'a>, name: &Name<'a>, entity: Entity) -> Result<(), Error> {
    match names.insert(name.text, entity) {
        None => Ok(()),
        Some(_) => {
            let message = format!("`{}` is declared twice", name.text);
            Err(Error::at(name.span.clone(), message))
        }
    }
}

fn unknown<'n>(name: &Name<'_>, what: &str, names: impl IntoIterator<Item = &'n str>) -> Error {
    let message = format!("there is no {what} `{}`", name.text);
    let error = Error::at(name.span.clone(), message);
    match nearest::expectation(name.text, names) {
        Some(near) => error.expected(near),
        None => error,
    }
}

fn bounds(kind: Type) -> (i64, i64) {
    match kind {
        Type::Byte => (0, 255),
        Type::Int => (-32768, 32767),
    }
}

impl<'a> Resolver<'a> {
    fn declare_variable(
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
                values.push(super::model::wrap(value, (least, greatest)));
            }
        }
        values.resize(count, 0);
        let entity = Entity::Variable(self.variables.len());
        let names = match process {
            Some(process) => &mut self.locals[process],
            None => &mut self.globals,
        };
        declare(names, name, entity)?;
        let name = match process {
            Some(_) => format!("{process_name}.{}", name.text),
            None => name.text.to_string(),
        };
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

    fn declare_channel(&mut self, channel: &syntax::Channel<'a>) -> Result<(), Error> {
        let syntax::Channel { name, types, capacity } = channel;
        let capacity = match capacity {
            Some(capacity) => self.size(capacity, None, name, 0)?,
            None => 0,
        };
        self.reserve(capacity, types.as_ref().map_or(1, Vec::len), &name.span)?;
        let parts = types.as_ref().map(|types| types.iter().copied().map(bounds).collect());
        declare(&mut self.globals, name, Entity::Channel(self.channels.len()))?;
        self.channels.push(Channel { name: name.text.to_string(), capacity, parts });
        Ok(())
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
    fn reserve(&mut self, count: usize, parts: usize, span: &Range<usize>) -> Result<(), Error> {
        self.elements = self.elements.saturating_add(count.saturating_mul(parts));
        if self.elements > MOST_ELEMENTS {
            let expected = format!("at most {MOST_ELEMENTS} elements in all");
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

    fn process(&self, index: usize, process: &syntax::Process<'a>) -> Result<Process, Error> {
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
            .map(|transition| self.transition(index, transition))
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
        transition: &syntax::Transition<'a>,
    ) -> Result<Transition, Error> {
        let guard = (transition.guard.iter())
            .map(|guard| self.term(guard, Some(process)))
            .collect::<Result<_, _>>()?;
        let sync = match &transition.sync {
            None => Sync::None,
            Some(sync) => self.sync(process, sync)?,
        };
        let effects = (transition.effects.iter())
            .map(|(place, value)| {
                Ok((self.target(place, process)?, self.term(value, Some(process))?))
            })
            .collect::<Result<_, Error>>()?;
        let from = self.location(process, &transition.from)?;
        let to = self.location(process, &transition.to)?;
        Ok(Transition { from, to, guard, sync, effects })
    }

    fn sync(&self, process: usize, sync: &syntax::Sync<'a>) -> Result<Sync, Error> {
        let Some(Entity::Channel(channel)) = self.globals.get(sync.channel.text) else {
            let names = self.channels.iter().map(|channel| channel.name.as_str());
            return Err(unknown(&sync.channel, "channel", names));
        };
        let channel = *channel;
        let parts = self.channels[channel].parts.as_ref().map(Vec::len);
        let wrong = |count: usize, expected: &str| {
            let values = if count == 1 { "value" } else { "values" };
            let message = format!("{count} {values} for `{}`", sync.channel.text);
            Error::at(sync.channel.span.clone(), message).expected(expected)
        };
        match &sync.values {
            Passed::Sent(values) => {
                if let Some(parts) = parts
                    && values.len() != parts
                {
                    return Err(wrong(values.len(), &parts.to_string()));
                }
                let values = values
                    .iter()
                    .map(|value| self.term(value, Some(process)))
                    .collect::<Result<_, _>>()?;
                Ok(Sync::Send { channel, values })
            }
            Passed::Received(targets) => {
                if let Some(parts) = parts
                    && targets.len() > parts
                {
                    return Err(wrong(targets.len(), &format!("at most {parts}")));
                }
                let targets = targets
                    .iter()
                    .map(|target| self.target(target, process))
                    .collect::<Result<_, _>>()?;
                Ok(Sync::Receive { channel, targets })
            }
        }
    }

    /// Nobody may receive more than is sent. Channels without a type that keep messages get one:
    /// as many integers as are sent.
    fn check_messages(
        &mut self,
        written: &[syntax::Process<'a>],
        processes: &[Process],
    ) -> Result<(), Error> {
        // For each channel: the process, the number of values, and the place of the name.
        let mut senders = vec![Vec::new(); self.channels.len()];
        let mut receivers = vec![Vec::new(); self.channels.len()];
        for (index, (written, process)) in written.iter().zip(processes).enumerate() {
            for (written, transition) in written.transitions.iter().zip(&process.transitions) {
                let Some(written) = &written.sync else { continue };
                let span = &written.channel.span;
                match &transition.sync {
                    Sync::None => {}
                    Sync::Send { channel, values } => {
                        senders[*channel].push((index, values.len(), span));
                    }
                    Sync::Receive { channel, targets } => {
                        receivers[*channel].push((index, targets.len(), span));
                    }
                }
            }
        }
        let wrong = |span: &Range<usize>, count: usize, sent: usize| {
            let message = format!("this has {count} values, but {sent} are sent elsewhere");
            Error::at(span.clone(), message)
        };
        for (index, (senders, receivers)) in senders.into_iter().zip(receivers).enumerate() {
            let channel = &mut self.channels[index];
            if channel.parts.is_some() {
                continue;
            }
            if channel.capacity > 0 {
                let sent = senders.first().map_or(0, |(_, count, _)| *count);
                if let Some((_, count, span)) = senders.iter().find(|(_, count, _)| *count != sent)
                {
                    return Err(wrong(span, *count, sent));
                }
                channel.parts = Some(vec![bounds(Type::Int); sent]);
                let capacity = channel.capacity;
                if let Some((_, _, span)) = senders.first() {
                    self.reserve(capacity, sent, span)?;
                }
            }
            let channel = &self.channels[index];
            // The least number that another process sends: one of the least two of different
            // processes.
            let least = senders.iter().min_by_key(|(_, count, _)| *count);
            let second = (senders.iter())
                .filter(|(process, ..)| least.is_some_and(|(other, ..)| process != other))
                .min_by_key(|(_, count, _)| *count);
            for (process, count, span) in receivers {
                let sent = match channel.capacity {
                    0 => {
                        [least, second].into_iter().flatten().find(|(other, ..)| *other != process)
                    }
                    _ => least,
                };
                if let Some((_, sent, _)) = sent
                    && count > *sent
                {
                    return Err(wrong(span, count, *sent));
                }
            }
        }
        Ok(())
    }

    fn target(&self, place: &Place<'a>, process: usize) -> Result<Target, Error> {
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

    /// The variable of that name that is seen from that process.
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
    fn term(&self, term: &syntax::Term<'a>, process: Option<usize>) -> Result<Term, Error> {
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
