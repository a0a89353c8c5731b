//! The answer for a property, as text and JSON.

use super::run::{self, Format};
use crate::Exit;
use crate::limits;
use crate::output::Output;
use crate::pictures::Drawing;
use crate::symbolic::whole;
use crate::trace::{RunTrace, Trace};
use anyhow::Result;
use sempre::check::{Deadlock, Failure, NetSize, Outcome, Provenance, Unknown, Verdict};
use sempre::models::{Fault, System};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The answer for a property.
pub(super) struct Answer {
    pub(super) property: String,
    pub(super) formula: String,
    pub(super) deadlock: Deadlock,
    pub(super) seconds: f64,
    /// The outcome of the check, or why there is none.
    pub(super) outcome: Result<Outcome, Unknown>,
}

impl Answer {
    pub(super) fn exit(&self) -> Exit {
        match self.verdict() {
            Verdict::Holds => Exit::Success,
            Verdict::Violated => Exit::Violated,
            verdict if verdict.is_cancelled() => Exit::Interrupted,
            Verdict::Unknown(_) => Exit::Error,
        }
    }

    fn verdict(&self) -> Verdict {
        match &self.outcome {
            Ok(outcome) => outcome.verdict.clone(),
            Err(unknown) => Verdict::Unknown(unknown.clone()),
        }
    }

    /// Returns the counterexample, if there is one.
    fn run(&self) -> Option<RunTrace> {
        let outcome = self.outcome.as_ref().ok()?;
        Some(RunTrace::new(&*outcome.system, outcome.counterexample()?))
    }

    /// Returns why the verdict is unknown, and the path to a fault of the model.
    fn reason(&self) -> Option<(String, Option<Trace>)> {
        let Verdict::Unknown(unknown) = self.verdict() else { return None };
        match (&unknown, &self.outcome) {
            (Unknown::Fault(failure), Ok(outcome)) => {
                let system = &*outcome.system;
                let path = failure.path.as_ref().map(|path| Trace::new(system, path));
                Some((fault(system, failure), path))
            }
            _ => Some((unknown.to_string(), None)),
        }
    }

    /// Writes the verdict and its provenance, and the counterexample in the given format.
    pub(super) fn write(&self, run: Option<Format>, out: &mut Output) -> io::Result<()> {
        self.write_verdict(out.is_coloured(), out)?;
        match (self.run(), run) {
            (Some(run), Some(Format::Table)) => run::write_table(&run, out)?,
            (Some(run), Some(_)) => run.write(out)?,
            _ => {}
        }
        if let Some((_, Some(path))) = self.reason() {
            path.write(out)?;
        }
        out.flush()
    }

    /// Draws the counterexample; false if there is none.
    pub(super) fn draw(&self, drawing: Drawing, out: &mut Output) -> Result<bool> {
        let Some(run) = self.run() else { return Ok(false) };
        out.write_all(run::draw(&run, drawing)?.as_bytes())?;
        Ok(true)
    }

