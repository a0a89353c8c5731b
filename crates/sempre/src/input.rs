//! Reads formulas from arguments, files and standard input, one per line.
//!
//! Files are read line by line, and each formula is processed before the next line is read, so
//! memory use is constant.

use crate::limits;
use crate::output::Output;
use crate::report::{self, Located, Place};
use anyhow::{Context, Error, Result, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::ltl::{self, Formula, Syntax};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The maximal length of a line, in bytes. It protects against inputs without line breaks.
const LONGEST_LINE: u64 = 256 << 20;

/// The length of formulas that are read under the limits of the command, in bytes.
const LARGE: usize = 1 << 16;

/// The options for the sources and the syntax of formulas.
#[derive(Clone, clap::Args, Debug)]
pub(crate) struct InputOptions {
    /// Read formulas from FILE, one per line (`-` is standard input); may be repeated.
    ///
    /// A line may begin with a name for the formula and a colon: `mutex: G !(a & b)`. Blank lines
    /// and lines that start with `#` are skipped. Without FILE and FORMULA, formulas are read from
    /// standard input. A line may have 256 MiB.
    #[arg(short = 'F', long = "file", value_name = "FILE", help_heading = "Input")]
    files: Vec<PathBuf>,

    /// The syntax of the formulas.
    ///
    /// `auto` reads the infix syntax of Spot, which includes Spin's operators. A formula that is
    /// not infix is read in the prefix syntax of lbt; `! t` is a negated proposition unless `lbt`
    /// is given. `spin` groups operators as Spin does and has propositions such as len(q) < 3.
    #[arg(long, default_value = "auto", value_parser = syntaxes(), help_heading = "Input")]
    syntax: Syntax,

    /// Report bad lines and continue; the exit code is still 2.
    #[arg(long, help_heading = "Input")]
    keep_going: bool,
}

/// Formulas as arguments, and options for other sources.
#[derive(clap::Args, Debug)]
pub(crate) struct FormulaInput {
    /// A formula; without any, and without -F, formulas are read from standard input.
    #[arg(value_name = "FORMULA")]
    formulas: Vec<String>,

    #[command(flatten)]
    options: InputOptions,

    /// Print no notes on standard error, only errors.
    #[arg(short, long, help_heading = "Input")]
    quiet: bool,
}

/// Parses the name of a syntax of formulas.
pub(crate) fn syntaxes() -> impl TypedValueParser<Value = Syntax> {
    PossibleValuesParser::new(Syntax::ALL.map(Syntax::name)).try_map(|name| name.parse::<Syntax>())
}

/// Why a formula was not processed.
pub(crate) enum Failure {
    /// An error of this formula: `--keep-going` continues with the next one.
    Formula(ltl::Error),
    /// Any other error: the command stops.
    Fatal(Error),
}

impl From<ltl::Error> for Failure {
    fn from(error: ltl::Error) -> Self {
        Failure::Formula(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Fatal(error.into())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Fatal(error)
    }
}

/// For commands that make formulas themselves.
impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Formula(error) => error.into(),
            Failure::Fatal(error) => error,
        }
    }
}

/// How formulas are read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// True if notes are suppressed.
    pub(crate) quiet: bool,
    /// If only one formula can be processed, the message about others. It comes before the first is
    /// processed.
    pub(crate) single: Option<&'static str>,
    /// Adds to an error in a text where to find out more.
    pub(crate) explain: &'a dyn Fn(&str, ltl::Error) -> ltl::Error,
}

impl Reading<'_> {
    /// Reads any number of formulas.
    pub(crate) fn any(quiet: bool) -> Self {
        Reading { quiet, single: None, explain: &|_, error| error }
    }
}

/// The place of a formula in the input.
pub(crate) struct Source<'a> {
    name: Option<&'a str>,
    text: &'a str,
    syntax: Syntax,
    place: &'a Place<'a>,
}

impl Source<'_> {
    /// The name that the line gives the formula.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name
    }

    /// An error about the whole of the formula, with its place.
    pub(crate) fn located(&self, message: impl std::fmt::Display) -> Error {
        Located::new(self.place, self.text, ltl::Error::new(message.to_string())).into()
    }

    /// Converts an error in the text of a proposition into one in the text of the formula.
    pub(crate) fn in_proposition(&self, name: &str, error: ltl::Error) -> ltl::Error {
        in_formula(self.text, self.syntax, name, error)
    }
}

