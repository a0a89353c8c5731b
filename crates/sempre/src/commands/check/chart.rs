//! A run as a picture: a column for each step, a row for each process, wrapped into bands.
//!
//! A cell has the values that a step changes; the first column those of all variables that change
//! somewhere. A bar above marks the steps of the cycle, a frame the bad state. If the model is a program,
//! a row named after its file says where each action comes from.

use crate::lanes::Lanes;
use crate::origin::Source;
use crate::trace::{RunTrace, TraceStep};
use std::fmt::Write;

/// How many steps are drawn.
const MAX_STEPS: usize = 2000;

/// The width of a drawing in pixels, beyond which it wraps.
const WIDTH: f64 = 1200.0;

/// The longest text in a cell, in characters.
const LONGEST: usize = 26;

const CHARACTER: f64 = 6.7;
const LINE: f64 = 15.0;
const GAP: f64 = 10.0;
const MARGIN: f64 = 16.0;
const INK: &str = "#212529";
const PALE: &str = "#868e96";
const CYCLE: &str = "#1971c2";
const BAD: &str = "#e03131";

/// A column: a state, and the action that leads to it.
struct Column {
    head: String,
    action: String,
    /// Where the action comes from, a line for each transition that takes part.
    sources: Vec<String>,
    /// The lines of each lane.
    cells: Vec<Vec<String>>,
    is_cycle: bool,
}

impl Column {
    fn width(&self) -> f64 {
        let texts = self.cells.iter().flatten().chain([&self.action]).chain(&self.sources);
        let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0).clamp(4, LONGEST);
        longest as f64 * CHARACTER + GAP
    }
}

/// Draws a run of the model in a file that violates the formula as SVG.
pub(super) fn draw(run: &RunTrace, formula: &str, file: &str) -> String {
    let lanes = Lanes::new(run);
    let columns = columns(run, &lanes);
    let has_sources = columns.iter().any(|column| !column.sources.is_empty());
    let names = lanes.names.iter().map(String::as_str).chain(has_sources.then_some(file));
    let label = names.map(|name| name.chars().count().min(LONGEST)).max().unwrap_or(0).max(6);
    let left = MARGIN + label as f64 * CHARACTER + GAP;
    let bands = bands(&columns, WIDTH - left - MARGIN);
    let mut chart = Chart { out: String::new(), file, y: MARGIN + 18.0, left, width: 0.0 };
    let mut body = String::new();
    for (number, band) in bands.iter().enumerate() {
        let is_last = number + 1 == bands.len();
        chart.band(run, &lanes, &columns[band.clone()], is_last);
        body.push_str(&std::mem::take(&mut chart.out));
    }
    let hidden = run.shown().count().saturating_sub(MAX_STEPS);
    if hidden > 0 {
        chart.text(MARGIN, chart.y, PALE, &format!("… and {hidden} more steps"));
        chart.y += LINE;
    }
    body.push_str(&chart.out);
    let title = format!("{formula} is violated: {}", length(run));
    let wide = title.chars().count().min(150) as f64 * 7.4 + 2.0 * MARGIN;
    let (width, height) = (chart.width.max(wide).ceil(), (chart.y + MARGIN).ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"11\">\n\
         <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"22\" font-size=\"13\" font-weight=\"bold\" fill=\"{INK}\">{}</text>\n\
         {body}</svg>\n",
        escaped(&title),
        escaped(&cut(&title, 150)),
    )
}

/// The length of the run in words.
fn length(run: &RunTrace) -> String {
    let steps = |count: usize| format!("{count} step{}", if count == 1 { "" } else { "s" });
    match (run.bad_state, run.ending()) {
        (Some(bad), _) => format!("bad state after {}", steps(bad)),
        (None, Some(ending)) => format!("{ending} after {}", steps(run.prefix.len())),
        (None, None) => {
            format!("prefix of {}, cycle of {}", steps(run.prefix.len()), steps(run.cycle.len()))
        }
    }
}

fn columns(run: &RunTrace, lanes: &Lanes) -> Vec<Column> {
    let shown: Vec<&TraceStep> = run.shown().take(MAX_STEPS).collect();
    let mut first: Vec<Vec<String>> = vec![Vec::new(); lanes.names.len()];
    let mut seen: Vec<&str> = Vec::new();
    for change in shown.iter().flat_map(|step| &step.changes) {
        if !seen.contains(&&*change.variable) {
            seen.push(&change.variable);
            let value = run.initial.get(&change.variable);
            first[lanes.of(&change.variable)].push(format!("{}={value}", change.variable));
        }
    }
    let action = "(initial)".to_owned();
    let (head, sources) = ("0".to_owned(), Vec::new());
    let mut columns = vec![Column { head, action, sources, cells: first, is_cycle: false }];
    for (number, step) in shown.into_iter().enumerate() {
        let mut cells: Vec<Vec<String>> = vec![Vec::new(); lanes.names.len()];
        for change in &step.changes {
            cells[lanes.of(&change.variable)].push(format!("{}={}", change.variable, change.after));
        }
        columns.push(Column {
            head: (number + 1).to_string(),
            action: step.name().to_owned(),
            sources: step.source.iter().filter_map(Source::text).collect(),
            cells,
            is_cycle: run.ending().is_none() && number >= run.prefix.len(),
        });
    }
    columns
}

