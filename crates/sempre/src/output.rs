//! Writes results to standard output, or to a file that appears only when complete.

use crate::input::Failure;
use crate::signals;
use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::ltl::syntax::{Notation, Printed};
use sempre::ltl::{self, Formula, interrupt};
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The option for the destination of results.
#[derive(clap::Args, Debug)]
pub(crate) struct OutputOptions {
    /// Write the results to FILE instead of standard output.
    ///
    /// The file appears when the command ends; a command that fails or is killed leaves none. An
    /// interrupted search writes its results so far. The next command that writes to the folder
    /// removes what a command killed by SIGKILL leaves there (.sempre-XXXXXX).
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

/// A buffered writer of results; call [`finish`](Output::finish) at the end.
pub(crate) enum Output {
    /// Standard output. On a terminal each line is flushed.
    Standard(BufWriter<StdoutLock<'static>>, bool),
    /// A device or named pipe, written directly.
    Device(BufWriter<File>),
    /// A temporary file, renamed at the end.
    File(BufWriter<NamedTempFile>, PathBuf),
    /// A part of the output, which is written when it is complete.
    Part(Vec<u8>),
}

impl OutputOptions {
    /// The ending of the name of the file, in small letters, which may name a format.
    pub(crate) fn extension(&self) -> Option<String> {
        let extension = self.output.as_ref()?.extension()?.to_str()?;
        Some(extension.to_ascii_lowercase())
    }

    /// True if the name of the output ends so, in any case of letters.
    pub(crate) fn ends_with(&self, end: &str) -> bool {
        let name = self.output.as_ref().and_then(|path| path.file_name());
        name.is_some_and(|name| name.to_string_lossy().to_ascii_lowercase().ends_with(end))
    }

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

    /// Opens the file of this name.
    fn file(path: &Path) -> io::Result<Output> {
        let target = followed(path)?;
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
        leftovers::remove(folder);
        let file = signals::create_temporary(|| {
            let file = temporary(folder)?;
            leftovers::mark(&file);
            let name = file.path().to_owned();
            Ok((file, name))
        })?;
        if let Some(old) = old {
            fs::set_permissions(file.path(), old.permissions())?;
        }
        Ok(Output::File(BufWriter::with_capacity(1 << 16, file), target))
    }

    /// Writes what `write` writes, or nothing if it is interrupted.
    pub(crate) fn whole<E: From<io::Error>>(
        &mut self,
        write: impl FnOnce(&mut Output) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut part = Output::Part(Vec::new());
        write(&mut part)?;
        if let Output::Part(bytes) = part {
            interrupt::waiting(|| self.write_all(&bytes))?;
        }
        Ok(())
    }

    /// True if the output is a terminal that shows colours.
    pub(crate) fn is_coloured(&self) -> bool {
        matches!(self, Output::Standard(_, true)) && is_coloured(&io::stdout())
    }

    /// Ends a line; flushes it on a terminal.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        self.write_all(b"\n")?;
        if matches!(self, Output::Standard(_, true)) { self.flush() } else { Ok(()) }
    }

