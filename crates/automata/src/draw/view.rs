//! The common parts of all drawings: the states to show, the look of accepting ones, the texts.

use super::caption;
use super::style::{Outline, Style};
use crate::{Acceptance, Automaton, Edge, Label, Marks, Named, StateId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;

/// An automaton as a drawing shows it.
pub(super) struct View<'a> {
    pub(super) automaton: &'a Automaton,
    /// The states shown, ascending.
    pub(super) states: Vec<StateId>,
    shown: Vec<bool>,
    /// True if accepting states are double circles and marks are hidden.
    pub(super) double_circles: bool,
    names: bool,
    style: Option<&'a Style<'a>>,
    /// The texts of labels, printed once each: automata have many edges with few labels.
    labels: RefCell<FxHashMap<Label, String>>,
}

impl<'a> View<'a> {
    /// Selects at most `max_states` states, those nearest to the initial ones by breadth-first
    /// search.
    pub(super) fn new(
        automaton: &'a Automaton,
        names: bool,
        max_states: Option<usize>,
        style: Option<&'a Style<'a>>,
    ) -> Self {
        let count = automaton.state_count();
        let mut shown = vec![max_states.is_none_or(|max| max >= count); count];
        if let Some(max) = max_states.filter(|max| *max < count) {
            let mut left = max;
            let mut queue = VecDeque::new();
            // Unreachable states come last, by number.
            let mut roots = automaton.initial().iter().copied().chain(automaton.states());
            while left > 0 {
                let Some(state) = queue.pop_front().or_else(|| roots.next()) else { break };
                if !std::mem::replace(&mut shown[state.index()], true) {
                    left -= 1;
                    queue.extend(automaton.edges_from(state).iter().map(|edge| edge.target));
                }
            }
        }
        View {
            automaton,
            states: automaton.states().filter(|state| shown[state.index()]).collect(),
            shown,
            double_circles: style.is_none()
                && *automaton.acceptance() == buchi()
                && automaton.is_state_based(),
            names,
            style,
            labels: RefCell::default(),
        }
    }

    /// True if the state is shown.
    pub(super) fn shows(&self, state: StateId) -> bool {
        self.shown[state.index()]
    }

    /// The initial states that are shown.
    pub(super) fn initial(&self) -> impl Iterator<Item = StateId> + '_ {
        self.automaton.initial().iter().copied().filter(|state| self.shows(*state))
    }

    /// The shown edges that leave a state.
    pub(super) fn edges_from(&self, state: StateId) -> impl Iterator<Item = &'a Edge> {
        let edges = self.automaton.edges_from(state).iter();
        edges.filter(move |edge| self.shows(edge.target) && !self.hides(state, edge))
    }

    /// Returns the number of edges from a state to omitted states.
    pub(super) fn hidden_from(&self, state: StateId) -> usize {
        self.automaton.edges_from(state).iter().filter(|edge| !self.shows(edge.target)).count()
    }

    fn hides(&self, state: StateId, edge: &Edge) -> bool {
        self.style.is_some_and(|style| (style.hides)(state, edge.label))
    }

    /// Returns the outline of a state.
    pub(super) fn outline(&self, state: StateId) -> Outline {
        let first = || self.automaton.edges_from(state).first();
        match self.style {
            Some(style) => (style.outline)(state),
            None if self.double_circles && first().is_some_and(|edge| !edge.marks.is_empty()) => {
                Outline::Double
            }
            None => Outline::Single,
        }
    }

    /// Returns the marks to draw on an edge.
    pub(super) fn marks(&self, edge: &'a Edge) -> &'a Marks {
        const NONE: &Marks = &Marks::EMPTY;
        let hidden = self.double_circles || self.style.is_some_and(|style| !style.marks);
        if hidden { NONE } else { &edge.marks }
    }

    /// The label of an edge that leaves a state.
    pub(super) fn label(&self, state: StateId, edge: &Edge) -> String {
        if let Some(style) = self.style {
            return (style.label)(state, edge.label);
        }
        let mut labels = self.labels.borrow_mut();
        let text = labels
            .entry(edge.label)
            .or_insert_with(|| self.automaton.alphabet().to_formula(edge.label).to_string());
        text.clone()
    }

    /// The name of a state, or its number.
    pub(super) fn state_text(&self, state: StateId) -> String {
        if self.outline(state) == Outline::Point {
            return String::new();
        }
        match self.automaton.state_name(state).filter(|_| self.names) {
            Some(name) => name.to_owned(),
            None => state.to_string(),
        }
    }

    /// The acceptance condition in pieces.
    pub(super) fn acceptance(&self) -> Vec<caption::Piece> {
        match self.style.and_then(|style| style.caption.clone()) {
            Some(caption) => vec![caption::Piece::Text(caption)],
            None => caption::acceptance(self.automaton.acceptance()),
        }
    }

    /// Describes the omitted part, if any.
    pub(super) fn cut(&self) -> Option<String> {
        let (shown, all) = (self.states.len(), self.automaton.state_count());
        (shown < all).then(|| format!("{shown} of {all} states shown"))
    }
}

fn buchi() -> Acceptance {
    Named::Buchi.acceptance()
}
