//! The grammar of never claims.
//!
//! A claim is a sequence of statements, each with any number of labels; a statement is a state.
//! `do` returns to its start, everything else continues at the next statement. The end of the claim
//! is an accepting sink, because Spin reports a violation there.

use super::super::guards::{GuardId, Guards};
use super::super::source::{place_in, shown};
use super::text::Claim;
use crate::{Automaton, Error, Label, Marks, Named, Place, StateId};
use rustc_hash::FxHashMap;
use sempre_ltl::{Formula, Syntax};
use std::ops::Range;

/// Reads a claim.
pub(super) fn parse(claim: &Claim) -> Result<Automaton, Error> {
    let mut parser = Parser {
        claim,
        text: &claim.text,
        pos: 0,
        guards: Guards::new(Syntax::Spin),
        labels: FxHashMap::default(),
        statements: vec![],
    };
    let name = parser.claim_name()?;
    parser.statement()?;
    while !parser.eat_symbol("}") {
        parser.statement()?;
    }
    let name = claim.comment.clone().or_else(|| name.map(str::to_owned));
    parser.finish(name.filter(|name| !name.is_empty()))
}

struct Parser<'a> {
    claim: &'a Claim,
    text: &'a str,
    pos: usize,
    guards: Guards,
    /// The statement of each label.
    labels: FxHashMap<&'a str, usize>,
    statements: Vec<Statement>,
}

/// A state.
#[derive(Default)]
struct Statement {
    accepting: bool,
    options: Vec<Choice>,
}

struct Choice {
    guard: Guard,
    target: Target,
}

#[derive(Clone, Copy)]
enum Guard {
    True,
    /// The negation of all other guards of the statement.
    Else,
    Formula(GuardId),
}

enum Target {
    /// The statement with the label at this position.
    Label(Range<usize>),
    /// The statement with this number, or the end of the claim.
    Statement(usize),
    /// The statement labelled `accept_all`, or the end of the claim.
    AcceptAll,
}

