//! Runs other programs under a time limit, and Spin with a C compiler on models with never claims.

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks at a running program.
const NAP: Duration = Duration::from_millis(2);

/// The depth of Spin's search.
const DEPTH: &str = "-m10000000";

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("sempre-lab-{}-{number}", process::id()));
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(Scratch(folder))
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        Ok(fs::write(self.0.join(name), text)?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The end of a program.
pub(super) enum End {
    /// It succeeded, with this output.
    Output(String),
    /// It failed, with this output.
    Failure(String),
    /// It took too long.
    TooLong,
    /// It is not installed.
    Missing,
}

/// Runs a program with arguments and input.
pub(super) fn run(program: &str, arguments: &[&str], input: &str, limit: Duration) -> Result<End> {
    let scratch = Scratch::new()?;
    scratch.write("input", input)?;
    run_in(&scratch, program, arguments, Some("input"), limit)
}

fn run_in(
    scratch: &Scratch,
    program: &str,
    arguments: &[&str],
    input: Option<&str>,
    limit: Duration,
) -> Result<End> {
    let folder: &Path = &scratch.0;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stderr(Stdio::null());
    command.stdout(File::create(folder.join("output"))?);
    match input {
        Some(input) => command.stdin(File::open(folder.join(input))?),
        None => command.stdin(Stdio::null()),
    };
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(End::Missing),
        Err(error) => return Err(error).with_context(|| program.to_owned()),
    };
    let end = Instant::now() + limit;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            return Ok(End::TooLong);
        }
        thread::sleep(NAP);
    };
    let output = fs::read(folder.join("output"))?;
    let output = String::from_utf8_lossy(&output).into_owned();
    Ok(if status.success() { End::Output(output) } else { End::Failure(output) })
}

/// The result of a run of Spin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    /// True if it found an accepting cycle.
    pub(super) is_violated: bool,
    /// Stored states of the product.
    pub(super) stored: u64,
    /// Visited transitions of the product.
    pub(super) visited: u64,
    /// The time of the search, in seconds.
    pub(super) seconds: f64,
}

/// True if Spin and a C compiler are installed.
pub(super) fn is_installed() -> Result<bool> {
    let limit = Duration::from_secs(20);
    for (program, argument) in [("spin", "-V"), ("gcc", "--version")] {
        if let End::Missing = run(program, &[argument], "", limit)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks a model in Promela with a never claim by Spin, with partial-order reduction. `None` if the
/// search takes too long.
pub(super) fn check(model: &str, claim: &str, limit: Duration) -> Result<Option<Cost>> {
    check_with(model, claim, &[], limit)
}

/// The same without partial-order reduction.
pub(super) fn check_unreduced(model: &str, claim: &str, limit: Duration) -> Result<Option<Cost>> {
    check_with(model, claim, &["-DNOREDUCE"], limit)
}

fn check_with(
    model: &str,
    claim: &str,
    definitions: &[&str],
    limit: Duration,
) -> Result<Option<Cost>> {
    let scratch = Scratch::new()?;
    scratch.write("model.pml", model)?;
    scratch.write("claim.never", claim)?;
    // A loaded machine may take long for a large model.
    let build = Duration::from_secs(900);
    let compile =
        [&["-O1", "-w", "-DVECTORSZ=2048"], definitions, &["-o", "pan", "pan.c"]].concat();
    let steps = [("spin", vec!["-a", "-N", "claim.never", "model.pml"]), ("gcc", compile)];
    for (program, arguments) in steps {
        match run_in(&scratch, program, &arguments, None, build)? {
            End::Output(_) => {}
            End::Failure(text) => bail!("{program} failed: {text}\n{claim}"),
            End::TooLong | End::Missing => bail!("{program} did not end"),
        }
    }
    let start = Instant::now();
    let program = scratch.0.join("pan");
    let program = program.to_str().context("the name of a temporary folder")?;
    let text = match run_in(&scratch, program, &["-a", "-n", DEPTH], None, limit)? {
        End::Output(text) | End::Failure(text) => text,
        End::TooLong => return Ok(None),
        End::Missing => bail!("the search was not built"),
    };
    let seconds = start.elapsed().as_secs_f64();
    let cost = parse(&text).with_context(|| format!("no counts in the output of Spin: {text}"))?;
    Ok(Some(Cost { seconds, ..cost }))
}

/// Reads the counts of Spin's output.
fn parse(text: &str) -> Option<Cost> {
    let before = |end: &str| {
        let line = text.lines().find(|line| line.contains(end))?;
        line.split(end).next()?.split_whitespace().next_back()?.parse::<f64>().ok()
    };
    let errors = text.split("errors:").nth(1)?.split_whitespace().next()?;
    Some(Cost {
        is_violated: errors != "0",
        stored: before("states, stored")? as u64,
        visited: before("transitions (=")? as u64,
        seconds: 0.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        let text = "State-vector 56 byte, depth reached 4313, errors: 0
            7271 states, stored (7390 visited)
            6796 states, matched
            14186 transitions (= visited+matched)";
        let cost = Cost { is_violated: false, stored: 7271, visited: 14186, seconds: 0.0 };
        assert_eq!(parse(text), Some(cost));
        assert_eq!(parse("pan: out of memory"), None);
    }

    #[test]
    fn missing_and_slow_programs_differ() {
        let limit = Duration::from_millis(50);
        assert!(matches!(run("no-such-program", &[], "", limit).unwrap(), End::Missing));
        assert!(matches!(run("sleep", &["20"], "", limit).unwrap(), End::TooLong));
        assert!(
            matches!(run("cat", &[], "text", limit * 100).unwrap(), End::Output(t) if t == "text")
        );
    }
}