/// Converts an error in the text of a proposition into one in the text of a formula.
pub(crate) fn in_formula(
    text: &str,
    syntax: Syntax,
    proposition: &str,
    error: ltl::Error,
) -> ltl::Error {
    let place = ltl::syntax::find_proposition(text, syntax, proposition);
    let is_literal = |span: &std::ops::Range<usize>| text.get(span.clone()) == Some(proposition);
    match (place, error.span()) {
        (Some(place), Some(_)) if is_literal(&place) => error.shifted(place.start),
        (Some(place), _) => {
            let whole = ltl::Error::at(place, error.message());
            match error.expectation() {
                Some(expected) => whole.expected(expected),
                None => whole,
            }
        }
        (None, _) => ltl::Error::new(error.to_string()),
    }
}

/// The result for one formula, and whether to continue.
pub(crate) type Visit = Result<ControlFlow<()>, Failure>;

impl FormulaInput {
    /// Passes every formula to `visit`, in order. Returns the number of bad lines.
    ///
    /// Flushes the output before it waits for the next line, so that a process at the other end of
    /// a pipe gets each answer.
    pub(crate) fn for_each(
        &self,
        out: &mut Output,
        mut visit: impl FnMut(Formula, &mut Output) -> Visit,
    ) -> Result<BadLines> {
        self.for_each_with_source(out, |formula, _, out| visit(formula, out))
    }

    /// True if notes are not wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// As [`FormulaInput::for_each`], with the place of each formula.
    pub(crate) fn for_each_with_source(
        &self,
        out: &mut Output,
        visit: impl FnMut(Formula, &Source<'_>, &mut Output) -> Visit,
    ) -> Result<BadLines> {
        let reading = Reading::any(self.quiet);
        self.options.for_each_with_source(&self.formulas, reading, out, visit)
    }
}

/// The number of lines that were reported and skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BadLines(pub(crate) u64);

impl BadLines {
    /// Returns the exit code of a command that succeeded except for the bad lines.
    pub(crate) fn exit_code(self) -> crate::Exit {
        if self.0 == 0 { crate::Exit::Success } else { crate::Exit::Error }
    }
}

impl InputOptions {
    /// True if formulas come from files.
    pub(crate) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Returns the named files.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns these options with other files.
    pub(crate) fn with_files(&self, files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        InputOptions { files: files.into_iter().map(Into::into).collect(), ..self.clone() }
    }

    /// True if formulas come from standard input unless there are arguments.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.files.is_empty() || self.files.iter().any(|file| file.as_os_str() == "-")
    }

    /// True if errors are reported and skipped.
    pub(crate) fn keeps_going(&self) -> bool {
        self.keep_going
    }

    /// As [`FormulaInput::for_each_with_source`], with these formulas as arguments.
    pub(crate) fn for_each_with_source(
        &self,
        arguments: &[String],
        reading: Reading<'_>,
        out: &mut Output,
        visit: impl FnMut(Formula, &Source<'_>, &mut Output) -> Visit,
    ) -> Result<BadLines> {
        let bad = BadLines::default();
        let mut reader = Reader { options: self, reading, out, visit, bad, waiting: None };
        for (i, text) in arguments.iter().enumerate() {
            if reader.formula(None, text, &Place::Argument(i + 1))?.is_break() {
                return Ok(reader.bad);
            }
        }
        let stdin = [PathBuf::from("-")];
        let files =
            if arguments.is_empty() && self.files.is_empty() { &stdin } else { &*self.files };
        for path in files {
            match reader.file(path) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(Stop::Now(error)) => return Err(error),
                Err(Stop::File(error)) => reader.bad_line(error)?,
            }
        }
        if let Some(Waiting { formula, name, text, file, line }) = reader.waiting.take() {
            let place = match &file {
                Some(file) => Place::Line(file, line),
                None => Place::Argument(line),
            };
            // No other formula follows, so that it makes no difference whether the command goes on.
            let _: ControlFlow<()> = reader.visit(Ok(formula), name.as_deref(), &text, &place)?;
        }
        Ok(reader.bad)
    }
}

/// An error that stops the reading of a file.
enum Stop {
    /// The file cannot be read any further.
    File(Error),
    /// The command cannot continue.
    Now(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Now(error)
    }
}

struct Reader<'a, V> {
    options: &'a InputOptions,
    reading: Reading<'a>,
    out: &'a mut Output,
    visit: V,
    bad: BadLines,
    waiting: Option<Waiting>,
}

/// A formula that is processed if no other follows, and its place.
struct Waiting {
    formula: Formula,
    name: Option<String>,
    text: String,
    /// None for an argument.
    file: Option<String>,
    line: usize,
}

