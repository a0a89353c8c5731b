//! The answer for a property, as people and programs read it.

use super::another::Other;
use super::finding::Finding;
use super::run::{self, Format};
use super::table;
use super::vacuity::Examined;
use crate::Exit;
use crate::output::Output;
use crate::pictures::Drawing;
use crate::trace::Trace;
use anyhow::Result;
use sempre::check::{Deadlock, Failure, Outcome, Unknown, Verdict};
use sempre::models::{Fault, System};
use std::io::{self, Write};

/// The answer for a property.
pub(super) struct Answer {
    pub(super) property: String,
    pub(super) formula: String,
    pub(super) deadlock: Deadlock,
    pub(super) seconds: f64,
    /// The outcome of the check, or why there was none.
    pub(super) outcome: Result<Outcome, Unknown>,
    /// The run that violates the property, if there is one.
    pub(super) finding: Option<Finding>,
    /// Whether the property holds vacuously, if that was tested.
    pub(super) vacuity: Option<Examined>,
    /// Further runs that violate the property.
    pub(super) others: Vec<Other>,
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

    pub(super) fn verdict(&self) -> Verdict {
        match &self.outcome {
            Ok(outcome) => outcome.verdict.clone(),
            Err(unknown) => Verdict::Unknown(unknown.clone()),
        }
    }

    /// Why the verdict is not known, and the path to a fault of the model.
    pub(super) fn reason(&self) -> Option<(String, Option<Trace>)> {
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

    /// Writes the verdict, how it was found, and if wanted the run that violates the property.
    pub(super) fn write(
        &self,
        run: Option<Format>,
        witness: bool,
        out: &mut Output,
    ) -> io::Result<()> {
        self.write_verdict(out)?;
        match (&self.finding, run) {
            (Some(finding), Some(Format::Table)) => {
                table::write(&finding.trace, out)?;
                finding.write_proof(out)?;
            }
            (Some(finding), Some(_)) => finding.write(out)?,
            _ => {}
        }
        if let Some((_, Some(path))) = self.reason() {
            path.write(out)?;
        }
        for other in &self.others {
            other.write(out)?;
        }
        if let (Some(examined), true) = (&self.vacuity, witness) {
            examined.write_witnesses(out)?;
        }
        out.flush()
    }

    /// Draws the run that violates the property; false if there is none.
    pub(super) fn draw(&self, drawing: Drawing, out: &mut Output) -> Result<bool> {
        let Some(finding) = &self.finding else { return Ok(false) };
        out.write_all(run::draw(&finding.trace, &self.formula, drawing)?.as_bytes())?;
        Ok(true)
    }

    /// Writes the verdict and how it was found.
    pub(super) fn write_verdict(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{}: {}", self.property, self.verdict().name())?;
        match self.vacuity.as_ref().and_then(Examined::remark) {
            Some(remark) => writeln!(out, ", vacuously: {remark}")?,
            None => writeln!(out)?,
        }
        if self.property != self.formula {
            writeln!(out, "  formula: {}", self.formula)?;
        }
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

    /// Writes the answer as the Model Checking Contest wants it.
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
}

/// A fault in words, with the action that has it.
fn fault(system: &dyn System, failure: &Failure) -> String {
    match &failure.fault {
        Fault::Undefined { action: Some(action), .. } => {
            format!("{}: {failure}", system.names().action_name(*action))
        }
        _ => failure.to_string(),
    }
}
