//! The tokens of HOA. The lexer works on bytes and copies only strings with escapes.

use std::borrow::Cow;

/// An error in a text: an offset, and the number of offending bytes.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) width: usize,
    pub(super) message: String,
    pub(super) expected: Option<String>,
}

/// Boxed, because faults are rare.
pub(super) type Result<T> = std::result::Result<T, Box<Fault>>;

/// The exclusive limit of numbers of states, propositions and marks.
const TOO_LARGE: u32 = 1 << 31;

pub(super) struct Lexer<'t> {
    pub(super) text: &'t [u8],
    pub(super) pos: usize,
}

/// True for bytes of identifiers after the first.
pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// True for the first byte of identifiers.
pub(super) const fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Lexer { text, pos: 0 }
    }

    /// Returns the first byte of the next token, if there is one.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Option<u8>> {
        while let Some(&byte) = self.text.get(self.pos) {
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.pos += 1,
                b'/' => self.comment()?,
                _ => return Ok(Some(byte)),
            }
        }
        Ok(None)
    }

    #[cold]
    fn comment(&mut self) -> Result<()> {
        let start = self.pos;
        if self.text.get(start + 1) != Some(&b'*') {
            return Err(self.fault(start, 1, "a lone `/`").wants("a comment `/* … */`"));
        }
        let mut depth = 0usize;
        loop {
            match self.text.get(self.pos..self.pos + 2) {
                Some(b"/*") => {
                    depth += 1;
                    self.pos += 2;
                }
                Some(b"*/") => {
                    depth -= 1;
                    self.pos += 2;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                Some(_) => self.pos += 1,
                None => {
                    // The reader may resume within the comment.
                    self.pos = start + 2;
                    return Err(self.fault(start, 2, "the comment is not closed").wants("`*/`"));
                }
            }
        }
    }

    /// Skips the byte if it is the next token.
    #[inline]
    pub(super) fn eat(&mut self, byte: u8) -> Result<bool> {
        let found = self.peek()? == Some(byte);
        self.pos += usize::from(found);
        Ok(found)
    }

    /// Skips the byte, which must be the next token.
    pub(super) fn expect(&mut self, byte: u8) -> Result<()> {
        if self.eat(byte)? { Ok(()) } else { Err(self.unexpected(&format!("`{}`", byte as char))) }
    }

    /// Reads a number.
    #[inline]
    pub(super) fn number(&mut self, what: &str) -> Result<u32> {
        match self.peek()? {
            Some(b'0'..=b'9') => {}
            _ => return Err(self.unexpected(what)),
        }
        let start = self.pos;
        let mut number: u32 = 0;
        while let Some(digit) = self.text.get(self.pos).map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 {
                break;
            }
            number = number.saturating_mul(10).saturating_add(u32::from(digit));
            self.pos += 1;
        }
        let width = self.pos - start;
        if number >= TOO_LARGE || (width > 1 && self.text[start] == b'0') {
            return Err(self.bad_number(start, number));
        }
        Ok(number)
    }

    #[cold]
    fn bad_number(&self, start: usize, number: u32) -> Box<Fault> {
        let width = self.pos - start;
        if number >= TOO_LARGE {
            self.fault(start, width, "the number is too large").wants("a number below 2^31")
        } else {
            self.fault(start, width, "numbers have no leading zeros")
        }
    }

    /// Reads the identifier here, without a following colon; [`Lexer::peek`] has found its first
    /// letter.
    pub(super) fn word(&mut self) -> &'t str {
        let start = self.pos;
        let word = &self.text[start..];
        let len = word.iter().position(|byte| !is_word(*byte)).unwrap_or(word.len());
        self.pos += len;
        std::str::from_utf8(&word[..len]).unwrap_or_else(|_| unreachable!("letters are ASCII"))
    }

    /// Reads an identifier; `None` before other tokens and names of headers.
    pub(super) fn value_word(&mut self) -> Result<Option<&'t str>> {
        let start = match self.peek()? {
            Some(byte) if starts_word(byte) => self.pos,
            _ => return Ok(None),
        };
        let word = self.word();
        if self.text.get(self.pos) == Some(&b':') {
            self.pos = start;
            return Ok(None);
        }
        Ok(Some(word))
    }

    /// Reads the name of an alias without its `@`, which [`Lexer::peek`] has found.
    pub(super) fn alias(&mut self) -> Result<&'t str> {
        self.pos += 1;
        let name = self.word();
        if name.is_empty() {
            return Err(self.fault(self.pos - 1, 1, "an alias without a name").wants("a name"));
        }
        Ok(name)
    }

    /// Reads a string and resolves its escapes.
    pub(super) fn string(&mut self, what: &str) -> Result<Cow<'t, str>> {
        if self.peek()? != Some(b'"') {
            return Err(self.unexpected(what));
        }
        let start = self.pos + 1;
        let mut escapes = false;
        let mut end = start;
        loop {
            match self.text.get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escapes = true;
                    end += 2;
                }
                Some(_) => end += 1,
                None => {
                    self.pos = start;
                    let fault = self.fault(start - 1, 1, "the string is not closed");
                    return Err(fault.wants("`\"`"));
                }
            }
        }
        self.pos = end + 1;
        let raw = std::str::from_utf8(&self.text[start..end]).map_err(|error| {
            let width = error.error_len().unwrap_or(1);
            self.fault(start + error.valid_up_to(), width, "the string is not UTF-8")
        })?;
        if !escapes {
            return Ok(Cow::Borrowed(raw));
        }
        let mut contents = String::with_capacity(raw.len());
        let mut chars = raw.chars();
        while let Some(c) = chars.next() {
            contents.extend(if c == '\\' { chars.next() } else { Some(c) });
        }
        Ok(Cow::Owned(contents))
    }

    /// Skips these bytes if they come next.
    pub(super) fn keyword(&mut self, keyword: &[u8]) -> bool {
        let found = self.text[self.pos..].starts_with(keyword);
        self.pos += if found { keyword.len() } else { 0 };
        found
    }

    pub(super) fn fault(&self, at: usize, width: usize, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { at, width: width.max(1), message: message.into(), expected: None })
    }

    /// Creates the fault that the next token is unexpected.
    #[cold]
    pub(super) fn unexpected(&self, expected: &str) -> Box<Fault> {
        let rest = &self.text[self.pos.min(self.text.len())..];
        let Some(&first) = rest.first() else {
            let at = self.text.len();
            return self.fault(at, 1, "the automaton ends too early").wants(expected);
        };
        let width = match first {
            b'0'..=b'9' => rest.iter().position(|byte| !byte.is_ascii_digit()),
            b'@' => rest[1..].iter().position(|byte| !is_word(*byte)).map(|len| len + 1),
            _ if starts_word(first) => rest.iter().position(|byte| !is_word(*byte)),
            b'-' => rest.iter().position(|byte| !is_word(*byte)),
            b'"' => Some(1),
            // One UTF-8 character, or one invalid byte.
            _ => rest[1..].iter().position(|byte| byte & 0xc0 != 0x80).map(|len| len + 1),
        };
        let width = width.unwrap_or(rest.len());
        let width = width + usize::from(starts_word(first) && rest.get(width) == Some(&b':'));
        let shown = match first {
            b'"' => "a string".to_string(),
            _ => format!("`{}`", String::from_utf8_lossy(&rest[..width.min(40)])),
        };
        self.fault(self.pos, width, format!("unexpected {shown}")).wants(expected)
    }
}

impl Fault {
    /// Adds a description of the expected input.
    pub(super) fn wants(mut self: Box<Self>, expected: &str) -> Box<Self> {
        self.expected = Some(expected.to_string());
        self
    }
}
