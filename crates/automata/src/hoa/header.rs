//! The header of an automaton.

use super::acceptance::{AccName, Conditions, conditions};
use super::expression::{Labels, Memory, Step, expression};
use super::lexer::{Fault, Lexer, Result, starts_word};
use super::reader::Recent;
use super::trust;
use crate::alternating::Conjunction;
use crate::headers::Headers;
use crate::index::StateId;
use crate::label::Alphabet;
use rustc_hash::FxHashSet;
use sempre_ltl::Prop;
use std::sync::Arc;

/// The maximal number of propositions: some operations on labels recurse over them.
const MAX_PROPS: usize = 1024;

/// The parts of the header that the body needs.
pub(super) struct Header<'t> {
    pub(super) states: Option<u32>,
    pub(super) initial: Vec<Conjunction>,
    pub(super) alphabet: Arc<Alphabet>,
    pub(super) labels: Labels<'t>,
    pub(super) conditions: Conditions,
    /// Declared properties, with their positions.
    pub(super) properties: Vec<(&'t str, usize)>,
    pub(super) name: Option<String>,
    pub(super) headers: Headers,
}

/// An alias with the steps of its definition.
type Definition<'t> = ((&'t str, usize), Vec<Step<'t>>);

/// The items of a header, in any order.
#[derive(Default)]
struct Items<'t> {
    states: Option<(u32, usize)>,
    starts: Vec<(u32, usize)>,
    /// The end of each conjunction in `starts`.
    start_ends: Vec<usize>,
    aliases: Vec<Definition<'t>>,
    conditions: Option<Conditions>,
    acc_name: Option<AccName<'t>>,
    properties: Vec<(&'t str, usize)>,
    name: Option<String>,
    headers: Headers,
}

/// Reads a header up to `--BODY--`.
pub(super) fn header<'t>(lexer: &mut Lexer<'t>, recent: &mut Recent) -> Result<Header<'t>> {
    if lexer.peek()? != Some(b'H') || !lexer.keyword(b"HOA:") {
        return Err(lexer.unexpected("`HOA:`"));
    }
    lexer.peek()?;
    let at = lexer.pos;
    match lexer.value_word()? {
        Some("v1") => {}
        Some(version) => {
            let message = format!("version {version} of the format is not supported");
            return Err(lexer.fault(at, version.len(), message).wants("`v1`"));
        }
        None => return Err(lexer.unexpected("`v1`")),
    }
    let mut items = Items::default();
    let mut alphabet = None;
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    loop {
        match lexer.peek()? {
            Some(byte) if starts_word(byte) => {}
            Some(b'-') if lexer.keyword(b"--BODY--") => break,
            _ => return Err(lexer.unexpected("a header or `--BODY--`")),
        }
        let at = lexer.pos;
        let name = lexer.word();
        if lexer.text.get(lexer.pos) != Some(&b':') {
            lexer.pos = at;
            return Err(lexer.unexpected("a header or `--BODY--`"));
        }
        lexer.pos += 1;
        let repeatable = matches!(name, "Start" | "Alias" | "properties");
        if name == "HOA" || (!repeatable && !seen.insert(name)) {
            let message = format!("the header {name}: occurs twice");
            return Err(lexer.fault(at, name.len() + 1, message));
        }
        if name == "AP" {
            alphabet = Some(propositions(lexer, recent)?);
        } else {
            items.read(lexer, name, at)?;
        }
    }
    let alphabet = match alphabet {
        Some(alphabet) => alphabet,
        None => recent.alphabet(b"", vec![]).unwrap_or_else(|_| unreachable!("no duplicates")),
    };
    items.finish(lexer, alphabet, recent.take_memory())
}

