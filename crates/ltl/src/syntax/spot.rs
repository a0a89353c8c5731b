//! The infix syntax of Spot: its tokens, and how tightly its operators bind.
//!
//! The lexer is written by hand rather than generated: where operator letters end and a proposition
//! begins within a word (`GFa`, `Fs a`, `F1`) depends on what follows, which a regular expression
//! per token cannot say, and each word must be scanned once even if a million letters are glued
//! together.

use super::MAX_BOUND;
use super::infix::Dialect;
use super::quoted::Quotation;
use super::token::{self, Bounded, Token};
use crate::{Error, Op};
use std::ops::Range;

/// Cuts a text into tokens, one at a time.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Where the last token starts and ends.
    start: usize,
    pos: usize,
    /// The end of the word that `pos` is in; at most `pos` if it is in none.
    word_end: usize,
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@')
}

fn unary_letter(byte: u8) -> Option<Op> {
    Some(match byte {
        b'F' => Op::Finally,
        b'G' => Op::Globally,
        b'X' => Op::Next,
        _ => return None,
    })
}

fn binary_word(word: &str) -> Option<Op> {
    Some(match word {
        "U" => Op::Until,
        "R" | "V" => Op::Release,
        "W" => Op::WeakUntil,
        "M" => Op::StrongRelease,
        "xor" => Op::Xor,
        _ => return None,
    })
}

