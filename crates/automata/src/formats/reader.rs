//! Streams of automata, each in its own format.

use super::source::Source;
use super::{Format, ats, dstar, hoa, lbtt, never};
use crate::{AnyAutomaton, Error, Place};
use std::io::BufRead;

/// An automaton from a stream.
#[derive(Clone, Debug)]
pub struct StreamItem {
    /// The automaton.
    pub automaton: AnyAutomaton,
    /// Its format.
    pub format: Format,
    /// The position of its text.
    pub place: Place,
}

/// An iterator over the automata of a stream.
///
/// The reader consumes no more of the stream than the line that completes an automaton. After an
/// error it continues with the next automaton that it recognizes.
///
/// ```
/// use sempre_automata::formats::{Format, Reader};
/// let text = "never { T0: if :: (p) -> goto T0 fi }\n 1 0 0 1 -1 0 p0 -1\n";
/// let automata: Vec<_> = Reader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
/// assert_eq!(automata[0].format, Format::Never);
/// assert_eq!(automata[1].format, Format::Lbtt);
/// assert_eq!(automata[1].place.line, 2);
/// ```
pub struct Reader<R> {
    source: Source<R>,
    format: Option<Format>,
    /// After an error with an unknown end: the first line of the faulty automaton.
    lost: Option<usize>,
    /// The pending text in HOA.
    hoa: Option<hoa::Automata>,
}

/// Reads the automata of a stream in this format; `None` detects the formats.
///
/// # Errors
/// If the format cannot be read.
pub fn read<R: BufRead>(reader: R, format: Option<Format>) -> Result<Reader<R>, Error> {
    match format {
        Some(format) if !format.is_readable() => {
            Err(Error::new(format!("automata cannot be read in the format {format}")))
        }
        _ => Ok(Reader { format, ..Reader::new(reader) }),
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the automata of a stream and detects their formats.
    pub fn new(reader: R) -> Self {
        Reader { source: Source::new(reader), format: None, lost: None, hoa: None }
    }

    fn next_automaton(&mut self) -> Result<Option<StreamItem>, Error> {
        loop {
            if let Some(automata) = &mut self.hoa {
                match automata.next() {
                    Some(read) => {
                        let place = automata.place();
                        let automaton = read?;
                        return Ok(Some(StreamItem { automaton, format: Format::Hoa, place }));
                    }
                    None => self.hoa = None,
                }
            }
            if let Some(failed) = self.lost
                && !find_start(&mut self.source, failed)?
            {
                return Ok(None);
            }
            self.lost = Some(self.source.place().line);
            if !skip_comments(&mut self.source)? {
                return Ok(None);
            }
            let place = self.source.place();
            self.lost = Some(place.line);
            let format = match self.format {
                Some(format) => format,
                None => self.recognize()?,
            };
            let automaton = match format {
                Format::Hoa => {
                    self.hoa = Some(hoa::take(&mut self.source)?);
                    self.lost = None;
                    continue;
                }
                Format::Never => {
                    let claim = never::take(&mut self.source)?;
                    self.lost = None;
                    never::read(&claim)?
                }
                Format::Lbtt => lbtt::read(&mut self.source)?,
                Format::Dstar => dstar::read(&mut self.source)?,
                Format::Ats => match ats::read(&mut self.source)? {
                    Some(automaton) => automaton,
                    None => {
                        self.lost = None;
                        return Ok(None);
                    }
                },
                Format::Json => unreachable!("the format is readable"),
            };
            self.lost = None;
            let automaton = AnyAutomaton::Nondeterministic(automaton);
            return Ok(Some(StreamItem { automaton, format, place }));
        }
    }

    fn recognize(&mut self) -> Result<Format, Error> {
        if let Some(format) = recognize(self.source.rest()) {
            return Ok(format);
        }
        let expected = "an automaton: `HOA:`, `never`, `DRA`, `DSA`, `NestedWordAutomaton` or a number of states";
        self.source.token(expected)?;
        Err(self.source.unexpected(expected))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<StreamItem, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_automaton().transpose()
    }
}

/// Skips white space, comments, and lines of the preprocessor, which start with `#`; false at the
/// end of the stream.
fn skip_comments<R: BufRead>(source: &mut Source<R>) -> Result<bool, Error> {
    while source.skip_space()? {
        let rest = source.rest();
        if rest.starts_with('#') || rest.starts_with("//") {
            source.next_line()?;
        } else if rest.starts_with("/*") {
            let start = source.place();
            let mut from = 2;
            while let (None, rest) = (source.rest()[from..].find("*/"), source.rest().len()) {
                source.skip(rest);
                from = 0;
                if !source.next_line()? {
                    return Err(Error::at(start, "unterminated comment").expected("`*/`"));
                }
            }
            let end = source.rest()[from..].find("*/").map_or(0, |end| from + end + 2);
            source.skip(end);
        } else {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Recognizes the format of the automaton at the start of a text.
fn recognize(text: &str) -> Option<Format> {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    match word {
        "HOA" if text[word.len()..].starts_with(':') => Some(Format::Hoa),
        "never" => Some(Format::Never),
        "DRA" | "DSA" => Some(Format::Dstar),
        _ if ats::is_start(word) => Some(Format::Ats),
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => Some(Format::Lbtt),
        _ => None,
    }
}

/// Skips to the next line that can only be the start of an automaton, after one that started in
/// line `failed`; false if there is none.
fn find_start<R: BufRead>(source: &mut Source<R>, failed: usize) -> Result<bool, Error> {
    // The offending token may itself be the start of the next automaton.
    let mut at_start = source.reconsider(failed);
    let mut after_blank = false;
    loop {
        if at_start && starts_automaton(source.rest(), after_blank) {
            return Ok(true);
        }
        after_blank = source.rest().trim().is_empty();
        at_start = true;
        // Lines with invalid UTF-8 are skipped like all others.
        match source.next_line() {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) if error.place().is_some() => {}
            Err(error) => return Err(error),
        }
    }
}

/// True if this line must be the start of an automaton. The first line in lbtt's format is
/// ambiguous, unless it ends with `s` or `t` or follows a blank line.
fn starts_automaton(line: &str, after_blank: bool) -> bool {
    match recognize(line.trim_start()) {
        None => false,
        Some(Format::Lbtt) => {
            let mut words = line.split_ascii_whitespace();
            let (_states, sets, rest) = (words.next(), words.next(), words.next());
            let Some(sets) = sets else { return false };
            let digits = sets.trim_end_matches(['s', 't']);
            let is_number = super::source::decimal(digits).is_some();
            rest.is_none() && is_number && (after_blank || digits.len() < sets.len())
        }
        Some(_) => true,
    }
}

/// True if the line can belong neither to a never claim nor to an automaton in HOA, because it
/// starts another one.
pub(super) fn starts_other_automaton(line: &str) -> bool {
    match line.strip_prefix("never") {
        // Not a longer word, nor a header of HOA.
        Some(rest) => rest.starts_with(|c: char| c.is_ascii_whitespace() || c == '{'),
        None => line.starts_with("HOA: v"),
    }
}
