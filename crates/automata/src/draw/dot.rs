//! DOT, the language of Graphviz.

use super::strength::{BoxLook, components, deterministic_part};
use super::style::{Outline, Style};
use super::svg::escaped;
use super::view::View;
use super::{caption, marks};
use crate::{Automaton, Marks, StateId};
use std::fmt::Write;

/// The direction of edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From left to right.
    #[default]
    LeftToRight,
    /// From top to bottom.
    TopToBottom,
}

/// Options of a DOT drawing.
#[derive(Clone, Debug)]
pub struct DotOptions {
    /// The name of the automaton and its acceptance condition above the drawing.
    pub caption: bool,
    /// The direction of edges.
    pub direction: Direction,
    /// Strongly connected components as boxes, with a colour for accepting, rejecting and trivial
    /// ones.
    pub components: bool,
    /// The largest deterministic part of a semi-deterministic automaton as a box, and edges that lead
    /// there dashed.
    pub parts: bool,
    /// States by their names, if they have one, instead of their numbers.
    pub state_names: bool,
    /// The maximal number of states, those nearest to the initial ones.
    pub max_states: Option<usize>,
}

impl Default for DotOptions {
    fn default() -> Self {
        DotOptions {
            caption: true,
            direction: Direction::LeftToRight,
            components: false,
            parts: false,
            state_names: true,
            max_states: None,
        }
    }
}

/// Draws the automaton in DOT.
///
/// Linear, besides finding accepting components if they are shown.
pub fn dot(automaton: &Automaton, options: &DotOptions) -> String {
    styled(automaton, options, None)
}

/// Draws the automaton in DOT, with a custom style.
pub fn dot_in(style: &Style<'_>, automaton: &Automaton, options: &DotOptions) -> String {
    styled(automaton, options, Some(style))
}

fn styled(automaton: &Automaton, options: &DotOptions, style: Option<&Style<'_>>) -> String {
    let view = View::new(automaton, options.state_names, options.max_states, style);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_graph(&view, options, &mut out);
    out
}

fn write_graph(view: &View<'_>, options: &DotOptions, out: &mut String) -> std::fmt::Result {
    let name = view.automaton.name().filter(|_| options.caption);
    let acceptance = if options.caption { view.acceptance() } else { vec![] };
    write_head(name, &acceptance, view.cut(), options.direction, out)?;
    if options.components {
        write_components(view, out)?;
    }
    let second = options.parts.then(|| deterministic_part(view.automaton)).flatten();
    let is_second = |state: StateId| second.as_ref().is_some_and(|part| part[state.index()]);
    if second.is_some() {
        let states = view.states.iter().filter(|state| is_second(**state));
        let states: Vec<String> = states.map(ToString::to_string).collect();
        writeln!(out, "  subgraph cluster_deterministic {{")?;
        writeln!(out, "    label=\"deterministic part\"")?;
        writeln!(out, "    style=rounded")?;
        writeln!(out, "    {}", states.join("; "))?;
        writeln!(out, "  }}")?;
    }
    let drawn_start = |state: &StateId| view.outline(*state) != Outline::Point;
    for (place, state) in view.initial().filter(drawn_start).enumerate() {
        writeln!(out, "  I{place} [label=\"\", style=invis, width=0]")?;
        writeln!(out, "  I{place} -> {state}")?;
    }
    for &state in &view.states {
        let double = match view.outline(state) {
            Outline::Single => "",
            Outline::Double => ", peripheries=2",
            Outline::Dashed => ", style=\"filled,dashed\"",
            Outline::DoubleDashed => ", peripheries=2, style=\"filled,dashed\"",
            Outline::Point => ", shape=point",
        };
        writeln!(out, "  {state} [label={}{double}]", quoted(&view.state_text(state)))?;
        for edge in view.edges_from(state) {
            let label = html_label(&view.label(state, edge), view.marks(edge));
            let cut = is_second(edge.target) && !is_second(state);
            let cut = if cut { ", style=dashed" } else { "" };
            writeln!(out, "  {state} -> {} [label=<{label}>{cut}]", edge.target)?;
        }
        let hidden = view.hidden_from(state);
        if hidden > 0 {
            let tooltip = format!("edges to states that are not shown: {hidden}");
            writeln!(out, "  H{state} [label=\"…\", shape=none, width=0, height=0]")?;
            writeln!(out, "  {state} -> H{state} [style=dashed, tooltip={}]", quoted(&tooltip))?;
        }
    }
    out.write_str("}\n")
}

/// Writes the opening of a graph, with its caption.
pub(super) fn write_head(
    name: Option<&str>,
    acceptance: &[caption::Piece],
    cut: Option<String>,
    direction: Direction,
    out: &mut String,
) -> std::fmt::Result {
    let name = name.unwrap_or_default();
    writeln!(out, "digraph {} {{", quoted(name))?;
    if direction == Direction::LeftToRight {
        writeln!(out, "  rankdir=LR")?;
    }
    let condition = caption::join(acceptance, coloured).replace(" & ", " &amp; ");
    let lines = [escaped(name), condition, cut.unwrap_or_default()];
    let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    if !lines.is_empty() {
        writeln!(out, "  label=<{}>", lines.join("<br/>"))?;
        writeln!(out, "  labelloc=\"t\"")?;
    }
    writeln!(out, "  fontname=\"Helvetica\"")?;
    let fill = "style=filled, fillcolor=\"#ffffff\"";
    writeln!(out, "  node [shape=circle, {fill}, fontname=\"Helvetica\"]")?;
    writeln!(out, "  edge [fontname=\"Helvetica\"]")
}

/// Writes a box for each component, in topological order, so that equal automata have equal
/// drawings.
fn write_components(view: &View<'_>, out: &mut String) -> std::fmt::Result {
    for (place, component) in components(view.automaton).into_iter().enumerate() {
        let states: Vec<String> = component
            .states
            .iter()
            .filter(|state| view.shows(**state))
            .map(ToString::to_string)
            .collect();
        if states.is_empty() {
            continue;
        }
        let BoxLook { name, line, fill, .. } = component.strength.look();
        writeln!(out, "  subgraph cluster_{place} {{")?;
        writeln!(out, "    label=\"\"; tooltip=\"{name}\"")?;
        writeln!(out, "    style=\"rounded,filled\"; color=\"{line}\"; fillcolor=\"{fill}\"")?;
        writeln!(out, "    {}", states.join("; "))?;
        writeln!(out, "  }}")?;
    }
    Ok(())
}

/// Returns a label with the marks below it.
pub(super) fn html_label(label: &str, marks: &Marks) -> String {
    let mut html = escaped(label);
    if !marks.is_empty() {
        html.push_str("<br/>");
        html.extend(marks.iter().map(coloured));
    }
    html
}

fn coloured(mark: crate::Mark) -> String {
    format!("<font color=\"{}\">{}</font>", marks::colour(mark), marks::glyph(mark))
}

/// Quotes an identifier or label: DOT interprets quotes and backslashes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
