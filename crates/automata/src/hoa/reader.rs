//! Reads a stream of automata, one by one.

use super::body::{Body, body};
use super::expression::Memory;
use super::frame::{Frame, Frames};
use super::header::{Header, header};
use super::lexer::{Fault, Lexer, Result};
use super::trust;
use crate::alternating::{AlternatingAutomaton, AnyAutomaton};
use crate::automaton::Automaton;
use crate::error::{Error, Place};
use crate::index::StateId;
use crate::label::{Alphabet, Label};
use sempre_ltl::Prop;
use std::io::BufRead;
use std::sync::Arc;

/// Reads automata from a stream, each when its `--END--` arrives.
///
/// Automata that end with `--ABORT--` are skipped. After a faulty automaton, reading continues at
/// the next line that begins with `HOA:`. It stops after an I/O error.
///
/// ```
/// use sempre_automata::{AnyAutomaton, hoa};
/// let text = "HOA: v1 States: 1 Start: 0 Acceptance: 0 t
/// --BODY-- State: 0 [t] 0 --END--
/// HOA: v1 States: 1 Start: 1 Acceptance: 0 t --BODY-- --END--";
/// let mut automata = hoa::Reader::new(text.as_bytes());
/// assert!(matches!(automata.next(), Some(Ok(AnyAutomaton::Nondeterministic(_)))));
/// let error = automata.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "3:26: there is no state 1, expected a number below 1");
/// assert!(automata.next().is_none());
/// ```
pub struct Reader<R> {
    frames: Frames<R>,
    recent: Recent,
    done: bool,
}

/// The propositions of the last automaton and the labels read over them, because streams usually
/// repeat them. Decision diagrams live as long as their alphabet, so their labels are not cached.
#[derive(Default)]
pub(super) struct Recent {
    text: Vec<u8>,
    alphabet: Option<Arc<Alphabet>>,
    memory: Memory,
    /// The labels of the states of the last automaton, if states carry labels.
    state_labels: Vec<(StateId, Label)>,
}

/// The maximal number of propositions for caching labels between automata.
const MAX_KEPT: usize = 6;

impl Recent {
    /// Returns the alphabet of the last automaton, if the same propositions follow.
    pub(super) fn same_propositions(&self, lexer: &mut Lexer<'_>) -> Option<Arc<Alphabet>> {
        let start = lexer.pos;
        let same = self.text.ends_with(b"\"") && lexer.text[start..].starts_with(&self.text);
        if !same {
            return None;
        }
        lexer.pos += self.text.len();
        if let Ok(Some(b'"')) | Err(_) = lexer.peek() {
            lexer.pos = start;
            return None;
        }
        self.alphabet.clone()
    }

    /// Stores a new alphabet with its text.
    pub(super) fn alphabet(
        &mut self,
        text: &[u8],
        props: Vec<Prop>,
    ) -> std::result::Result<Arc<Alphabet>, Error> {
        self.text.clear();
        self.memory.clear();
        let kept = props.len() <= MAX_KEPT;
        let alphabet = Arc::new(Alphabet::new(props)?);
        self.alphabet = kept.then(|| alphabet.clone());
        if kept {
            self.text.extend_from_slice(text);
        }
        Ok(alphabet)
    }

    /// Takes the labels that were read over the alphabet.
    pub(super) fn take_memory(&mut self) -> Memory {
        std::mem::take(&mut self.memory)
    }
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader of all automata of a stream.
    pub fn new(input: R) -> Self {
        Reader { frames: Frames::new(input), recent: Recent::default(), done: false }
    }

    fn error(&self, fault: &Fault) -> Error {
        let (line, column) = self.frames.place(fault.at);
        let blamed = self.frames.text().get(fault.at..fault.at + fault.width).unwrap_or(b"");
        let width = blamed.iter().filter(|byte| **byte & 0xc0 != 0x80).count().max(1);
        let error = Error::at(Place { line, column, width }, fault.message.clone());
        match &fault.expected {
            Some(what) => error.expected(what),
            None => error,
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = std::result::Result<AnyAutomaton, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            match self.frames.advance() {
                Err(error) => {
                    self.done = true;
                    return Some(Err(Error::new(format!("cannot read the input: {error}"))));
                }
                Ok(Frame::End) => self.done = true,
                Ok(Frame::Aborted) => {}
                Ok(Frame::Automaton) => {
                    let mut lexer = Lexer::new(self.frames.text());
                    return Some(match automaton(&mut lexer, &mut self.recent) {
                        Ok(automaton) => Ok(automaton),
                        Err(fault) => {
                            let pos = lexer.pos;
                            let error = self.error(&fault);
                            self.frames.resume_after(pos.min(self.frames.text().len()));
                            Err(error)
                        }
                    });
                }
            }
        }
        None
    }
}

