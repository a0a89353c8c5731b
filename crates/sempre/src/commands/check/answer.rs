//! What is told about a property: a verdict, what it has cost, and a run that violates it.

use super::run::{self, Format};
use crate::Exit;
use crate::limits;
use crate::output::Output;
use crate::pictures::Drawing;
use crate::symbolic::whole;
use crate::trace::{RunTrace, Trace};
use anyhow::Result;
use num_bigint::BigUint;
use sempre::explicit::explore::{Failure, Reason};
use sempre::explicit::{Deadlock, Outcome, Verdict};
use sempre::models::{Fault, System};
use sempre::symbolic;
use serde_json::json;
use std::io::{self, Write};

/// The answer for a property.
pub(super) struct Answer {
    pub(super) property: String,
    pub(super) formula: String,
    pub(super) deadlock: Deadlock,
    pub(super) seconds: f64,
    pub(super) told: Told,
}

/// What a check has found out, in words.
pub(super) struct Told {
    verdict: Spoken,
    engine: String,
    states: u64,
    transitions: u64,
    product_states: u64,
    product_transitions: u64,
    bytes: usize,
    /// If states were looked at as sets: how many there are, and how many nodes there were at most.
    sets: Option<(Option<BigUint>, usize)>,
    /// Why this engine, if it was not asked for.
    why: Option<&'static str>,
}

/// Why states were looked at one by one, if nothing else was worth while: no need to tell people.
pub(super) const AT_ONCE: &str = "it was done at once";

enum Spoken {
    Holds,
    Violated(RunTrace),
    /// Why, and the way to the fault if it is one of the model.
    Unknown(String, Option<Trace>),
    /// By an interrupt from the keyboard.
    Interrupted,
}

impl Spoken {
    fn new(system: &dyn System, verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Holds => Spoken::Holds,
            Verdict::Violated(run) => Spoken::Violated(RunTrace::new(system, run)),
            Verdict::Unknown(Reason::Interrupt) => Spoken::Interrupted,
            Verdict::Unknown(reason) => Spoken::Unknown(reason.to_string(), None),
        }
    }
}

impl Told {
    pub(super) fn new(system: &dyn System, outcome: Outcome) -> Self {
        Told {
            verdict: Spoken::new(system, &outcome.verdict),
            engine: outcome.engine,
            states: outcome.states,
            transitions: outcome.transitions,
            product_states: outcome.effort.nodes,
            product_transitions: outcome.effort.edges,
            bytes: outcome.bytes,
            sets: None,
            why: None,
        }
    }

    /// What a check with sets of states has found out.
    pub(super) fn of_sets(system: &dyn System, outcome: symbolic::Outcome) -> Self {
        Told {
            engine: format!("symbolic {}", outcome.engine),
            bytes: outcome.usage.peak_bytes,
            sets: Some((outcome.states, outcome.usage.peak_nodes)),
            ..Told::nothing(Spoken::new(system, &outcome.verdict))
        }
    }

    /// The same, with the reason why it was this engine.
    pub(super) fn since(self, why: &'static str) -> Self {
        Told { why: Some(why), ..self }
    }

    /// What is told if the work around the search was interrupted.
    pub(super) fn interrupted() -> Self {
        Told::nothing(Spoken::Interrupted)
    }

    /// What is told if the model was not ready in time.
    pub(super) fn unprepared() -> Self {
        let reason = format!("{} while the model was being read", Reason::Time);
        Told::unknown(reason)
    }

    /// What is told if nobody knows, for that reason.
    pub(super) fn unknown(reason: String) -> Self {
        Told::nothing(Spoken::Unknown(reason, None))
    }

    /// True if it is known whether the property holds.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self.verdict, Spoken::Holds | Spoken::Violated(_))
    }

    /// What is told if the model has a fault: nobody knows whether the property holds.
    pub(super) fn fault(system: &dyn System, failure: &Failure) -> Self {
        let action = match &failure.fault {
            Fault::Undefined { action: Some(action), .. } => {
                format!("{}: ", system.names().action_name(*action))
            }
            _ => String::new(),
        };
        let path = failure.path.as_ref().map(|path| Trace::new(system, path));
        Told::nothing(Spoken::Unknown(format!("{action}{failure}"), path))
    }

    fn nothing(verdict: Spoken) -> Self {
        Told {
            verdict,
            engine: String::new(),
            states: 0,
            transitions: 0,
            product_states: 0,
            product_transitions: 0,
            bytes: 0,
            sets: None,
            why: None,
        }
    }
}

impl Answer {
    pub(super) fn exit(&self) -> Exit {
        match self.told.verdict {
            Spoken::Holds => Exit::Success,
            Spoken::Violated(_) => Exit::Violated,
            Spoken::Unknown(..) => Exit::Error,
            Spoken::Interrupted => Exit::Interrupted,
        }
    }

