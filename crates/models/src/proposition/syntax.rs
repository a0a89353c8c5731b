//! The syntax trees of propositions, and how they are read.

use super::lexer::{Lexer, Token};
use crate::expression::DEEPEST;
use sempre_ltl::Error;
use std::ops::Range;

/// A part of a proposition, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// The kind of a part of a proposition. Chains of operators are lists, however long they are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Number(i64),
    Truth(bool),
    Deadlock,
    Name(String),
    /// An element of an array.
    Element(String, Box<Term>),
    /// True if one of the actions can happen; each with its place.
    Fireable(Vec<(String, Range<usize>)>),
    /// True of steps by one of the actions.
    Fired(Vec<(String, Range<usize>)>),
    Negative(Box<Term>),
    Not(Box<Term>),
    /// Terms that are added, or subtracted where the flag is set.
    Sum(Vec<(bool, Term)>),
    /// A first factor, and what it is multiplied or divided by, from left to right.
    Product(Box<Term>, Vec<(Factor, Term)>),
    Compare(Comparison, Box<Term>, Box<Term>),
    All(Vec<Term>),
    Any(Vec<Term>),
    /// The last one holds if all others do.
    Implies(Vec<Term>),
    /// An odd number of them holds.
    Parity(Vec<Term>),
    /// Both hold, or none does.
    Iff(Box<Term>, Box<Term>),
}

/// An operator between factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    Times,
    Over,
    Modulo,
}

/// An operator that compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// Reads a proposition. A text that is none, but is a name of the model, stands for that name, such
/// as `get ready`.
pub(super) fn parse_or_name(text: &str, is_name: impl FnOnce(&str) -> bool) -> Result<Term, Error> {
    parse(text).or_else(|error| match is_name(text) {
        true => parse(&super::quoted(text)),
        false => Err(error),
    })
}

