//! Reports an exploration as text and JSON.

use super::json::Exploration;
use super::{Explore, draw, observation};
use crate::Exit;
use crate::report::error as report_error;
use crate::trace::Trace;
use crate::unreached;
use anyhow::{Result, anyhow};
use sempre::check::Reason;
use sempre::explicit::explore::Bound;
use sempre::explorer::{Explored, SetCounts};
use sempre::models::{Fault, VariableId, kripke};
use std::io::{self, Write};
use std::time::Duration;

impl Explore {
    /// Writes everything, and says how the run ends.
    pub(super) fn write(&self, explored: &Explored, time: Duration) -> Result<Exit> {
        let report = Report {
            options: self,
            explored,
            path: (explored.path.as_ref())
                .or(explored.failure.as_ref().and_then(|failure| failure.path.as_ref()))
                .map(|path| Trace::new(&*explored.system, path)),
            fault: (explored.failure.as_ref())
                .map(|failure| failure.describe(explored.system.names())),
            is_assertion: (explored.failure.as_ref())
                .is_some_and(|failure| matches!(failure.fault, Fault::Assertion { .. })),
            time,
        };
        report.write()
    }

    /// True if a path is asked for.
    fn wants_path(&self) -> bool {
        self.find.is_some() || self.deadlock
    }

    /// True if the depth is a property of the model rather than of the search.
    fn is_breadth_first(&self) -> bool {
        !self.sccs && self.search == super::Order::Bfs && self.options.threads() == 1
    }
}

/// An exploration and what was asked.
pub(super) struct Report<'a> {
    options: &'a Explore,
    pub(super) explored: &'a Explored,
    /// The path that was asked for, or that leads to a fault.
    pub(super) path: Option<Trace>,
    /// The fault of the model, in words.
    pub(super) fault: Option<String>,
    /// True if the fault is an assertion that fails.
    pub(super) is_assertion: bool,
    pub(super) time: Duration,
}

impl Report<'_> {
    fn write(self) -> Result<Exit> {
        let (options, explored) = (self.options, self.explored);
        if let (Some(drawing), Some(graph)) = (options.drawing(), &explored.graph) {
            let file = options.model.path().file_name().unwrap_or_default().to_string_lossy();
            let picture = draw::draw(&*explored.system, graph, &file, drawing)?;
            let mut out = options.output.open()?;
            out.write_all(picture.as_bytes())?;
            if let Some(reason) = explored.incomplete {
                crate::report::note(&format!(
                    "the drawing is incomplete: {reason}; states with further successors end with (more)"
                ));
            }
            out.finish()?;
        } else if let (Some(drawing), Some(graph)) = (options.drawing(), &explored.observation) {
            let mut out = options.output.open()?;
            out.write_all(observation::draw(graph, drawing)?.as_bytes())?;
            out.finish()?;
        } else if let Some(structure) =
            explored.observation.as_ref().and_then(|graph| graph.structure.as_ref())
        {
            let mut out = options.output.open()?;
            out.write_all(kripke::text::write(structure).as_bytes())?;
            out.finish()?;
        } else if options.drawing().is_none() {
            let mut out = options.output.open()?;
            if options.json {
                serde_json::to_writer(&mut out, &Exploration::new(&self))
                    .map_err(io::Error::from)?;
                out.end_line()?;
            } else {
                self.write_text(&mut out)?;
            }
            out.finish()?;
        }
        if let Some(fault) = self.fault {
            return match self.is_assertion {
                true => {
                    report_error(&anyhow!(fault));
                    Ok(Exit::Violated)
                }
                false => Err(anyhow!(fault)),
            };
        }
        if explored.graph.is_some() && explored.incomplete == Some(Reason::States) {
            return Ok(Exit::Success);
        }
        Ok(match (explored.incomplete, &self.path) {
            (_, Some(_)) => Exit::Success,
            (Some(Reason::Interrupt), None) => Exit::Interrupted,
            (Some(_), None) => Exit::Error,
            (None, None) if options.wants_path() => Exit::Violated,
            (None, None) if explored.unreached.as_ref().is_some_and(|found| !found.is_empty()) => {
                Exit::Violated
            }
            (None, None) => Exit::Success,
        })
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let (options, explored) = (self.options, self.explored);
        if let Some(path) = &self.path {
            let what = match &self.fault {
                Some(_) if self.is_assertion => "assertion violated",
                Some(_) => "fault",
                None => "found",
            };
            match path.steps.len() {
                0 => writeln!(out, "{what} in the initial state")?,
                1 => writeln!(out, "{what} after 1 step")?,
                steps => writeln!(out, "{what} after {steps} steps")?,
            }
            return path.write(out);
        }
        if let Some(reason) = explored.incomplete {
            writeln!(out, "incomplete: {reason}")?;
        }
        if options.wants_path() {
            return match explored.incomplete {
                Some(_) => writeln!(out, "not found yet"),
                None => writeln!(out, "not found"),
            };
        }
        if let Some(SetCounts { states, deadlocks, nodes, peak_nodes }) = &explored.sets {
            writeln!(out, "states: {states}")?;
            writeln!(out, "deadlocks: {deadlocks}")?;
            writeln!(out, "nodes: {nodes}")?;
            writeln!(out, "peak nodes: {peak_nodes}")?;
            return self.write_bounds(out);
        }
        if let Some(graph) = &explored.observation {
            return observation::write(graph, out);
        }
        let Some(counts) = &explored.counts else { return Ok(()) };
        if counts.initial != 1 {
            writeln!(out, "initial: {}", counts.initial)?;
        }
        writeln!(out, "states: {}", counts.states)?;
        writeln!(out, "transitions: {}", counts.transitions)?;
        writeln!(out, "deadlocks: {}", counts.deadlocks)?;
        if options.is_breadth_first() {
            writeln!(out, "depth: {}", counts.depth)?;
        }
        if let (Some(sccs), None) = (&explored.components, explored.incomplete) {
            writeln!(out, "components: {}", sccs.count)?;
            writeln!(out, "largest component: {}", sccs.largest)?;
        }
        if let Some(unreached) = &explored.unreached {
            unreached::write(unreached, out)?;
        }
        self.write_bounds(out)
    }

    fn write_bounds(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(bounds) = self.bounds() else { return Ok(()) };
        writeln!(out, "bounds:")?;
        for (name, Bound { least, greatest }) in bounds {
            writeln!(out, "  {name}: {least}..{greatest}")?;
        }
        Ok(())
    }

    /// True if a path is asked for.
    pub(super) fn wants_path(&self) -> bool {
        self.options.wants_path()
    }

    /// The names of variables, and their bounds.
    pub(super) fn bounds(&self) -> Option<Vec<(String, Bound)>> {
        let named = |(variable, bound): &(VariableId, Bound)| {
            (self.explored.system.names().variable_name(*variable), *bound)
        };
        Some(self.explored.bounds.as_ref()?.iter().map(named).collect())
    }
}
