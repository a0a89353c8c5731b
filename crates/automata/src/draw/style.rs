//! Drawings of automata whose letters are not valuations: the caller defines the look of labels and
//! states.

use crate::{Label, StateId};

/// The parts of a drawing that differ from an automaton over valuations.
pub struct Style<'a> {
    /// Returns the text of an edge by source and label.
    pub label: &'a dyn Fn(StateId, Label) -> String,
    /// Returns the outline of a state.
    pub outline: &'a dyn Fn(StateId) -> Outline,
    /// The caption, in place of the acceptance condition; `None` keeps it.
    pub caption: Option<String>,
    /// True if edges show their marks.
    pub marks: bool,
    /// True if the edge with this source and label is omitted.
    pub hides: &'a dyn Fn(StateId, Label) -> bool,
}

/// The outline of a state.
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
