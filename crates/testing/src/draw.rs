//! Drawings of testing automata, for every step of their construction.
//!
//! Runs start in a disc. Its edges have valuations and lead to the initial states; all other edges
//! have changes. Büchi-accepting states are double circles, livelock-accepting ones dashed.

use crate::changes;
use crate::graph::ChangeGraph;
use crate::ta::{BUCHI, ExplicitTa, LIVELOCK, TestingAutomaton};
use crate::tgta::{ExplicitTgta, Tgta};
use sempre_automata::draw::{
    self, DotOptions, MermaidOptions, Outline, Style, SvgOptions, TextOptions,
};
use sempre_automata::{Automaton, Error, Label, StateId};

/// The drawn automaton.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The automaton of differences.
    automaton: Automaton,
    /// True if marks 0 and 2 are shown on states, not on edges.
    on_states: bool,
    caption: String,
}

impl Drawing {
    fn new(graph: &ChangeGraph, on_states: bool, caption: impl Into<String>) -> Self {
        Drawing { automaton: graph.differences(), on_states, caption: caption.into() }
    }

    /// Draws in DOT.
    pub fn dot(&self, options: &DotOptions) -> String {
        self.styled(|style| draw::dot_in(style, &self.automaton, options))
    }

    /// Draws as an SVG document.
    ///
    /// # Errors
    /// If the drawing would be too large.
    pub fn svg(&self, options: &SvgOptions) -> Result<String, Error> {
        self.styled(|style| draw::svg_in(style, &self.automaton, options))
    }

    /// Draws as a Mermaid flowchart.
    pub fn mermaid(&self, options: &MermaidOptions) -> String {
        self.styled(|style| draw::mermaid_in(style, &self.automaton, options))
    }

    /// Draws as text for terminals.
    pub fn text(&self, options: &TextOptions) -> String {
        self.styled(|style| draw::text_in(style, &self.automaton, options))
    }

    fn styled<T>(&self, write: impl FnOnce(&Style<'_>) -> T) -> T {
        let alphabet = self.automaton.alphabet();
        let is_start = |state: StateId| self.automaton.initial().contains(&state);
        let label = |state: StateId, label: Label| match is_start(state) {
            true => alphabet.to_formula(label).to_string(),
            false => changes::text(alphabet, label),
        };
        let has = |state: StateId, mark: u32| {
            self.on_states
                && self.automaton.edges_from(state).iter().any(|edge| edge.marks.contains(mark))
        };
        let outline = |state: StateId| match (has(state, BUCHI), has(state, LIVELOCK)) {
            _ if is_start(state) => Outline::Point,
            (false, false) => Outline::Single,
            (true, false) => Outline::Double,
            (false, true) => Outline::Dashed,
            (true, true) => Outline::DoubleDashed,
        };
        let stuttering = changes::stuttering(alphabet);
        let hides = |state: StateId, label: Label| {
            self.on_states && !is_start(state) && label == stuttering
        };
        write(&Style {
            label: &label,
            outline: &outline,
            caption: Some(self.caption.clone()),
            marks: !self.on_states,
            hides: &hides,
        })
    }
}

/// Returns the caption for the number of marks.
fn generalized(graph: &ChangeGraph) -> String {
    match graph.automaton().acceptance().marks() {
        1 => "Büchi acceptance".into(),
        marks => format!("generalized Büchi acceptance, {marks} marks"),
    }
}

impl ExplicitTa {
    /// Returns the drawing of the automaton.
    pub fn drawing(&self) -> Drawing {
        Drawing::new(self.graph(), false, "changes, stuttering explicit; Büchi acceptance")
    }
}

impl TestingAutomaton {
    /// Returns the drawing of the automaton.
    pub fn drawing(&self) -> Drawing {
        let caption = "changes; double: Büchi-accepting, dashed: livelock-accepting";
        Drawing::new(self.graph(), true, caption)
    }
}

impl ExplicitTgta {
    /// Returns the drawing of the automaton.
    pub fn drawing(&self) -> Drawing {
        let acceptance = generalized(self.graph());
        Drawing::new(self.graph(), false, format!("changes, stuttering explicit; {acceptance}"))
    }
}

impl Tgta {
    /// Returns the drawing of the automaton.
    pub fn drawing(&self) -> Drawing {
        let acceptance = generalized(self.graph());
        Drawing::new(self.graph(), false, format!("changes; {acceptance}"))
    }
}
