//! Line editing on a terminal: moving, deleting, history, completion of words.
//!
//! Where standard input or output is no terminal, lines are read as they come.

use std::io::{self, BufRead, IsTerminal, Read, Write};

/// A key that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Character(char),
    Enter,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    Backspace,
    Delete,
    /// Deletes the word before the cursor.
    Word,
    /// Deletes everything before the cursor.
    Before,
    /// Deletes everything from the cursor on.
    After,
    Tab,
    /// Ctrl-C or the end of the input.
    Cancel,
    /// Ctrl-D: ends the input if the line is empty, else deletes.
    EndOfInput,
    Other,
}

/// The line that is being edited.
#[derive(Debug, Default)]
struct Line {
    text: Vec<char>,
    cursor: usize,
}

impl Line {
    fn new(text: &str) -> Self {
        let text: Vec<char> = text.chars().collect();
        Line { cursor: text.len(), text }
    }

    fn edit(&mut self, key: Key) {
        match key {
            Key::Character(character) => {
                self.text.insert(self.cursor, character);
                self.cursor += 1;
            }
            Key::Left => self.cursor = self.cursor.saturating_sub(1),
            Key::Right => self.cursor = (self.cursor + 1).min(self.text.len()),
            Key::Home => self.cursor = 0,
            Key::End => self.cursor = self.text.len(),
            Key::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.cursor);
            }
            Key::Delete | Key::EndOfInput if self.cursor < self.text.len() => {
                self.text.remove(self.cursor);
            }
            Key::Word => {
                let mut start = self.cursor;
                while start > 0 && self.text[start - 1] == ' ' {
                    start -= 1;
                }
                while start > 0 && self.text[start - 1] != ' ' {
                    start -= 1;
                }
                self.text.drain(start..self.cursor);
                self.cursor = start;
            }
            Key::Before => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            Key::After => self.text.truncate(self.cursor),
            _ => {}
        }
    }

    /// Completes the text before the cursor as far as the words agree that begin with it.
    fn complete(&mut self, words: &[String]) {
        let before: String = self.text[..self.cursor].iter().collect();
        let mut fitting = words.iter().filter(|word| word.starts_with(&before));
        let Some(first) = fitting.next() else { return };
        let mut common: Vec<char> = first.chars().collect();
        for word in fitting {
            let same = common.iter().zip(word.chars()).take_while(|(one, other)| **one == *other);
            common.truncate(same.count());
        }
        let more: Vec<char> = common.into_iter().skip(self.cursor).collect();
        let count = more.len();
        self.text.splice(self.cursor..self.cursor, more);
        self.cursor += count;
    }

    fn text(&self) -> String {
        self.text.iter().collect()
    }
}

/// Reads lines, with the lines before at hand.
#[derive(Debug, Default)]
pub(crate) struct Editor {
    history: Vec<String>,
}

impl Editor {
    /// True if lines are edited on a terminal.
    pub(crate) fn is_interactive() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Reads a line; `None` at the end of the input. `words` are for completion.
    pub(crate) fn read(
        &mut self,
        out: &mut impl Write,
        words: &[String],
    ) -> io::Result<Option<String>> {
        // In raw mode, lines would not begin at the left.
        out.flush()?;
        if Editor::is_interactive()
            && let Some(_raw) = terminal::Raw::enter()
        {
            let line = self.interactive(out, words)?;
            if let Some(line) = line.as_ref().filter(|line| !line.trim().is_empty())
                && self.history.last() != Some(line)
            {
                self.history.push(line.clone());
            }
            return Ok(line);
        }
        if io::stdin().is_terminal() {
            write!(out, "> ")?;
        }
        out.flush()?;
        let mut line = String::new();
        Ok((io::stdin().lock().read_line(&mut line)? > 0).then_some(line))
    }

    fn interactive(&self, out: &mut impl Write, words: &[String]) -> io::Result<Option<String>> {
        let mut line = Line::default();
        let mut place = self.history.len();
        let mut own = String::new();
        loop {
            let behind = line.text.len() - line.cursor;
            write!(out, "\r> {}\x1b[K", line.text())?;
            if behind > 0 {
                write!(out, "\x1b[{behind}D")?;
            }
            out.flush()?;
            let key = next_key(&mut io::stdin().lock())?;
            match key {
                Key::Enter => {
                    write!(out, "\r\n")?;
                    out.flush()?;
                    return Ok(Some(line.text()));
                }
                Key::Cancel => {
                    write!(out, "\r\n")?;
                    out.flush()?;
                    return Ok(None);
                }
                Key::EndOfInput if line.text.is_empty() => {
                    write!(out, "\r\n")?;
                    out.flush()?;
                    return Ok(None);
                }
                Key::Up if place > 0 => {
                    if place == self.history.len() {
                        own = line.text();
                    }
                    place -= 1;
                    line = Line::new(&self.history[place]);
                }
                Key::Down if place < self.history.len() => {
                    place += 1;
                    line = Line::new(self.history.get(place).unwrap_or(&own));
                }
                Key::Tab => line.complete(words),
                key => line.edit(key),
            }
        }
    }
}

