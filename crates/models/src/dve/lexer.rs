//! The words of the DVE language.

use sempre_ltl::Error;
use std::ops::Range;

/// A word of the text, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name that the model may give to something.
    Name,
    /// A word that the language has taken.
    Keyword,
    Number,
    Symbol,
    End,
}

impl Token<'_> {
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

const KEYWORDS: [&str; 23] = [
    "accept", "and", "assert", "async", "byte", "channel", "commit", "const", "effect", "false",
    "guard", "imply", "init", "int", "not", "or", "process", "property", "state", "sync", "system",
    "trans", "true",
];

const SYMBOLS: [&str; 10] = ["->", "=>", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||"];

/// Takes the text apart; the last token is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Error> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let rest = &bytes[start..];
        let run = |accepts: fn(&u8) -> bool| {
            rest.iter().position(|byte| !accepts(byte)).unwrap_or(rest.len())
        };
        let (kind, length) = match rest[0] {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => {
                start += run(|byte| byte.is_ascii_whitespace() || *byte == 0x0b);
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                start += run(|byte| *byte != b'\n');
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let Some(end) = rest[2..].windows(2).position(|pair| pair == b"*/") else {
                    let message = "the comment does not end";
                    return Err(Error::at(start..start + 2, message).expected("`*/`"));
                };
                start += end + 4;
                continue;
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let length = run(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                let keyword = KEYWORDS.contains(&&text[start..start + length]);
                (if keyword { Kind::Keyword } else { Kind::Name }, length)
            }
            // Strings stand in properties only.
            b'"' => {
                let Some(end) = rest[1..].iter().position(|byte| *byte == b'"') else {
                    let message = "the string does not end";
                    return Err(Error::at(start..start + 1, message).expected("`\"`"));
                };
                (Kind::Symbol, end + 2)
            }
            b'0'..=b'9' => (Kind::Number, run(u8::is_ascii_digit)),
            _ if SYMBOLS.iter().any(|symbol| rest.starts_with(symbol.as_bytes())) => {
                (Kind::Symbol, 2)
            }
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b',' | b';' | b':' | b'.' | b'=' | b'!'
            | b'?' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'~' => {
                (Kind::Symbol, 1)
            }
            _ => {
                let shown = text[start..].chars().next().unwrap_or_default();
                let span = start..start + shown.len_utf8();
                let message = format!("{shown:?} has no meaning in a DVE model");
                return Err(Error::at(span, message));
            }
        };
        tokens.push(Token { kind, text: &text[start..start + length], start });
        start += length;
    }
    tokens.push(Token { kind: Kind::End, text: "", start: text.len() });
    Ok(tokens)
}
