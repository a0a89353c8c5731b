//! The parser of infix formulas: operator precedence with an explicit stack (Floyd, J. ACM 1963).
//!
//! One parser serves all infix syntaxes; a [`Dialect`] splits the text into tokens and ranks the
//! operators. Time and memory are linear in the length of the text, for any nesting.

use super::MAX_EXPANSION;
use super::operands::Operands;
use super::token::{self, Bounded, Token};
use crate::{Error, Formula, Op, interrupt};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The differences between infix syntaxes.
pub(super) trait Dialect<'a> {
    /// Returns the next token, where a formula may begin (`operand`) or where an operator is
    /// expected.
    fn next_token(&mut self, operand: bool) -> Result<Token<'a>, Error>;
    /// The bytes of the token last returned.
    fn span(&self) -> Range<usize>;
    /// How tightly the operator binds; at least 1.
    fn precedence(op: Op) -> u8;
    /// True if `a op b op c` is `a op (b op c)`.
    fn is_right_associative(op: Op) -> bool;
}

/// An operator or parenthesis that awaits its right end.
struct Pending {
    kind: PendingKind,
    precedence: u8,
    /// Its position in the text.
    at: usize,
}

enum PendingKind {
    Open,
    Operator(Op),
    Bounded(Bounded),
}

/// Reads the whole text as one formula.
pub(super) fn parse<'a, D: Dialect<'a>>(text: &'a str, dialect: D) -> Result<Formula, Error> {
    let mut parser = Parser {
        text,
        dialect,
        operands: Operands::default(),
        props: FxHashMap::default(),
        pending: vec![],
        open: 0,
        expanded: 0,
    };
    loop {
        parser.operand()?;
        if parser.after_operand()? {
            return Ok(parser.operands.finish());
        }
    }
}

/// Returns the position of a proposition in a valid text.
pub(super) fn find_proposition<'a>(
    mut dialect: impl Dialect<'a>,
    name: &str,
) -> Option<Range<usize>> {
    let mut operand = true;
    loop {
        let token = dialect.next_token(operand).ok()?;
        let span = dialect.span();
        match &token {
            Token::Prop(found) if *found == name => return Some(span),
            Token::Expression(found) if found == name => return Some(span),
            Token::Quoted(quotation) if quotation.name() == name => {
                return Some(quotation.span_at(span));
            }
            Token::End => return None,
            _ => {}
        }
        operand = match token {
            Token::Open | Token::Unary(_) | Token::Binary(_) | Token::Bounded(_) => true,
            Token::Close
            | Token::Constant(_)
            | Token::Prop(_)
            | Token::Quoted(_)
            | Token::Expression(_)
            | Token::End => false,
        };
    }
}

struct Parser<'a, D> {
    text: &'a str,
    dialect: D,
    operands: Operands,
    /// A cache of propositions by name.
    props: FxHashMap<&'a str, Formula>,
    pending: Vec<Pending>,
    /// The number of open parentheses.
    open: usize,
    /// The number of operands from expanding bounded operators.
    expanded: u64,
}

