//! Words of the enumerated table format, and their places.

use sempre_ltl::Error;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name; what it means may depend on whether it was written without backslashes.
    Name {
        name: String,
        is_plain: bool,
    },
    /// A single underscore.
    Nothing,
    Number(u32),
    /// The bytes of a value.
    Value(Box<[u8]>),
    Star,
    Slash,
    Colon,
    Newline,
    End,
}

impl Token {
    /// The name of the token, for errors.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Name { name, .. } => format!("`{}`", name.escape_debug()),
            Token::Nothing => "`_`".to_owned(),
            Token::Number(number) => format!("`{number}`"),
            Token::Value(bytes) => {
                format!("value `{}`", String::from_utf8_lossy(bytes).escape_debug())
            }
            Token::Star => "`*`".to_owned(),
            Token::Slash => "`/`".to_owned(),
            Token::Colon => "`:`".to_owned(),
            Token::Newline => "end of the line".to_owned(),
            Token::End => "end of the file".to_owned(),
        }
    }
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    place: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, place: 0 }
    }

    /// The next token. Line ends are tokens; callers that do not need them skip them.
    pub(super) fn next(&mut self) -> Result<(Token, Range<usize>), Error> {
        let mut rest = self.text[self.place..].trim_start_matches([' ', '\t', '\r']);
        if rest.starts_with('%') {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        }
        let start = self.text.len() - rest.len();
        let (token, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some('\n') => (Token::Newline, 1),
            Some('*') => (Token::Star, 1),
            Some('/') => (Token::Slash, 1),
            Some(':') => (Token::Colon, 1),
            Some('"') => quoted(rest, start)?,
            Some('#') => hex(rest, start)?,
            Some(letter) if letter.is_ascii_digit() => number(rest, start)?,
            Some(letter) if letter.is_ascii_alphabetic() || matches!(letter, '_' | '\\') => {
                name(rest, start)?
            }
            Some(other) => {
                let span = start..start + other.len_utf8();
                let message = format!("unexpected `{}`", other.escape_debug());
                return Err(Error::at(span, message).expected(
                    "a name, a number or a value; in names a backslash stands before other \
                     characters than letters, digits, `_` and `'`",
                ));
            }
        };
        self.place = start + length;
        Ok((token, start..start + length))
    }
}

fn number(rest: &str, start: usize) -> Result<(Token, usize), Error> {
    let length = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    match rest[..length].parse() {
        Ok(number) => Ok((Token::Number(number), length)),
        Err(_) => Err(Error::at(start..start + length, "the number is too large")
            .expected(format!("a number of at most {}", u32::MAX))),
    }
}

fn name(rest: &str, start: usize) -> Result<(Token, usize), Error> {
    let mut name = String::new();
    let mut is_plain = true;
    let mut letters = rest.char_indices();
    let mut length = rest.len();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => {
                is_plain = false;
                let Some((_, escaped)) = letters.next() else {
                    return Err(Error::at(start + place..start + place + 1, "a lonely backslash")
                        .expected("a character after it"));
                };
                name.push(escaped);
            }
            '_' => name.push('_'),
            letter if letter.is_ascii_alphabetic() => name.push(letter),
            letter if letter.is_ascii_digit() || letter == '\'' => name.push(letter),
            _ => {
                length = place;
                break;
            }
        }
    }
    let token = match is_plain && name == "_" {
        true => Token::Nothing,
        false => Token::Name { name, is_plain },
    };
    Ok((token, length))
}

fn quoted(rest: &str, start: usize) -> Result<(Token, usize), Error> {
    let mut value = String::new();
    let mut letters = rest.char_indices().skip(1);
    while let Some((place, letter)) = letters.next() {
        match letter {
            '"' => return Ok((Token::Value(value.into_bytes().into()), place + 1)),
            '\n' => break,
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                _ => {
                    return Err(Error::at(start + place..start + place + 1, "a lonely backslash")
                        .expected("`\\\\` for a backslash, or `\\\"` for a quote"));
                }
            },
            letter => value.push(letter),
        }
    }
    Err(Error::at(start..start + 1, "the quoted value does not end").expected("`\"`"))
}

fn hex(rest: &str, start: usize) -> Result<(Token, usize), Error> {
    let digits = &rest[1..];
    let length = digits.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(digits.len());
    let span = start..start + 1 + length;
    if !digits[length..].starts_with('#') {
        return Err(
            Error::at(span, "the value does not end").expected("hexadecimal digits and `#`")
        );
    }
    if length % 2 != 0 {
        return Err(Error::at(span, "a byte has two hexadecimal digits"));
    }
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_default() as u8;
    let bytes = digits.as_bytes()[..length].chunks_exact(2);
    let value = bytes.map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect();
    Ok((Token::Value(value), length + 2))
}
