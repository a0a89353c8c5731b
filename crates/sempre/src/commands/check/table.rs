//! Runs as tables: the actions, and the values that are not as before.
//!
//! A table has a row for each step and a column for each variable that ever changes. If that is too
//! wide, it has a row for each variable instead, and the steps side by side, in blocks.

use crate::trace::RunTrace;
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// The width beyond which a table is transposed.
const WIDEST: usize = 120;

/// Writes the run as a table. A line at the left runs along the steps that repeat for ever.
///
/// Variables come in the order in which the run changes them, which keeps what is written near the
/// diagonal.
pub(super) fn write(run: &RunTrace, out: &mut impl Write) -> io::Result<()> {
    let rows = rows(run);
    let widths = widths(&rows);
    let width: usize = widths.iter().map(|width| width + 2).sum();
    match width > WIDEST {
        true => write_transposed(run, &rows, out)?,
        false => {
            for (number, row) in rows.iter().enumerate() {
                let mut line = format!("{} {:>2$}", mark(run, number), row[0], widths[0]);
                for (cell, width) in row.iter().zip(&widths).skip(1) {
                    line.push_str(&format!("  {cell:<width$}"));
                }
                writeln!(out, "{}", line.trim_end())?;
            }
        }
    }
    match run.ending() {
        Some(ending) => writeln!(out, "{ending}"),
        None => Ok(()),
    }
}

/// The cells: a header, the initial state, and the steps.
fn rows(run: &RunTrace) -> Vec<Vec<String>> {
    let mut columns: FxHashMap<&str, usize> = FxHashMap::default();
    let mut header = vec![String::new(), "action".to_owned()];
    for change in run.shown().flat_map(|step| &step.changes) {
        columns.entry(&change.variable).or_insert_with(|| {
            header.push(change.variable.clone());
            header.len() - 1
        });
    }
    let mut initial = vec!["0".to_owned(); header.len()];
    initial[1] = "(initial state)".to_owned();
    for (name, value) in &run.initial.0 {
        if let Some(column) = columns.get(&**name) {
            initial[*column].clone_from(value);
        }
    }
    let mut rows = vec![header, initial];
    for (number, step) in run.shown().enumerate() {
        let mut row = vec![String::new(); rows[0].len()];
        row[0] = (number + 1).to_string();
        row[1] = step.name().to_owned();
        for change in &step.changes {
            row[columns[&*change.variable]].clone_from(&change.after);
        }
        rows.push(row);
    }
    rows
}

/// The width of each column.
fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    (0..rows[0].len()).filter_map(width).collect()
}

/// Writes the steps with their actions, then a row for each variable, with as many steps side by side
/// as fit. The steps of the cycle are marked by `*`.
fn write_transposed(run: &RunTrace, rows: &[Vec<String>], out: &mut impl Write) -> io::Result<()> {
    for (number, row) in rows.iter().enumerate().skip(1) {
        writeln!(out, "{} {}  {}", mark(run, number), row[0], row[1])?;
    }
    let header = &rows[0];
    let names = header.iter().skip(2).map(|name| name.chars().count()).max().unwrap_or(0).max(4);
    let steps = &rows[1..];
    let head = |number: usize| match is_cycle(run, number + 1) {
        true => format!("{}*", steps[number][0]),
        false => steps[number][0].clone(),
    };
    let width = |number: usize| {
        let cells = steps[number].iter().skip(2).map(|cell| cell.chars().count());
        cells.chain([head(number).chars().count()]).max().unwrap_or(0)
    };
    let mut first = 0;
    while first < steps.len() {
        let (mut last, mut total) = (first, names);
        while last < steps.len() && (last == first || total + 2 + width(last) <= WIDEST) {
            total += 2 + width(last);
            last += 1;
        }
        let mut line = format!("{:<names$}", "step");
        (first..last).for_each(|step| line.push_str(&format!("  {:>1$}", head(step), width(step))));
        writeln!(out, "{}", line.trim_end())?;
        for (column, name) in header.iter().enumerate().skip(2) {
            if first > 0 && (first..last).all(|step| steps[step][column].is_empty()) {
                continue;
            }
            let mut line = format!("{name:<names$}");
            for (step, cells) in steps.iter().enumerate().take(last).skip(first) {
                line.push_str(&format!("  {:>1$}", cells[column], width(step)));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        first = last;
    }
    Ok(())
}

/// True if the row is a step of the cycle: the header is row 0, the initial state is row 1.
fn is_cycle(run: &RunTrace, row: usize) -> bool {
    let first = run.prefix.len() + 2;
    run.ending().is_none() && (first..first + run.cycle.len()).contains(&row)
}

/// The mark at the left of a row.
fn mark(run: &RunTrace, row: usize) -> char {
    match (is_cycle(run, row), row > 0 && is_cycle(run, row - 1), is_cycle(run, row + 1)) {
        (false, ..) => ' ',
        (true, false, false) => '↺',
        (true, false, true) => '╭',
        (true, true, false) => '╰',
        (true, true, true) => '│',
    }
}