impl<'a> Dialect<'a> for Lexer<'a> {
    fn next_token(&mut self, _operand: bool) -> Result<Token<'a>, Error> {
        if self.pos < self.word_end {
            return self.word();
        }
        self.pos = token::skip_space(self.text, self.pos);
        self.start = self.pos;
        let Some(&byte) = self.text.as_bytes().get(self.pos) else { return Ok(Token::End) };
        if byte == b'"' {
            let (quotation, end) = Quotation::scan(self.text, self.pos)?;
            self.pos = end;
            return Ok(Token::Quoted(quotation));
        }
        self.word_end = token::word_end(self.text, self.pos, is_word_byte);
        if self.word_end > self.pos {
            return self.word();
        }
        match token::symbol(&self.text[self.pos..]) {
            Some((token, len)) => {
                self.pos += len;
                Ok(token)
            }
            None => Err(token::unknown(self.text, self.pos)),
        }
    }

    fn span(&self) -> Range<usize> {
        self.start..self.pos
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

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, start: 0, pos: 0, word_end: 0 }
    }

    /// The next token of the word that `pos` is in: an operator letter, or all the rest.
    fn word(&mut self) -> Result<Token<'a>, Error> {
        self.start = self.pos;
        let word = &self.text[self.pos..self.word_end];
        let first = word.as_bytes()[0];
        // The words with a meaning of their own are short.
        if word.len() <= 5 {
            if let Some(op) = binary_word(word) {
                return self.rest(Token::Binary(op));
            }
            if word == "1" || word.eq_ignore_ascii_case("true") {
                return self.rest(Token::Constant(true));
            }
            if word == "0" || word.eq_ignore_ascii_case("false") {
                return self.rest(Token::Constant(false));
            }
            if matches!(word, "Fs" | "Gs") && self.operand_follows() {
                let op = if first == b'F' { Op::StrictFinally } else { Op::StrictGlobally };
                return self.rest(Token::Unary(op));
            }
        }
        if let Some(op) = unary_letter(first) {
            match word[1..].chars().next() {
                None => {
                    self.pos += 1;
                    return match self.bounds(op)? {
                        Some(bounded) => Ok(Token::Bounded(bounded)),
                        None => Ok(Token::Unary(op)),
                    };
                }
                Some(second) if token::starts_name(second) => {
                    self.pos += 1;
                    return Ok(Token::Unary(op));
                }
                Some(_) => {}
            }
        }
        if word.starts_with(token::starts_name) {
            self.rest(Token::Prop(word))
        } else {
            Err(token::not_a_name(word, self.pos))
        }
    }

    /// The token that the rest of the word is.
    fn rest(&mut self, token: Token<'a>) -> Result<Token<'a>, Error> {
        self.pos = self.word_end;
        Ok(token)
    }

    /// True if the text after the word starts with something that an operand starts with.
    fn operand_follows(&self) -> bool {
        let pos = token::skip_space(self.text, self.word_end);
        let rest = &self.text[pos..];
        if rest.starts_with('"') {
            return true;
        }
        let end = token::word_end(self.text, pos, is_word_byte).min(pos + 4);
        if end > pos {
            // Only words of up to three letters are operators, so four bytes suffice.
            return self.text.get(pos..end).and_then(binary_word).is_none();
        }
        matches!(token::symbol(rest), Some((Token::Unary(_) | Token::Open | Token::Constant(_), _)))
    }

    /// The bounds in brackets after an operator letter, if there are any.
    fn bounds(&mut self, op: Op) -> Result<Option<Bounded>, Error> {
        let open = token::skip_space(self.text, self.pos);
        let bytes = self.text.as_bytes();
        if bytes.get(open) != Some(&b'[') || bytes.get(open + 1) == Some(&b']') {
            return Ok(None);
        }
        self.pos = open + 1;
        let from = self.number()?;
        let bounded = if op == Op::Next {
            self.close_bounds("`]`")?;
            Bounded { op, from, to: Some(from) }
        } else {
            self.skip(&["..", ":", ",", "to"], "`..` and an upper bound")?;
            let pos = token::skip_space(self.text, self.pos);
            let to = if bytes.get(pos).is_some_and(u8::is_ascii_digit) {
                Some(self.number()?)
            } else {
                let _ = self.skip(&["$", "inf"], "");
                None
            };
            self.close_bounds(if to.is_some() { "`]`" } else { "a number, or `]`" })?;
            Bounded { op, from, to }
        };
        if bounded.to.is_some_and(|to| from > to) {
            let message = "the lower bound is greater than the upper bound";
            return Err(Error::at(open..self.pos, message).expected("the smaller bound first"));
        }
        Ok(Some(bounded))
    }

    fn number(&mut self) -> Result<u32, Error> {
        let start = token::skip_space(self.text, self.pos);
        let rest = &self.text[start..];
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        if len == 0 {
            return Err(self.unexpected_in_bounds(start, "a number"));
        }
        self.pos = start + len;
        match rest[..len].parse() {
            Ok(number) if number <= MAX_BOUND => Ok(number),
            _ => Err(Error::at(start..self.pos, "the bound is too large")
                .expected(format!("at most {MAX_BOUND}"))),
        }
    }

    fn close_bounds(&mut self, expected: &str) -> Result<(), Error> {
        self.skip(&["]"], expected)
    }

    /// Goes beyond one of these texts.
    fn skip(&mut self, one_of: &[&str], expected: &str) -> Result<(), Error> {
        let start = token::skip_space(self.text, self.pos);
        match one_of.iter().find(|one| self.text[start..].starts_with(**one)) {
            Some(one) => {
                self.pos = start + one.len();
                Ok(())
            }
            None => Err(self.unexpected_in_bounds(start, expected)),
        }
    }

    fn unexpected_in_bounds(&self, start: usize, expected: &str) -> Error {
        let len = self.text[start..].chars().next().map_or(0, char::len_utf8);
        token::unexpected(self.text, start..start + len, expected)
    }
}

/// True if the name can stand in a formula without quotes, even right after an operator letter.
///
/// The lexer itself decides. Letters in front are cut off before it looks at the name, so that
/// they make no difference, but for `F` before `alse`: that is the constant.
pub(super) fn reads_back(name: &str) -> bool {
    let mut lexer = Lexer::new(name);
    lexer.next_token(true) == Ok(Token::Prop(name))
        && lexer.span() == (0..name.len())
        && !name.eq_ignore_ascii_case("alse")
}
