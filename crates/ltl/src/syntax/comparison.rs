//! Expressions over variables that stand in formulas of Spot's syntax without quotes, such as
//! `last < 2`, `x[1] + y == 3`, `'my place' >= 1` and `fireable(t)`.
//!
//! Only their end matters to temporal logic. A text is taken for an expression where it cannot be
//! anything else: a name, a number or a name in single quotes with an operator of arithmetic or a
//! comparison after it, an index, or arguments. Takes linear time, without recursion.

use super::spot::is_word_byte;
use super::token;
use crate::Error;
use std::ops::Range;

/// The names that have arguments.
const FUNCTIONS: [&str; 2] = ["fireable", "fired"];

/// An expression with its white space normalized.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) text: String,
    pub(super) end: usize,
    /// True if it has operators, rather than being a name with an index or arguments.
    pub(super) is_compound: bool,
}

/// The last part of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Operator,
    /// A name, which may have an index.
    Name,
    /// A name that has arguments.
    Function,
    Value,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Group,
    Arguments,
    Index,
}

enum Continuation {
    Arithmetic(usize),
    Comparison(usize),
    Open(Bracket),
    Comma,
    Close,
}

/// Reads the expression that starts at `start`, where no white space is; nothing if what stands
/// there is no more than a name, or nothing that can begin an expression.
pub(super) fn scan(text: &str, start: usize) -> Result<Option<Expression>, Error> {
    let Some((first, end)) = operand(text, start)? else { return Ok(None) };
    let is_quoted = text[start..].starts_with('\'');
    let mut scan = Scan { text, written: text[start..end].to_owned(), brackets: Vec::new() };
    let (mut last, mut pos) = (first, end);
    let mut is_compound = false;
    let mut goes_on = false;
    // Whether a comparison was met, outside and in each bracket.
    let mut compared = vec![false];
    loop {
        if last == Last::Operator {
            pos = token::skip_space(text, pos);
            if text[pos..].starts_with('(') {
                scan.open(Bracket::Group, &mut compared);
                pos += 1;
                continue;
            }
            if text[pos..].starts_with('-') && !scan.written.ends_with('-') {
                scan.written.push('-');
                pos += 1;
                continue;
            }
            let Some((operand, end)) = operand(text, pos)? else {
                return Err(unexpected(text, pos, "a number, a name or `(`"));
            };
            scan.written.push_str(&text[pos..end]);
            (last, pos) = (operand, end);
            continue;
        }
        let next = token::skip_space(text, pos);
        let may_compare = compared.last() == Some(&false);
        match scan.continuation(last, pos, next, may_compare) {
            None => break,
            Some(Continuation::Arithmetic(length)) => {
                scan.operator(next, length);
                is_compound |= scan.brackets.is_empty();
                (last, pos) = (Last::Operator, next + length);
            }
            Some(Continuation::Comparison(length)) => {
                scan.operator(next, length);
                is_compound |= scan.brackets.is_empty();
                if let Some(compared) = compared.last_mut() {
                    *compared = true;
                }
                (last, pos) = (Last::Operator, next + length);
            }
            Some(Continuation::Open(bracket)) => {
                scan.open(bracket, &mut compared);
                (last, pos) = (Last::Operator, next + 1);
            }
            Some(Continuation::Comma) => {
                scan.written.push_str(", ");
                (last, pos) = (Last::Operator, next + 1);
            }
            Some(Continuation::Close) => {
                let index = scan.brackets.pop() == Some(Bracket::Index);
                compared.pop();
                scan.written.push(if index { ']' } else { ')' });
                (last, pos) = (Last::Value, next + 1);
            }
        }
        goes_on = true;
    }
    if let Some(bracket) = scan.brackets.last() {
        let expected = if *bracket == Bracket::Index { "`]`" } else { "`)`" };
        return Err(unexpected(text, token::skip_space(text, pos), expected));
    }
    let found = Expression { text: scan.written, end: pos, is_compound };
    Ok((goes_on || is_quoted).then_some(found))
}

struct Scan<'a> {
    text: &'a str,
    written: String,
    brackets: Vec<Bracket>,
}

impl Scan<'_> {
    fn open(&mut self, bracket: Bracket, compared: &mut Vec<bool>) {
        self.written.push(if bracket == Bracket::Index { '[' } else { '(' });
        self.brackets.push(bracket);
        compared.push(false);
    }

    fn operator(&mut self, start: usize, length: usize) {
        self.written.push(' ');
        self.written.push_str(&self.text[start..start + length]);
        self.written.push(' ');
    }

    /// The continuation of the expression after an operand that ends at `end`; `next` is where the text
    /// goes on.
    fn continuation(
        &self,
        last: Last,
        end: usize,
        next: usize,
        may_compare: bool,
    ) -> Option<Continuation> {
        let rest = &self.text[next..];
        let starts = |one_of: &[&str]| one_of.iter().any(|sign| rest.starts_with(sign));
        let bracket = self.brackets.last().copied();
        if starts(&["->", "-->", "=>", "<->", "<-->", "<=>", "<>", "/\\"]) {
            return None;
        }
        if let Some(length) = comparison(rest) {
            return may_compare.then_some(Continuation::Comparison(length));
        }
        match (rest.as_bytes().first()?, bracket) {
            (b'+' | b'-' | b'*' | b'/' | b'%', _) => Some(Continuation::Arithmetic(1)),
            (b'[', _) if last == Last::Name && !starts(&["[]"]) => {
                Some(Continuation::Open(Bracket::Index))
            }
            (b'(', _) if last == Last::Function && next == end => {
                Some(Continuation::Open(Bracket::Arguments))
            }
            (b',', Some(Bracket::Arguments)) => Some(Continuation::Comma),
            (b')', Some(Bracket::Group | Bracket::Arguments)) => Some(Continuation::Close),
            (b']', Some(Bracket::Index)) => Some(Continuation::Close),
            _ => None,
        }
    }
}

/// The length of the comparison that the text starts with.
fn comparison(text: &str) -> Option<usize> {
    ["<=", ">=", "==", "!=", "<", ">", "="]
        .iter()
        .find(|sign| text.starts_with(**sign))
        .map(|s| s.len())
}

/// The name, the number or the quoted name that starts there, and its end.
fn operand(text: &str, start: usize) -> Result<Option<(Last, usize)>, Error> {
    if text[start..].starts_with('\'') {
        return quoted(text, start).map(|end| Some((Last::Name, end)));
    }
    let end = token::word_end(text, start, is_word_byte);
    let word = &text[start..end];
    if word.starts_with(token::starts_name) {
        let last = if FUNCTIONS.contains(&word) { Last::Function } else { Last::Name };
        return Ok(Some((last, end)));
    }
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    Ok(is_number.then_some((Last::Value, end)))
}

/// The end of a name in single quotes, in which a backslash takes away the meaning of the letter
/// after it.
fn quoted(text: &str, start: usize) -> Result<usize, Error> {
    let mut letters = text[start..].char_indices().skip(1);
    while let Some((index, letter)) = letters.next() {
        match letter {
            '\'' => return Ok(start + index + 1),
            '\\' => _ = letters.next(),
            _ => {}
        }
    }
    Err(Error::at(start..text.len(), "the quoted name does not end").expected("`'`"))
}

fn unexpected(text: &str, start: usize, expected: &str) -> Error {
    let end = token::word_end(text, start, is_word_byte);
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    let span: Range<usize> = start..end.max(start + length);
    token::unexpected(text, span, expected)
}