    fn verdict(&self) -> &'static str {
        match self.told.verdict {
            Spoken::Holds => "holds",
            Spoken::Violated(_) => "violated",
            Spoken::Unknown(..) | Spoken::Interrupted => "unknown",
        }
    }

    /// Writes the verdict, what it rests on, and if wanted the run that violates the property.
    pub(super) fn write(&self, run: Option<Format>, out: &mut Output) -> io::Result<()> {
        self.write_verdict(out)?;
        match (&self.told.verdict, run) {
            (Spoken::Violated(run), Some(Format::Table)) => run::write_table(run, out)?,
            (Spoken::Violated(run), Some(_)) => run.write(out)?,
            (Spoken::Unknown(_, Some(path)), _) => path.write(out)?,
            _ => {}
        }
        out.flush()
    }

    /// Draws the run that violates the property, if there is one, and tells if it has.
    pub(super) fn draw(&self, drawing: Drawing, out: &mut Output) -> Result<bool> {
        let Spoken::Violated(run) = &self.told.verdict else { return Ok(false) };
        out.write_all(run::draw(run, drawing)?.as_bytes())?;
        Ok(true)
    }

    /// Writes the verdict and what it rests on.
    pub(super) fn write_verdict(&self, out: &mut impl Write) -> io::Result<()> {
        let Told { engine, states, transitions, .. } = &self.told;
        writeln!(out, "{}: {}", self.property, self.verdict())?;
        match &self.told.verdict {
            Spoken::Unknown(reason, path) => {
                writeln!(out, "   {reason}")?;
                if path.is_some() {
                    return Ok(());
                }
            }
            Spoken::Interrupted => writeln!(out, "   {}", Reason::Interrupt)?,
            Spoken::Holds | Spoken::Violated(_) => {}
        }
        let deadlock = match self.deadlock {
            Deadlock::Stutter => "deadlocks repeat",
            Deadlock::Ignore => "deadlocks are ignored",
            Deadlock::Report => "deadlocks are violations",
        };
        let by = if engine.is_empty() { String::new() } else { format!(", by {engine}") };
        match &self.told.sets {
            Some((Some(states), nodes)) => {
                writeln!(out, "   {states} states, {nodes} nodes{by}; {deadlock}")
            }
            Some((None, nodes)) => writeln!(out, "   {nodes} nodes{by}; {deadlock}"),
            None => writeln!(out, "   {states} states, {transitions} transitions{by}; {deadlock}"),
        }?;
        match self.told.why {
            Some(why) if why != AT_ONCE => writeln!(out, "   this engine, since {why}"),
            _ => Ok(()),
        }
    }

    /// Writes the answer as the Model Checking Contest wants it.
    pub(super) fn write_contest(&self, out: &mut Output) -> io::Result<()> {
        let verdict = match self.told.verdict {
            Spoken::Holds => "TRUE",
            Spoken::Violated(_) => "FALSE",
            Spoken::Unknown(..) | Spoken::Interrupted => {
                write!(out, "FORMULA {} CANNOT_COMPUTE", self.property)?;
                return out.end_line();
            }
        };
        let techniques = match self.told.sets {
            Some(_) => "DECISION_DIAGRAMS",
            None => "EXPLICIT ON_THE_FLY",
        };
        write!(out, "FORMULA {} {verdict} TECHNIQUES {techniques}", self.property)?;
        out.end_line()
    }

    /// Writes everything as an object on a line.
    pub(super) fn write_json(&self, out: &mut Output) -> io::Result<()> {
        let Told { verdict, engine, .. } = &self.told;
        let mut object = json!({
            "property": self.property,
            "formula": self.formula,
            "verdict": self.verdict(),
            "engine": (!engine.is_empty()).then_some(engine),
            "deadlock": self.deadlock.name(),
            "states": self.told.states,
            "transitions": self.told.transitions,
            "product_states": self.told.product_states,
            "product_transitions": self.told.product_transitions,
            "seconds": self.seconds,
            "peak_bytes": limits::peak().unwrap_or(self.told.bytes as u64),
            "store_bytes": self.told.bytes,
            "counterexample": null,
        });
        if let Some(why) = self.told.why {
            object["engine_since"] = json!(why);
        }
        if let Some((states, nodes)) = &self.told.sets {
            object["states"] = json!(states.as_ref().map(whole));
            object["transitions"] = json!(null);
            object["peak_nodes"] = json!(nodes);
        }
        match verdict {
            Spoken::Violated(run) => object["counterexample"] = json!(run),
            Spoken::Unknown(reason, path) => {
                object["reason"] = json!(reason);
                if let Some(path) = path {
                    object["path"] = json!(path);
                }
            }
            Spoken::Interrupted => object["reason"] = json!(Reason::Interrupt.to_string()),
            Spoken::Holds => {}
        }
        serde_json::to_writer(&mut *out, &object)?;
        out.end_line()
    }
}
