//! Mutations: conditions of the sources, changed one at a time, that tests must notice.
//!
//! The [`list`] is data: a file, a text that occurs in it once, the text that replaces it, and the
//! tests that should fail. A copy of the workspace has all of them behind switches ([`instrument()`]),
//! so that it is built once; then the tests of each mutation run with its switch, until one fails.

pub mod instrument;
pub mod list;
pub mod page;

use anyhow::{Context, Result, bail};
use instrument::{MODULE, SWITCH, instrument};
use list::{Kind, Mutation, Tests};
use rustc_hash::FxHashMap;
use sempre_ltl::generate::Rng;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The crate, by its folder.
    pub package: Option<String>,
    /// The number of mutations, chosen by the seed.
    pub sample: Option<usize>,
    /// The seed of the choice.
    pub seed: u64,
    /// A part of their names.
    pub name: Option<String>,
}

impl Selection {
    /// Returns the places of the chosen mutations in the list.
    ///
    /// # Errors
    /// If there are none.
    pub fn choose(&self, all: &[Mutation]) -> Result<Vec<usize>> {
        let fits = |one: &Mutation| {
            self.package.as_ref().is_none_or(|package| one.package == *package)
                && self.name.as_ref().is_none_or(|name| one.name.contains(name.as_str()))
        };
        let mut chosen: Vec<usize> = (0..all.len()).filter(|place| fits(&all[*place])).collect();
        if chosen.is_empty() {
            bail!("no mutation was selected");
        }
        let mut rng = Rng::new(self.seed);
        while self.sample.is_some_and(|most| chosen.len() > most) {
            chosen.remove(rng.index(chosen.len()));
        }
        Ok(chosen)
    }
}

/// The result for one mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This test failed, or all of them together took too long.
    Noticed(String),
    /// All tests passed.
    Survived,
}

/// Runs the chosen mutations of a workspace in a copy of it, and adds the results to its rows.
/// Returns the number of mutations that survived although they are not harmless.
///
/// # Errors
/// If the workspace cannot be copied or built, or a test fails without mutation.
pub fn run(
    workspace: &Path,
    copy: &Path,
    selection: &Selection,
    out: &mut impl Write,
) -> Result<usize> {
    let all = list::read(workspace)?;
    let chosen = selection.choose(&all)?;
    let mut rows = page::Rows::read(workspace, &all)?;
    if chosen.is_empty() {
        rows.write(workspace)?;
        return Ok(0);
    }
    fs::create_dir_all(copy).with_context(|| copy.display().to_string())?;
    let copy = &copy.canonicalize()?;
    let instrumented = instrumented(workspace, &all)?;
    let is_replaced = |path: &Path| instrumented.iter().any(|(other, _)| other == path);
    copy_files(workspace, copy, Path::new(""), &is_replaced)?;
    for (path, text) in &instrumented {
        write_changed(&copy.join(path), text.as_bytes())?;
    }
    let programs = build(copy)?;
    let mut limits: FxHashMap<&Tests, Duration> = FxHashMap::default();
    let mut missed = 0;
    for (done, &place) in chosen.iter().enumerate() {
        let mutation = &all[place];
        let mut outcome = Outcome::Survived;
        for tests in &mutation.tests {
            let program =
                Program { copy, path: programs.get(&(tests.package.clone(), tests.kind)) };
            let limit = match limits.get(tests) {
                Some(limit) => *limit,
                None => {
                    let start = Instant::now();
                    if let Outcome::Noticed(test) = program.run(tests, None, SLOWEST)? {
                        bail!("{tests:?}: {test} fails without mutation");
                    }
                    let limit = start.elapsed() * 4 + Duration::from_secs(20);
                    limits.insert(tests, limit);
                    limit
                }
            };
            outcome = program.run(tests, Some(mutation), limit)?;
            if outcome != Outcome::Survived {
                break;
            }
        }
        let text = match (&outcome, &mutation.harmless) {
            (Outcome::Noticed(test), _) => format!("noticed by {test}"),
            (Outcome::Survived, Some(_)) => "survived, as expected".to_owned(),
            (Outcome::Survived, None) => {
                missed += 1;
                "SURVIVED".to_owned()
            }
        };
        let (number, count) = (done + 1, chosen.len());
        writeln!(out, "{number}/{count} {}/{}: {text}", mutation.package, mutation.name)?;
        out.flush()?;
        rows.set(mutation, &outcome);
        rows.write(workspace)?;
    }
    Ok(missed)
}

/// The limit on tests without mutation.
const SLOWEST: Duration = Duration::from_secs(600);

/// The limit of the address space of tests, in KiB: a mutation may need endless memory.
const SPACE: u64 = 6 << 20;