impl<V: FnMut(Formula, &Source<'_>, &mut Output) -> Visit> Reader<'_, V> {
    fn file(&mut self, path: &Path) -> Result<ControlFlow<()>, Stop> {
        if path.as_os_str() == "-" {
            let stdin = io::stdin().lock();
            if stdin.is_terminal() && !self.reading.quiet {
                report::note("reading formulas from standard input, one per line");
            }
            return self.lines("<stdin>", stdin);
        }
        let name = path.display().to_string();
        let file =
            File::open(path).with_context(|| format!("cannot read {name}")).map_err(Stop::File)?;
        self.lines(&name, file)
    }

    fn lines(&mut self, name: &str, file: impl Read) -> Result<ControlFlow<()>, Stop> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        for number in 1.. {
            if !reader.buffer().contains(&b'\n') {
                self.out.flush().map_err(Error::from)?;
            }
            line.clear();
            let longest = limits::longest_part(LONGEST_LINE);
            let read = (&mut reader).take(longest).read_until(b'\n', &mut line);
            if read.with_context(|| format!("cannot read {name}")).map_err(Stop::File)? == 0 {
                break;
            }
            let place = Place::Line(name, number);
            if line.len() as u64 == longest && !line.ends_with(b"\n") {
                let error = ltl::Error::new(format!("the line is longer than {longest} bytes"));
                self.bad_line(Located::new(&place, "", error).into())?;
                reader
                    .skip_until(b'\n')
                    .with_context(|| format!("cannot read {name}"))
                    .map_err(Stop::File)?;
                continue;
            }
            if self.line(&line, &place)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn line(&mut self, mut line: &[u8], place: &Place<'_>) -> Result<ControlFlow<()>> {
        while let [start @ .., b'\n' | b'\r'] = line {
            line = start;
        }
        if let Place::Line(_, 1) = place {
            // Some editors begin every UTF-8 file with a byte order mark.
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        match line.trim_ascii_start() {
            [] | [b'#', ..] => return Ok(ControlFlow::Continue(())),
            _ => {}
        }
        match std::str::from_utf8(line) {
            Ok(text) => {
                let (name, text) = named(text);
                self.formula(name, text, place)
            }
            Err(error) => {
                self.bad_line(Located::not_utf8(place, line, error).into())?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    fn formula(
        &mut self,
        name: Option<&str>,
        text: &str,
        place: &Place<'_>,
    ) -> Result<ControlFlow<()>> {
        let parsed = self.parse(text);
        if let (Some(message), Ok(formula)) = (self.reading.single, &parsed) {
            if self.waiting.is_some() {
                return Err(anyhow!(message));
            }
            let (file, line) = match *place {
                Place::Line(file, line) => (Some(file.to_owned()), line),
                Place::Argument(number) => (None, number),
                Place::Named(name) => (Some(name.to_owned()), 1),
            };
            let (name, text) = (name.map(str::to_owned), text.to_owned());
            self.waiting = Some(Waiting { formula: formula.clone(), name, text, file, line });
            return Ok(ControlFlow::Continue(()));
        }
        self.visit(parsed, name, text, place)
    }

    /// Parses a formula; a large one under the limits of the command, which small ones cannot reach.
    fn parse(&self, text: &str) -> Result<Formula, ltl::Error> {
        let parse = || ltl::syntax::parse(text, self.options.syntax);
        match text.len() {
            0..LARGE => parse(),
            length => limits::reading(|| format!("a formula of {length} bytes"), parse)
                .unwrap_or_else(|error| Err(ltl::Error::new(error.to_string()))),
        }
    }

    /// Processes a formula, or reports why there is none.
    fn visit(
        &mut self,
        parsed: Result<Formula, ltl::Error>,
        name: Option<&str>,
        text: &str,
        place: &Place<'_>,
    ) -> Result<ControlFlow<()>> {
        let source = Source { name, text, syntax: self.options.syntax, place };
        let visited = parsed
            .map_err(Failure::from)
            .and_then(|formula| (self.visit)(formula, &source, self.out));
        match visited {
            Ok(flow) => Ok(flow),
            Err(Failure::Fatal(error)) => Err(error),
            Err(Failure::Formula(error)) => {
                let error = (self.reading.explain)(text, error);
                self.bad_line(Located::new(place, text, error).into())?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Reports the error and continues under `--keep-going`.
    fn bad_line(&mut self, error: Error) -> Result<()> {
        if !self.options.keep_going {
            return Err(error);
        }
        // If both streams go to the same place, results of earlier lines come first.
        self.out.flush()?;
        report::error(&error);
        self.bad.0 += 1;
        Ok(())
    }
}

/// Takes the name of a property from a line: `name: formula`. A name has letters, digits, `_`, `-` and
/// `.`, and no formula begins with one and a colon.
fn named(line: &str) -> (Option<&str>, &str) {
    let is_part = |character: char| character.is_alphanumeric() || "_-.".contains(character);
    match line.split_once(':') {
        Some((name, formula)) if !name.trim().is_empty() && name.trim().chars().all(is_part) => {
            (Some(name.trim()), formula.trim_start())
        }
        _ => (None, line),
    }
}
