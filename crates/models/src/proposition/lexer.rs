//! The words of propositions.

use sempre_ltl::Error;
use std::ops::Range;

/// A word of a proposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A number.
    Number(i64),
    /// A name without quotes, which may also be a word of the language.
    Word(String),
    /// A name in quotes.
    Quoted(String),
    /// An operator, a parenthesis, a bracket or a comma.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// Operators and punctuation; those that begin with another one come before it.
const SIGNS: &[&str] = &[
    "<->", "<=>", "->", "=>", "&&", "||", "/\\", "\\/", "<=", ">=", "==", "!=", "∧", "∨", "⊕", "¬",
    "→", "↔", "&", "|", "^", "=", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",",
];

/// Takes a text apart.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, position: 0 }
    }

    /// The text from that place on.
    pub(super) fn text_from(&self, start: usize) -> &'a str {
        &self.text[start..]
    }

    /// The next word and its place.
    pub(super) fn next(&mut self) -> Result<(Token, Range<usize>), Error> {
        let rest = self.text[self.position..].trim_start();
        let start = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok((Token::End, self.text.len()..self.text.len()));
        };
        let (token, length) = if first.is_ascii_digit() {
            number(rest, start)?
        } else if starts_name(first) {
            let length = rest.find(|letter| !continues_name(letter)).unwrap_or(rest.len());
            (Token::Word(rest[..length].to_owned()), length)
        } else if first == '\'' {
            quoted(rest, start)?
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            (Token::Sign(sign), sign.len())
        } else {
            let error = Error::at(start..start + first.len_utf8(), format!("unexpected `{first}`"));
            return Err(error.expected("a proposition; other names stand between single quotes"));
        };
        self.position = start + length;
        Ok((token, start..start + length))
    }
}

/// True if a name without quotes may begin with that letter.
pub(super) fn starts_name(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

/// True if a name without quotes may contain that letter.
pub(super) fn continues_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.' | '@')
}

fn number(rest: &str, start: usize) -> Result<(Token, usize), Error> {
    let length = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
    match rest[..length].parse() {
        Ok(number) => Ok((Token::Number(number), length)),
        Err(_) => Err(Error::at(start..start + length, "the number is too large")
            .expected("a number below 2^63")),
    }
}

/// A name in quotes, in which a backslash takes away the meaning of the letter after it.
fn quoted(rest: &str, start: usize) -> Result<(Token, usize), Error> {
    let mut name = String::new();
    let mut letters = rest.char_indices().skip(1);
    while let Some((index, letter)) = letters.next() {
        match letter {
            '\'' => return Ok((Token::Quoted(name), index + 1)),
            '\\' => name.extend(letters.next().map(|(_, escaped)| escaped)),
            _ => name.push(letter),
        }
    }
    Err(Error::at(start..start + rest.len(), "the quoted name does not end").expected("`'`"))
}
