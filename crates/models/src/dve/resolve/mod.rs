//! Looks up the names of a model.

mod channel;
mod declaration;
mod process;

use super::joint;
use super::model::{Channel, Dve, Variable};
use super::syntax::{self, File, Name, Type};
use crate::nearest;
use rustc_hash::FxHashMap;
use sempre_ltl::Error;

/// The meaning of a name.
#[derive(Clone, Copy)]
enum Entity {
    Variable(usize),
    Channel(usize),
    Process(usize),
    Location(usize),
}

type Names<'a> = FxHashMap<&'a str, Entity>;

/// The maximal number of elements of all arrays and channels together.
const MAX_ELEMENTS: usize = 1 << 20;

#[derive(Default)]
struct Resolver<'a> {
    globals: Names<'a>,
    /// For each process.
    locals: Vec<Names<'a>>,
    variables: Vec<Variable>,
    channels: Vec<Channel>,
    elements: usize,
    /// True if all processes step simultaneously.
    synchronous: bool,
    notes: Vec<String>,
}

/// The model, with its names looked up.
pub(super) fn resolve(file: File<'_>) -> Result<Dve, Error> {
    let File { variables, channels, mut processes, synchronous, property, mut notes } = file;
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
    let mut resolver = Resolver { synchronous, notes, ..Resolver::default() };
    for variable in &variables {
        resolver.declare_variable(variable, None, "")?;
    }
    for channel in &channels {
        resolver.declare_channel(channel, None, "")?;
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
        for channel in &process.channels {
            resolver.declare_channel(channel, Some(index), process.name.text)?;
        }
    }
    let mut resolved = Vec::with_capacity(processes.len());
    for (index, process) in processes.iter().enumerate() {
        resolved.push(resolver.process(index, process)?);
    }
    resolver.check_messages(&processes, &resolved)?;
    if synchronous {
        resolver.note_what_is_ignored(&processes);
    }
    let Resolver { variables, channels, notes, .. } = resolver;
    let dve = Dve { variables, channels, processes: resolved, synchronous, notes };
    if synchronous && !joint::is_small(&dve) {
        let message = "the processes have too many joint steps";
        return Err(Error::new(message).expected(format!("at most {}", u32::MAX)));
    }
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

impl Resolver<'_> {
    /// Notes the parts without influence if all processes step simultaneously.
    fn note_what_is_ignored(&mut self, processes: &[syntax::Process<'_>]) {
        let mut transitions = processes.iter().flat_map(|process| &process.transitions);
        if transitions.any(|transition| transition.sync.is_some()) {
            let note = "channels are ignored: in a synchronous system all processes step together";
            self.notes.push(note.to_string());
        }
        if processes.iter().any(|process| !process.committed.is_empty()) {
            let note = "committed states are states like others in a synchronous system";
            self.notes.push(note.to_string());
        }
    }
}
