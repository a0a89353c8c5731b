//! The tokens of the text format.

use super::is_plain;
use sempre_ltl::Error;
use std::borrow::Cow;
use std::ops::Range;

/// A token of the text format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name or a number without braces.
    Plain(&'t str),
    /// A name between braces, without them.
    Braced(Cow<'t, str>),
    /// `->`
    Arrow,
    /// `?-` and `!-`, as the first character.
    Minus(char),
    /// One of `* ? ! : ( ) [ ] , < >`.
    Sign(char),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// Returns the token for an error message.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Plain(name) => format!("`{name}`"),
            Token::Braced(name) => format!("`{{{name}}}`"),
            Token::Arrow => "`->`".to_owned(),
            Token::Minus(sign) => format!("`{sign}-`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// The lexer of a text, with one token of lookahead.
pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
    next: Token<'t>,
    span: Range<usize>,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self, Error> {
        let mut lexer = Lexer { text, position: 0, next: Token::End, span: 0..0 };
        lexer.take()?;
        Ok(lexer)
    }

    /// Returns the next token.
    pub(super) fn peek(&self) -> &Token<'t> {
        &self.next
    }

    /// Returns the position of the next token.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Consumes the next token and returns its position.
    pub(super) fn take(&mut self) -> Result<(Token<'t>, Range<usize>), Error> {
        let (next, span) = self.lex()?;
        let token = std::mem::replace(&mut self.next, next);
        Ok((token, std::mem::replace(&mut self.span, span)))
    }

    fn lex(&mut self) -> Result<(Token<'t>, Range<usize>), Error> {
        let text = self.text;
        loop {
            let rest = &text[self.position..];
            self.position += rest.len() - rest.trim_start().len();
            if !text[self.position..].starts_with('#') {
                break;
            }
            let line = text[self.position..].find('\n');
            self.position = line.map_or(text.len(), |length| self.position + length);
        }
        let start = self.position;
        let rest = &text[start..];
        let Some(first) = rest.chars().next() else {
            return Ok((Token::End, start..start));
        };
        let (token, length) = if is_plain(first) {
            let length = rest.find(|character| !is_plain(character)).unwrap_or(rest.len());
            (Token::Plain(&rest[..length]), length)
        } else if first == '{' {
            braced(rest).ok_or_else(|| {
                Error::at(start..start + 1, "this brace is not closed").expected("}")
            })?
        } else if rest.starts_with("->") {
            (Token::Arrow, 2)
        } else if rest.starts_with("?-") || rest.starts_with("!-") {
            (Token::Minus(first), 2)
        } else if "*?!:()[],<>".contains(first) {
            (Token::Sign(first), 1)
        } else {
            let span = start..start + first.len_utf8();
            return Err(Error::at(span, format!("unexpected character `{first}`"))
                .with_help("names with blanks or signs stand between braces: {a-b}"));
        };
        self.position += length;
        Ok((token, start..self.position))
    }
}

/// Returns the name at the beginning of the text, and its length with braces.
fn braced(text: &str) -> Option<(Token<'_>, usize)> {
    let mut name = Cow::Borrowed("");
    let mut from = 1;
    let mut characters = text.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        match character {
            '}' => {
                name += &text[from..index];
                return Some((Token::Braced(name), index + 1));
            }
            '\\' => {
                name += &text[from..index];
                from = characters.next()?.0;
            }
            _ => {}
        }
    }
    None
}
