//! Reads automata from files and standard input, in any format.

use crate::input::{BadLines, InputOptions};
use crate::limits::Limits;
use crate::output::Output;
use crate::report::{self, Located, Place};
use anyhow::{Context, Error, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::automata::formats::{self, Format};
use sempre::automata::{self, AnyAutomaton, Automaton};
use sempre::ltl::{self, interrupt};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The options for the sources and the format of automata.
#[derive(clap::Args, Debug)]
pub(crate) struct AutomatonInput {
    /// A file of automata (`-` is standard input); without any, standard input is read.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The format of the automata; detected by default.
    #[arg(long, value_name = "FORMAT", value_parser = readable(), help_heading = "Input")]
    from: Option<Format>,

    /// Report errors and continue; the exit code is still 2.
    #[arg(long, help_heading = "Input")]
    keep_going: bool,

    /// Print no notes on standard error, only errors.
    #[arg(short, long, help_heading = "Input")]
    quiet: bool,
}

/// A file of automata that is read.
struct Stream<'a> {
    name: &'a str,
    reader: Box<dyn BufRead>,
    limits: &'a Limits,
    /// The number of automata so far, of all files.
    read: &'a mut u64,
}

fn readable() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.into_iter().filter(|format| format.is_readable()).map(Format::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

impl AutomatonInput {
    /// Returns the automata of the files that options for formulas name.
    pub(crate) fn of_files(options: &InputOptions) -> Self {
        AutomatonInput {
            files: options.files().to_vec(),
            from: None,
            keep_going: options.keeps_going(),
            quiet: true,
        }
    }

    /// True if one of the files is standard input.
    pub(crate) fn reads_standard_input(&self) -> bool {
        self.files.is_empty() || self.files.iter().any(|file| file.as_os_str() == "-")
    }

    /// True if notes are not wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Passes every automaton to `visit`, in order, as soon as it is read. Returns the number of
    /// automata with errors. Reading and visiting an automaton are under the limits.
    ///
    /// Flushes the output after each one, so that its result appears before the next is read.
    pub(crate) fn for_each(
        &self,
        limits: &Limits,
        out: &mut Output,
        mut visit: impl FnMut(AnyAutomaton, &mut Output) -> Result<ControlFlow<()>>,
    ) -> Result<BadLines> {
        let mut read = 0;
        let mut bad = BadLines::default();
        let stdin = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &stdin } else { &*self.files };
        for path in files {
            let flow = match open(path, self.quiet) {
                Ok((name, reader)) => {
                    let stream = Stream { name: &name, reader, limits, read: &mut read };
                    self.stream(stream, out, &mut visit, &mut bad)?
                }
                Err(error) => {
                    self.bad(error, out, &mut bad)?;
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(bad)
    }

    fn stream(
        &self,
        stream: Stream<'_>,
        out: &mut Output,
        visit: &mut impl FnMut(AnyAutomaton, &mut Output) -> Result<ControlFlow<()>>,
        bad: &mut BadLines,
    ) -> Result<ControlFlow<()>> {
        let Stream { name, reader, limits, read } = stream;
        let recent = Recent::default();
        let reader = RecordingReader { inner: reader, recent: recent.clone() };
        let mut automata = formats::read(reader, self.from)?;
        loop {
            let number = *read + 1;
            // An automaton whose reading was interrupted has no end.
            let mut is_read = false;
            let outcome = limits.run(
                || format!("automaton {number}"),
                || {
                    let next = automata.next();
                    is_read = true;
                    match next {
                        None => Ok(None),
                        Some(Ok(item)) => {
                            *read += 1;
                            visit(item.automaton, out).map(Some)
                        }
                        Some(Err(error)) => Err(recent.locate(name, error)),
                    }
                },
            );
            match outcome {
                Ok(None) => return Ok(ControlFlow::Continue(())),
                Ok(Some(ControlFlow::Continue(()))) => out.flush()?,
                Ok(Some(ControlFlow::Break(()))) => return Ok(ControlFlow::Break(())),
                Err(error) if crate::is_closed_pipe(&error) => return Err(error),
                Err(error) => {
                    self.bad(error, out, bad)?;
                    if !is_read {
                        return Ok(ControlFlow::Continue(()));
                    }
                }
            }
        }
    }

    /// Reports the error and continues under `--keep-going`.
    fn bad(&self, error: Error, out: &mut Output, bad: &mut BadLines) -> Result<()> {
        if !self.keep_going {
            return Err(error);
        }
        out.flush()?;
        report::error(&error);
        bad.0 += 1;
        Ok(())
    }
}

/// Reads the only automaton of a file.
pub(crate) fn read_one(path: &Path) -> Result<Automaton> {
    let mut automata = read_all(path)?;
    match automata.pop() {
        Some(automaton) if automata.is_empty() => Ok(automaton),
        _ => anyhow::bail!("there is more than one automaton in {}", path.display()),
    }
}

/// Reads the automata of a file, at least one.
pub(crate) fn read_all(path: &Path) -> Result<Vec<Automaton>> {
    let (name, reader) = open(path, false)?;
    let recent = Recent::default();
    let reader = RecordingReader { inner: reader, recent: recent.clone() };
    let mut automata = Vec::new();
    for read in formats::read(reader, None)? {
        match read.map_err(|error| recent.locate(&name, error))?.automaton {
            AnyAutomaton::Nondeterministic(automaton) => automata.push(automaton),
            AnyAutomaton::Alternating(_) => {
                anyhow::bail!("the automaton in {name} is alternating")
            }
        }
    }
    match automata.is_empty() {
        true => anyhow::bail!("there is no automaton in {name}"),
        false => Ok(automata),
    }
}

/// Opens a file of automata, or standard input.
fn open(path: &Path, quiet: bool) -> Result<(String, Box<dyn BufRead>)> {
    if path.as_os_str() == "-" {
        let stdin = io::stdin();
        if stdin.is_terminal() && !quiet {
            report::note("reading automata from standard input");
        }
        return Ok(("<stdin>".to_owned(), Box::new(BufReader::new(stdin))));
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let kind = file.metadata().with_context(|| format!("cannot read {name}"))?;
    if kind.is_dir() {
        anyhow::bail!("cannot read {name}: it is a folder");
    }
    Ok((name, Box::new(BufReader::with_capacity(1 << 16, file))))
}

/// The lines read last: an error may be in one of them, and the stream cannot be read twice.
#[derive(Clone, Default)]
struct Recent(Arc<Mutex<RecentLines>>);

#[derive(Default)]
struct RecentLines {
    lines: VecDeque<Vec<u8>>,
    /// The number of the first line, from 0.
    first: usize,
    bytes: usize,
}

/// The number of bytes of recent lines to store; parsers read ahead less than that.
const RECENT_BYTES: usize = 1 << 18;

impl Recent {
    fn push(&self, bytes: &[u8]) {
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.lines.is_empty() {
            recent.lines.push_back(vec![]);
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            recent.bytes += part.len();
            if let Some(line) = recent.lines.back_mut() {
                line.extend_from_slice(part);
            }
            if part.ends_with(b"\n") {
                recent.lines.push_back(vec![]);
            }
        }
        while recent.bytes > RECENT_BYTES && recent.lines.len() > 1 {
            let gone = recent.lines.pop_front().map_or(0, |line| line.len());
            recent.bytes -= gone;
            recent.first += 1;
        }
    }

    /// Returns the error with its line, if the line is still stored.
    fn locate(&self, name: &str, error: automata::Error) -> Error {
        let Some(place) = error.place() else {
            return Error::new(error).context(format!("in {name}"));
        };
        let recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let line = place.line.checked_sub(recent.first + 1).and_then(|i| recent.lines.get(i));
        let line = line.map_or("".into(), |line| String::from_utf8_lossy(line.trim_ascii_end()));
        let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(i, _)| i);
        let span = byte(place.column - 1)..byte(place.column - 1 + place.width);
        let mut shown = ltl::Error::at(span, error.message());
        if let Some(expectation) = error.expectation() {
            shown = shown.expected(expectation);
        }
        Located::new(&Place::Line(name, place.line), &line, shown).into()
    }
}

/// A reader that records the lines it returns.
struct RecordingReader<R> {
    inner: R,
    recent: Recent,
}

impl<R: BufRead> Read for RecordingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = interrupt::waiting(|| self.inner.read(buffer))?;
        self.recent.push(&buffer[..read]);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for RecordingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        interrupt::waiting(|| self.inner.fill_buf())
    }

    fn consume(&mut self, amount: usize) {
        if let Ok(bytes) = self.inner.fill_buf() {
            self.recent.push(&bytes[..amount.min(bytes.len())]);
        }
        self.inner.consume(amount);
    }
}