/// Copies the new and changed files of a folder, below both paths, unless they are replaced.
fn copy_files(
    from: &Path,
    to: &Path,
    folder: &Path,
    is_replaced: &dyn Fn(&Path) -> bool,
) -> Result<()> {
    fs::create_dir_all(to.join(folder)).with_context(|| to.display().to_string())?;
    for entry in fs::read_dir(from.join(folder)).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if path == Path::new("target") || path == Path::new(".git") || from.join(&path) == to {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_files(from, to, &path, is_replaced)?;
        } else if entry.file_type()?.is_file() && !is_replaced(&path) {
            write_changed(&to.join(&path), &fs::read(from.join(&path))?)?;
        }
    }
    Ok(())
}

/// Writes a file unless it has these bytes: a build depends on its time.
fn write_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|known| known == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// Returns the instrumented files of a workspace.
///
/// # Errors
/// If a file cannot be read, or a mutation does not fit.
pub fn instrumented(workspace: &Path, all: &[Mutation]) -> Result<Vec<(PathBuf, String)>> {
    let mut files: Vec<(PathBuf, Vec<&Mutation>)> = Vec::new();
    for mutation in all {
        let path = Path::new("crates").join(&mutation.package).join(&mutation.file);
        match files.iter_mut().find(|(other, _)| *other == path) {
            Some((_, mutations)) => mutations.push(mutation),
            None => files.push((path, vec![mutation])),
        }
    }
    let mut packages: Vec<&str> = all.iter().map(|mutation| mutation.package.as_str()).collect();
    packages.dedup();
    for package in packages {
        let path = Path::new("crates").join(package).join("src/lib.rs");
        if !files.iter().any(|(other, _)| *other == path) {
            files.push((path, vec![]));
        }
    }
    let mut found = Vec::new();
    for (path, mutations) in files {
        let name = path.display().to_string();
        let source = fs::read_to_string(workspace.join(&path)).with_context(|| name.clone())?;
        let mut text = instrument(&source, &mutations).with_context(|| name)?;
        if path.ends_with("src/lib.rs") {
            text.push_str(MODULE);
        }
        found.push((path, text));
    }
    Ok(found)
}

/// Builds the tests; returns the executables.
fn build(copy: &Path) -> Result<FxHashMap<(String, Kind), PathBuf>> {
    // As for all tests: with other features, other versions of dependencies would be built.
    let mut command = Command::new("cargo");
    command.args(["test", "--workspace", "--all-features", "--no-run", "--lib"]);
    command.args(["--test", "suite", "--message-format", "json-render-diagnostics"]);
    let output = command.current_dir(copy).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the copy in {} cannot be built", copy.display());
    }
    let mut programs = FxHashMap::default();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        let (Some(program), Some(manifest)) =
            (message["executable"].as_str(), message["manifest_path"].as_str())
        else {
            continue;
        };
        let folder = Path::new(manifest).parent().and_then(Path::file_name);
        let package = folder.and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let kind = match message["target"]["kind"][0].as_str() {
            Some("test") => Kind::Suite,
            Some("lib") => Kind::Unit,
            _ => continue,
        };
        programs.insert((package, kind), PathBuf::from(program));
    }
    Ok(programs)
}

/// A test executable of the copy.
struct Program<'a> {
    copy: &'a Path,
    path: Option<&'a PathBuf>,
}

impl Program<'_> {
    /// Runs tests with a mutation, until one fails.
    fn run(&self, tests: &Tests, mutation: Option<&Mutation>, limit: Duration) -> Result<Outcome> {
        let path = self.path.with_context(|| format!("there is no executable for {tests:?}"))?;
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v \"$1\"; shift; exec \"$@\"", "sh", &SPACE.to_string()]);
        command.arg(path).arg(&tests.filter);
        command.current_dir(self.copy.join("crates").join(&tests.package));
        match mutation {
            Some(mutation) => command.env(SWITCH, mutation.number().to_string()),
            None => command.env_remove(SWITCH),
        };
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let lines = BufReader::new(child.stdout.take().context("a pipe")?).lines();
        let (sender, receiver) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            lines.map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let end = Instant::now() + limit;
        let mut ran = 0;
        let outcome = loop {
            let left = end.saturating_duration_since(Instant::now());
            match receiver.recv_timeout(left) {
                Ok(line) => {
                    let Some(rest) = line.strip_prefix("test ") else { continue };
                    match rest.rsplit_once(" ... ") {
                        Some((name, "FAILED")) => break Outcome::Noticed(name.to_owned()),
                        Some(_) => ran += 1,
                        None => {}
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    break Outcome::Noticed("the time limit".to_owned());
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    break match child.wait()?.success() {
                        true => Outcome::Survived,
                        false => Outcome::Noticed("a crash".to_owned()),
                    };
                }
            }
        };
        // It may have ended.
        let _ = child.kill();
        child.wait()?;
        let _ = reader.join();
        if outcome == Outcome::Survived && ran == 0 {
            bail!("{tests:?} selects no test");
        }
        Ok(outcome)
    }
}
