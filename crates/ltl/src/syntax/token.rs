//! The tokens of infix formulas, and the spellings that all infix syntaxes share.

use super::quoted::Quotation;
use crate::{Error, Op};
use std::ops::Range;

/// A token of an infix syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    End,
    Open,
    Close,
    Constant(bool),
    /// A proposition by its name.
    Prop(&'a str),
    /// A proposition in quotes.
    Quoted(Quotation<'a>),
    /// A proposition whose name is not literally in the text.
    Expression(String),
    Unary(Op),
    Binary(Op),
    /// A unary operator with bounds.
    Bounded(Bounded),
}

/// `X[from]`, `F[from..to]`, `G[from..to]`; no `to` means no upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounded {
    pub(super) op: Op,
    pub(super) from: u32,
    pub(super) to: Option<u32>,
}

/// The symbol that the text starts with, and its length in bytes.
pub(super) fn symbol(text: &str) -> Option<(Token<'static>, usize)> {
    use Token::{Binary, Close, Constant, Open, Unary};
    let bytes = text.as_bytes();
    let next = |i: usize| bytes.get(i).copied().unwrap_or(0);
    Some(match bytes.first()? {
        b'(' if next(1) == b')' => (Unary(Op::Next), 2),
        b'(' => (Open, 1),
        b')' => (Close, 1),
        b'!' | b'~' => (Unary(Op::Not), 1),
        b'&' => (Binary(Op::And), if next(1) == b'&' { 2 } else { 1 }),
        b'|' => (Binary(Op::Or), if next(1) == b'|' { 2 } else { 1 }),
        b'^' => (Binary(Op::Xor), 1),
        b'/' if next(1) == b'\\' => (Binary(Op::And), 2),
        b'\\' if next(1) == b'/' => (Binary(Op::Or), 2),
        b'[' if next(1) == b']' => (Unary(Op::Globally), 2),
        b'<' if next(1) == b'>' => (Unary(Op::Finally), 2),
        b'<' if bytes.starts_with(b"<->") || bytes.starts_with(b"<=>") => (Binary(Op::Iff), 3),
        b'<' if bytes.starts_with(b"<-->") => (Binary(Op::Iff), 4),
        b'-' | b'=' if next(1) == b'>' => (Binary(Op::Implies), 2),
        b'-' if bytes.starts_with(b"-->") => (Binary(Op::Implies), 3),
        0..=127 => return None,
        _ => {
            let char = text.chars().next()?;
            let token = match char {
                '¬' => Unary(Op::Not),
                '∧' => Binary(Op::And),
                '∨' => Binary(Op::Or),
                '⊕' => Binary(Op::Xor),
                '→' | '⇒' | '⟶' | '⟹' => Binary(Op::Implies),
                '↔' | '⇔' | '⟷' | '⟺' => Binary(Op::Iff),
                '○' | '◯' => Unary(Op::Next),
                '◇' | '⋄' | '♢' => Unary(Op::Finally),
                '□' | '⬜' | '◻' => Unary(Op::Globally),
                '⊤' => Constant(true),
                '⊥' => Constant(false),
                _ => return None,
            };
            (token, char.len_utf8())
        }
    })
}

/// The first position from `pos` on that is not white space.
#[inline]
pub(super) fn skip_space(text: &str, mut pos: usize) -> usize {
    while let Some(&byte) = text.as_bytes().get(pos) {
        match byte {
            b' ' | b'\t'..=b'\r' => pos += 1,
            0..=127 => break,
            _ => match text[pos..].chars().next() {
                Some(char) if char.is_whitespace() => pos += char.len_utf8(),
                _ => break,
            },
        }
    }
    pos
}

/// Returns the end of the word that starts at `pos`: ASCII characters that `ascii` accepts, and any
/// letter or digit of other scripts.
#[inline]
pub(super) fn word_end(text: &str, mut pos: usize, ascii: impl Fn(u8) -> bool) -> usize {
    while let Some(&byte) = text.as_bytes().get(pos) {
        if byte.is_ascii() {
            if !ascii(byte) {
                break;
            }
            pos += 1;
        } else {
            match text[pos..].chars().next() {
                Some(char) if char.is_alphanumeric() => pos += char.len_utf8(),
                _ => break,
            }
        }
    }
    pos
}

/// True if a proposition without quotes can start with this character.
pub(super) fn starts_name(char: char) -> bool {
    char.is_alphabetic() || matches!(char, '_' | '.')
}

/// The error for a word, at `start`, that is neither an operator nor the name of a proposition.
pub(super) fn not_a_name(word: &str, start: usize) -> Error {
    let message = format!("`{}` cannot be the name of a proposition", shown(word));
    Error::at(start..start + word.len(), message)
        .expected("a name that starts with a letter, or quotes around it")
}

/// Creates the error for unknown characters: it covers the whole run of operator characters, so
/// that users see `==` and not `=`.
pub(super) fn unknown(text: &str, start: usize) -> Error {
    let rest = &text[start..];
    let like_operator = |c: char| c.is_ascii_punctuation() && !"()[]\"_!~".contains(c);
    let mut len = rest.find(|c: char| !like_operator(c)).unwrap_or(rest.len());
    if len == 0 {
        len = rest.chars().next().map_or(0, char::len_utf8);
    }
    Error::at(start..start + len, format!("unknown operator `{}`", shown(&rest[..len])))
}

/// Shortens input text to one line for messages.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 30;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// Creates the error for an unexpected token.
pub(super) fn unexpected(text: &str, span: Range<usize>, expected: &str) -> Error {
    let message = if span.is_empty() {
        "unexpected end of the formula".to_owned()
    } else {
        format!("unexpected `{}`", shown(&text[span.clone()]))
    };
    Error::at(span, message).expected(expected)
}
