//! The extent of a never claim in a stream: from `never` to its closing brace.

use super::super::reader::starts_other_automaton;
use super::super::source::Source;
use crate::{Error, Place};
use std::io::BufRead;

/// A never claim as text.
pub(in crate::formats) struct Claim {
    /// Where the text starts.
    pub(super) place: Place,
    /// The text, with spaces in place of comments, so that positions do not change.
    pub(super) text: String,
    /// The first comment inside the braces, on one line: by convention the formula of the claim.
    pub(super) comment: Option<String>,
}

/// The context of the text read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Code,
    /// `/* … */`
    Comment,
    Quotation,
}

/// Takes the next claim out of the stream. Without a closing brace it extends to the start of the
/// next automaton.
pub(super) fn take<R: BufRead>(source: &mut Source<R>) -> Result<Claim, Error> {
    let mut claim = Claim { place: source.place(), text: String::new(), comment: None };
    let mut within = Within::Code;
    let mut depth = 0usize;
    // The comment under way, if it is the first one inside the braces.
    let mut comment: Option<String> = None;
    loop {
        let rest = source.rest();
        let bytes = rest.as_bytes();
        let mut end = 0;
        while let Some(&byte) = bytes.get(end) {
            let start = end;
            end += 1;
            let next = bytes.get(end).copied();
            match (within, byte) {
                (Within::Code, b'{') => depth += 1,
                (Within::Code, b'}') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        claim.text.push('}');
                        source.skip(end);
                        return Ok(claim);
                    }
                }
                (Within::Code, b'"') => within = Within::Quotation,
                (Within::Code, b'/') if next == Some(b'*') => {
                    within = Within::Comment;
                    comment = (depth > 0 && claim.comment.is_none()).then(String::new);
                    end += 1;
                }
                (Within::Code, b'/') if next == Some(b'/') => {
                    let line = rest[start..].trim_end_matches(['\r', '\n']);
                    blank(&mut claim.text, line);
                    end = start + line.len();
                    continue;
                }
                (Within::Comment, b'*') if next == Some(b'/') => {
                    within = Within::Code;
                    end += 1;
                    claim.text.push_str("  ");
                    if let Some(text) = comment.take() {
                        claim.comment = Some(text.trim().replace(['\r', '\n'], " "));
                    }
                    continue;
                }
                (Within::Quotation, b'\\') if next.is_some() => end += 1,
                (Within::Quotation, b'"') => within = Within::Code,
                _ => {}
            }
            while !rest.is_char_boundary(end) {
                end += 1;
            }
            let piece = &rest[start..end];
            match within {
                Within::Comment => {
                    blank(&mut claim.text, piece);
                    if let (Some(text), true) = (&mut comment, piece != "/*") {
                        text.push_str(piece);
                    }
                }
                _ => claim.text.push_str(piece),
            }
        }
        source.skip(end);
        // A quotation ends with its line; otherwise a stray quote would hide the rest of the text.
        if within == Within::Quotation {
            within = Within::Code;
        }
        let goes_on = source.next_line()?;
        if !goes_on || (within == Within::Code && starts_other_automaton(source.rest())) {
            return Ok(claim);
        }
    }
}

fn blank(text: &mut String, comment: &str) {
    text.extend(comment.chars().map(|char| if char == '\n' { '\n' } else { ' ' }));
}
