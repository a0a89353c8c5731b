//! Writes counterexamples as tables and drawings.

use crate::pictures::{Drawing, Picture, shorten, values_text};
use crate::trace::{RunTrace, TraceStep};
use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use std::io::{self, Write};

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
}

impl Format {
    /// Returns the format of the drawing; `None` for text and tables.
    pub(super) fn drawing(self) -> Option<Drawing> {
        match self {
            Format::Text | Format::Table => None,
            Format::Dot => Some(Drawing::Dot),
            Format::Svg => Some(Drawing::Svg),
        }
    }
}

/// Writes the run as a table: the action of each step, and the values that it changes. A line at
/// the left marks the cycle.
///
/// Columns are in the order of the first changes, so that entries are near the diagonal.
pub(super) fn write_table(run: &RunTrace, out: &mut impl Write) -> io::Result<()> {
    let mut columns: FxHashMap<&str, usize> = FxHashMap::default();
    let mut header = vec![String::new(), "action".to_owned()];
    for change in steps(run).flat_map(|step| &step.changes) {
        columns.entry(&change.variable).or_insert_with(|| {
            header.push(change.variable.clone());
            header.len() - 1
        });
    }
    let mut initial = vec!["0".to_owned(); header.len()];
    initial[0] = "0".to_owned();
    initial[1] = "(initial state)".to_owned();
    for (name, value) in &run.values {
        if let Some(column) = columns.get(&**name) {
            initial[*column].clone_from(value);
        }
    }
    let mut rows = vec![header, initial];
    for (number, step) in steps(run).enumerate() {
        let mut row = vec![String::new(); rows[0].len()];
        row[0] = (number + 1).to_string();
        row[1].clone_from(&step.action);
        for change in &step.changes {
            row[columns[&*change.variable]].clone_from(&change.after);
        }
        rows.push(row);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..rows[0].len()).filter_map(width).collect();
    for (number, row) in rows.iter().enumerate() {
        let mut line = format!("{} {:>2$}", mark(run, number), row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            line.push_str(&format!("  {cell:<width$}"));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    if let Some(ending) = run.ending() {
        writeln!(out, "{ending}")?;
    }
    Ok(())
}

/// Returns the mark at the left of a row: the header is row 0, the initial state row 1.
fn mark(run: &RunTrace, row: usize) -> char {
    let (first, last) = (run.prefix.len() + 2, run.prefix.len() + run.cycle.len() + 1);
    match row {
        _ if row < first || row > last => ' ',
        _ if first == last => '↺',
        _ if row == first => '╭',
        _ if row == last => '╰',
        _ => '│',
    }
}

/// Draws the prefix and the cycle, with the values of the first state and the changes at the
/// others.
pub(super) fn draw(run: &RunTrace, drawing: Drawing) -> Result<String> {
    let length = run.prefix.len() + run.cycle.len();
    let states = vec![values_text(&run.values)];
    let mut picture = Picture { name: "a counterexample", states, initial: 1, edges: Vec::new() };
    for (number, step) in steps(run).enumerate() {
        let closes = number + 1 == length && !run.cycle.is_empty();
        let target = if closes { run.prefix.len() } else { number + 1 };
        if !closes {
            picture.states.push(changes_text(step));
        }
        picture.edges.push((number, step.action.clone(), target));
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

fn steps(run: &RunTrace) -> impl Iterator<Item = &TraceStep> {
    run.prefix.iter().chain(&run.cycle)
}