/// Reads a key: a character, a control character or an escape sequence.
fn next_key(input: &mut impl Read) -> io::Result<Key> {
    let mut next = || -> io::Result<Option<u8>> {
        let mut byte = [0];
        Ok((input.read(&mut byte)? == 1).then_some(byte[0]))
    };
    let Some(first) = next()? else { return Ok(Key::Cancel) };
    Ok(match first {
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        1 => Key::Home,
        3 => Key::Cancel,
        4 => Key::EndOfInput,
        5 => Key::End,
        2 => Key::Left,
        6 => Key::Right,
        8 | 127 => Key::Backspace,
        11 => Key::After,
        14 => Key::Down,
        16 => Key::Up,
        21 => Key::Before,
        23 => Key::Word,
        27 => match next()? {
            Some(b'[' | b'O') => {
                let mut code = next()?;
                let mut number = 0;
                while let Some(digit @ (b'0'..=b'9' | b';')) = code {
                    number = (10 * number + u32::from(digit.saturating_sub(b'0'))).min(1000);
                    code = next()?;
                }
                match (code, number) {
                    (Some(b'A'), _) => Key::Up,
                    (Some(b'B'), _) => Key::Down,
                    (Some(b'C'), _) => Key::Right,
                    (Some(b'D'), _) => Key::Left,
                    (Some(b'H'), _) | (Some(b'~'), 1 | 7) => Key::Home,
                    (Some(b'F'), _) | (Some(b'~'), 4 | 8) => Key::End,
                    (Some(b'~'), 3) => Key::Delete,
                    _ => Key::Other,
                }
            }
            _ => Key::Other,
        },
        0..=31 => Key::Other,
        first => {
            let length = match first {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0.. => 4,
                _ => 1,
            };
            let mut bytes = vec![first];
            while bytes.len() < length {
                match next()? {
                    Some(byte) => bytes.push(byte),
                    None => return Ok(Key::Cancel),
                }
            }
            let text = std::str::from_utf8(&bytes).ok();
            text.and_then(|text| text.chars().next()).map_or(Key::Other, Key::Character)
        }
    })
}

#[cfg(unix)]
mod terminal {
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::io;

    /// The terminal gives each key as it is pressed, until this is dropped.
    pub(super) struct Raw(Termios);

    impl Raw {
        pub(super) fn enter() -> Option<Self> {
            let before = tcgetattr(io::stdin()).ok()?;
            let mut raw = before.clone();
            raw.make_raw();
            tcsetattr(io::stdin(), OptionalActions::Drain, &raw).ok()?;
            Some(Raw(before))
        }
    }

    impl Drop for Raw {
        fn drop(&mut self) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.0);
        }
    }
}

#[cfg(not(unix))]
mod terminal {
    /// There is no raw mode here.
    pub(super) struct Raw;

    impl Raw {
        pub(super) fn enter() -> Option<Self> {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line after these bytes were typed.
    fn typed(bytes: &[u8]) -> String {
        let (mut input, mut line) = (bytes, Line::default());
        while !input.is_empty() {
            let key = next_key(&mut input).unwrap();
            match key {
                Key::Tab => line.complete(&["take_left".into(), "take_right".into(), "eat".into()]),
                key => line.edit(key),
            }
        }
        line.text()
    }

    #[test]
    fn a_line_can_be_edited() {
        assert_eq!(typed(b"abc"), "abc");
        assert_eq!(typed(b"abc\x1b[D\x1b[Dx"), "axbc");
        assert_eq!(typed(b"abc\x01x\x05y"), "xabcy");
        assert_eq!(typed(b"abc\x7f\x7f"), "a");
        assert_eq!(typed(b"abc\x1b[H\x1b[3~"), "bc");
        assert_eq!(typed(b"one two \x17"), "one ");
        assert_eq!(typed(b"one two\x1b[D\x15"), "o");
        assert_eq!(typed(b"one two\x02\x02\x02\x0b"), "one ");
        assert_eq!(typed("aü\x1b[Dö".as_bytes()), "aöü");
        assert_eq!(typed(b"\x1b[1;5A\x00x"), "x");
    }

    #[test]
    fn words_are_completed_as_far_as_they_agree() {
        assert_eq!(typed(b"ta\t"), "take_");
        assert_eq!(typed(b"take_l\t"), "take_left");
        assert_eq!(typed(b"x\t"), "x");
    }
}
