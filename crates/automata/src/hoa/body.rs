//! The body of an automaton: states and edges.

use super::acceptance::mark;
use super::header::{Header, check_state};
use super::lexer::{Lexer, Result};
use crate::alternating::Conjunction;
use crate::automaton::Edge;
use crate::index::StateId;
use crate::label::Label;
use crate::marks::Marks;

/// The contents of a body.
#[derive(Default)]
pub(super) struct Body {
    /// Edges with their sources, and the first state of their conjunctions.
    pub(super) edges: Vec<(StateId, Edge)>,
    /// The conjunctions of several states, by index of the edge.
    pub(super) conjunctions: Vec<(usize, Conjunction)>,
    pub(super) names: Vec<(StateId, String)>,
    /// The labels of states, if the file has labels on states.
    pub(super) state_labels: Vec<(StateId, Label)>,
    /// The number of states.
    pub(super) states: usize,
    pub(super) uses: Uses,
}

/// The ways in which a body writes labels and marks.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) state_labels: bool,
    pub(super) implicit_labels: bool,
    pub(super) explicit_labels: bool,
    pub(super) state_marks: bool,
    pub(super) edge_marks: bool,
}

/// The state whose edges are being read.
struct Current {
    state: StateId,
    label: Option<Label>,
    marks: Marks,
    /// The number of edges with a label, and without.
    labelled: usize,
    unlabelled: usize,
    /// The position of the number of the state.
    at: usize,
}

struct Reading<'h, 't> {
    header: &'h mut Header<'t>,
    body: Body,
    defined: Vec<bool>,
    /// A cache of the labels of single letters, for implicit labels.
    letters: Vec<Label>,
}

/// Reads a body up to `--END--`.
pub(super) fn body<'t>(lexer: &mut Lexer<'t>, header: &mut Header<'t>) -> Result<Body> {
    let mut reading = Reading { header, body: Body::default(), defined: vec![], letters: vec![] };
    for start in &reading.header.initial {
        let last = start.last().map_or(0, |state| state.index() + 1);
        reading.body.states = reading.body.states.max(last);
    }
    let mut current: Option<Current> = None;
    loop {
        match (lexer.peek()?, &mut current) {
            (Some(b'0'..=b'9' | b'['), Some(current)) => reading.edge(lexer, current)?,
            (Some(b'S'), _) if lexer.keyword(b"State:") => {
                reading.finish_state(lexer, current.take())?;
                current = Some(reading.state(lexer)?);
            }
            (Some(b'-'), _) if lexer.keyword(b"--END--") => break,
            (_, None) => return Err(lexer.unexpected("`State:` or `--END--`")),
            _ => return Err(lexer.unexpected("an edge, `State:` or `--END--`")),
        }
    }
    reading.finish_state(lexer, current.take())?;
    let mut body = reading.body;
    if let Some(states) = reading.header.states {
        body.states = states as usize;
    }
    Ok(body)
}

