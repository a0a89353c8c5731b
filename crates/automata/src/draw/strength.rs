//! Strongly connected components in drawings, with a colour by their verdict.

use crate::{Automaton, Sccs, StateId};

/// A reachable component.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// Ascending.
    pub(super) states: Vec<StateId>,
    pub(super) strength: Strength,
}

/// The verdict on a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// It has a cycle that satisfies the acceptance condition.
    Accepting,
    /// It has cycles, but all are rejecting.
    Rejecting,
    /// It has no cycle.
    Trivial,
}

/// The look of the box of a component.
pub(super) struct BoxLook {
    pub(super) name: &'static str,
    pub(super) line: &'static str,
    pub(super) fill: &'static str,
    /// The fill colour of areas without a line.
    pub(super) strong_fill: &'static str,
}

impl Strength {
    pub(super) fn look(self) -> BoxLook {
        let (name, line, fill, strong_fill) = match self {
            Strength::Accepting => ("accepting component", "#2b8a3e", "#ebfbee", "#d3f9d8"),
            Strength::Rejecting => ("rejecting component", "#c92a2a", "#fff0f0", "#ffe0e0"),
            Strength::Trivial => ("trivial component", "#adb5bd", "#f8f9fa", "#f1f3f5"),
        };
        BoxLook { name, line, fill, strong_fill }
    }
}

/// Returns the reachable components in topological order.
pub(super) fn components(automaton: &Automaton) -> Vec<Component> {
    let sccs = Sccs::of(automaton);
    let accepting = sccs.accepting(automaton);
    let component = |scc: crate::SccId| {
        let mut states = sccs.states(scc).to_vec();
        states.sort_unstable();
        let strength = match (accepting[scc.index()], sccs.is_trivial(scc)) {
            (true, _) => Strength::Accepting,
            (false, true) => Strength::Trivial,
            (false, false) => Strength::Rejecting,
        };
        Component { states, strength }
    };
    sccs.iter().rev().map(component).collect()
}
