//! Reports an exploration as text and JSON.

use super::Explore;
use crate::Exit;
use crate::limits;
use crate::symbolic::whole;
use crate::trace::Trace;
use anyhow::{Result, anyhow};
use num_bigint::BigUint;
use sempre::explicit::explore::{Answer, Counts, Exploration, Reason};
use sempre::models::System;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// The result of an exploration.
#[derive(Default)]
pub(super) struct Report {
    pub(super) counts: Option<Counts>,
    pub(super) store_bytes: usize,
    pub(super) incomplete: Option<Reason>,
    /// The requested path, or the path to a fault.
    pub(super) path: Option<Trace>,
    /// The fault of the model.
    pub(super) fault: Option<String>,
    pub(super) sccs: Option<Sccs>,
    pub(super) bounds: Option<Vec<VariableRange>>,
    pub(super) picture: Option<String>,
    /// The result of the symbolic engine.
    pub(super) symbolic: Option<SymbolicCounts>,
}

/// The counts of the symbolic engine.
pub(super) struct SymbolicCounts {
    pub(super) states: BigUint,
    pub(super) deadlocks: BigUint,
    pub(super) nodes: usize,
    pub(super) peak_nodes: usize,
}

/// Strongly connected components.
pub(super) struct Sccs {
    pub(super) count: u64,
    pub(super) largest: u64,
}

/// The range of a variable.
pub(super) struct VariableRange {
    pub(super) variable: String,
    pub(super) least: i64,
    pub(super) greatest: i64,
}

impl Report {
    pub(super) fn of(exploration: Exploration) -> Self {
        Report {
            counts: Some(exploration.counts),
            store_bytes: exploration.bytes,
            incomplete: exploration.incomplete,
            ..Report::default()
        }
    }

    pub(super) fn answer(system: &dyn System, answer: &Answer) -> Self {
        let path = answer.path.as_ref().map(|path| Trace::new(system, path));
        Report { path, ..Report::of(answer.exploration.clone()) }
    }

    /// Writes the report and returns the exit code.
    pub(super) fn write(self, options: &Explore, time: Duration) -> Result<Exit> {
        let mut out = options.output.open()?;
        if let Some(picture) = &self.picture {
            out.write_all(picture.as_bytes())?;
            if let Some(reason) = self.incomplete {
                crate::report::note(&format!("the drawing is incomplete: {reason}"));
            }
        } else if options.json {
            serde_json::to_writer(&mut out, &self.json(options, time)).map_err(io::Error::from)?;
            out.end_line()?;
        } else {
            self.write_text(options, &mut out)?;
        }
        out.finish()?;
        if let Some(fault) = self.fault {
            return Err(anyhow!(fault));
        }
        let asked = options.find.is_some() || options.deadlock;
        Ok(match (self.incomplete, &self.path) {
            (_, Some(_)) => Exit::Success,
            (Some(Reason::Interrupt), None) => Exit::Interrupted,
            (Some(_), None) => Exit::Error,
            (None, None) if asked => Exit::Violated,
            (None, None) => Exit::Success,
        })
    }

    fn write_text(&self, options: &Explore, out: &mut impl Write) -> io::Result<()> {
        if let Some(path) = &self.path {
            let what = if self.fault.is_some() { "fault" } else { "found" };
            match path.steps.len() {
                0 => writeln!(out, "{what} in the initial state")?,
                1 => writeln!(out, "{what} after 1 step")?,
                steps => writeln!(out, "{what} after {steps} steps")?,
            }
            return path.write(out);
        }
        if let Some(reason) = self.incomplete {
            writeln!(out, "incomplete: {reason}")?;
        }
        if options.find.is_some() || options.deadlock {
            return match self.incomplete {
                Some(_) => writeln!(out, "not found yet"),
                None => writeln!(out, "not found"),
            };
        }
        if let Some(SymbolicCounts { states, deadlocks, nodes, peak_nodes }) = &self.symbolic {
            writeln!(out, "states: {states}")?;
            writeln!(out, "deadlocks: {deadlocks}")?;
            writeln!(out, "nodes: {nodes}")?;
            writeln!(out, "peak nodes: {peak_nodes}")?;
            return self.write_bounds(out);
        }
        let Some(counts) = &self.counts else { return Ok(()) };
        if counts.initial != 1 {
            writeln!(out, "initial: {}", counts.initial)?;
        }
        writeln!(out, "states: {}", counts.states)?;
        writeln!(out, "transitions: {}", counts.transitions)?;
        writeln!(out, "deadlocks: {}", counts.deadlocks)?;
        if options.is_breadth_first() {
            writeln!(out, "depth: {}", counts.depth)?;
        }
        if let (Some(sccs), None) = (&self.sccs, self.incomplete) {
            writeln!(out, "components: {}", sccs.count)?;
            writeln!(out, "largest component: {}", sccs.largest)?;
        }
        self.write_bounds(out)
    }

    fn write_bounds(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(bounds) = &self.bounds else { return Ok(()) };
        writeln!(out, "bounds:")?;
        for VariableRange { variable, least, greatest } in bounds {
            writeln!(out, "  {variable}: {least}..{greatest}")?;
        }
        Ok(())
    }

    fn json(&self, options: &Explore, time: Duration) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        if let Some(counts) = &self.counts {
            put("initial", json!(counts.initial));
            put("states", json!(counts.states));
            put("transitions", json!(counts.transitions));
            put("deadlocks", json!(counts.deadlocks));
            put("depth", json!(counts.depth));
            put("store_bytes", json!(self.store_bytes));
        }
        if let Some(counted) = &self.symbolic {
            put("states", whole(&counted.states));
            put("deadlocks", whole(&counted.deadlocks));
            put("nodes", json!(counted.nodes));
            put("peak_nodes", json!(counted.peak_nodes));
        }
        put("seconds", json!(time.as_secs_f64()));
        put("peak_bytes", json!(limits::peak().unwrap_or(self.store_bytes as u64)));
        let stopped = self.incomplete.is_some() || self.fault.is_some() || self.path.is_some();
        put("complete", json!(!stopped));
        if let Some(reason) = self.incomplete {
            put("reason", json!(reason.to_string()));
        }
        if let Some(fault) = &self.fault {
            put("fault", json!(fault));
        }
        if options.find.is_some() || options.deadlock {
            put("found", json!(self.path.is_some() && self.fault.is_none()));
        }
        if let Some(path) = &self.path {
            put("path", json!(path));
        }
        if let (Some(sccs), None) = (&self.sccs, self.incomplete) {
            put("components", json!(sccs.count));
            put("largest_component", json!(sccs.largest));
        }
        if let Some(bounds) = &self.bounds {
            let bound = |bound: &VariableRange| {
                (bound.variable.clone(), json!([bound.least, bound.greatest]))
            };
            put("bounds", Value::Object(bounds.iter().map(bound).collect()));
        }
        Value::Object(object)
    }
}

impl Explore {
    /// True if the depth is a property of the model rather than of the search.
    fn is_breadth_first(&self) -> bool {
        !self.sccs && self.search == super::Order::Bfs && self.threads.is_none_or(|n| n == 1)
    }
}