/// Reads a proposition.
pub(super) fn parse(text: &str) -> Result<Term, Error> {
    let mut parser =
        Parser { lexer: Lexer::new(text), token: Token::End, span: 0..0, end: 0, depth: 0 };
    parser.advance()?;
    let term = parser.implication()?;
    match parser.token {
        Token::End => Ok(term),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

impl Term {
    /// Turns elements with a number as index into names where they are names of their own, such as
    /// messages of channels, or slots of tables of transitions. Recurses as deep as the term nests,
    /// which the reader limits.
    pub(super) fn name_elements(&mut self, is_name: &dyn Fn(&str) -> bool) {
        match &mut self.kind {
            Kind::Number(_) | Kind::Truth(_) | Kind::Deadlock | Kind::Name(_) => {}
            Kind::Fireable(_) | Kind::Fired(_) => {}
            Kind::Element(array, index) => {
                index.name_elements(is_name);
                if let Kind::Number(number) = index.kind {
                    let name = format!("{array}[{number}]");
                    if is_name(&name) {
                        self.kind = Kind::Name(name);
                    }
                }
            }
            Kind::Negative(operand) | Kind::Not(operand) => operand.name_elements(is_name),
            Kind::Compare(_, left, right) | Kind::Iff(left, right) => {
                left.name_elements(is_name);
                right.name_elements(is_name);
            }
            Kind::Sum(terms) => terms.iter_mut().for_each(|(_, term)| term.name_elements(is_name)),
            Kind::Product(first, others) => {
                first.name_elements(is_name);
                others.iter_mut().for_each(|(_, term)| term.name_elements(is_name));
            }
            Kind::All(terms) | Kind::Any(terms) | Kind::Implies(terms) | Kind::Parity(terms) => {
                terms.iter_mut().for_each(|term| term.name_elements(is_name));
            }
        }
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next word, and its place.
    token: Token,
    span: Range<usize>,
    /// Where the last word that was read ends.
    end: usize,
    depth: usize,
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<(), Error> {
        self.end = self.span.end;
        (self.token, self.span) = self.lexer.next()?;
        Ok(())
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(this) if this == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Word(this) if this == word)
    }

    fn eat(&mut self, is_there: bool) -> Result<bool, Error> {
        if is_there {
            self.advance()?;
        }
        Ok(is_there)
    }

    fn expect(&mut self, sign: &str) -> Result<(), Error> {
        if !self.is_sign(sign) {
            return Err(self.unexpected(&format!("`{sign}`")));
        }
        self.advance()
    }

    fn unexpected(&self, expectation: &str) -> Error {
        let message = match &self.token {
            Token::Number(number) => format!("unexpected number {number}"),
            Token::Word(name) | Token::Quoted(name) => format!("unexpected name `{name}`"),
            Token::Sign(sign) => format!("unexpected `{sign}`"),
            Token::End => "the proposition ends too early".to_owned(),
        };
        Error::at(self.span.clone(), message).expected(expectation)
    }

    fn descend(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::at(
                self.span.clone(),
                format!("the proposition nests more than {DEEPEST} deep"),
            ));
        }
        Ok(())
    }

    fn term(&self, start: usize, kind: Kind) -> Term {
        Term { kind, span: start..self.end }
    }

    /// Recurses as deep as the text nests. The frames of all levels of precedence are large where
    /// little is optimized, so the stack grows if it has to.
    fn implication(&mut self) -> Result<Term, Error> {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.implication_here())
    }

    fn implication_here(&mut self) -> Result<Term, Error> {
        let start = self.span.start;
        let mut terms = vec![self.disjunction()?];
        if self.eat(self.is_iff())? {
            let left = Box::new(terms.remove(0));
            let right = Box::new(self.disjunction()?);
            if self.is_iff() || self.is_implication() {
                return Err(self.unexpected("parentheses around one of the two"));
            }
            return Ok(self.term(start, Kind::Iff(left, right)));
        }
        while self.eat(self.is_implication())? {
            terms.push(self.disjunction()?);
        }
        if self.is_iff() {
            return Err(self.unexpected("parentheses around one of the two"));
        }
        Ok(self.list(start, terms, Kind::Implies))
    }

    fn is_one_of(&self, signs: &[&str], word: &str) -> bool {
        signs.iter().any(|sign| self.is_sign(sign)) || self.is_word(word)
    }

    fn is_implication(&self) -> bool {
        self.is_one_of(&["->", "=>", "→"], "implies")
    }

    fn is_iff(&self) -> bool {
        self.is_one_of(&["<->", "<=>", "↔"], "iff")
    }

    fn disjunction(&mut self) -> Result<Term, Error> {
        let start = self.span.start;
        let mut terms = vec![self.parity()?];
        while self.eat(self.is_one_of(&["||", "|", "∨", "\\/"], "or"))? {
            terms.push(self.parity()?);
        }
        Ok(self.list(start, terms, Kind::Any))
    }

    fn parity(&mut self) -> Result<Term, Error> {
        let start = self.span.start;
        let mut terms = vec![self.conjunction()?];
        while self.eat(self.is_one_of(&["^", "⊕"], "xor"))? {
            terms.push(self.conjunction()?);
        }
        Ok(self.list(start, terms, Kind::Parity))
    }

    fn conjunction(&mut self) -> Result<Term, Error> {
        let start = self.span.start;
        let mut terms = vec![self.comparison()?];
        while self.eat(self.is_one_of(&["&&", "&", "∧", "/\\"], "and"))? {
            terms.push(self.comparison()?);
        }
        Ok(self.list(start, terms, Kind::All))
    }

    fn list(&self, start: usize, mut terms: Vec<Term>, kind: fn(Vec<Term>) -> Kind) -> Term {
        match terms.len() {
            1 => terms.remove(0),
            _ => self.term(start, kind(terms)),
        }
    }

    fn comparison(&mut self) -> Result<Term, Error> {
        let start = self.span.start;
        let left = self.sum()?;
        let Some(comparison) = self.comparison_sign() else { return Ok(left) };
        if matches!(left.kind, Kind::Not(_)) && self.starts_with_not(start) {
            return Err(Error::at(left.span, "it is unclear what is negated here")
                .expected("parentheses, as in `!(a < b)`"));
        }
        self.advance()?;
        let right = self.sum()?;
        if self.comparison_sign().is_some() {
            return Err(self.unexpected("`&&` between two comparisons"));
        }
        Ok(self.term(start, Kind::Compare(comparison, Box::new(left), Box::new(right))))
    }

    /// True if there is a negation at that place, not a parenthesis around one.
    fn starts_with_not(&self, start: usize) -> bool {
        !self.lexer.text_from(start).starts_with('(')
    }

    fn comparison_sign(&self) -> Option<Comparison> {
        let Token::Sign(sign) = self.token else { return None };
        Some(match sign {
            "<" => Comparison::Less,
            "<=" => Comparison::LessOrEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterOrEqual,
            "=" | "==" => Comparison::Equal,
            "!=" => Comparison::NotEqual,
            _ => return None,
        })
    }

    fn sum(&mut self) -> Result<Term, Error> {
        let start = self.span.start;
        let mut terms = vec![(false, self.product()?)];
        loop {
            let minus = self.is_sign("-");
            if !self.eat(minus || self.is_sign("+"))? {
                break;
            }
            terms.push((minus, self.product()?));
        }
        Ok(match terms.len() {
            1 => terms.remove(0).1,
            _ => self.term(start, Kind::Sum(terms)),
        })
    }

    fn product(&mut self) -> Result<Term, Error> {
        let start = self.span.start;
        let first = self.prefixed()?;
        let mut others = Vec::new();
        loop {
            let factor = match self.token {
                Token::Sign("*") => Factor::Times,
                Token::Sign("/") => Factor::Over,
                Token::Sign("%") => Factor::Modulo,
                _ => break,
            };
            self.advance()?;
            others.push((factor, self.prefixed()?));
        }
        Ok(match others.is_empty() {
            true => first,
            false => self.term(start, Kind::Product(Box::new(first), others)),
        })
    }

    /// Something with any number of signs `-` and `!` before it.
    fn prefixed(&mut self) -> Result<Term, Error> {
        let mut prefixes = Vec::new();
        loop {
            let not = self.is_sign("!") || self.is_sign("¬") || self.is_word("not");
            let start = self.span.start;
            if !self.eat(not || self.is_sign("-"))? {
                break;
            }
            prefixes.push((start, not));
            if prefixes.len() > DEEPEST {
                self.depth = DEEPEST;
                self.descend()?;
            }
        }
        let mut term = self.primary()?;
        for (start, not) in prefixes.into_iter().rev() {
            let operand = Box::new(term);
            term = self.term(start, if not { Kind::Not(operand) } else { Kind::Negative(operand) });
        }
        Ok(term)
    }

    fn primary(&mut self) -> Result<Term, Error> {
        let start = self.span.start;
        let kind = match std::mem::replace(&mut self.token, Token::End) {
            Token::Number(number) => {
                self.advance()?;
                Kind::Number(number)
            }
            Token::Sign("(") => {
                self.descend()?;
                self.advance()?;
                let inner = self.implication()?;
                self.expect(")")?;
                self.depth -= 1;
                inner.kind
            }
            Token::Word(word) => {
                self.advance()?;
                match word.as_str() {
                    "true" => Kind::Truth(true),
                    "false" => Kind::Truth(false),
                    "deadlock" => Kind::Deadlock,
                    "fireable" if self.is_sign("(") => Kind::Fireable(self.actions()?),
                    "fired" if self.is_sign("(") => Kind::Fired(self.actions()?),
                    _ => self.named(word)?,
                }
            }
            Token::Quoted(name) => {
                self.advance()?;
                self.named(name)?
            }
            token => {
                self.token = token;
                return Err(self.unexpected("a number, a name or `(`"));
            }
        };
        Ok(self.term(start, kind))
    }

    /// The text after a name: an index, or nothing.
    fn named(&mut self, name: String) -> Result<Kind, Error> {
        if !self.is_sign("[") {
            return Ok(Kind::Name(name));
        }
        self.descend()?;
        self.advance()?;
        let index = self.implication()?;
        self.expect("]")?;
        self.depth -= 1;
        Ok(Kind::Element(name, Box::new(index)))
    }

    /// The names of actions, in parentheses.
    fn actions(&mut self) -> Result<Vec<(String, Range<usize>)>, Error> {
        self.expect("(")?;
        let mut actions = Vec::new();
        loop {
            match std::mem::replace(&mut self.token, Token::End) {
                Token::Word(name) | Token::Quoted(name) => actions.push((name, self.span.clone())),
                token => {
                    self.token = token;
                    return Err(self.unexpected("the name of an action"));
                }
            }
            self.advance()?;
            if !self.eat(self.is_sign(","))? {
                break;
            }
        }
        if !self.eat(self.is_sign(")"))? {
            return Err(self.unexpected("`,` or `)`; other names stand between single quotes"));
        }
        Ok(actions)
    }
}
