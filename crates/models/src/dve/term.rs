//! Expressions of the DVE language, by operator precedence.
//!
//! From the loosest to the tightest: `imply`; `or` and `and`, which bind alike, from the left;
//! `|`, `&` and `^` alike; `==` `!=`; `<` `<=` `>` `>=`; `<<` `>>`; `+` `-`; `*` `/` `%`; then the
//! unary `-`, `~`, `not` and `!`.

use super::lexer::Kind;
use super::parser::Parser;
use super::syntax::{Name, Place, Term};
use crate::expression::{Binary, DEEPEST};
use sempre_ltl::Error;
use std::ops::Range;

/// The term of a binary operator.
#[derive(Clone, Copy)]
enum Join {
    Imply,
    Or,
    And,
    Binary(Binary),
    /// The operator with swapped operands.
    Exchanged(Binary),
}

/// The precedence of an operator, and its constructor.
fn operator(text: &str) -> Option<(u8, Join)> {
    Some(match text {
        "imply" => (1, Join::Imply),
        "or" | "||" => (2, Join::Or),
        "and" | "&&" => (2, Join::And),
        "|" => (3, Join::Binary(Binary::BitOr)),
        "&" => (3, Join::Binary(Binary::BitAnd)),
        "^" => (3, Join::Binary(Binary::BitXor)),
        "==" => (4, Join::Binary(Binary::Equal)),
        "!=" => (4, Join::Binary(Binary::NotEqual)),
        "<" => (5, Join::Binary(Binary::Less)),
        "<=" => (5, Join::Binary(Binary::LessOrEqual)),
        ">" => (5, Join::Exchanged(Binary::Less)),
        ">=" => (5, Join::Exchanged(Binary::LessOrEqual)),
        "<<" => (6, Join::Binary(Binary::ShiftLeft)),
        ">>" => (6, Join::Binary(Binary::ShiftRight)),
        "+" => (7, Join::Binary(Binary::Add)),
        "-" => (7, Join::Binary(Binary::Subtract)),
        "*" => (8, Join::Binary(Binary::Multiply)),
        "/" => (8, Join::Binary(Binary::Divide)),
        "%" => (8, Join::Binary(Binary::Remainder)),
        _ => return None,
    })
}

/// A term with its nesting depth.
struct Nested<'a> {
    term: Term<'a>,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// Parses an expression.
    pub(super) fn term(&mut self) -> Result<Term<'a>, Error> {
        Ok(self.operation(1, 0)?.term)
    }

    /// Parses an expression of operators with at least this precedence, inside `outer` others.
    /// Recurses as deep as the text nests, which [`DEEPEST`] limits.
    fn operation(&mut self, tightness: u8, outer: usize) -> Result<Nested<'a>, Error> {
        let mut left = self.operand(outer)?;
        while let Some((level, join)) = operator(self.peek().text)
            && level >= tightness
        {
            let span = self.advance().span();
            let right = self.operation(level + 1, outer + 1)?;
            let deeper = left.depth.max(right.depth) + 1;
            let flat = left.depth.max(right.depth + 1);
            let (term, depth) = match (join, left.term, right.term) {
                // Long chains stay flat.
                (Join::Or, Term::Or(mut terms), right) => {
                    terms.push(right);
                    (Term::Or(terms), flat)
                }
                (Join::And, Term::And(mut terms), right) => {
                    terms.push(right);
                    (Term::And(terms), flat)
                }
                (Join::Or, left, right) => (Term::Or(vec![left, right]), deeper),
                (Join::And, left, right) => (Term::And(vec![left, right]), deeper),
                (Join::Imply, left, right) => {
                    (Term::Or(vec![Term::Not(Box::new(left)), right]), deeper + 1)
                }
                (Join::Binary(op), left, right) => (binary(op, left, right), deeper),
                (Join::Exchanged(op), left, right) => (binary(op, right, left), deeper),
            };
            if depth > DEEPEST {
                return Err(too_deep(span));
            }
            left = Nested { term, depth };
        }
        Ok(left)
    }

    /// Parses an operand: the term between two operators.
    fn operand(&mut self, outer: usize) -> Result<Nested<'a>, Error> {
        let token = self.peek();
        if outer > DEEPEST {
            return Err(too_deep(token.span()));
        }
        if token.kind == Kind::Name {
            return self.named(outer);
        }
        let wrap: fn(Box<Term<'a>>) -> Term<'a> = match (token.kind, token.text) {
            (Kind::Number, _) => {
                return Ok(Nested { term: Term::Number(self.number()?), depth: 1 });
            }
            (_, "true") => {
                self.advance();
                return Ok(Nested { term: Term::Number(1), depth: 1 });
            }
            (_, "false") => {
                self.advance();
                return Ok(Nested { term: Term::Number(0), depth: 1 });
            }
            (_, "(") => {
                self.advance();
                let inner = self.operation(1, outer + 1)?;
                self.expect(")")?;
                return Ok(inner);
            }
            (_, "not" | "!") => Term::Not,
            (_, "-") => Term::Negate,
            (_, "~") => Term::Complement,
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        let inner = self.operand(outer + 1)?;
        if inner.depth >= DEEPEST {
            return Err(too_deep(token.span()));
        }
        Ok(Nested { term: wrap(Box::new(inner.term)), depth: inner.depth + 1 })
    }

    /// Parses a variable, an element of an array, or the state of a process.
    fn named(&mut self, outer: usize) -> Result<Nested<'a>, Error> {
        let first = self.name("a variable")?;
        if self.eat(".") {
            let state = self.name("a state of the process")?;
            return Ok(Nested { term: Term::Location(first, state), depth: 1 });
        }
        let (place, depth) = self.rest_of_place(first, outer)?;
        Ok(Nested { term: Term::Variable(place), depth })
    }

    /// Parses a target of an assignment.
    pub(super) fn place(&mut self) -> Result<Place<'a>, Error> {
        let first = self.name("a variable")?;
        Ok(self.rest_of_place(first, 0)?.0)
    }

    fn rest_of_place(
        &mut self,
        first: Name<'a>,
        outer: usize,
    ) -> Result<(Place<'a>, usize), Error> {
        let (process, name) = match self.eat("->") {
            true => (Some(first), self.name("a variable of the process")?),
            false => (None, first),
        };
        let (mut index, mut depth) = (None, 1);
        if self.eat("[") {
            let inner = self.operation(1, outer + 1)?;
            let end = self.expect("]")?;
            if inner.depth >= DEEPEST {
                return Err(too_deep(end));
            }
            (index, depth) = (Some(Box::new(inner.term)), inner.depth + 1);
        }
        Ok((Place { process, name, index }, depth))
    }
}

fn binary<'a>(op: Binary, left: Term<'a>, right: Term<'a>) -> Term<'a> {
    Term::Binary(op, Box::new(left), Box::new(right))
}

fn too_deep(span: Range<usize>) -> Error {
    Error::at(span, format!("the expression nests more than {DEEPEST} deep"))
}
