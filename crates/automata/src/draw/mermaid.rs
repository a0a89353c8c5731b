//! Mermaid flowcharts, which many documentation systems render.

use super::style::{Outline, Style};
use super::view::View;
use super::{caption, marks};
use crate::{Automaton, Marks, StateId};
use std::fmt::Write;

/// Options of a Mermaid drawing.
#[derive(Clone, Debug)]
pub struct MermaidOptions {
    /// States by their names, if they have one, instead of their numbers.
    pub state_names: bool,
    /// The maximal number of states, those nearest to the initial ones.
    pub max_states: Option<usize>,
}

impl Default for MermaidOptions {
    fn default() -> Self {
        MermaidOptions { state_names: true, max_states: None }
    }
}

/// Draws the automaton as a Mermaid flowchart. Linear.
///
/// A state diagram of Mermaid has no accepting states and forbids colons in labels.
pub fn mermaid(automaton: &Automaton, options: &MermaidOptions) -> String {
    styled(automaton, options, None)
}

/// Draws the automaton as a Mermaid flowchart, with a custom style.
pub fn mermaid_in(style: &Style<'_>, automaton: &Automaton, options: &MermaidOptions) -> String {
    styled(automaton, options, Some(style))
}

fn styled(automaton: &Automaton, options: &MermaidOptions, style: Option<&Style<'_>>) -> String {
    let view = View::new(automaton, options.state_names, options.max_states, style);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_chart(&view, &mut out);
    out
}

fn write_chart(view: &View<'_>, out: &mut String) -> std::fmt::Result {
    let condition = caption::join(&view.acceptance(), marks::glyph);
    let title = [view.automaton.name().map(str::to_owned), Some(condition), view.cut()];
    let title: Vec<String> = title.into_iter().flatten().collect();
    writeln!(out, "---\ntitle: {}\n---", yaml(&title.join(" — ")))?;
    writeln!(out, "flowchart LR")?;
    let drawn_start = |state: &StateId| view.outline(*state) != Outline::Point;
    for (place, state) in view.initial().filter(drawn_start).enumerate() {
        writeln!(out, "  i{place}[ ]:::start --> s{state}")?;
    }
    for &state in &view.states {
        let text = quoted(&view.state_text(state));
        match view.outline(state) {
            Outline::Single => writeln!(out, "  s{state}(({text}))")?,
            Outline::Double => writeln!(out, "  s{state}((({text})))")?,
            Outline::Dashed => writeln!(out, "  s{state}(({text})):::dashed")?,
            Outline::DoubleDashed => writeln!(out, "  s{state}((({text}))):::dashed")?,
            Outline::Point => writeln!(out, "  s{state}[ ]:::start")?,
        }
    }
    for &state in &view.states {
        for edge in view.edges_from(state) {
            let label = quoted(&with_marks(view.label(state, edge), view.marks(edge)));
            writeln!(out, "  s{state} -- {label} --> s{}", edge.target)?;
        }
        if view.hidden_from(state) > 0 {
            writeln!(out, "  s{state} -.-> h{state}[\"…\"]:::start")?;
        }
    }
    if view.states.iter().any(|state| view.outline(*state).is_dashed()) {
        writeln!(out, "  classDef dashed stroke-dasharray:4 3")?;
    }
    writeln!(out, "  classDef start fill:none,stroke:none")
}

fn with_marks(mut label: String, marks: &Marks) -> String {
    if !marks.is_empty() {
        label.push(' ');
        label.extend(marks.iter().map(marks::glyph));
    }
    label
}

/// Quotes a text: Mermaid's only escapes are character references with `#`.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '#' | '&' | '<' | '>' | ';' | '`' | '\\' => {
                out.push_str(&format!("#{};", u32::from(c)));
            }
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Quotes the title as a double-quoted YAML scalar.
fn yaml(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
