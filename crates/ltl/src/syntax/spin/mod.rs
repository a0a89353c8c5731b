//! The infix syntax of Spin 6, as in `ltl` blocks of Promela models.
//!
//! The precedence is that of Spin 6.5: from the loosest to the tightest `->` `<->`, then `||`,
//! `&&`, `U` `V` `W`, `[]` `<>` `X` `!`. Unlike Spot's, all binary operators associate to the left:
//! `a -> b -> c` is `(a -> b) -> c`. (`spin -f` gives `->` `<->` `||` `&&` equal precedence; our
//! output has the parentheses that make it the same for both.)
//!
//! An operand can be an expression over variables, such as `len(q) < 3` or `proc[1]@critical`; it
//! becomes one proposition, whose name is the expression with the white space normalized.

mod expression;
mod lexeme;

use super::infix::Dialect;
use super::quoted;
use super::token::{self, Token};
use crate::{Error, Op};
use lexeme::Lexeme;
use std::borrow::Cow;
use std::ops::Range;

/// Splits a text into tokens; each expression over variables is one.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The range of the last token.
    start: usize,
    pos: usize,
    /// By opening parenthesis of the text, whether it belongs to an expression.
    arithmetic: Vec<bool>,
    /// The number of opening parentheses before `pos`.
    opened: usize,
    /// True if the last token is a negation.
    negated: bool,
}

impl<'a> Dialect<'a> for Lexer<'a> {
    fn next_token(&mut self, operand: bool) -> Result<Token<'a>, Error> {
        let lexeme = self.advance()?;
        let negated = std::mem::replace(&mut self.negated, lexeme == Lexeme::Unary(Op::Not));
        Ok(match lexeme {
            Lexeme::End => Token::End,
            Lexeme::Close => Token::Close,
            Lexeme::Unary(op) => Token::Unary(op),
            Lexeme::Binary(op) => Token::Binary(op),
            Lexeme::Quoted(quotation) => Token::Quoted(quotation),
            Lexeme::Open if !self.arithmetic.get(self.opened - 1).is_some_and(|is| *is) => {
                Token::Open
            }
            Lexeme::Open | Lexeme::Name(_) | Lexeme::Number | Lexeme::Arithmetic if operand => {
                return self.operand(lexeme, negated);
            }
            _ => {
                let expected = if operand { "a formula" } else { "a logical operator" };
                return Err(token::unexpected(self.text, self.span(), expected));
            }
        })
    }

    fn span(&self) -> Range<usize> {
        self.start..self.pos
    }

    fn precedence(op: Op) -> u8 {
        match op {
            Op::Implies | Op::Iff => 1,
            Op::Or => 2,
            Op::And => 3,
            Op::Until | Op::Release | Op::WeakUntil => 4,
            _ => 5,
        }
    }

    fn is_right_associative(_op: Op) -> bool {
        false
    }
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let arithmetic = expression::parentheses(text);
        Lexer { text, start: 0, pos: 0, arithmetic, opened: 0, negated: false }
    }

    /// Reads the next lexeme, and sets `start..pos` to its range.
    fn advance(&mut self) -> Result<Lexeme<'a>, Error> {
        self.start = token::skip_space(self.text, self.pos);
        self.pos = self.start;
        let (lexeme, end) = lexeme::scan(self.text, self.start)?;
        self.pos = end;
        self.opened += usize::from(lexeme == Lexeme::Open);
        Ok(lexeme)
    }

    /// Returns the lexeme after the last token, without consuming it; `None` for an error, which
    /// ends an operand.
    fn peek(&self) -> Option<Lexeme<'a>> {
        let start = token::skip_space(self.text, self.pos);
        lexeme::scan(self.text, start).ok().map(|(lexeme, _)| lexeme)
    }

    /// The name, constant or expression that starts with this lexeme, the last one.
    fn operand(&mut self, first: Lexeme<'a>, negated: bool) -> Result<Token<'a>, Error> {
        let span = self.span();
        if let Lexeme::Name(_) | Lexeme::Number = first {
            let goes_on = match self.peek() {
                Some(Lexeme::Arithmetic) => true,
                Some(Lexeme::Open | Lexeme::OpenIndex | Lexeme::Selector) => {
                    first != Lexeme::Number
                }
                _ => false,
            };
            if !goes_on {
                return match &self.text[span.clone()] {
                    "true" | "1" => Ok(Token::Constant(true)),
                    "false" | "0" => Ok(Token::Constant(false)),
                    name if first != Lexeme::Number => Ok(Token::Prop(name)),
                    number => {
                        let message =
                            format!("the number `{}` is no formula", token::shown(number));
                        Err(Error::at(span, message).expected("a comparison"))
                    }
                };
            }
        }
        let expression = expression::scan(self, first)?;
        if negated && expression.is_compound {
            let message = "`!` applies to the first operand of the expression only";
            return Err(Error::at(self.span(), message).expected("parentheses around it"));
        }
        Ok(Token::Expression(expression.text))
    }
}

/// Formats a proposition in Spin's syntax: as an expression if it is one, in parentheses if it has
/// operators, otherwise in quotes.
pub(super) fn written(name: &str) -> Cow<'_, str> {
    let mut lexer = Lexer::new(name);
    let token = Dialect::next_token(&mut lexer, true);
    let whole = lexer.span() == (0..name.len());
    match token {
        Ok(Token::Prop(same)) if whole && same == name => Cow::Borrowed(name),
        Ok(Token::Expression(same)) if whole && same == name => {
            // With a negation in front, the lexer shows whether parentheses are needed.
            lexer = Lexer::new(name);
            lexer.negated = true;
            match Dialect::next_token(&mut lexer, true) {
                Ok(_) => Cow::Borrowed(name),
                Err(_) => Cow::Owned(format!("({name})")),
            }
        }
        _ => Cow::Owned(quoted::quote(name)),
    }
}
