//! Runs that violate a property, as pictures.

use super::chart;
use crate::origin::with_sources;
use crate::pictures::{Drawing, Picture, shorten, values_text};
use crate::trace::{RunTrace, TraceStep};
use anyhow::{Context, Result};

/// The format of a counterexample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Each step with its changes.
    #[default]
    Text,
    /// One row per step, one column per variable that changes; a mark at the left shows the cycle.
    Table,
    /// Graphviz.
    Dot,
    /// SVG.
    Svg,
    /// A line of JSON for each property, as --json.
    Json,
    /// The trace format of Apalache and Quint: an object for each run.
    Itf,
}

impl Format {
    /// True if only runs are written; verdicts go to standard error.
    pub(super) fn is_alone(self) -> bool {
        matches!(self, Format::Dot | Format::Svg | Format::Itf)
    }

    /// The kind of drawing; none if the run is written as text.
    pub(super) fn drawing(self) -> Option<Drawing> {
        match self {
            Format::Text | Format::Table | Format::Json | Format::Itf => None,
            Format::Dot => Some(Drawing::Dot),
            Format::Svg => Some(Drawing::Svg),
        }
    }
}

/// Draws the run: as SVG in columns, otherwise as a graph of its states.
pub(super) fn draw(run: &RunTrace, formula: &str, file: &str, drawing: Drawing) -> Result<String> {
    if drawing == Drawing::Svg {
        return Ok(chart::draw(run, formula, file));
    }
    let length = run.shown().count();
    let states = vec![values_text(&run.initial)];
    let mut picture = Picture { name: "a counterexample", states, initial: 1, edges: Vec::new() };
    for (number, step) in run.shown().enumerate() {
        let closes = number + 1 == length && run.ending().is_none();
        let target = if closes { run.prefix.len() } else { number + 1 };
        if !closes {
            picture.states.push(changes_text(step));
        }
        picture.edges.push((number, with_sources(step.name(), &step.source, file), target));
    }
    if let (Some(ending), Some(last)) = (run.ending(), picture.states.last_mut()) {
        last.push_str(&format!(" ({ending})"));
    }
    picture.draw(drawing).context("the run cannot be drawn")
}

/// Returns the changes of a step, as the text of its target.
fn changes_text(step: &TraceStep) -> String {
    if step.changes.is_empty() {
        return "nothing changes".to_owned();
    }
    let changes = step.changes.iter().map(|change| format!("{}={}", change.variable, change.after));
    shorten(changes.collect::<Vec<_>>().join(" "))
}