    /// Flushes the buffer and renames a temporary file.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Output::Standard(mut out, _) => Ok(out.flush()?),
            Output::Device(mut out) => Ok(out.flush()?),
            Output::Part(_) => Ok(()),
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

/// True if the stream is a terminal that shows colours; `NO_COLOR` and the like are respected.
pub(crate) fn is_coloured(stream: &impl anstream::stream::RawStream) -> bool {
    anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// Follows symbolic links, so that their target is replaced and not the link. The last target need
/// not exist.
///
/// # Errors
/// If the links form a cycle.
fn followed(path: &Path) -> io::Result<PathBuf> {
    /// As many as systems follow.
    const MAX_LINKS: usize = 40;
    if let Ok(target) = fs::canonicalize(path) {
        return Ok(target);
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        // A relative target refers to the folder of the link.
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// The beginning of the names of temporary files.
const TEMPORARY: &str = ".sempre-";

/// Temporary files of commands that were killed: nothing can remove them when that happens, so the
/// next command that writes to the folder does.
///
/// A command that is still at work holds a lock on its file, which ends with the process.
#[cfg(unix)]
mod leftovers {
    use super::TEMPORARY;
    use rustix::fs::{FlockOperation, flock};
    use std::fs::{self, File};
    use std::path::Path;
    use std::time::Duration;
    use tempfile::NamedTempFile;

    /// The age below which files stay: a command may not have locked its file yet.
    const RECENT: Duration = Duration::from_secs(2);

    /// Locks a temporary file for the time in which it is written.
    pub(super) fn mark(file: &NamedTempFile) {
        // Without locks, as on some network file systems, files of killed commands may be removed
        // too late or never.
        let _ = flock(file.as_file(), FlockOperation::NonBlockingLockExclusive);
    }

    /// Removes the temporary files of killed commands from the folder, as far as that is possible.
    pub(super) fn remove(folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let is_ours = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY));
            let is_ours = is_ours.is_some_and(|rest| {
                rest.len() == 6 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
            });
            let is_old = || {
                let changed =
                    entry.metadata().ok().filter(fs::Metadata::is_file)?.modified().ok()?;
                changed.elapsed().ok().filter(|age| *age > RECENT)
            };
            if is_ours
                && is_old().is_some()
                && let Ok(file) = File::open(entry.path())
                && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

#[cfg(not(unix))]
mod leftovers {
    use std::path::Path;
    use tempfile::NamedTempFile;

    /// Does nothing: files of killed commands stay on this system.
    pub(super) fn mark(_: &NamedTempFile) {}

    /// Does nothing: files of killed commands stay on this system.
    pub(super) fn remove(_: &Path) {}
}

/// Creates a temporary file in the folder, with the permissions of any new file.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
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
            Output::Part(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out, _) => out.flush(),
            Output::Device(out) => out.flush(),
            Output::File(out, _) => out.flush(),
            Output::Part(_) => Ok(()),
        }
    }
}

/// The options for the notation and the destination of formulas.
#[derive(clap::Args, Debug)]
pub(crate) struct FormulaOutput {
    /// The notation of printed formulas.
    ///
    /// `spin -f` and lbt itself know neither W nor M: use --remove W,M for them. Read formulas
    /// printed for lbt with --syntax lbt.
    #[arg(
        long = "to",
        visible_alias = "format",
        value_name = "NOTATION",
        default_value = "spot",
        value_parser = notations(),
        help_heading = "Output"
    )]
    notation: Notation,

    /// Put parentheses around every operand that is not atomic.
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

    /// Returns the formula ready for printing, or an error if it is too large.
    pub(crate) fn print<'a>(&self, formula: &'a Formula) -> Result<Printed<'a>, ltl::Error> {
        let printed = printable(formula)?.display(self.notation);
        Ok(if self.full_parens { printed.full_parentheses() } else { printed })
    }

    /// Writes the formula on its own line.
    pub(crate) fn write(&self, out: &mut Output, formula: &Formula) -> Result<(), Failure> {
        write!(out, "{}", self.print(formula)?)?;
        Ok(out.end_line()?)
    }
}

/// The size of the largest formula that is printed. Formulas share subformulas, so one that takes
/// little memory may fill a disk.
const LARGEST_PRINTED: u64 = 100_000_000;

/// Returns the formula, or an error if it is too large to print.
pub(crate) fn printable(formula: &Formula) -> Result<&Formula, ltl::Error> {
    printable_nodes("formula", formula.size())?;
    Ok(formula)
}

/// Returns an error if the number of nodes is too large to print.
pub(crate) fn printable_nodes(what: &str, nodes: u64) -> Result<(), ltl::Error> {
    let count = match nodes {
        0..=LARGEST_PRINTED => return Ok(()),
        u64::MAX => "more nodes than can be counted".to_owned(),
        nodes => format!("{nodes} nodes"),
    };
    let limit = format!("more than the limit of {LARGEST_PRINTED}");
    Err(ltl::Error::new(format!("the {what} to print has {count}, {limit}")))
}