/// Reads the value of `AP:`.
fn propositions(lexer: &mut Lexer<'_>, recent: &mut Recent) -> Result<Arc<Alphabet>> {
    let start = lexer.pos;
    // Most automata of a stream have the propositions of the previous one.
    if let Some(alphabet) = recent.same_propositions(lexer) {
        return Ok(alphabet);
    }
    lexer.peek()?;
    let at = lexer.pos;
    let count = lexer.number("the number of propositions")? as usize;
    let width = lexer.pos - at;
    let mut props: Vec<Prop> = vec![];
    let mut names: FxHashSet<Prop> = FxHashSet::default();
    while lexer.peek()? == Some(b'"') {
        let at = lexer.pos;
        let name = lexer.string("a proposition")?;
        if props.len() == count {
            let fault =
                lexer.fault(at, lexer.pos - at, "there are more propositions than announced");
            return Err(fault.wants(&format!("{count} propositions")));
        }
        if props.len() == MAX_PROPS {
            let fault = lexer.fault(at, lexer.pos - at, "there are too many propositions");
            return Err(fault.wants(&format!("at most {MAX_PROPS}")));
        }
        let prop = Prop::new(&name);
        if !names.insert(prop.clone()) {
            let message = format!("the proposition {prop:?} occurs twice");
            return Err(lexer.fault(at, lexer.pos - at, message));
        }
        props.push(prop);
    }
    if props.len() < count {
        let message = format!("{count} propositions are announced, but {} named", props.len());
        return Err(lexer.fault(at, width, message));
    }
    let text = &lexer.text[start..lexer.pos];
    recent.alphabet(text, props).map_err(|error| lexer.fault(at, 1, error.message()))
}

impl<'t> Items<'t> {
    /// Reads the value of a header other than `AP:`.
    fn read(&mut self, lexer: &mut Lexer<'t>, name: &'t str, at: usize) -> Result<()> {
        match name {
            "States" => {
                lexer.peek()?;
                let at = lexer.pos;
                self.states = Some((lexer.number("the number of states")?, at));
            }
            "Start" => loop {
                lexer.peek()?;
                let at = lexer.pos;
                self.starts.push((lexer.number("a state")?, at));
                if !lexer.eat(b'&')? {
                    self.start_ends.push(self.starts.len());
                    break;
                }
            },
            "Alias" => {
                if lexer.peek()? != Some(b'@') {
                    return Err(lexer.unexpected("the name of an alias"));
                }
                let at = lexer.pos;
                let alias = lexer.alias()?;
                let mut steps = vec![];
                expression(lexer, &mut vec![], |step| {
                    steps.push(step);
                    Ok(())
                })?;
                self.aliases.push(((alias, at), steps));
            }
            "Acceptance" => self.conditions = Some(conditions(lexer)?),
            "acc-name" => {
                lexer.peek()?;
                let at = lexer.pos;
                let name = lexer.value_word()?;
                let name = name.ok_or_else(|| lexer.unexpected("the name of a condition"))?;
                let (mut words, mut numbers) = (vec![], vec![]);
                let mut end = lexer.pos;
                loop {
                    match lexer.peek()? {
                        Some(b'0'..=b'9') => numbers.push(lexer.number("a number")?),
                        _ => match lexer.value_word()? {
                            Some(word) => words.push(word),
                            None => break,
                        },
                    }
                    end = lexer.pos;
                }
                self.acc_name = Some(AccName { at, width: end - at, name, words, numbers });
            }
            "tool" => {
                let tool = lexer.string("the name of a tool")?.into_owned();
                let version = match lexer.peek()? {
                    Some(b'"') => Some(lexer.string("a version")?.into_owned()),
                    _ => None,
                };
                self.headers.tool = Some((tool, version));
            }
            "name" => self.name = Some(lexer.string("a name")?.into_owned()),
            "properties" => loop {
                lexer.peek()?;
                let at = lexer.pos;
                match lexer.value_word()? {
                    Some("t" | "f") => {
                        lexer.pos = at;
                        return Err(lexer.unexpected("a property"));
                    }
                    Some(property) => self.properties.push((property, at)),
                    None => break,
                }
            },
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let message = format!(
                    "the header {name}: is not known, but its capital letter makes it mandatory"
                );
                return Err(lexer.fault(at, name.len() + 1, message));
            }
            _ => self.headers.others.push((name.to_string(), values(lexer)?)),
        }
        Ok(())
    }

    /// Combines the items after all have been read.
    fn finish(
        self,
        lexer: &Lexer<'t>,
        alphabet: Arc<Alphabet>,
        memory: Memory,
    ) -> Result<Header<'t>> {
        let body = lexer.pos - b"--BODY--".len();
        let Some(conditions) = self.conditions else {
            let fault = lexer.fault(body, 8, "the header Acceptance: is missing");
            return Err(fault.wants("`Acceptance:`"));
        };
        if let Some(acc_name) = &self.acc_name {
            acc_name.check(lexer, &conditions)?;
        }
        let states = match self.states {
            Some((states, at)) if states > most_states(lexer) => {
                let width = states.to_string().len();
                let message = format!("the text is too short to define {states} states");
                return Err(lexer.fault(at, width, message));
            }
            states => states.map(|(states, _)| states),
        };
        for (state, at) in &self.starts {
            check_state(lexer, *state, *at, states)?;
        }
        let mut labels = Labels::new(alphabet.clone(), memory);
        for (alias, steps) in &self.aliases {
            labels.define(lexer, *alias, steps)?;
        }
        let mut initial: Vec<Conjunction> = vec![];
        let mut seen = FxHashSet::default();
        let mut first = 0;
        for end in self.start_ends {
            let states = self.starts[first..end].iter();
            let mut start: Conjunction =
                states.map(|(state, _)| StateId::new(*state as usize)).collect();
            start.sort_unstable();
            start.dedup();
            if seen.insert(start.clone()) {
                initial.push(start);
            }
            first = end;
        }
        let mut headers = self.headers;
        for (property, _) in &self.properties {
            let known = headers.properties.iter().any(|known| known == property);
            if !known && !trust::CHECKED.contains(property) {
                headers.properties.push(property.to_string());
            }
        }
        Ok(Header {
            states,
            initial,
            alphabet,
            labels,
            conditions,
            properties: self.properties,
            name: self.name,
            headers,
        })
    }
}

