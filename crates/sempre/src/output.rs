//! Where results go: standard output, or a file that appears whole or not at all.

use crate::input::Failure;
use crate::signals;
use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::ltl::syntax::{Notation, Printed};
use sempre::ltl::{self, Formula};
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The option that says where results go.
#[derive(clap::Args, Debug)]
pub(crate) struct OutputOptions {
    /// Write the results to FILE instead of standard output.
    ///
    /// The file appears when all is done: a run that fails or is killed leaves no part of it. A search
    /// that is interrupted leaves what it has told until then.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

/// A buffered writer of results, to be [finished](Output::finish).
pub(crate) enum Output {
    /// Standard output. On a terminal every line is shown as soon as it is written.
    Standard(BufWriter<StdoutLock<'static>>, bool),
    /// A device or pipe with a name: it takes what it is given.
    Device(BufWriter<File>),
    /// A file that is put in its place at the end.
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl OutputOptions {
    /// Opens the output.
    pub(crate) fn open(&self) -> Result<Output> {
        match &self.output {
            Some(path) if path.as_os_str() != "-" => {
                Output::file(path).with_context(|| format!("cannot write {}", path.display()))
            }
            _ => Ok(Output::standard()),
        }
    }
}

impl Output {
    /// Writes a whole file, which appears when it is complete.
    pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
        let mut out =
            Output::file(path).with_context(|| format!("cannot write {}", path.display()))?;
        out.write_all(content)?;
        out.finish()
    }

    /// Standard output.
    pub(crate) fn standard() -> Output {
        let stdout = io::stdout().lock();
        let terminal = stdout.is_terminal();
        Output::Standard(BufWriter::with_capacity(1 << 16, stdout), terminal)
    }

    /// A file of that name, or what the name leads to.
    fn file(path: &Path) -> io::Result<Output> {
        // Behind a symbolic link, it is the file that is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&target).ok();
        if let Some(old) = &old
            && !old.is_file()
        {
            return Ok(Output::Device(BufWriter::new(File::create(&target)?)));
        }
        if target.file_name().is_none() {
            return Err(io::Error::from(io::ErrorKind::InvalidFilename));
        }
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // The error of a missing folder would otherwise name the temporary file.
        fs::metadata(folder)?;
        let file = signals::create_doomed(|| {
            let file = temporary(folder)?;
            let name = file.path().to_owned();
            Ok((file, name))
        })?;
        if let Some(old) = old {
            fs::set_permissions(file.path(), old.permissions())?;
        }
        Ok(Output::File(BufWriter::with_capacity(1 << 16, file), target))
    }

    /// Ends a line: on a terminal, it is shown.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        self.write_all(b"\n")?;
        if matches!(self, Output::Standard(_, true)) { self.flush() } else { Ok(()) }
    }

    /// Writes out what is still in the buffer and puts a file in its place.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Output::Standard(mut out, _) => Ok(out.flush()?),
            Output::Device(mut out) => Ok(out.flush()?),
            Output::File(out, target) => {
                let put = || -> io::Result<()> {
                    let file = out.into_inner().map_err(|error| error.into_error())?;
                    file.persist(&target)?;
                    Ok(())
                };
                put().with_context(|| format!("cannot write {}", target.display()))
            }
        }
    }
}

/// A new file in that folder, with the permissions that any new file gets.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sempre-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out, _) => out.write(bytes),
            Output::Device(out) => out.write(bytes),
            Output::File(out, _) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out, _) => out.flush(),
            Output::Device(out) => out.flush(),
            Output::File(out, _) => out.flush(),
        }
    }
}

/// The options that say how formulas are written, and where.
#[derive(clap::Args, Debug)]
pub(crate) struct FormulaOutput {
    /// The notation of the formulas that are printed.
    ///
    /// `spin -f` and lbt itself know neither W nor M: convert with --remove W,M for them. What is
    /// printed for lbt is read again with --syntax lbt.
    #[arg(
        long = "to",
        visible_alias = "format",
        value_name = "NOTATION",
        default_value = "spot",
        value_parser = notations(),
        help_heading = "Output"
    )]
    notation: Notation,

    /// Put parentheses around every operand that has operands of its own.
    #[arg(long, help_heading = "Output")]
    full_parens: bool,

    #[command(flatten)]
    output: OutputOptions,
}

fn notations() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::ALL.map(Notation::name))
        .try_map(|name| name.parse::<Notation>())
}

impl FormulaOutput {
    /// Opens the output.
    pub(crate) fn open(&self) -> Result<Output> {
        self.output.open()
    }

    /// The formula as it is to be printed; an error if it is too large for that.
    pub(crate) fn print<'a>(&self, formula: &'a Formula) -> Result<Printed<'a>, ltl::Error> {
        let printed = printable(formula)?.display(self.notation);
        Ok(if self.full_parens { printed.full_parentheses() } else { printed })
    }

    /// Writes the formula on a line of its own.
    pub(crate) fn write(&self, out: &mut Output, formula: &Formula) -> Result<(), Failure> {
        write!(out, "{}", self.print(formula)?)?;
        Ok(out.end_line()?)
    }
}

/// The largest formula that is printed. Formulas share their subformulas, so that one which takes
/// little memory may still fill a disk.
const LARGEST_PRINTED: u64 = 100_000_000;

/// The formula, unless it is too large to be printed.
pub(crate) fn printable(formula: &Formula) -> Result<&Formula, ltl::Error> {
    printable_nodes("formula", formula.size())?;
    Ok(formula)
}

/// Refuses to print what has too many nodes in all.
pub(crate) fn printable_nodes(what: &str, nodes: u64) -> Result<(), ltl::Error> {
    let count = match nodes {
        0..=LARGEST_PRINTED => return Ok(()),
        u64::MAX => "more nodes than can be counted".to_owned(),
        nodes => format!("{nodes} nodes"),
    };
    let limit = format!("more than the limit of {LARGEST_PRINTED}");
    Err(ltl::Error::new(format!("the {what} to print has {count}, {limit}")))
}
