//! Where formulas come from: arguments, files, standard input; one formula per line.
//!
//! Files are read line by line into one buffer, and each formula is handed on before the next
//! line is read, so that any number of formulas pass in constant memory.

use crate::output::Output;
use crate::report::{self, Located, Place};
use anyhow::{Context, Error, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::ltl::{self, Formula, Syntax};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The longest line that is read. The limit is there for inputs that have no lines at all.
const LONGEST_LINE: u64 = 256 << 20;

/// The options that say where formulas are and how they are written.
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
    /// `auto` takes the infix syntax of Spot, which has Spin's operators too, and the prefix
    /// syntax of lbt for what cannot be read as infix: `! t` is the proposition t negated, unless
    /// `lbt` is asked for. `spin` groups operators as Spin does and has propositions such as
    /// len(q) < 3.
    #[arg(long, default_value = "auto", value_parser = syntaxes(), help_heading = "Input")]
    syntax: Syntax,

    /// Report bad lines and go on; the exit code is 2 all the same.
    #[arg(long, help_heading = "Input")]
    keep_going: bool,
}

/// Formulas as arguments and the options that name other sources.
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

/// Why a formula could not be dealt with.
pub(crate) enum Failure {
    /// The formula is to blame: with `--keep-going`, the next one has its turn.
    Formula(ltl::Error),
    /// Something else is: there is no use in going on.
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

/// Where a formula was read.
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

    /// The error in the text of a proposition as one in the text of the formula.
    pub(crate) fn in_proposition(&self, name: &str, error: ltl::Error) -> ltl::Error {
        let place = ltl::syntax::find_proposition(self.text, self.syntax, name);
        let is_literal = |span: &std::ops::Range<usize>| self.text.get(span.clone()) == Some(name);
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
}

/// What becomes of one formula, and whether the next is wanted.
pub(crate) type Visit = Result<ControlFlow<()>, Failure>;

impl FormulaInput {
    /// Hands every formula to `visit`, in order; tells how many lines were bad.
    ///
    /// The output is flushed whenever the next line has to be waited for, so that `sempre` can
    /// answer formula by formula at the other end of a pipe.
    pub(crate) fn for_each(
        &self,
        out: &mut Output,
        mut visit: impl FnMut(Formula, &mut Output) -> Visit,
    ) -> Result<BadLines> {
        self.for_each_with_source(out, |formula, _, out| visit(formula, out))
    }

    /// As [`FormulaInput::for_each`], with where each formula was read.
    pub(crate) fn for_each_with_source(
        &self,
        out: &mut Output,
        visit: impl FnMut(Formula, &Source<'_>, &mut Output) -> Visit,
    ) -> Result<BadLines> {
        self.options.for_each_with_source(&self.formulas, self.quiet, out, visit)
    }
}

/// How many lines were reported and passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BadLines(pub(crate) u64);

impl BadLines {
    /// The exit code of a command that has done its work but for the bad lines.
    pub(crate) fn exit_code(self) -> crate::Exit {
        if self.0 == 0 { crate::Exit::Success } else { crate::Exit::Error }
    }
}

impl InputOptions {
    /// True if formulas are to be read from files.
    pub(crate) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// The files that are named.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The same options with other files.
    pub(crate) fn with_files(&self, files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        InputOptions { files: files.into_iter().map(Into::into).collect(), ..self.clone() }
    }

    /// True if formulas are to be read from standard input, unless there are some as arguments.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.files.is_empty() || self.files.iter().any(|file| file.as_os_str() == "-")
    }

    /// True if errors are to be reported and passed over.
    pub(crate) fn keeps_going(&self) -> bool {
        self.keep_going
    }

    /// As [`FormulaInput::for_each_with_source`], with these formulas as arguments and, if `quiet`,
    /// without notes.
    pub(crate) fn for_each_with_source(
        &self,
        arguments: &[String],
        quiet: bool,
        out: &mut Output,
        visit: impl FnMut(Formula, &Source<'_>, &mut Output) -> Visit,
    ) -> Result<BadLines> {
        let mut reader = Reader { options: self, quiet, out, visit, bad: BadLines::default() };
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
        Ok(reader.bad)
    }
}

/// An error that ends the reading of a file.
enum Stop {
    /// The file cannot be read (any further).
    File(Error),
    /// Nothing can be done any further.
    Now(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Now(error)
    }
}

struct Reader<'a, V> {
    options: &'a InputOptions,
    quiet: bool,
    out: &'a mut Output,
    visit: V,
    bad: BadLines,
}

impl<V: FnMut(Formula, &Source<'_>, &mut Output) -> Visit> Reader<'_, V> {
    fn file(&mut self, path: &Path) -> Result<ControlFlow<()>, Stop> {
        if path.as_os_str() == "-" {
            let stdin = io::stdin().lock();
            if stdin.is_terminal() && !self.quiet {
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
            let read = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line);
            if read.with_context(|| format!("cannot read {name}")).map_err(Stop::File)? == 0 {
                break;
            }
            let place = Place::Line(name, number);
            if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
                let error =
                    ltl::Error::new(format!("the line is longer than {LONGEST_LINE} bytes"));
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
            // Some editors begin every UTF-8 file with this mark.
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
        let parsed = ltl::syntax::parse(text, self.options.syntax).map_err(Failure::from);
        let source = Source { name, text, syntax: self.options.syntax, place };
        match parsed.and_then(|formula| (self.visit)(formula, &source, self.out)) {
            Ok(flow) => Ok(flow),
            Err(Failure::Fatal(error)) => Err(error),
            Err(Failure::Formula(error)) => {
                self.bad_line(Located::new(place, text, error).into())?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Reports the error and goes on, if that is wanted.
    fn bad_line(&mut self, error: Error) -> Result<()> {
        if !self.options.keep_going {
            return Err(error);
        }
        // What is known of the lines before comes first, where both go to the same place.
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
