//! Drawings of automata that read something else than valuations: what their labels and states look
//! like is told by whoever knows.

use crate::{Label, StateId};

/// What a drawing shows otherwise than for an automaton over valuations.
pub struct Style<'a> {
    /// The text on an edge with this label that leaves this state.
    pub label: &'a dyn Fn(StateId, Label) -> String,
    /// What a state looks like.
    pub outline: &'a dyn Fn(StateId) -> Outline,
    /// What is said in place of the acceptance condition.
    pub caption: String,
    /// Whether marks are shown on edges.
    pub marks: bool,
    /// Whether an edge with this label that leaves this state is left out.
    pub hides: &'a dyn Fn(StateId, Label) -> bool,
}

/// What a state looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outline {
    /// A circle.
    #[default]
    Single,
    /// Two circles.
    Double,
    /// A dashed circle.
    Dashed,
    /// Two dashed circles.
    DoubleDashed,
    /// A small disc without text.
    Point,
}

impl Outline {
    pub(super) fn is_double(self) -> bool {
        matches!(self, Outline::Double | Outline::DoubleDashed)
    }

    pub(super) fn is_dashed(self) -> bool {
        matches!(self, Outline::Dashed | Outline::DoubleDashed)
    }
}
