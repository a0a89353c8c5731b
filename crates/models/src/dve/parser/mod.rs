//! The outline of a DVE model: declarations and the system. [Processes](process) have rules
//! of their own.

mod process;

use super::lexer::{self, Kind, Token};
use super::syntax::{Channel, File, Initial, Name, Type, Variable};
use sempre_ltl::Error;
use std::ops::Range;

/// A text that is being read.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    next: usize,
    notes: Vec<String>,
    /// A place in the text, and its line.
    counted: (usize, usize),
}

/// Reads a model.
pub(super) fn file(text: &str) -> Result<File<'_>, Error> {
    let tokens = lexer::tokens(text)?;
    let mut parser = Parser { text, tokens, next: 0, notes: Vec::new(), counted: (0, 1) };
    let mut file = parser.file()?;
    file.notes = parser.notes;
    Ok(file)
}

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> Token<'a> {
        self.tokens[self.next]
    }

    pub(super) fn advance(&mut self) -> Token<'a> {
        let token = self.peek();
        self.next += usize::from(token.kind != Kind::End);
        token
    }

    fn at(&self, word: &str) -> bool {
        self.peek().text == word
    }

    /// Goes past that word if it comes next.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.at(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, word: &str) -> Result<Range<usize>, Error> {
        if !self.at(word) {
            return Err(self.unexpected(&format!("`{word}`")));
        }
        Ok(self.advance().span())
    }

    /// Returns the error for an unexpected token.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let token = self.peek();
        let message = match token.kind {
            Kind::End => "the model ends too early".to_string(),
            _ => format!("unexpected `{}`", token.text),
        };
        Error::at(token.span(), message).expected(expected)
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name<'a>, Error> {
        let token = self.peek();
        match token.kind {
            Kind::Name => {
                self.advance();
                Ok(Name { text: token.text, span: token.span() })
            }
            Kind::Keyword => {
                let message = format!("`{}` is a word of the language", token.text);
                Err(Error::at(token.span(), message).expected(what))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    pub(super) fn number(&mut self) -> Result<i64, Error> {
        let token = self.peek();
        if token.kind != Kind::Number {
            return Err(self.unexpected("a number"));
        }
        self.advance();
        token.text.parse::<i32>().map(i64::from).map_err(|_| {
            Error::at(token.span(), "the number is too large")
                .expected(format!("at most {}", i32::MAX))
        })
    }

    /// One or more, between commas.
    fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut all = vec![one(self)?];
        while self.eat(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn file(&mut self) -> Result<File<'a>, Error> {
        let (mut variables, mut channels, mut processes) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            match self.peek().text {
                "byte" | "int" | "const" => self.variables(&mut variables)?,
                "channel" => self.channels(&mut channels)?,
                "process" => processes.push(self.process()?),
                "property" => self.property_section()?,
                "system" => break,
                _ => return Err(self.unexpected("a declaration, a process or `system`")),
            }
        }
        let (synchronous, property) = self.system()?;
        if processes.is_empty() {
            let span = self.tokens[self.next].span();
            return Err(Error::at(span, "the model has no process"));
        }
        Ok(File { variables, channels, processes, synchronous, property, notes: Vec::new() })
    }

    /// `const byte a, b[3] = {1, 2, 3};`
    fn variables(&mut self, variables: &mut Vec<Variable<'a>>) -> Result<(), Error> {
        let constant = self.eat("const");
        let kind = self.kind()?;
        variables.extend(self.list(|parser| {
            let name = parser.name("the name of a variable")?;
            let length = parser.bracketed()?;
            let mut initial = None;
            if parser.eat("=") {
                let start = parser.peek().start;
                let many = parser.eat("{");
                let values = if many {
                    let values = parser.list(Self::term)?;
                    parser.expect("}")?;
                    values
                } else {
                    vec![parser.term()?]
                };
                initial = Some(Initial { many, values, span: start..parser.end_of_last() });
            }
            Ok(Variable { constant, kind, name, length, initial })
        })?);
        self.expect(";")?;
        Ok(())
    }

    fn kind(&mut self) -> Result<Type, Error> {
        match self.peek().text {
            "byte" => {
                self.advance();
                Ok(Type::Byte)
            }
            "int" => {
                self.advance();
                Ok(Type::Int)
            }
            _ => Err(self.unexpected("`byte` or `int`")),
        }
    }

    /// `[length]`, if it is there.
    fn bracketed(&mut self) -> Result<Option<super::syntax::Term<'a>>, Error> {
        if !self.eat("[") {
            return Ok(None);
        }
        let length = self.term()?;
        self.expect("]")?;
        Ok(Some(length))
    }

    /// Where the token before the next one ends.
    fn end_of_last(&self) -> usize {
        self.tokens[self.next - 1].span().end
    }

    /// `channel a, b;`, `channel {byte, int} c[4];`
    fn channels(&mut self, channels: &mut Vec<Channel<'a>>) -> Result<(), Error> {
        self.expect("channel")?;
        let mut types = None;
        if self.eat("{") {
            types = Some(self.list(Self::kind)?);
            self.expect("}")?;
        }
        channels.extend(self.list(|parser| {
            let name = parser.name("the name of a channel")?;
            let capacity = parser.bracketed()?;
            Ok(Channel { name, types: types.clone(), capacity })
        })?);
        self.expect(";")?;
        Ok(())
    }

    /// `property name { … }`, which is skipped.
    fn property_section(&mut self) -> Result<(), Error> {
        self.expect("property")?;
        let name = self.name("the name of the property")?;
        let open = self.expect("{")?;
        let mut depth = 1;
        while depth > 0 {
            let token = self.advance();
            match token.text {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ if token.kind == Kind::End => {
                    return Err(Error::at(open, "the property does not end").expected("`}`"));
                }
                _ => {}
            }
        }
        self.notes.push(format!("the property section `{}` is ignored", name.text));
        Ok(())
    }

    /// `system async;`, `system sync property P;`: whether it is synchronous, and the property.
    fn system(&mut self) -> Result<(bool, Option<Name<'a>>), Error> {
        self.expect("system")?;
        let synchronous = self.eat("sync");
        if !synchronous && !self.eat("async") {
            return Err(self.unexpected("`async` or `sync`"));
        }
        let property = match self.eat("property") {
            true => Some(self.name("the process that is the property")?),
            false => None,
        };
        self.expect(";")?;
        while self.at("property") {
            self.property_section()?;
        }
        if self.peek().kind != Kind::End {
            return Err(self.unexpected("the end of the model"));
        }
        Ok((synchronous, property))
    }

    /// The line of a place that is not before those asked for earlier.
    fn line(&mut self, place: usize) -> usize {
        let (from, line) = self.counted;
        let passed =
            self.text[from.min(place)..place].bytes().filter(|byte| *byte == b'\n').count();
        self.counted = (place, line + passed);
        line + passed
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}
