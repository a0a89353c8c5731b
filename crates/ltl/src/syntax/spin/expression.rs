//! Expressions over the variables of a model, such as `len(q) + 1 < size[2]`.
//!
//! Temporal logic ignores their structure: it is enough to find their end, and to normalize their
//! text. Both are linear and not recursive.

use super::Lexer;
use super::lexeme::{self, Lexeme};
use crate::Error;
use crate::syntax::infix::Dialect;
use crate::syntax::token;

/// An expression with its white space normalized.
pub(super) struct Expression {
    pub(super) text: String,
    /// True if it has operators, and is not just a name with indices, selectors or arguments.
    pub(super) is_compound: bool,
}

/// The last token of the expression so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing, an operator or an opening bracket: an operand must follow.
    Operator,
    /// `.`, `@` or `:`: a name must follow.
    Selector,
    /// The opening parenthesis of a call: an argument or `)` must follow.
    Call,
    Name,
    /// A closing `]`.
    Index,
    /// Any other operand.
    Value,
}

impl Last {
    fn awaits_operand(self) -> bool {
        matches!(self, Last::Operator | Last::Selector | Last::Call)
    }
}

enum Bracket {
    Group,
    Call,
    Index,
}

/// Reads the expression that starts with `lexeme`, the last one, and makes it the last token.
pub(super) fn scan<'a>(lexer: &mut Lexer<'a>, mut lexeme: Lexeme<'a>) -> Result<Expression, Error> {
    let start = lexer.start;
    let mut text = String::new();
    let mut is_compound = false;
    let mut brackets: Vec<Bracket> = vec![];
    let mut last = Last::Operator;
    loop {
        let piece = &lexer.text[lexer.start..lexer.pos];
        let outside = brackets.is_empty();
        if last.awaits_operand() {
            text.push_str(piece);
            last = match lexeme {
                Lexeme::Name(_) => Last::Name,
                Lexeme::Close if last == Last::Call => {
                    brackets.pop();
                    Last::Value
                }
                Lexeme::Number if last != Last::Selector => Last::Value,
                Lexeme::Open if last != Last::Selector => {
                    is_compound |= outside;
                    brackets.push(Bracket::Group);
                    Last::Operator
                }
                Lexeme::Arithmetic if last != Last::Selector && piece == "-" => {
                    is_compound |= outside;
                    Last::Operator
                }
                _ => return Err(token::unexpected(lexer.text, lexer.span(), "an expression")),
            };
        } else {
            let spaced = lexeme == Lexeme::Arithmetic;
            last = match (lexeme, brackets.last()) {
                (Lexeme::Arithmetic, _) => {
                    is_compound |= outside;
                    Last::Operator
                }
                (Lexeme::Open, _) => {
                    brackets.push(Bracket::Call);
                    Last::Call
                }
                (Lexeme::OpenIndex, _) => {
                    brackets.push(Bracket::Index);
                    Last::Operator
                }
                (Lexeme::Selector, _) => Last::Selector,
                (Lexeme::Close, _) => {
                    brackets.pop();
                    Last::Value
                }
                (Lexeme::CloseIndex, _) => {
                    brackets.pop();
                    Last::Index
                }
                _ => Last::Operator,
            };
            text.push_str(if spaced { " " } else { "" });
            text.push_str(piece);
            text.push_str(if spaced || lexeme == Lexeme::Comma { " " } else { "" });
        }
        if !last.awaits_operand() && !continues(last, lexer.peek(), brackets.last()) {
            break;
        }
        lexeme = lexer.advance()?;
    }
    match brackets.last() {
        None => {
            lexer.start = start;
            Ok(Expression { text, is_compound })
        }
        Some(bracket) => {
            lexer.advance()?;
            let expected = match bracket {
                Bracket::Index => "`]`",
                Bracket::Group | Bracket::Call => "`)`",
            };
            Err(token::unexpected(lexer.text, lexer.span(), expected))
        }
    }
}

/// True if an expression that ends with an operand continues with this lexeme.
fn continues(last: Last, next: Option<Lexeme<'_>>, bracket: Option<&Bracket>) -> bool {
    match (next, bracket) {
        (Some(Lexeme::Arithmetic), _) => true,
        (Some(Lexeme::Open), _) => last == Last::Name,
        (Some(Lexeme::OpenIndex | Lexeme::Selector), _) => {
            matches!(last, Last::Name | Last::Index)
        }
        (Some(Lexeme::Comma), Some(Bracket::Call)) => true,
        (Some(Lexeme::Close), Some(Bracket::Group | Bracket::Call)) => true,
        (Some(Lexeme::CloseIndex), Some(Bracket::Index)) => true,
        _ => false,
    }
}

/// By opening parenthesis of the text, whether it belongs to an expression: no logical operator is
/// between it and its counterpart, and an arithmetic operator follows.
pub(super) fn parentheses(text: &str) -> Vec<bool> {
    let mut arithmetic = vec![];
    // The open parentheses by number, and whether no logical operator has occurred inside.
    let mut open: Vec<(usize, bool)> = vec![];
    let mut closed = None;
    let mut pos = 0;
    // The lexer reports the error when it arrives there.
    while let Ok((lexeme, end)) = lexeme::scan(text, token::skip_space(text, pos)) {
        if let (Some(number), Lexeme::Arithmetic) = (closed.take(), lexeme) {
            arithmetic[number] = true;
        }
        match lexeme {
            Lexeme::End => break,
            Lexeme::Open => {
                open.push((arithmetic.len(), true));
                arithmetic.push(false);
            }
            Lexeme::Close => {
                let Some((number, pure)) = open.pop() else { break };
                if pure {
                    closed = Some(number);
                } else if let Some((_, outer)) = open.last_mut() {
                    *outer = false;
                }
            }
            Lexeme::Unary(_) | Lexeme::Binary(_) | Lexeme::Quoted(_) => {
                if let Some((_, pure)) = open.last_mut() {
                    *pure = false;
                }
            }
            _ => {}
        }
        pos = end;
    }
    arithmetic
}