    /// Writes the verdict and its provenance.
    pub(super) fn write_verdict(&self, is_coloured: bool, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.property, painted(&self.verdict(), is_coloured))?;
        if let Some((reason, path)) = self.reason() {
            writeln!(out, "  reason: {reason}")?;
            if path.is_some() {
                return Ok(());
            }
        }
        let Ok(Outcome { provenance, cost, .. }) = &self.outcome else { return Ok(()) };
        write!(out, "  {provenance}")?;
        if let Some(states) = &cost.states {
            write!(out, ", states: {states}")?;
        }
        if let Some(transitions) = cost.transitions {
            write!(out, ", transitions: {transitions}")?;
        }
        if let Some(nodes) = cost.peak_nodes {
            write!(out, ", peak nodes: {nodes}")?;
        }
        writeln!(out, ", deadlocks: {}", self.deadlock.name())
    }

    /// Writes the answer in the format of the Model Checking Contest.
    pub(super) fn write_contest(&self, out: &mut Output) -> io::Result<()> {
        let verdict = match self.verdict() {
            Verdict::Holds => "TRUE",
            Verdict::Violated => "FALSE",
            Verdict::Unknown(_) => {
                write!(out, "FORMULA {} CANNOT_COMPUTE", self.property)?;
                return out.end_line();
            }
        };
        let is_symbolic =
            self.outcome.as_ref().is_ok_and(|outcome| outcome.cost.peak_nodes.is_some());
        let techniques = if is_symbolic { "DECISION_DIAGRAMS" } else { "EXPLICIT ON_THE_FLY" };
        write!(out, "FORMULA {} {verdict} TECHNIQUES {techniques}", self.property)?;
        out.end_line()
    }

    /// Writes the answer as a line of JSON.
    pub(super) fn write_json(&self, out: &mut Output) -> io::Result<()> {
        let mut object = json!({
            "property": self.property,
            "formula": self.formula,
            "verdict": self.verdict().name(),
            "deadlocks": self.deadlock.name(),
            "seconds": self.seconds,
            "counterexample": self.run(),
        });
        if let Ok(Outcome { provenance, cost, .. }) = &self.outcome {
            write_provenance(provenance, &mut object);
            object["states"] = json!(cost.states.as_ref().map(whole));
            object["transitions"] = json!(cost.transitions);
            object["product_states"] = json!(cost.product_states);
            object["product_transitions"] = json!(cost.product_transitions);
            object["peak_nodes"] = json!(cost.peak_nodes);
            object["store_bytes"] = json!(cost.bytes);
            object["peak_bytes"] = json!(limits::peak().unwrap_or(cost.bytes as u64));
        }
        if let Verdict::Unknown(unknown) = self.verdict() {
            object["reason"] = json!(match unknown {
                Unknown::Limit(reason) => reason.name(),
                Unknown::Fault(Failure { fault: Fault::Unbounded { .. }, .. }) => "unbounded",
                Unknown::Fault(_) => "fault",
                Unknown::NotLoaded => "loading",
            });
        }
        if let Some((message, path)) = self.reason() {
            object["message"] = json!(message);
            object["path"] = json!(path);
        }
        serde_json::to_writer(&mut *out, &object)?;
        out.end_line()
    }
}

/// Returns the name of a verdict, with terminal colours on request.
fn painted(verdict: &Verdict, is_coloured: bool) -> String {
    let colour = match verdict {
        Verdict::Holds => 32,
        Verdict::Violated => 31,
        Verdict::Unknown(_) => 33,
    };
    match is_coloured {
        true => format!("\x1b[1;{colour}m{}\x1b[0m", verdict.name()),
        false => verdict.name().to_owned(),
    }
}

/// Describes a fault, with the action that has it.
fn fault(system: &dyn System, failure: &Failure) -> String {
    match &failure.fault {
        Fault::Undefined { action: Some(action), .. } => {
            format!("{}: {failure}", system.names().action_name(*action))
        }
        _ => failure.to_string(),
    }
}

/// Adds the provenance of a verdict.
fn write_provenance(provenance: &Provenance, object: &mut Value) {
    let Provenance { engine, algorithms, automaton, reduction, threads, choice } = provenance;
    let (choice, other) = choice.parts();
    object["engine"] = json!(engine);
    object["algorithms"] = json!(algorithms);
    object["automaton"] =
        json!(automaton.map(|a| json!({ "kind": a.kind.name(), "states": a.states })));
    object["reduced_net"] = json!(reduction.map(|NetSize { places, transitions }| {
        json!({ "places": places, "transitions": transitions })
    }));
    object["threads"] = json!(threads);
    object["choice"] = json!(choice);
    object["other_engine"] = json!(other);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_coloured_on_terminals_only() {
        assert_eq!(painted(&Verdict::Holds, false), "holds");
        assert_eq!(painted(&Verdict::Holds, true), "\x1b[1;32mholds\x1b[0m");
        assert_eq!(painted(&Verdict::Violated, true), "\x1b[1;31mviolated\x1b[0m");
    }
}
