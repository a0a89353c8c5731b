//! The smallest pieces of a formula in Spin's syntax.

use crate::syntax::quoted::Quotation;
use crate::syntax::token::{self, Token};
use crate::{Error, Op};

/// A lexeme of Spin's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lexeme<'a> {
    End,
    Open,
    Close,
    /// `[`, for the index of an array; `[]` is an operator.
    OpenIndex,
    CloseIndex,
    Comma,
    /// `.`, `@` or `:` between two names.
    Selector,
    /// A comparison or an arithmetic operator with two operands; `-` may have just one.
    Arithmetic,
    Name(&'a str),
    Number,
    /// A proposition in quotes.
    Quoted(Quotation<'a>),
    Unary(Op),
    Binary(Op),
}

fn keyword(word: &str) -> Option<Lexeme<'static>> {
    Some(match word {
        "X" | "next" => Lexeme::Unary(Op::Next),
        "always" => Lexeme::Unary(Op::Globally),
        "eventually" => Lexeme::Unary(Op::Finally),
        "U" | "until" | "stronguntil" => Lexeme::Binary(Op::Until),
        "V" | "release" => Lexeme::Binary(Op::Release),
        "W" | "weakuntil" => Lexeme::Binary(Op::WeakUntil),
        "implies" => Lexeme::Binary(Op::Implies),
        "equivalent" => Lexeme::Binary(Op::Iff),
        _ => return None,
    })
}

/// The lexeme at `start`, where no white space is, and the position after it.
pub(super) fn scan(text: &str, start: usize) -> Result<(Lexeme<'_>, usize), Error> {
    let rest = &text[start..];
    let bytes = rest.as_bytes();
    let Some(&first) = bytes.first() else { return Ok((Lexeme::End, start)) };
    let next = bytes.get(1).copied().unwrap_or(0);
    let (lexeme, len) = match first {
        b'"' => {
            let (quotation, end) = Quotation::scan(text, start)?;
            return Ok((Lexeme::Quoted(quotation), end));
        }
        b'(' => (Lexeme::Open, 1),
        b')' => (Lexeme::Close, 1),
        b'[' if next != b']' => (Lexeme::OpenIndex, 1),
        b']' => (Lexeme::CloseIndex, 1),
        b',' => (Lexeme::Comma, 1),
        b'.' | b'@' | b':' => (Lexeme::Selector, 1),
        b'=' | b'!' | b'<' | b'>' if next == b'=' && !rest.starts_with("<=>") => {
            (Lexeme::Arithmetic, 2)
        }
        b'<' | b'>' if next == first => (Lexeme::Arithmetic, 2),
        b'0'..=b'9' => (Lexeme::Number, bytes.iter().take_while(|b| b.is_ascii_digit()).count()),
        b'&' | b'|' if next != first => {
            let message = format!("the bitwise `{}` is not supported", first as char);
            return Err(Error::at(start..start + 1, message)
                .expected(format!("the logical `{0}{0}`", first as char)));
        }
        b'^' => return Err(token::unknown(text, start)),
        _ => {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let end = token::word_end(text, start, is_word);
            let word = &text[start..end];
            match (token::symbol(rest), first) {
                _ if end > start => (keyword(word).unwrap_or(Lexeme::Name(word)), word.len()),
                (Some((Token::Unary(op), len)), _) => (Lexeme::Unary(op), len),
                (Some((Token::Binary(Op::Xor), _)), _) => return Err(token::unknown(text, start)),
                (Some((Token::Binary(op), len)), _) => (Lexeme::Binary(op), len),
                (_, b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>') => (Lexeme::Arithmetic, 1),
                _ => return Err(token::unknown(text, start)),
            }
        }
    };
    Ok((lexeme, start + len))
}
