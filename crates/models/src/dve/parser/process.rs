//! The text of a process: its states and transitions.

use super::Parser;
use crate::dve::syntax::{Assertion, Name, Passed, Process, Source, Sync, Transition};
use sempre_ltl::Error;

impl<'a> Parser<'a> {
    pub(super) fn process(&mut self) -> Result<Process<'a>, Error> {
        self.expect("process")?;
        let name = self.name("the name of a process")?;
        self.expect("{")?;
        let (mut variables, mut channels) = (Vec::new(), Vec::new());
        loop {
            match self.peek().text {
                "byte" | "int" | "const" => self.variables(&mut variables)?,
                "channel" => self.channels(&mut channels)?,
                "state" => break,
                _ => return Err(self.unexpected("a declaration or `state`")),
            }
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
            channels,
            states,
            initial,
            committed,
            mentioned,
            assertions,
            transitions,
        })
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
            let source = Source { line: parser.line(to.span.start), ..Source::default() };
            Ok(Transition { from, to, guard: Vec::new(), sync: None, effects: Vec::new(), source })
        })?);
        self.expect("}")?;
        self.note("the weights of probabilistic transitions are ignored".to_string());
        Ok(())
    }

    fn transition(&mut self, from: Name<'a>) -> Result<Transition<'a>, Error> {
        self.expect("->")?;
        let to = self.name("the state that the transition enters")?;
        let mut source = Source { line: self.line(to.span.start), ..Source::default() };
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
            let start = self.peek().start;
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
            let text = &self.text[start..self.end_of_last()];
            match token.text {
                "guard" => source.guard = text,
                "sync" => source.sync = text,
                _ => source.effect = text,
            }
            self.expect(";")?;
        }
        self.expect("}")?;
        let (guard, effects) = (guard.unwrap_or_default(), effects.unwrap_or_default());
        Ok(Transition { from, to, guard, sync, effects, source })
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