impl<'a, D: Dialect<'a>> Parser<'a, D> {
    /// Reads a proposition or constant, after any number of unary operators and parentheses.
    fn operand(&mut self) -> Result<(), Error> {
        loop {
            interrupt::poll();
            let token = self.dialect.next_token(true).map_err(|error| expecting(error, OPERAND))?;
            let (kind, precedence) = match token {
                Token::Open => {
                    self.open += 1;
                    (PendingKind::Open, 0)
                }
                Token::Unary(op) => (PendingKind::Operator(op), D::precedence(op)),
                Token::Bounded(bounded) => {
                    (PendingKind::Bounded(bounded), D::precedence(bounded.op))
                }
                Token::Prop(name) => {
                    let prop = self.props.entry(name).or_insert_with(|| Formula::prop(name));
                    self.operands.push(prop.clone());
                    return Ok(());
                }
                Token::Quoted(quotation) => {
                    self.operands.push(Formula::prop(quotation.name()));
                    return Ok(());
                }
                Token::Expression(name) => {
                    self.operands.push(Formula::prop(name));
                    return Ok(());
                }
                Token::Constant(value) => {
                    self.operands.push(Formula::constant(value));
                    return Ok(());
                }
                Token::End | Token::Close | Token::Binary(_) => {
                    return Err(self.missing_operand(&token));
                }
            };
            self.pending.push(Pending { kind, precedence, at: self.dialect.span().start });
        }
    }

    /// Reads a binary operator, after any number of closing parentheses; true at the end of the
    /// formula.
    fn after_operand(&mut self) -> Result<bool, Error> {
        loop {
            interrupt::poll();
            let token = match self.dialect.next_token(false) {
                Ok(token) => token,
                Err(error) => {
                    let hint = error.span().is_some_and(|span| self.looks_like_expression(span));
                    return Err(expecting(error, &self.operator(hint)));
                }
            };
            match token {
                Token::Binary(op) => {
                    self.shift(op)?;
                    return Ok(false);
                }
                Token::Close => self.close()?,
                Token::End => {
                    self.reduce_until(|pending| matches!(pending.kind, PendingKind::Open))?;
                    return match self.pending.last() {
                        None => Ok(true),
                        Some(open) => {
                            let message = "unbalanced parenthesis opened here";
                            Err(Error::at(open.at..open.at + 1, message).expected("a `)`"))
                        }
                    };
                }
                _ => {
                    let span = self.dialect.span();
                    let hint = self.looks_like_expression(span.clone());
                    return Err(token::unexpected(self.text, span, &self.operator(hint)));
                }
            }
        }
    }

    fn shift(&mut self, op: Op) -> Result<(), Error> {
        let precedence = D::precedence(op);
        let right = D::is_right_associative(op);
        let at = self.dialect.span().start;
        self.reduce_until(|pending| {
            pending.precedence < precedence || (pending.precedence == precedence && right)
        })?;
        self.operands.begin_right(op);
        self.pending.push(Pending { kind: PendingKind::Operator(op), precedence, at });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Error> {
        self.reduce_until(|pending| matches!(pending.kind, PendingKind::Open))?;
        match self.pending.pop() {
            Some(_) => {
                self.open -= 1;
                Ok(())
            }
            None => {
                let error = Error::at(self.dialect.span(), "unbalanced `)`");
                Err(error.expected(self.operator(false)))
            }
        }
    }

    /// Applies the pending operators down to the first that `stays`.
    fn reduce_until(&mut self, stays: impl Fn(&Pending) -> bool) -> Result<(), Error> {
        while let Some(pending) = self.pending.pop_if(|pending| !stays(pending)) {
            interrupt::poll();
            match pending.kind {
                PendingKind::Operator(op) => self.operands.apply(op),
                PendingKind::Bounded(bounded) => {
                    let operand = self.operands.pop();
                    self.expanded += expansion_cost(bounded, &operand);
                    if self.expanded > MAX_EXPANSION {
                        let message = "the bounded operators up to here make too large a formula";
                        return Err(Error::at(pending.at..pending.at + 1, message)
                            .expected("bounds that are smaller"));
                    }
                    self.operands.push(expand(bounded, operand));
                }
                // A parenthesis stays until it is closed.
                PendingKind::Open => {}
            }
        }
        Ok(())
    }

    /// Describes the tokens allowed after an operand, with a hint at missing quotes.
    fn operator(&self, hint: bool) -> String {
        let end = if self.open > 0 { "`)`" } else { "the end of the formula" };
        let hint = if hint { "; a proposition such as \"x >= 1\" needs its quotes" } else { "" };
        format!("a binary operator or {end}{hint}")
    }

    /// True if the text there, after an operand, is meaningful in expressions over variables.
    fn looks_like_expression(&self, span: Range<usize>) -> bool {
        let rest = &self.text[span.start..];
        // A parenthesis right after a name, as in `f(x)`.
        let is_call = rest.starts_with('(')
            && self.text[..span.start].ends_with(|before: char| before.is_alphanumeric());
        is_call
            || rest.starts_with("!=")
            || rest.starts_with(['<', '>', '=', '+', '-', '*', '/', '%'])
    }

    fn missing_operand(&self, found: &Token<'_>) -> Error {
        if *found == Token::End && self.operands.is_empty() && self.pending.is_empty() {
            return Error::at(0..self.text.len(), "empty formula").expected(OPERAND);
        }
        token::unexpected(self.text, self.dialect.span(), OPERAND)
    }
}

const OPERAND: &str = "a formula";

/// Adds the expectation of the parser, unless the lexer has one.
fn expecting(error: Error, expected: &str) -> Error {
    if error.expectation().is_some() { error } else { error.expected(expected) }
}

/// Returns the number of operands that [`expand`] creates.
fn expansion_cost(bounded: Bounded, operand: &Formula) -> u64 {
    let nary = if bounded.op == Op::Globally { Op::And } else { Op::Or };
    let width = if operand.op() == nary { operand.children().len() as u64 } else { 1 };
    let steps = bounded.to.map_or(0, |to| to - bounded.from);
    u64::from(bounded.from) + u64::from(steps) * (width + 1)
}

/// Expands a bounded operator with a shared operand, as in Spot: `F[2..4] f` is
/// `XX(f | X(f | Xf))`.
fn expand(Bounded { op, from, to }: Bounded, operand: Formula) -> Formula {
    let mut formula = match (op, to) {
        (Op::Next, _) => operand,
        (_, None) => Formula::new(op, [operand]),
        (_, Some(to)) => {
            let nary = if op == Op::Globally { Op::And } else { Op::Or };
            (from..to).fold(operand.clone(), |tail, _| {
                Formula::new(nary, [operand.clone(), Formula::next(tail)])
            })
        }
    };
    for _ in 0..from {
        formula = Formula::next(formula);
    }
    formula
}