/// The columns side by side, as many as fit.
fn bands(columns: &[Column], width: f64) -> Vec<std::ops::Range<usize>> {
    let mut bands = Vec::new();
    let (mut first, mut used) = (0, 0.0);
    for (number, column) in columns.iter().enumerate() {
        if number > first && used + column.width() > width {
            bands.push(first..number);
            (first, used) = (number, 0.0);
        }
        used += column.width();
    }
    bands.push(first..columns.len());
    bands
}

struct Chart<'a> {
    out: String,
    /// The file of the model.
    file: &'a str,
    y: f64,
    left: f64,
    width: f64,
}

impl Chart<'_> {
    fn band(&mut self, run: &RunTrace, lanes: &Lanes, columns: &[Column], is_last: bool) {
        let top = self.y;
        self.text(MARGIN, top + 2.0 * LINE, PALE, "step");
        self.text(MARGIN, top + 3.0 * LINE, PALE, "action");
        let mut y = top + 3.0 * LINE + 6.0;
        let lines = columns.iter().map(|column| column.sources.len()).max().unwrap_or(0);
        if lines > 0 {
            self.text(MARGIN, top + 4.0 * LINE, PALE, self.file);
            y += lines as f64 * LINE;
        }
        let mut rows = Vec::new();
        for (lane, name) in lanes.names.iter().enumerate() {
            let lines = columns.iter().map(|column| column.cells[lane].len()).max().unwrap_or(0);
            let height = lines.max(1) as f64 * LINE + 6.0;
            self.text(MARGIN, y + LINE, INK, &cut(name, LONGEST));
            rows.push((y, height));
            y += height;
        }
        let bottom = y;
        let mut x = self.left;
        for (number, column) in columns.iter().enumerate() {
            let width = column.width();
            let is_end = is_last && number + 1 == columns.len();
            self.column(run, column, (x, width), &rows, (top, bottom), is_end);
            x += width;
        }
        for (y, _) in rows {
            let _ = writeln!(
                self.out,
                "<path d=\"M{MARGIN} {y:.1} H{x:.1}\" stroke=\"#dee2e6\" stroke-width=\"1\"/>"
            );
        }
        self.width = self.width.max(x + MARGIN);
        self.y = bottom + LINE;
        if is_last && run.ending().is_none() {
            let back = format!(
                "↺ after step {} the cycle begins again: step {} comes next",
                run.prefix.len() + run.cycle.len(),
                run.prefix.len() + 1
            );
            self.long_text(CYCLE, &back);
            self.y += LINE;
        }
        if let (true, Some(ending)) = (is_last, run.ending()) {
            self.long_text(BAD, ending);
            self.y += LINE;
        }
    }

    fn column(
        &mut self,
        run: &RunTrace,
        column: &Column,
        (x, width): (f64, f64),
        rows: &[(f64, f64)],
        (top, bottom): (f64, f64),
        is_end: bool,
    ) {
        let colour = if column.is_cycle { CYCLE } else { INK };
        if column.is_cycle {
            let _ = writeln!(
                self.out,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"4\" fill=\"{CYCLE}\">\
                 <title>the cycle</title></rect>",
                top + LINE - 12.0,
                width,
            );
        }
        if is_end && run.ending().is_some() {
            let _ = writeln!(
                self.out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\" \
                 fill=\"#fff5f5\" stroke=\"{BAD}\" stroke-width=\"2\"/>",
                x - 3.0,
                top + LINE + 2.0,
                width - 2.0,
                bottom - top - LINE - 2.0,
            );
        }
        self.text(x, top + 2.0 * LINE, colour, &column.head);
        self.text(x, top + 3.0 * LINE, colour, &column.action);
        for (number, source) in column.sources.iter().enumerate() {
            self.text(x, top + LINE * (number + 4) as f64, PALE, source);
        }
        for (cell, (y, _)) in column.cells.iter().zip(rows) {
            for (line, text) in cell.iter().enumerate() {
                self.text(x, y + LINE * (line + 1) as f64, INK, text);
            }
        }
    }

    /// Writes a line below a band.
    fn long_text(&mut self, colour: &str, text: &str) {
        let (x, y) = (self.left, self.y);
        let _ = writeln!(
            self.out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{}</text>",
            escaped(text)
        );
        self.width = self.width.max(x + text.chars().count() as f64 * CHARACTER + MARGIN);
    }

    fn text(&mut self, x: f64, y: f64, colour: &str, text: &str) {
        let short = cut(text, LONGEST);
        let full = match short == text {
            true => String::new(),
            false => format!("<title>{}</title>", escaped(text)),
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            self.out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{full}{}</text>",
            escaped(&short)
        );
    }
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some(_) => format!("{}…", text.chars().take(longest - 1).collect::<String>()),
        None => text.to_owned(),
    }
}

/// A text in XML or HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            character if character.is_control() => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
    out
}
