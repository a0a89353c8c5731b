//! The structure of a DVE model: declarations, processes and the system.

use super::lexer::{self, Kind, Token};
use super::syntax::{
    Assertion, Channel, File, Initial, Name, Passed, Process, Sync, Transition, Type, Variable,
};
use sempre_ltl::Error;
use std::ops::Range;

/// A text that is being read.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    next: usize,
    notes: Vec<String>,
}

/// Reads a model.
pub(super) fn file(text: &str) -> Result<File<'_>, Error> {
    let tokens = lexer::tokens(text)?;
    let mut parser = Parser { text, tokens, next: 0, notes: Vec::new() };
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

    /// The error that the next token is not what the language wants.
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
        let property = self.system()?;
        if processes.is_empty() {
            let span = self.tokens[self.next].span();
            return Err(Error::at(span, "the model has no process"));
        }
        Ok(File { variables, channels, processes, property, notes: Vec::new() })
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

    fn system(&mut self) -> Result<Option<Name<'a>>, Error> {
        self.expect("system")?;
        if self.at("sync") {
            let message = "synchronous systems, in which all processes step at once, are not \
                           supported";
            return Err(Error::at(self.peek().span(), message).expected("`async`"));
        }
        self.expect("async")?;
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
        Ok(property)
    }

    fn process(&mut self) -> Result<Process<'a>, Error> {
        self.expect("process")?;
        let name = self.name("the name of a process")?;
        self.expect("{")?;
        let mut variables = Vec::new();
        while matches!(self.peek().text, "byte" | "int" | "const") {
            self.variables(&mut variables)?;
        }
        if !self.at("state") {
            return Err(self.unexpected("a declaration of variables or `state`"));
        }
        self.advance();
        let states = self.list(|parser| parser.name("the name of a state"))?;
        self.expect(";")?;
        let (mut initial, mut committed, mut mentioned) = (None, Vec::new(), Vec::new());
        let (mut assertions, mut transitions) = (Vec::new(), Vec::new());
        loop {
            let token = self.peek();
            match token.text {
                "init" if initial.is_some() => {
                    return Err(Error::at(token.span(), "a process has one initial state"));
                }
                "init" => {
                    self.advance();
                    initial = Some(self.name("a state")?);
                    self.expect(";")?;
                }
                "commit" => committed.extend(self.states()?),
                "urgent" => {
                    mentioned.extend(self.states()?);
                    let note = "urgent states are states like others: there is no time";
                    self.note(note.to_string());
                }
                "accept" => {
                    self.accepting(&mut mentioned)?;
                    self.note("accepting states are ignored".to_string());
                }
                "assert" => {
                    self.advance();
                    assertions.extend(self.list(Self::assertion)?);
                    self.expect(";")?;
                }
                "trans" => {
                    self.advance();
                    self.transitions(&mut transitions)?;
                    self.eat(";");
                }
                "}" => break,
                _ => {
                    let expected =
                        "`init`, `commit`, `accept`, `assert`, `trans` or the end of the process";
                    return Err(self.unexpected(expected));
                }
            }
        }
        let Some(initial) = initial else {
            let message = format!("the process `{}` has no initial state", name.text);
            return Err(Error::at(name.span, message).expected("`init`"));
        };
        self.expect("}")?;
        Ok(Process {
            name,
            variables,
            states,
            initial,
            committed,
            mentioned,
            assertions,
            transitions,
        })
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// `keyword a, b;`
    fn states(&mut self) -> Result<Vec<Name<'a>>, Error> {
        self.advance();
        let states = self.list(|parser| parser.name("a state"))?;
        self.expect(";")?;
        Ok(states)
    }

    /// `accept a, b;`, or sets of states for conditions other than Büchi's.
    fn accepting(&mut self, mentioned: &mut Vec<Name<'a>>) -> Result<(), Error> {
        self.advance();
        let sets =
            matches!(self.peek().text, "buchi" | "genbuchi" | "muller" | "rabin" | "streett")
                && !matches!(self.tokens[self.next + 1].text, "," | ";");
        if sets {
            self.advance();
        }
        let mut inside = false;
        loop {
            match self.peek().text {
                ";" if !inside => break,
                "(" if sets && !inside => inside = true,
                ")" if inside => inside = false,
                "," => {}
                ";" => {}
                _ => {
                    mentioned.push(self.name("a state")?);
                    continue;
                }
            }
            self.advance();
        }
        self.expect(";")?;
        Ok(())
    }

    fn assertion(&mut self) -> Result<Assertion<'a>, Error> {
        let state = self.name("a state")?;
        self.expect(":")?;
        let start = self.peek().start;
        let condition = self.term()?;
        Ok(Assertion { state, condition, text: &self.text[start..self.end_of_last()] })
    }

    /// Transitions, between commas that may be left out; one without a source has that of the one
    /// before.
    fn transitions(&mut self, transitions: &mut Vec<Transition<'a>>) -> Result<(), Error> {
        let mut source: Option<Name<'a>> = None;
        while !matches!(self.peek().text, ";" | "}") || transitions.is_empty() {
            let from = match (self.at("->"), &source) {
                (true, Some(source)) => source.clone(),
                _ => self.name("the state that a transition leaves")?,
            };
            source = Some(from.clone());
            if self.at("=>") {
                self.probabilistic(from, transitions)?;
            } else {
                transitions.push(self.transition(from)?);
            }
            self.eat(",");
        }
        Ok(())
    }

    /// `=> { a:1, b:3 }`: a choice, whose weights are ignored.
    fn probabilistic(
        &mut self,
        from: Name<'a>,
        transitions: &mut Vec<Transition<'a>>,
    ) -> Result<(), Error> {
        self.expect("=>")?;
        self.expect("{")?;
        transitions.extend(self.list(|parser| {
            let to = parser.name("a state")?;
            parser.expect(":")?;
            parser.number()?;
            let from = from.clone();
            Ok(Transition { from, to, guard: Vec::new(), sync: None, effects: Vec::new() })
        })?);
        self.expect("}")?;
        self.note("the weights of probabilistic transitions are ignored".to_string());
        Ok(())
    }

    fn transition(&mut self, from: Name<'a>) -> Result<Transition<'a>, Error> {
        self.expect("->")?;
        let to = self.name("the state that the transition enters")?;
        self.expect("{")?;
        let (mut guard, mut sync, mut effects) = (None, None, None);
        loop {
            let token = self.peek();
            let again = match token.text {
                "guard" => guard.is_some(),
                "sync" => sync.is_some(),
                "effect" => effects.is_some(),
                "}" => break,
                _ => return Err(self.unexpected("`guard`, `sync`, `effect` or `}`")),
            };
            if again {
                let message = format!("a transition has one `{}`", token.text);
                return Err(Error::at(token.span(), message));
            }
            self.advance();
            match token.text {
                "guard" => guard = Some(self.list(Self::term)?),
                "sync" => sync = Some(self.sync()?),
                _ => {
                    effects = Some(self.list(|parser| {
                        let place = parser.place()?;
                        parser.expect("=")?;
                        Ok((place, parser.term()?))
                    })?);
                }
            }
            self.expect(";")?;
        }
        self.expect("}")?;
        let (guard, effects) = (guard.unwrap_or_default(), effects.unwrap_or_default());
        Ok(Transition { from, to, guard, sync, effects })
    }

    /// `c!`, `c!value`, `c!{value, value}`, `c?`, `c?variable`, `c?{variable, variable}`
    fn sync(&mut self) -> Result<Sync<'a>, Error> {
        let channel = self.name("a channel")?;
        let values = if self.eat("!") {
            Passed::Sent(self.passed(Self::term)?)
        } else if self.eat("?") {
            Passed::Received(self.passed(Self::place)?)
        } else {
            return Err(self.unexpected("`!` to send or `?` to receive"));
        };
        Ok(Sync { channel, values })
    }

    fn passed<T>(
        &mut self,
        one: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut one = one;
        if self.at(";") {
            return Ok(Vec::new());
        }
        if self.eat("{") {
            let all = self.list(one)?;
            self.expect("}")?;
            return Ok(all);
        }
        Ok(vec![one(self)?])
    }
}
