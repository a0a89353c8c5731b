//! A compact drawing in text, for terminals: a block per state, a line per edge.

use super::style::{Outline, Style};
use super::view::View;
use super::{caption, marks};
use crate::{Automaton, Mark, Marks, StateId};

/// Options of a drawing in text.
#[derive(Clone, Debug)]
pub struct TextOptions {
    /// The name of the automaton and its acceptance condition above the drawing.
    pub caption: bool,
    /// Only ASCII characters, except in names and propositions.
    pub ascii: bool,
    /// The names of states after their numbers.
    pub state_names: bool,
    /// The maximal number of states, those nearest to the initial ones.
    pub max_states: Option<usize>,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { caption: true, ascii: false, state_names: true, max_states: None }
    }
}

/// The characters of the drawing.
pub(super) struct Signs {
    pub(super) initial: &'static str,
    accepting: &'static str,
    pub(super) state: &'static str,
    dashed: &'static str,
    dashed_accepting: &'static str,
    point: &'static str,
    /// The trunk from a state to its only edge, first, middle and last edge.
    only: &'static str,
    first: &'static str,
    middle: &'static str,
    last: &'static str,
    pub(super) arrow: &'static str,
    pub(super) self_loop: &'static str,
    more: &'static str,
    pub(super) mark: fn(Mark) -> String,
}

const UNICODE: Signs = Signs {
    initial: "▶",
    accepting: "◎",
    state: "○",
    dashed: "◌",
    dashed_accepting: "◉",
    point: "•",
    only: "───",
    first: "─┬─",
    middle: " ├─",
    last: " ╰─",
    arrow: "─▶ ",
    self_loop: "─↺",
    more: "…",
    mark: marks::glyph,
};

const ASCII: Signs = Signs {
    initial: ">",
    accepting: "@",
    state: "o",
    dashed: "%",
    dashed_accepting: "&",
    point: ".",
    only: "---",
    first: "-+-",
    middle: " |-",
    last: " `-",
    arrow: "-> ",
    self_loop: "-@",
    more: "...",
    mark: |mark| format!("[{mark}]"),
};

/// The maximal width of names and labels, which keeps the edges in view.
pub(super) const WIDEST_NAME: usize = 32;
pub(super) const WIDEST_LABEL: usize = 60;

/// Draws the automaton as text, in linear time: `▶ ◎ 0 ─┬─ a & b ⓿ ─▶ 1`.
///
/// Column widths are counted in characters, which is wrong only for full-width ones.
pub fn text(automaton: &Automaton, options: &TextOptions) -> String {
    styled(automaton, options, None)
}

/// Draws the automaton as text, with a custom style: `◌` is dashed, `◉` double and dashed.
pub fn text_in(style: &Style<'_>, automaton: &Automaton, options: &TextOptions) -> String {
    styled(automaton, options, Some(style))
}

fn styled(automaton: &Automaton, options: &TextOptions, style: Option<&Style<'_>>) -> String {
    let view = View::new(automaton, false, options.max_states, style);
    let signs = Signs::of(options);
    let condition = caption::join(&view.acceptance(), signs.mark);
    let name = automaton.name().map(one_line);
    let caption = name.into_iter().chain([condition]).filter(|_| options.caption);
    let heads: Vec<String> =
        view.states.iter().map(|s| head(&view, *s, options.state_names, signs)).collect();
    let blocks: Vec<Vec<Row>> = view.states.iter().map(|s| rows(&view, *s, signs)).collect();
    laid_out(caption.chain(view.cut()), &heads, &blocks, signs)
}

impl Signs {
    pub(super) fn of(options: &TextOptions) -> &'static Signs {
        if options.ascii { &ASCII } else { &UNICODE }
    }
}

/// The lines of a caption, then a block of rows for each head.
pub(super) fn laid_out(
    caption: impl Iterator<Item = String>,
    heads: &[String],
    blocks: &[Vec<Row>],
    signs: &Signs,
) -> String {
    let mut out = String::new();
    for line in caption {
        out.push_str(&line);
        out.push('\n');
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let head_width = heads.iter().map(|head| width(head)).max().unwrap_or(0);
    let all = || blocks.iter().flatten();
    let label_width = all().map(|row| width(&row.label)).max().unwrap_or(0);
    let mark_width = all().map(|row| width(&row.marks)).max().unwrap_or(0);
    // A blank line separates blocks of several lines.
    let apart = blocks.iter().any(|rows| rows.len() > 1);

    for (place, (head, rows)) in heads.iter().zip(blocks).enumerate() {
        if place > 0 && apart {
            out.push('\n');
        }
        if rows.is_empty() {
            out.push_str(head);
            out.push('\n');
        }
        for (row, Row { label, marks, arrow }) in rows.iter().enumerate() {
            let trunk = match (row, row + 1 == rows.len()) {
                (0, true) => signs.only,
                (0, false) => signs.first,
                (_, false) => signs.middle,
                (_, true) => signs.last,
            };
            let head = if row == 0 { head } else { "" };
            let gap = " ".repeat(usize::from(mark_width > 0));
            out.push_str(&format!(
                "{} {trunk} {}{gap}{} {arrow}\n",
                padded(head, head_width),
                padded(label, label_width),
                padded(marks, mark_width),
            ));
        }
    }
    out
}

/// A line of a block: an edge.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) marks: String,
    pub(super) arrow: String,
}

fn head(view: &View<'_>, state: StateId, names: bool, signs: &Signs) -> String {
    let initial = if view.automaton.initial().contains(&state) { signs.initial } else { " " };
    let sign = match view.outline(state) {
        Outline::Single => signs.state,
        Outline::Double => signs.accepting,
        Outline::Dashed => signs.dashed,
        Outline::DoubleDashed => signs.dashed_accepting,
        Outline::Point => signs.point,
    };
    let mut head = format!("{initial} {sign} {state}");
    if let Some(name) = view.automaton.state_name(state).filter(|_| names) {
        head.push_str("  ");
        head.push_str(&cut(&one_line(name), WIDEST_NAME, signs));
    }
    head
}

fn rows(view: &View<'_>, state: StateId, signs: &Signs) -> Vec<Row> {
    let mut rows: Vec<Row> = view
        .edges_from(state)
        .map(|edge| Row {
            label: cut(&view.label(state, edge), WIDEST_LABEL, signs),
            marks: mark_text(view.marks(edge), signs),
            arrow: match edge.target == state {
                true => signs.self_loop.into(),
                false => format!("{}{}", signs.arrow, edge.target),
            },
        })
        .collect();
    let hidden = view.hidden_from(state);
    if hidden > 0 {
        let arrow = format!("{}{} ({hidden} more)", signs.arrow, signs.more);
        rows.push(Row { label: String::new(), marks: String::new(), arrow });
    }
    rows
}

pub(super) fn mark_text(marks: &Marks, signs: &Signs) -> String {
    marks.iter().map(signs.mark).collect()
}

pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn width(text: &str) -> usize {
    text.chars().count()
}

pub(super) fn cut(text: &str, widest: usize, signs: &Signs) -> String {
    if width(text) <= widest {
        return text.into();
    }
    text.chars().take(widest - width(signs.more)).chain(signs.more.chars()).collect()
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}