/// Reads the only automaton of a text.
pub fn parse(text: &str) -> std::result::Result<AnyAutomaton, Error> {
    let mut automata = Reader::new(text.as_bytes());
    let first = automata.next().unwrap_or_else(|| Err(Error::new("there is no automaton")))?;
    match automata.next() {
        None => Ok(first),
        Some(Ok(_)) => Err(Error::new("there is more than one automaton")),
        Some(Err(error)) => Err(error),
    }
}

/// Reads the only automaton of a text, and the labels of states if the text has them. These labels
/// are also on the edges; only here do states without edges have one.
pub fn parse_with_state_labels(
    text: &str,
) -> std::result::Result<(AnyAutomaton, Vec<(StateId, Label)>), Error> {
    let mut automata = Reader::new(text.as_bytes());
    let first = automata.next().unwrap_or_else(|| Err(Error::new("there is no automaton")))?;
    let labels = std::mem::take(&mut automata.recent.state_labels);
    match automata.next() {
        None => Ok((first, labels)),
        Some(Ok(_)) => Err(Error::new("there is more than one automaton")),
        Some(Err(error)) => Err(error),
    }
}

fn automaton<'t>(lexer: &mut Lexer<'t>, recent: &mut Recent) -> Result<AnyAutomaton> {
    let mut header = header(lexer, recent)?;
    let mut body = body(lexer, &mut header)?;
    if !header.conditions.complements.is_empty() {
        for (_, edge) in &mut body.edges {
            edge.marks = header.conditions.with_complements(&edge.marks);
        }
    }
    let properties = std::mem::take(&mut header.properties);
    let uses = std::mem::take(&mut body.uses);
    recent.state_labels = std::mem::take(&mut body.state_labels);
    let branching =
        !body.conjunctions.is_empty() || header.initial.iter().any(|start| start.len() > 1);
    let (automaton, memory) = if branching {
        let (automaton, memory) = alternating(header, body);
        (AnyAutomaton::Alternating(automaton), memory)
    } else {
        let (automaton, memory) = nondeterministic(header, body);
        (AnyAutomaton::Nondeterministic(automaton), memory)
    };
    recent.memory = memory;
    trust::check(lexer, &properties, &uses, &automaton)?;
    Ok(automaton)
}

fn nondeterministic(header: Header<'_>, body: Body) -> (Automaton, Memory) {
    let mut builder = Automaton::builder(header.alphabet.clone());
    builder.acceptance(header.conditions.acceptance).headers(header.headers);
    builder.add_states(body.states);
    builder.initial = header.initial.iter().map(|start| start[0]).collect();
    builder.edges = body.edges;
    if let Some(name) = header.name {
        builder.name(name);
    }
    for (state, name) in body.names {
        builder.state_name(state, name);
    }
    (builder.build(), header.labels.into_memory())
}

fn alternating(header: Header<'_>, body: Body) -> (AlternatingAutomaton, Memory) {
    let mut builder = AlternatingAutomaton::builder(header.alphabet.clone());
    builder.acceptance(header.conditions.acceptance).headers(header.headers);
    builder.add_states(body.states);
    for start in header.initial {
        builder.initial(start);
    }
    let mut conjunctions = body.conjunctions.into_iter().peekable();
    for (place, (source, edge)) in body.edges.into_iter().enumerate() {
        match conjunctions.next_if(|(at, _)| *at == place) {
            Some((_, targets)) => builder.edge(source, edge.label, edge.marks, targets),
            None => builder.edge(source, edge.label, edge.marks, [edge.target]),
        };
    }
    if let Some(name) = header.name {
        builder.name(name);
    }
    for (state, name) in body.names {
        builder.state_name(state, name);
    }
    (builder.build(), header.labels.into_memory())
}
