//! The infix syntax of Spot.

use super::infix::Dialect;
use super::lexer::Lexer;
use super::token::Token;
use crate::{Error, Op};
use std::ops::Range;

impl<'a> Dialect<'a> for Lexer<'a> {
    fn next_token(&mut self, _operand: bool) -> Result<Token<'a>, Error> {
        Lexer::next_token(self)
    }

    fn span(&self) -> Range<usize> {
        Lexer::span(self)
    }

    fn precedence(op: Op) -> u8 {
        match op {
            Op::Implies | Op::Iff => 1,
            Op::Or => 2,
            Op::Xor => 3,
            Op::And => 4,
            Op::Until | Op::Release | Op::WeakUntil | Op::StrongRelease => 5,
            _ => 6,
        }
    }

    fn is_right_associative(op: Op) -> bool {
        !matches!(op, Op::Or | Op::Xor | Op::And)
    }
}