impl<'a> Parser<'a> {
    /// `never {` or `never name {`
    fn claim_name(&mut self) -> Result<Option<&'a str>, Error> {
        let word = self.word();
        if &self.text[word.clone()] != "never" {
            return Err(self.unexpected("`never`"));
        }
        self.pos = word.end;
        let name = self.word();
        self.pos = name.end;
        let name = Some(&self.text[name]).filter(|name| !name.is_empty());
        let expected = if name.is_some() { "`{`" } else { "`{` or a name" };
        self.symbol("{", expected)?;
        Ok(name)
    }

    fn statement(&mut self) -> Result<(), Error> {
        let number = self.statements.len();
        let mut statement = Statement::default();
        let mut is_sink = false;
        while let Some(label) = self.label() {
            let name = &self.text[label.clone()];
            if self.labels.insert(name, number).is_some() {
                let message = format!("the label `{}` occurs twice", shown(name));
                return Err(self.error(label, message));
            }
            statement.accepting |= name.starts_with("accept");
            is_sink |= name == "accept_all";
        }
        let word = self.word();
        match &self.text[word.clone()] {
            start @ ("if" | "do") => {
                self.pos = word.end;
                self.options(start == "do", &mut statement)?;
            }
            "skip" if self.ends_after(word.end) || is_sink => {
                self.pos = word.end;
                statement.accepting |= self.ends_after(word.end);
                let target = Target::Statement(number);
                statement.options.push(Choice { guard: Guard::True, target });
            }
            _ => {
                let expected = "a label, `if`, `do`, `skip`, `false` or another expression";
                let (guard, _) = self.guard(expected)?;
                statement.options.push(Choice { guard, target: Target::Statement(number + 1) });
            }
        }
        while self.eat_symbol(";") || self.eat_symbol("->") {}
        self.statements.push(statement);
        Ok(())
    }

    /// True if only the closing brace follows.
    fn ends_after(&self, pos: usize) -> bool {
        let rest = self.text[pos..].trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        rest.starts_with('}')
    }

    /// The options of `if … fi` or `do … od`.
    fn options(&mut self, is_loop: bool, statement: &mut Statement) -> Result<(), Error> {
        let number = self.statements.len();
        let end = if is_loop { "od" } else { "fi" };
        let expected = if is_loop { "`::` or `od`" } else { "`::` or `fi`" };
        loop {
            let word = self.word();
            if !statement.options.is_empty() && &self.text[word.clone()] == end {
                self.pos = word.end;
                return Ok(());
            }
            self.symbol("::", if statement.options.is_empty() { "`::`" } else { expected })?;
            let passed = Target::Statement(if is_loop { number } else { number + 1 });
            let choice = self.option(is_loop, passed)?;
            while self.eat_symbol(";") {}
            statement.options.push(choice);
        }
    }

    /// Parses an option after `::`, which leads to `passed` without an explicit target.
    fn option(&mut self, is_loop: bool, passed: Target) -> Result<Choice, Error> {
        let word = self.word();
        if &self.text[word.clone()] == "atomic" {
            self.pos = word.end;
            return self.assertion();
        }
        let (guard, _) = self.guard("a guard or `atomic`")?;
        if !self.arrow() {
            return Ok(Choice { guard, target: passed });
        }
        let word = self.word();
        let target = match &self.text[word.clone()] {
            "goto" => {
                self.pos = word.end;
                let label = self.word();
                if label.is_empty() {
                    return Err(self.unexpected("a label"));
                }
                self.pos = label.end;
                Target::Label(label)
            }
            "skip" => {
                let message = "a second step in one option";
                return Err(self.error(word, message).expected("`goto` or `break`"));
            }
            "break" if is_loop => {
                self.pos = word.end;
                Target::Statement(self.statements.len() + 1)
            }
            // A separator may also stand at the end of an option.
            "od" | "fi" => passed,
            _ if self.text[word.start..].starts_with("::") => passed,
            _ => return Err(self.unexpected(if is_loop { "`goto` or `break`" } else { "`goto`" })),
        };
        Ok(Choice { guard, target })
    }

    /// `{ (g) -> assert(!(g)) }`: the assertion cannot hold, so `g` violates the claim.
    fn assertion(&mut self) -> Result<Choice, Error> {
        self.symbol("{", "`{`")?;
        let (guard, span) = self.guard("a guard")?;
        if !self.arrow() {
            return Err(self.unexpected("`->`"));
        }
        let word = self.word();
        if &self.text[word.clone()] != "assert" {
            return Err(self.unexpected("`assert`"));
        }
        self.pos = word.end;
        let (denied, denied_span) = self.guard("`(`")?;
        let formula = |guard| match guard {
            Guard::True => Some(Formula::tt()),
            Guard::Else => None,
            Guard::Formula(id) => Some(self.guards.formula(id).clone()),
        };
        if formula(denied) != formula(guard).map(Formula::not) {
            let expected = format!("`(!({}))`", shown(&self.text[span]));
            let message = "the assertion is not the negation of the guard";
            return Err(self.error(denied_span, message).expected(expected));
        }
        while self.eat_symbol(";") {}
        self.symbol("}", "`}`")?;
        Ok(Choice { guard, target: Target::AcceptAll })
    }

    /// Skips the separator after a guard; the arrow and the semicolon are synonyms.
    fn arrow(&mut self) -> bool {
        self.eat_symbol("->") || self.eat_symbol(";")
    }

    /// Parses the next expression.
    fn guard(&mut self, expected: &str) -> Result<(Guard, Range<usize>), Error> {
        self.skip_space();
        let span = self.pos..self.pos + guard_len(&self.text[self.pos..]);
        let text = self.text[span.clone()].trim_end();
        let guard = match text {
            "" => return Err(self.unexpected(expected)),
            "skip" => Guard::True,
            "else" => Guard::Else,
            _ => {
                let (claim, whole) = (self.claim, self.text);
                let place = || place_in(claim.place, whole, span.clone());
                Guard::Formula(self.guards.read(text, place)?)
            }
        };
        self.pos = span.end;
        Ok((guard, span.start..span.start + text.len()))
    }

    /// Parses the next label, if there is one.
    fn label(&mut self) -> Option<Range<usize>> {
        let word = self.word();
        let starts = self.text[word.clone()].starts_with(|c: char| !c.is_numeric());
        let after = self.text[word.end..].trim_start();
        if word.is_empty() || !starts || !after.starts_with(':') || after.starts_with("::") {
            return None;
        }
        self.pos = self.text.len() - after.len() + 1;
        Some(word)
    }

    /// Parses the next word; empty if there is none.
    fn word(&mut self) -> Range<usize> {
        self.skip_space();
        self.pos..self.pos + word_len(&self.text[self.pos..])
    }

    fn skip_space(&mut self) {
        self.pos = self.text.len() - self.text[self.pos..].trim_start().len();
    }

    fn eat_symbol(&mut self, symbol: &str) -> bool {
        self.skip_space();
        let found = self.text[self.pos..].starts_with(symbol);
        if found {
            self.pos += symbol.len();
        }
        found
    }

    fn symbol(&mut self, symbol: &str, expected: &str) -> Result<(), Error> {
        if self.eat_symbol(symbol) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn place(&self, span: Range<usize>) -> Place {
        place_in(self.claim.place, self.text, span)
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>) -> Error {
        Error::at(self.place(span), message)
    }

    /// Creates the error for an unexpected token.
    fn unexpected(&mut self, expected: &str) -> Error {
        let mut span = self.word();
        if span.is_empty() {
            let next = self.text[span.start..].chars().next();
            span.end += next.map_or(0, char::len_utf8);
        }
        let message = match &self.text[span.clone()] {
            "" => "unexpected end of the never claim".to_owned(),
            found => format!("unexpected `{}`", shown(found)),
        };
        self.error(span, message).expected(expected)
    }

    fn finish(self, name: Option<String>) -> Result<Automaton, Error> {
        let count = self.statements.len();
        let accept_all = self.labels.get("accept_all").copied().unwrap_or(count);
        let mut transitions: Vec<(usize, Vec<(Guard, usize)>)> = vec![];
        let mut reaches_end = false;
        for (source, statement) in self.statements.iter().enumerate() {
            let mut targets = vec![];
            for choice in &statement.options {
                let target = match &choice.target {
                    Target::Statement(number) => *number,
                    Target::AcceptAll => accept_all,
                    Target::Label(span) => {
                        let name = &self.text[span.clone()];
                        *self.labels.get(name).ok_or_else(|| {
                            let message = format!("there is no label `{}`", shown(name));
                            self.error(span.clone(), message).expected("a label of the claim")
                        })?
                    }
                };
                reaches_end |= target == count && !self.is_false(choice.guard);
                targets.push((choice.guard, target));
            }
            transitions.push((source, targets));
        }
        let statements = self.statements;
        let (alphabet, labels) = self.guards.finish(self.claim.place)?;
        let mut builder = Automaton::builder(alphabet.clone());
        builder.acceptance(Named::Buchi.acceptance());
        builder.add_states(count + usize::from(reaches_end));
        builder.initial(StateId::new(0));
        if let Some(name) = name {
            builder.name(name);
        }
        for (source, options) in transitions {
            let accepting = statements[source].accepting;
            let marks: Marks = accepting.then_some(0).into_iter().collect();
            let label = |guard| match guard {
                Guard::True => Some(alphabet.tt()),
                Guard::Else => None,
                Guard::Formula(id) => Some(labels.get(id)),
            };
            let others = options.iter().filter_map(|(guard, _)| label(*guard));
            let otherwise = alphabet.not(others.fold(alphabet.ff(), |l, r| alphabet.or(l, r)));
            for (guard, target) in options {
                let label: Label = label(guard).unwrap_or(otherwise);
                if label != alphabet.ff() {
                    builder.edge(StateId::new(source), label, marks.clone(), StateId::new(target));
                }
            }
        }
        if reaches_end {
            let end = StateId::new(count);
            builder.edge(end, alphabet.tt(), Marks::from_iter([0]), end);
        }
        Ok(builder.build())
    }

    fn is_false(&self, guard: Guard) -> bool {
        matches!(guard, Guard::Formula(id) if self.guards.formula(id).is_false())
    }
}

fn word_len(text: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.find(|c: char| !is_word(c)).unwrap_or(text.len())
}

/// Returns the length of the expression at the start of the text. It ends before the first arrow,
/// semicolon, brace, next option or end of options outside of parentheses.
fn guard_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut end = 0;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                end += 1;
                while bytes.get(end).is_some_and(|byte| *byte != b'"') {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'}' => break,
            b';' if depth == 0 => break,
            b'-' if depth == 0 && bytes.get(end + 1) == Some(&b'>') => break,
            b':' if bytes.get(end + 1) == Some(&b':') => break,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' | 128.. => {
                let rest = &text[end..];
                let len = word_len(rest);
                if depth == 0 && matches!(&rest[..len], "fi" | "od") {
                    break;
                }
                // A character beyond ASCII may be outside of words.
                end += if len > 0 { len } else { rest.chars().next().map_or(1, char::len_utf8) };
                continue;
            }
            _ => {}
        }
        end += 1;
    }
    end.min(text.len())
}
