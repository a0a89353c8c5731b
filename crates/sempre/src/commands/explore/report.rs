//! What is told about an exploration, for people and for programs.

use super::Explore;
use super::unreached::Unreached;
use crate::Exit;
use crate::limits;
use crate::report::error as report_error;
use crate::symbolic::whole;
use crate::trace::Trace;
use anyhow::{Result, anyhow};
use num_bigint::BigUint;
use sempre::explicit::explore::{Answer, Counts, Exploration, Reason};
use sempre::models::System;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// What an exploration has found out.
#[derive(Default)]
pub(super) struct Told {
    pub(super) counts: Option<Counts>,
    pub(super) store_bytes: usize,
    pub(super) incomplete: Option<Reason>,
    /// The path that was asked for, or that leads to a fault.
    pub(super) path: Option<Trace>,
    /// The fault of the model, or the assertion that fails.
    pub(super) fault: Option<String>,
    /// True if the fault is an assertion that fails.
    pub(super) is_assertion: bool,
    pub(super) unreached: Option<Unreached>,
    pub(super) sccs: Option<Sccs>,
    pub(super) bounds: Option<Vec<Bounded>>,
    pub(super) picture: Option<String>,
    /// What sets of states tell.
    pub(super) counted: Option<Counted>,
}

/// States as sets.
pub(super) struct Counted {
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

/// The values of a variable.
pub(super) struct Bounded {
    pub(super) variable: String,
    pub(super) least: i64,
    pub(super) greatest: i64,
}

impl Told {
    pub(super) fn counted(exploration: Exploration) -> Self {
        Told {
            counts: Some(exploration.counts),
            store_bytes: exploration.bytes,
            incomplete: exploration.incomplete,
            ..Told::default()
        }
    }

    pub(super) fn answer(system: &dyn System, answer: &Answer) -> Self {
        let path = answer.path.as_ref().map(|path| Trace::new(system, path));
        Told { path, ..Told::counted(answer.exploration.clone()) }
    }

    /// Writes everything, and says how the run ends.
    pub(super) fn write(self, options: &Explore, time: Duration) -> Result<Exit> {
        let mut out = options.output.open()?;
        if let Some(picture) = &self.picture {
            out.write_all(picture.as_bytes())?;
            if let Some(reason) = self.incomplete {
                crate::report::note(&format!(
                    "the drawing is incomplete: {reason}; states with further successors end with (more)"
                ));
            }
        } else if options.json {
            serde_json::to_writer(&mut out, &self.json(options, time)).map_err(io::Error::from)?;
            out.end_line()?;
        } else {
            self.write_text(options, &mut out)?;
        }
        out.finish()?;
        if let Some(fault) = self.fault {
            return match self.is_assertion {
                true => {
                    report_error(&anyhow!(fault));
                    Ok(Exit::Violated)
                }
                false => Err(anyhow!(fault)),
            };
        }
        if self.picture.is_some() && self.incomplete == Some(Reason::States) {
            return Ok(Exit::Success);
        }
        let asked = options.find.is_some() || options.deadlock;
        Ok(match (self.incomplete, &self.path) {
            (_, Some(_)) => Exit::Success,
            (Some(Reason::Interrupt), None) => Exit::Interrupted,
            (Some(_), None) => Exit::Error,
            (None, None) if asked => Exit::Violated,
            (None, None) if self.unreached.is_some_and(|found| !found.is_empty()) => Exit::Violated,
            (None, None) => Exit::Success,
        })
    }

    fn write_text(&self, options: &Explore, out: &mut impl Write) -> io::Result<()> {
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
        if let Some(reason) = self.incomplete {
            writeln!(out, "incomplete: {reason}")?;
        }
        if options.find.is_some() || options.deadlock {
            return match self.incomplete {
                Some(_) => writeln!(out, "not found so far"),
                None => writeln!(out, "not found"),
            };
        }
        if let Some(Counted { states, deadlocks, nodes, peak_nodes }) = &self.counted {
            writeln!(out, "states       {states}")?;
            writeln!(out, "deadlocks    {deadlocks}")?;
            writeln!(out, "nodes        {nodes}")?;
            writeln!(out, "peak nodes   {peak_nodes}")?;
            return self.write_bounds(out);
        }
        let Some(counts) = &self.counts else { return Ok(()) };
        if counts.initial != 1 {
            writeln!(out, "initial      {}", counts.initial)?;
        }
        writeln!(out, "states       {}", counts.states)?;
        writeln!(out, "transitions  {}", counts.transitions)?;
        writeln!(out, "deadlocks    {}", counts.deadlocks)?;
        if options.is_breadth_first() {
            writeln!(out, "depth        {}", counts.depth)?;
        }
        if let (Some(sccs), None) = (&self.sccs, self.incomplete) {
            writeln!(out, "components   {}", sccs.count)?;
            writeln!(out, "largest      {}", sccs.largest)?;
        }
        if let Some(unreached) = &self.unreached {
            unreached.write(out)?;
        }
        self.write_bounds(out)
    }

    fn write_bounds(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(bounds) = &self.bounds else { return Ok(()) };
        writeln!(out, "bounds")?;
        let length = |bound: &Bounded| bound.variable.chars().count();
        let width = bounds.iter().map(length).max().unwrap_or(0);
        for Bounded { variable, least, greatest } in bounds {
            writeln!(out, "  {variable:<width$}  {least}..{greatest}")?;
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
        if let Some(counted) = &self.counted {
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
            put(if self.is_assertion { "assertion" } else { "fault" }, json!(fault));
        }
        if let Some(unreached) = &self.unreached {
            put("never_occur", json!(unreached.transitions));
            put("never_reached", json!(unreached.locations));
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
            let bound =
                |bound: &Bounded| (bound.variable.clone(), json!([bound.least, bound.greatest]));
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