impl<'t> Reading<'_, 't> {
    /// Reads the part after `State:`.
    fn state(&mut self, lexer: &mut Lexer<'t>) -> Result<Current> {
        let label = match lexer.peek()? {
            Some(b'[') => Some(self.header.labels.label(lexer)?),
            _ => None,
        };
        self.body.uses.state_labels |= label.is_some();
        lexer.peek()?;
        let at = lexer.pos;
        let number = lexer.number("the number of a state")?;
        let state = self.known(lexer, number, at)?;
        if self.defined.len() <= state.index() {
            self.defined.resize(state.index() + 1, false);
        }
        if std::mem::replace(&mut self.defined[state.index()], true) {
            let message = format!("state {state} is defined twice");
            return Err(lexer.fault(at, lexer.pos - at, message));
        }
        self.body.state_labels.extend(label.map(|label| (state, label)));
        let mut next = lexer.peek()?;
        if next == Some(b'"') {
            let name = lexer.string("a name")?.into_owned();
            self.body.names.push((state, name));
            next = lexer.peek()?;
        }
        let marks = match next {
            Some(b'{') => self.marks(lexer)?,
            _ => Marks::EMPTY,
        };
        self.body.uses.state_marks |= !marks.is_empty();
        Ok(Current { state, label, marks, labelled: 0, unlabelled: 0, at })
    }

    /// Checks the number of a state.
    #[inline]
    fn known(&mut self, lexer: &Lexer<'_>, number: u32, at: usize) -> Result<StateId> {
        check_state(lexer, number, at, self.header.states)?;
        let state = number as usize;
        self.body.states = self.body.states.max(state + 1);
        Ok(StateId::new(state))
    }

    #[inline]
    fn edge(&mut self, lexer: &mut Lexer<'t>, current: &mut Current) -> Result<()> {
        let start = lexer.pos;
        let label = if lexer.text[start] == b'[' {
            if current.label.is_some() {
                let fault = lexer.fault(start, 1, "the state has a label already");
                return Err(fault.wants("an edge without a label"));
            }
            if current.unlabelled > 0 {
                let fault = lexer.fault(start, 1, "the edges before this one have no labels");
                return Err(fault.wants("an edge without a label"));
            }
            current.labelled += 1;
            self.header.labels.label(lexer)?
        } else {
            self.implied_label(lexer, current)?
        };
        lexer.peek()?;
        let at = lexer.pos;
        let number = lexer.number("a state")?;
        let target = self.known(lexer, number, at)?;
        let mut next = lexer.peek()?;
        let mut conjunction: Option<Conjunction> = None;
        while next == Some(b'&') {
            lexer.pos += 1;
            lexer.peek()?;
            let at = lexer.pos;
            let number = lexer.number("a state")?;
            let other = self.known(lexer, number, at)?;
            conjunction.get_or_insert_with(|| [target].into_iter().collect()).push(other);
            next = lexer.peek()?;
        }
        let mut marks = current.marks.clone();
        if next == Some(b'{') {
            let own = self.marks(lexer)?;
            self.body.uses.edge_marks |= !own.is_empty();
            marks |= &own;
        }
        if label == self.header.alphabet.ff() {
            return Ok(());
        }
        if let Some(mut conjunction) = conjunction {
            conjunction.sort_unstable();
            conjunction.dedup();
            if conjunction.len() > 1 {
                self.body.conjunctions.push((self.body.edges.len(), conjunction));
            }
        }
        self.body.edges.push((current.state, Edge { target, label, marks }));
        Ok(())
    }

    /// Returns the label of an edge without one: that of the state, or the next letter.
    fn implied_label(&mut self, lexer: &Lexer<'_>, current: &mut Current) -> Result<Label> {
        if let Some(label) = current.label {
            return Ok(label);
        }
        if current.labelled > 0 {
            let fault = lexer.fault(lexer.pos, 1, "the edges before this one have labels");
            return Err(fault.wants("a label"));
        }
        let letter = current.unlabelled;
        let props = self.header.alphabet.props().len();
        if props < usize::BITS as usize && letter >> props > 0 {
            let message =
                format!("the state has more edges without labels than the {} letters", 1 << props);
            return Err(lexer.fault(lexer.pos, 1, message));
        }
        current.unlabelled += 1;
        while self.letters.len() <= letter {
            let letter = self.letters.len();
            let value = |prop| prop < usize::BITS as usize && letter >> prop & 1 == 1;
            let cube: Vec<(usize, bool)> = (0..props).map(|prop| (prop, value(prop))).collect();
            self.letters.push(self.header.alphabet.from_cube(&cube));
        }
        Ok(self.letters[letter])
    }

    /// Reads marks in braces; the next token is `{`.
    #[inline]
    fn marks(&mut self, lexer: &mut Lexer<'t>) -> Result<Marks> {
        lexer.pos += 1;
        let declared = self.header.conditions.declared;
        let mut marks = Marks::EMPTY;
        while let Some(b'0'..=b'9') = lexer.peek()? {
            marks.insert(mark(lexer, declared)?);
        }
        if !lexer.eat(b'}')? {
            return Err(lexer.unexpected("an acceptance set or `}`"));
        }
        Ok(marks)
    }

    /// Checks that a state without labels has one edge per letter.
    fn finish_state(&mut self, lexer: &Lexer<'_>, state: Option<Current>) -> Result<()> {
        let Some(current) = state else { return Ok(()) };
        self.body.uses.explicit_labels |= current.labelled > 0;
        if current.label.is_some() || current.unlabelled == 0 {
            return Ok(());
        }
        self.body.uses.implicit_labels = true;
        let props = self.header.alphabet.props().len() as u32;
        let letters = 1usize.checked_shl(props);
        if letters != Some(current.unlabelled) {
            let message = format!(
                "state {} has {} edges without labels, but there are 2^{props} letters",
                current.state, current.unlabelled
            );
            return Err(lexer.fault(current.at, current.state.to_string().len(), message));
        }
        Ok(())
    }
}
