//! Walks through a counterexample that was written as JSON.

use crate::Exit;
use crate::follow::{Followed, follow};
use crate::models::ModelInput;
use crate::output::Output;
use crate::trace::{RunTrace, Trace, write_changes, write_values};
use anyhow::{Context, Result, anyhow, bail};
use sempre::models::Extent;
use serde::Deserialize;
use serde_json::{Deserializer, Value};
use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;

/// Walks through the counterexample in the file.
pub(super) fn replay(path: &Path, model: &ModelInput) -> Result<Exit> {
    let is_standard_input = path.as_os_str() == "-";
    if is_standard_input && model.is_standard_input() {
        bail!("standard input cannot be both the model and the counterexample");
    }
    let name = if is_standard_input { "<stdin>".into() } else { path.display().to_string() };
    let text = if is_standard_input {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = text.with_context(|| format!("cannot read {name}"))?;
    let mut run = read(&text).with_context(|| name.clone())?;
    // The whole run is walked, beyond its bad state.
    run.bad_state = None;
    let model = model.open()?;
    let followed = model.run(Extent::OnTheFly, |system| follow(&run, &**system));
    let Followed { initial, steps, error, .. } = followed.map_err(|fault| anyhow!("{fault}"))??;
    run.initial = initial;
    let waits = !is_standard_input && io::stdin().is_terminal();
    let mut out = Output::standard();
    if show(&run, steps, error.is_none(), waits, &mut out)?
        && let Some(error) = error
    {
        out.finish()?;
        bail!("{error}");
    }
    out.finish()?;
    Ok(Exit::Success)
}

/// The first counterexample among the objects.
fn read(text: &str) -> Result<RunTrace> {
    for object in Deserializer::from_str(text).into_iter::<Value>() {
        let object = object.context("this is not what `sempre check --json` prints")?;
        let run = match object.get("counterexample") {
            Some(Value::Null) => continue,
            Some(run) => run,
            None if object.get("cycle").is_some() => &object,
            // A walk that was saved.
            None if object.get("steps").is_some() => {
                let walk = Trace::deserialize(&object).context("this is no walk")?;
                let (initial, prefix, cycle) = (walk.initial, walk.steps, Vec::new());
                return Ok(RunTrace { initial, prefix, cycle, open: true, bad_state: None });
            }
            None => continue,
        };
        return RunTrace::deserialize(run).context("this is no counterexample");
    }
    bail!("there is no counterexample")
}

/// Shows steps of the run, and how it ends if all of it `is_right`. False if the user has had
/// enough.
fn show(
    run: &RunTrace,
    steps: usize,
    is_right: bool,
    waits: bool,
    out: &mut Output,
) -> io::Result<bool> {
    writeln!(out, "initial state")?;
    write_values(&run.initial, out)?;
    for (number, step) in run.steps().enumerate().take(steps) {
        if waits && !goes_on(out)? {
            return Ok(false);
        }
        if let Some(label) = run.label(number) {
            writeln!(out, "{label}")?;
        }
        writeln!(out, "{}. {}", number + 1, step.name())?;
        write_changes(&step.changes, out)?;
    }
    match (is_right, run.ending()) {
        (true, Some(_)) if run.open => {}
        (true, Some(ending)) => writeln!(out, "{ending}")?,
        (true, None) => {
            writeln!(out, "the cycle closes: step {} comes next", run.prefix.len() + 1)?
        }
        (false, _) => {}
    }
    Ok(true)
}

/// Waits for the user.
fn goes_on(out: &mut Output) -> io::Result<bool> {
    write!(out, "> ")?;
    out.flush()?;
    let mut line = String::new();
    let is_end = io::stdin().lock().read_line(&mut line)? == 0;
    Ok(!is_end && !matches!(line.trim(), "q" | "quit" | "exit"))
}