/// Returns the maximal number of states for the length of the text, so that a large number alone
/// cannot exhaust memory. Some states may be undefined.
fn most_states(lexer: &Lexer<'_>) -> u32 {
    u32::try_from(lexer.text.len() / 8).unwrap_or(u32::MAX >> 1).max(1 << 16)
}

/// Checks that a state may exist.
#[inline]
pub(super) fn check_state(
    lexer: &Lexer<'_>,
    state: u32,
    at: usize,
    states: Option<u32>,
) -> Result<()> {
    if state < states.unwrap_or_else(|| most_states(lexer)) {
        Ok(())
    } else {
        Err(no_such_state(lexer, state, at, states))
    }
}

#[cold]
fn no_such_state(lexer: &Lexer<'_>, state: u32, at: usize, states: Option<u32>) -> Box<Fault> {
    let width = state.to_string().len();
    match states {
        Some(0) => lexer.fault(at, width, "there are no states"),
        Some(states) => {
            let fault = lexer.fault(at, width, format!("there is no state {state}"));
            fault.wants(&format!("a number below {states}"))
        }
        None => {
            let message = format!("the text is too short to define {state} states");
            lexer.fault(at, width, message)
        }
    }
}

/// Reads the values of an unknown header as written, with single spaces.
fn values(lexer: &mut Lexer<'_>) -> Result<String> {
    let mut values = String::new();
    loop {
        let byte = lexer.peek()?;
        let start = lexer.pos;
        match byte {
            Some(b'"') => drop(lexer.string("a string")?),
            Some(b'0'..=b'9') => drop(lexer.number("a number")?),
            _ if lexer.value_word()?.is_some() => {}
            _ => return Ok(values),
        }
        if !values.is_empty() {
            values.push(' ');
        }
        values.push_str(&String::from_utf8_lossy(&lexer.text[start..lexer.pos]));
    }
}
