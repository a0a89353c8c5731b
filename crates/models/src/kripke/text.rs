//! The text format of Kripke structures.
//!
//! ```text
//! # A traffic light that may fail.
//! init red;
//! state red: stop -> both;
//! state both: stop 'get ready' -> green off;
//! state green -> red off;
//! state off: dark;
//! ```
//!
//! Each state is given with the propositions that hold in it after a colon, and its successors
//! after an arrow; both parts may be missing. Statements end with semicolons, and may come in any
//! order. The grammar:
//!
//! ```text
//! structure = { statement }
//! statement = "init" name { name } ";"
//!           | "propositions" { name } ";"
//!           | "state" name [ ":" { name } ] [ "->" { name } ] ";"
//! ```
//!
//! Propositions need not be declared; a declaration gives them an order, and names those that hold
//! nowhere. A name consists of letters, digits, `_`, `.` and `-` (without `->`); any other name
//! stands between single or double quotes, in which a backslash takes away the meaning of the
//! letter after it. Comments reach from `#` or `//` to the end of the line.

use super::structure::{Kripke, KripkeBuilder, KripkeStateId};
use crate::nearest;
use rustc_hash::FxHashMap;
use sempre_ltl::{Error, interrupt};
use std::fmt::Write;
use std::ops::Range;

/// Reads a Kripke structure.
///
/// # Errors
/// If the text is none; with the place that is to blame.
pub fn parse(text: &str) -> Result<Kripke, Error> {
    let mut reader = Reader::new(text);
    reader.advance()?;
    while reader.token != Token::End {
        interrupt::poll();
        reader.statement()?;
    }
    reader.finish()
}

/// Writes a structure; [`parse`] reads it again.
pub fn write(kripke: &Kripke) -> String {
    let mut text = String::new();
    let mut list = |head: &str, names: &mut dyn Iterator<Item = &str>| {
        text.push_str(head);
        for name in names {
            text.push(' ');
            text.push_str(&quoted(name));
        }
        text.push_str(";\n");
    };
    list("init", &mut kripke.initial_states().map(|state| kripke.state_name(state)));
    if !kripke.propositions().is_empty() {
        list("propositions", &mut kripke.propositions().iter().map(String::as_str));
    }
    for state in kripke.states() {
        let _ = write!(text, "state {}", quoted(kripke.state_name(state)));
        let mut separator = ":";
        for (number, name) in kripke.propositions().iter().enumerate() {
            if kripke.holds(state, number) {
                let _ = write!(text, "{separator} {}", quoted(name));
                separator = "";
            }
        }
        let mut separator = " ->";
        for successor in kripke.edges_from(state) {
            let _ = write!(text, "{separator} {}", quoted(kripke.state_name(successor)));
            separator = "";
        }
        text.push_str(";\n");
    }
    text
}

/// The name, in quotes if it needs them.
fn quoted(name: &str) -> String {
    let is_plain = !name.is_empty() && name_length(name) == name.len();
    if is_plain {
        return name.to_owned();
    }
    let mut quoted = String::from("'");
    for letter in name.chars() {
        if matches!(letter, '\'' | '\\') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('\'');
    quoted
}

/// Returns the length in bytes of the unquoted name at the beginning of the text.
fn name_length(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        let arrow = letter == '-' && letters.peek().is_some_and(|(_, next)| *next == '>');
        if arrow || !(letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-')) {
            return place;
        }
    }
    text.len()
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Semicolon,
    Colon,
    Arrow,
    End,
}

