//! The answer for a property, as text and JSON.

use super::another::Other;
use super::certify::Outcome as CertificateOutcome;
use super::facts::Facts;
use super::finding::Finding;
use super::run::{self, Format};
use super::table;
use super::vacuity::Examined;
use crate::Exit;
use crate::output::Output;
use crate::pictures::Drawing;
use crate::trace::Trace;
use anyhow::Result;
use sempre::check::{Deadlock, Fairness, Outcome, Unknown, Verdict};
use std::io::{self, Write};

/// The answer for a property.
pub(super) struct Answer {
    pub(super) property: String,
    /// The formula, unless the property is an automaton.
    pub(super) formula: Option<String>,
    pub(super) deadlock: Deadlock,
    pub(super) seconds: f64,
    /// The outcome of the check, or why there is none.
    pub(super) outcome: Result<Outcome, Unknown>,
    /// The run that violates the property, if there is one.
    pub(super) finding: Option<Finding>,
    /// The certificate of a property that holds, if it was asked for.
    pub(super) certified: Option<CertificateOutcome>,
    /// Whether the property holds vacuously, if that was tested.
    pub(super) vacuity: Option<Examined>,
    /// Facts about the propositions of the property, if they were looked for.
    pub(super) facts: Option<Facts>,
    /// Further runs that violate the property.
    pub(super) others: Vec<Other>,
}

impl Answer {
    /// Returns the formula, or the name of a property that has none.
    pub(super) fn subject(&self) -> &str {
        self.formula.as_deref().unwrap_or(&self.property)
    }

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

    /// The fairness that was assumed, if any.
    pub(super) fn fairness(&self) -> Option<Fairness> {
        self.outcome.as_ref().ok()?.provenance.fairness
    }

    /// Why the verdict is not known, and the path to a fault of the model.
    pub(super) fn reason(&self) -> Option<(String, Option<Trace>)> {
        if let Ok(outcome) = &self.outcome
            && let Some(failure) = outcome.assertion()
        {
            let path = failure.path.as_ref().map(|path| Trace::new(&*outcome.system, path));
            return Some((failure.to_string(), path));
        }
        let Verdict::Unknown(unknown) = self.verdict() else { return None };
        match (&unknown, &self.outcome) {
            (Unknown::Fault(failure), Ok(outcome)) => {
                let system = &*outcome.system;
                let path = failure.path.as_ref().map(|path| Trace::new(system, path));
                Some((failure.describe(system.names()), path))
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
        self.write_verdict(out.is_coloured(), out)?;
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

    /// Draws the counterexample; false if there is none.
    pub(super) fn draw(&self, drawing: Drawing, file: &str, out: &mut Output) -> Result<bool> {
        let Some(finding) = &self.finding else { return Ok(false) };
        out.write_all(run::draw(&finding.trace, self.subject(), file, drawing)?.as_bytes())?;
        Ok(true)
    }

    /// Writes the verdict and how it was found.
    pub(super) fn write_verdict(&self, is_coloured: bool, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{}: {}", self.property, painted(&self.verdict(), is_coloured))?;
        match self.vacuity.as_ref().and_then(Examined::remark) {
            Some(remark) => writeln!(out, ", vacuously: {remark}")?,
            None => writeln!(out)?,
        }
        if self.property != self.subject() {
            writeln!(out, "  formula: {}", self.subject())?;
        }
        if let Some(facts) = &self.facts {
            facts.write_warning(out)?;
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
        if let (Some(aggregates), Some(edges)) = (cost.aggregates, cost.aggregate_edges) {
            write!(out, ", aggregates: {aggregates}, edges: {edges}")?;
        }
        if let Some(nodes) = cost.peak_nodes {
            write!(out, ", peak nodes: {nodes}")?;
        }
        writeln!(out, ", deadlocks: {}", self.deadlock.name())?;
        if let (Some(stored), Some(visited)) = (cost.stored, cost.visited) {
            writeln!(out, "  stored: {stored}, visited: {visited}")?;
        }
        for part in &cost.parts {
            writeln!(out, "  {part}")?;
        }
        match &self.certified {
            None => Ok(()),
            Some(Ok(size)) => writeln!(out, "  certificate: {}", size.text()),
            Some(Err(reason)) => writeln!(out, "  certificate: {reason}"),
        }
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
