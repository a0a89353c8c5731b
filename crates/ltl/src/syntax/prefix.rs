//! The prefix syntax of lbt, lbtt and ltl2dstar: `G i p0 F p1`.
//!
//! Operators are words of one letter or the symbols `!`, `&`, `|`, `^`; only symbols need no space
//! after them. Every other word is a proposition. The parser uses an explicit stack, in linear
//! time.

use super::operands::Operands;
use super::quoted::Quotation;
use super::token;
use crate::{Arity, Error, Formula, Op, interrupt};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// An operator or leaf of the prefix syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item<'a> {
    End,
    Operator(Operator),
    Prop(&'a str),
    Quoted(Quotation<'a>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Op(Op),
    /// `f B g`, `f` before `g`: `!(!f U g)`.
    Before,
}

impl Operator {
    fn arity(self) -> Arity {
        match self {
            Operator::Op(op) => op.arity(),
            Operator::Before => Arity::Binary,
        }
    }
}

fn operator(word: &str) -> Option<Operator> {
    Some(Operator::Op(match word {
        "t" => Op::True,
        "f" => Op::False,
        "!" => Op::Not,
        "X" => Op::Next,
        "F" => Op::Finally,
        "G" => Op::Globally,
        "&" => Op::And,
        "|" => Op::Or,
        "i" => Op::Implies,
        "e" => Op::Iff,
        "^" => Op::Xor,
        "U" => Op::Until,
        "V" | "R" => Op::Release,
        "W" => Op::WeakUntil,
        "M" => Op::StrongRelease,
        "B" => return Some(Operator::Before),
        _ => return None,
    }))
}

/// An operator that awaits operands.
struct Pending {
    operator: Operator,
    missing: u8,
    start: usize,
}

/// Reads the whole text as one formula.
pub(super) fn parse(text: &str) -> Result<Formula, Error> {
    let mut lexer = Lexer { text, start: 0, pos: 0 };
    let mut operands = Operands::default();
    let mut pending: Vec<Pending> = vec![];
    let mut props: FxHashMap<&str, Formula> = FxHashMap::default();
    loop {
        interrupt::poll();
        match lexer.next_item()? {
            Item::End => return Err(missing_operand(text, pending.last())),
            Item::Prop(name) => {
                operands.push(props.entry(name).or_insert_with(|| Formula::prop(name)).clone());
            }
            Item::Quoted(quotation) => operands.push(Formula::prop(quotation.name())),
            Item::Operator(operator) => {
                let missing = match operator.arity() {
                    Arity::Leaf => 0,
                    Arity::Unary => 1,
                    Arity::Binary | Arity::Nary => 2,
                };
                if missing > 0 {
                    pending.push(Pending { operator, missing, start: lexer.start });
                    continue;
                }
                apply(operator, &mut operands);
            }
        }
        // An operand is complete, and possibly the operators that it belongs to.
        loop {
            let Some(last) = pending.last_mut() else {
                return match lexer.next_item()? {
                    Item::End => Ok(operands.finish()),
                    _ => {
                        let span = lexer.start..lexer.pos;
                        Err(token::unexpected(text, span, "the end of the formula"))
                    }
                };
            };
            last.missing -= 1;
            let operator = last.operator;
            if last.missing > 0 {
                operands.begin_right(match operator {
                    Operator::Op(op) => op,
                    Operator::Before => Op::Until,
                });
                break;
            }
            pending.pop();
            apply(operator, &mut operands);
        }
    }
}

fn apply(operator: Operator, operands: &mut Operands) {
    match operator {
        Operator::Op(op) => operands.apply(op),
        Operator::Before => {
            operands.combine(|left, right| Formula::not(Formula::until(Formula::not(left), right)));
        }
    }
}

fn missing_operand(text: &str, pending: Option<&Pending>) -> Error {
    let end = text.len();
    match pending {
        None => Error::at(0..end, "empty formula").expected("a formula"),
        Some(pending) => {
            let operator = text[pending.start..].chars().next().unwrap_or_default();
            token::unexpected(text, end..end, &format!("an operand of `{operator}`"))
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    /// The range of the last item.
    start: usize,
    pos: usize,
}

impl<'a> Lexer<'a> {
    fn next_item(&mut self) -> Result<Item<'a>, Error> {
        self.start = token::skip_space(self.text, self.pos);
        let Some(&byte) = self.text.as_bytes().get(self.start) else {
            self.pos = self.start;
            return Ok(Item::End);
        };
        if byte == b'"' {
            let (quotation, end) = Quotation::scan(self.text, self.start)?;
            self.pos = end;
            return Ok(Item::Quoted(quotation));
        }
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@');
        self.pos = token::word_end(self.text, self.start, is_word);
        if self.pos == self.start && byte.is_ascii() {
            self.pos += 1;
        }
        let word = &self.text[self.start..self.pos];
        if let Some(operator) = operator(word) {
            Ok(Item::Operator(operator))
        } else if word.starts_with(token::starts_name) {
            Ok(Item::Prop(word))
        } else if word.starts_with(char::is_alphanumeric) || byte == b'@' {
            Err(token::not_a_name(word, self.start))
        } else {
            Err(token::unknown(self.text, self.start).expected("an operator or a proposition"))
        }
    }
}

/// Returns the position of a proposition in a valid text.
pub(super) fn find_proposition(text: &str, name: &str) -> Option<Range<usize>> {
    let mut lexer = Lexer { text, start: 0, pos: 0 };
    loop {
        let item = lexer.next_item().ok()?;
        let span = lexer.start..lexer.pos;
        match item {
            Item::Prop(found) if found == name => return Some(span),
            Item::Quoted(quotation) if quotation.name() == name => {
                return Some(quotation.span_at(span));
            }
            Item::End => return None,
            _ => {}
        }
    }
}

/// True if the name can stand in a formula without quotes.
pub(super) fn reads_back(name: &str) -> bool {
    let mut lexer = Lexer { text: name, start: 0, pos: 0 };
    lexer.next_item() == Ok(Item::Prop(name)) && lexer.pos == name.len()
}

/// True if the text starts as only a formula in prefix syntax can: with a binary operator.
pub(super) fn looks_like(text: &str) -> bool {
    match (Lexer { text, start: 0, pos: 0 }).next_item() {
        Ok(Item::Operator(operator)) => matches!(operator.arity(), Arity::Binary | Arity::Nary),
        _ => false,
    }
}

/// True if an operator with two operands occurs before the first error.
pub(super) fn has_binary_operator(text: &str) -> bool {
    let mut lexer = Lexer { text, start: 0, pos: 0 };
    loop {
        match lexer.next_item() {
            Ok(Item::Operator(operator))
                if matches!(operator.arity(), Arity::Binary | Arity::Nary) =>
            {
                return true;
            }
            Ok(Item::End) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}