struct Reader<'a> {
    text: &'a str,
    /// The next word, and its place.
    token: Token,
    span: Range<usize>,
    builder: KripkeBuilder,
    propositions: FxHashMap<String, usize>,
    states: FxHashMap<String, usize>,
    /// For each state where it was mentioned first, and whether it is defined.
    mentions: Vec<(Range<usize>, bool)>,
    has_initial: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader {
            text,
            token: Token::End,
            span: 0..0,
            builder: KripkeBuilder::default(),
            propositions: FxHashMap::default(),
            states: FxHashMap::default(),
            mentions: Vec::new(),
            has_initial: false,
        }
    }

    fn advance(&mut self) -> Result<(), Error> {
        let mut rest = self.text[self.span.end..].trim_start();
        while rest.starts_with('#') || rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]).trim_start();
        }
        let start = self.text.len() - rest.len();
        let (token, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some(';') => (Token::Semicolon, 1),
            Some(':') => (Token::Colon, 1),
            Some('-') if rest.starts_with("->") => (Token::Arrow, 2),
            Some(quote @ ('\'' | '"')) => self.quoted(rest, start, quote)?,
            Some(other) => match name_length(rest) {
                0 => {
                    let span = start..start + other.len_utf8();
                    return Err(Error::at(span, format!("unexpected `{other}`"))
                        .expected("a name; names with other letters stand between quotes"));
                }
                length => (Token::Name(rest[..length].to_owned()), length),
            },
        };
        self.token = token;
        self.span = start..start + length;
        Ok(())
    }

    fn quoted(&self, rest: &str, start: usize, quote: char) -> Result<(Token, usize), Error> {
        let mut name = String::new();
        let mut letters = rest.char_indices().skip(1);
        while let Some((place, letter)) = letters.next() {
            match letter {
                '\\' => name.extend(letters.next().map(|(_, escaped)| escaped)),
                letter if letter == quote => return Ok((Token::Name(name), place + 1)),
                letter => name.push(letter),
            }
        }
        Err(Error::at(start..start + 1, "the quoted name does not end")
            .expected(format!("`{quote}`")))
    }

    fn unexpected(&self, expectation: &str) -> Error {
        let message = match &self.token {
            Token::Name(name) => format!("unexpected name `{name}`"),
            Token::Semicolon => "unexpected `;`".to_owned(),
            Token::Colon => "unexpected `:`".to_owned(),
            Token::Arrow => "unexpected `->`".to_owned(),
            Token::End => "the text ends too early".to_owned(),
        };
        Error::at(self.span.clone(), message).expected(expectation)
    }

    /// The name that comes next, if one does, and its place.
    fn name(&mut self) -> Result<Option<(String, Range<usize>)>, Error> {
        let Token::Name(name) = &mut self.token else { return Ok(None) };
        let found = (std::mem::take(name), self.span.clone());
        self.advance()?;
        Ok(Some(found))
    }

    fn statement(&mut self) -> Result<(), Error> {
        match &self.token {
            Token::Name(word) if word == "init" => self.initial()?,
            Token::Name(word) if word == "propositions" => {
                self.advance()?;
                while let Some((name, _)) = self.name()? {
                    self.proposition(name);
                }
            }
            Token::Name(word) if word == "state" => self.state()?,
            _ => return Err(self.unexpected("`init`, `state` or `propositions`")),
        }
        match self.token {
            Token::Semicolon => self.advance(),
            _ => Err(self.unexpected("a name or `;`")),
        }
    }

    fn initial(&mut self) -> Result<(), Error> {
        self.advance()?;
        while let Some((name, span)) = self.name()? {
            let state = self.mention(name, span);
            self.builder.initial(state);
            self.has_initial = true;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<(), Error> {
        self.advance()?;
        let Some((name, span)) = self.name()? else {
            return Err(self.unexpected("the name of a state"));
        };
        let message = format!("the state `{name}` is defined twice");
        let state = self.mention(name, span.clone());
        if std::mem::replace(&mut self.mentions[state.0 as usize].1, true) {
            return Err(Error::at(span, message));
        }
        if self.token == Token::Colon {
            self.advance()?;
            while let Some((name, _)) = self.name()? {
                let proposition = self.proposition(name);
                self.builder.label(state, proposition);
            }
        }
        if self.token == Token::Arrow {
            self.advance()?;
            while let Some((name, span)) = self.name()? {
                let target = self.mention(name, span);
                self.builder.edge(state, target);
            }
        }
        Ok(())
    }

    fn proposition(&mut self, name: String) -> usize {
        let builder = &mut self.builder;
        *self.propositions.entry(name).or_insert_with_key(|name| builder.proposition(name))
    }

    fn mention(&mut self, name: String, span: Range<usize>) -> KripkeStateId {
        let (builder, mentions) = (&mut self.builder, &mut self.mentions);
        let number = *self.states.entry(name).or_insert_with_key(|name| {
            mentions.push((span, false));
            builder.state(name).0 as usize
        });
        KripkeStateId(number as u32)
    }

    fn finish(self) -> Result<Kripke, Error> {
        let undefined = self.mentions.iter().position(|(_, defined)| !defined);
        if let Some(undefined) = undefined {
            let is_defined = |number: &usize| self.mentions[*number].1;
            let defined = self.states.iter().filter(|(_, number)| is_defined(number));
            let name = self.states.iter().find(|(_, number)| **number == undefined);
            let name = name.map_or("", |(name, _)| name);
            let span = self.mentions[undefined].0.clone();
            let error = Error::at(span, format!("the state `{name}` is not defined"));
            let near = nearest::expectation(name, defined.map(|(name, _)| name.as_str()));
            return Err(match near {
                Some(names) => error.expected(names),
                None => error,
            });
        }
        if !self.has_initial {
            return Err(Error::at(self.span, "there is no initial state").expected("`init NAME;`"));
        }
        self.builder.build()
    }
}
