//! Splits a stream into the texts of single automata.
//!
//! An automaton ends with `--END--` or `--ABORT--` outside of strings and comments. Without an end
//! it stops at the next line that begins with `HOA:`. Text of a faulty automaton is scanned a
//! second time. Then such a line starts a new automaton even within a string or a comment, so an
//! unclosed one cannot hide the rest of the stream. Every byte is scanned at most twice.

use super::lexer::{is_word, starts_word};
use std::io::{self, BufRead};

/// The number of bytes per read of the input.
const CHUNK: usize = 1 << 16;

/// The text of one automaton, as a part of [`Frames::text`].
#[derive(Debug)]
pub(super) enum Frame {
    /// An automaton that ends with `--END--`, or is truncated.
    Automaton,
    /// An automaton that was aborted.
    Aborted,
    /// Only white space and comments up to the end of the input.
    End,
}

pub(super) struct Frames<R> {
    input: R,
    buffer: Vec<u8>,
    /// The range of the frame in the buffer.
    start: usize,
    end: usize,
    /// The end of the part of the buffer that is scanned for the second time.
    distrusted: usize,
    /// The position of the frame in the whole input, counted from 0.
    line: usize,
    column: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Within {
    Blank,
    Word,
    String,
    Comment(usize),
}

/// True for bytes that the scan can skip between tokens.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        plain[byte] = !(starts_word(b) || b == b'"' || b == b'/' || b == b'-' || b == b'@');
        byte += 1;
    }
    plain
};

impl<R: BufRead> Frames<R> {
    pub(super) fn new(input: R) -> Self {
        let (buffer, start, end, distrusted, line, column) = (vec![], 0, 0, 0, 0, 0);
        Frames { input, buffer, start, end, distrusted, line, column }
    }

    /// The text of the current frame.
    pub(super) fn text(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Returns the line and the column of an offset in the current frame, counted from 1.
    pub(super) fn place(&self, offset: usize) -> (usize, usize) {
        let (line, column) = self.after(offset);
        (line + 1, column + 1)
    }

    fn after(&self, offset: usize) -> (usize, usize) {
        let before = &self.text()[..offset];
        let chars = |text: &[u8]| text.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        match before.iter().rposition(|byte| *byte == b'\n') {
            None => (self.line, self.column + chars(before)),
            Some(last) => {
                let lines = before.iter().filter(|byte| **byte == b'\n').count();
                (self.line + lines, chars(&before[last + 1..]))
            }
        }
    }

    /// Returns the rest of the frame to the stream, from the first line after `offset` that begins
    /// with `HOA:`.
    pub(super) fn resume_after(&mut self, offset: usize) {
        let text = self.text();
        let header = b"\nHOA:";
        if let Some(place) = text[offset..].windows(header.len()).position(|part| part == header) {
            self.distrusted = self.distrusted.max(self.end);
            self.end = self.start + offset + place + 1;
        }
    }

    /// Moves to the next frame.
    pub(super) fn advance(&mut self) -> io::Result<Frame> {
        (self.line, self.column) = self.after(self.end - self.start);
        self.start = self.end;
        let mut pos = self.start;
        let mut within = Within::Blank;
        let mut seen = false;
        loop {
            match self.scan(&mut pos, &mut within, &mut seen) {
                Some((end, frame)) => {
                    self.end = end;
                    return Ok(frame);
                }
                None if self.refill(&mut pos)? => {}
                // The input ended before the awaited text.
                None => {
                    self.end = self.buffer.len();
                    let blank = !seen && matches!(within, Within::Blank);
                    let rest = self.buffer[pos..].iter().all(u8::is_ascii_whitespace);
                    return Ok(if blank && rest { Frame::End } else { Frame::Automaton });
                }
            }
        }
    }

    /// Reads more input; false at its end.
    fn refill(&mut self, pos: &mut usize) -> io::Result<bool> {
        if self.start > CHUNK {
            self.buffer.drain(..self.start);
            *pos -= self.start;
            self.distrusted = self.distrusted.saturating_sub(self.start);
            self.start = 0;
        }
        loop {
            match self.input.fill_buf() {
                Ok(chunk) => {
                    let len = chunk.len().min(CHUNK);
                    self.buffer.extend_from_slice(&chunk[..len]);
                    self.input.consume(len);
                    return Ok(len > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Searches for the end of the frame from `pos` on; `None` if more input is needed.
    fn scan(
        &self,
        pos: &mut usize,
        within: &mut Within,
        seen: &mut bool,
    ) -> Option<(usize, Frame)> {
        let text = &self.buffer[..];
        loop {
            match *within {
                Within::Blank => {
                    while let Some(&byte) = text.get(*pos).filter(|byte| PLAIN[**byte as usize]) {
                        *seen |= byte > b' ';
                        *pos += 1;
                    }
                    let rest = text.get(*pos..).filter(|rest| !rest.is_empty())?;
                    match rest[0] {
                        b'"' => {
                            *within = Within::String;
                            *pos += 1;
                        }
                        b'/' if rest.len() < 2 => return None,
                        b'/' if rest[1] == b'*' => {
                            *within = Within::Comment(1);
                            *pos += 2;
                            continue;
                        }
                        b'-' => {
                            for (mark, frame) in [
                                (&b"--END--"[..], Frame::Automaton),
                                (&b"--ABORT--"[..], Frame::Aborted),
                            ] {
                                if rest.starts_with(mark) {
                                    return Some((*pos + mark.len(), frame));
                                }
                                if mark.starts_with(rest) {
                                    return None;
                                }
                            }
                            *pos += 1;
                        }
                        b'/' => *pos += 1,
                        _ => {
                            if *seen && self.starts_line(*pos) {
                                if rest.starts_with(b"HOA:") {
                                    return Some((*pos, Frame::Automaton));
                                }
                                if b"HOA:".starts_with(rest) {
                                    return None;
                                }
                            }
                            *within = Within::Word;
                            *pos += 1;
                        }
                    }
                    *seen = true;
                }
                Within::Word => {
                    let rest = &text[*pos..];
                    let len = rest.iter().position(|byte| !is_word(*byte));
                    *pos += len.unwrap_or(rest.len());
                    len?;
                    *within = Within::Blank;
                }
                Within::String => {
                    let byte = *text.get(*pos)?;
                    if self.cuts(*pos) {
                        return Some((*pos, Frame::Automaton));
                    }
                    match byte {
                        b'\\' if *pos + 1 == text.len() => return None,
                        b'\\' => *pos += 1,
                        b'"' => *within = Within::Blank,
                        _ => {}
                    }
                    *pos += 1;
                }
                Within::Comment(depth) => {
                    let pair = text.get(*pos..*pos + 2)?;
                    if self.cuts(*pos) {
                        return Some((*pos, Frame::Automaton));
                    }
                    match pair {
                        b"/*" => *within = Within::Comment(depth + 1),
                        b"*/" if depth == 1 => *within = Within::Blank,
                        b"*/" => *within = Within::Comment(depth - 1),
                        _ => {
                            *pos += 1;
                            continue;
                        }
                    }
                    *pos += 2;
                }
            }
        }
    }

    fn starts_line(&self, pos: usize) -> bool {
        pos > self.start && self.buffer[pos - 1] == b'\n'
    }

    /// True if a new automaton starts within a string or comment during a second scan.
    fn cuts(&self, pos: usize) -> bool {
        pos < self.distrusted && self.starts_line(pos) && self.buffer[pos..].starts_with(b"HOA:")
    }
}
