//! Mermaid flowcharts, which many documentation systems render.

use super::view::View;
use super::{caption, marks};
use crate::{Automaton, Marks};
use std::fmt::Write;

/// What a Mermaid drawing shows.
#[derive(Clone, Debug)]
pub struct MermaidOptions {
    /// States by their names, where they have one, rather than by their numbers.
    pub state_names: bool,
    /// At most that many states, those nearest to the initial ones.
    pub max_states: Option<usize>,
}

impl Default for MermaidOptions {
    fn default() -> Self {
        MermaidOptions { state_names: true, max_states: None }
    }
}

/// The automaton as a Mermaid flowchart, in linear time.
///
/// A flowchart rather than a state diagram, as the latter has no accepting states and refuses
/// colons in labels.
pub fn mermaid(automaton: &Automaton, options: &MermaidOptions) -> String {
    let view = View::new(automaton, options.state_names, options.max_states);
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
    for (place, state) in view.initial().enumerate() {
        writeln!(out, "  i{place}[ ]:::start --> s{state}")?;
    }
    for &state in &view.states {
        let text = quoted(&view.state_text(state));
        match view.is_accepting(state) {
            true => writeln!(out, "  s{state}((({text})))")?,
            false => writeln!(out, "  s{state}(({text}))")?,
        }
    }
    for &state in &view.states {
        for edge in view.edges_from(state) {
            let label = quoted(&with_marks(view.label(edge), view.marks(edge)));
            writeln!(out, "  s{state} -- {label} --> s{}", edge.target)?;
        }
        if view.hidden_from(state) > 0 {
            writeln!(out, "  s{state} -.-> h{state}[\"…\"]:::start")?;
        }
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

/// A quoted text: Mermaid knows no escapes but character references with `#`.
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

/// A double-quoted scalar of YAML, for the title.
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
