//! Groups of states in drawings: strongly connected components, with a colour by their verdict, and
//! the two parts of semi-deterministic automata.

use crate::{Automaton, Sccs, SemiDeterminism, StateId};

/// A reachable component, or a part.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// Ascending.
    pub(super) states: Vec<StateId>,
    pub(super) strength: Strength,
}

/// The verdict on a component, or the kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// It has a cycle that satisfies the acceptance condition.
    Accepting,
    /// It has cycles, but all are rejecting.
    Rejecting,
    /// It has no cycle.
    Trivial,
    /// No component: the part without accepting cycles.
    FirstPart,
    /// No component: the deterministic part.
    SecondPart,
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
            Strength::FirstPart => ("first part", "#adb5bd", "#f8f9fa", "#f1f3f5"),
            Strength::SecondPart => ("deterministic part", "#1971c2", "#e7f5ff", "#d0ebff"),
        };
        BoxLook { name, line, fill, strong_fill }
    }
}

/// By state, whether it is in the largest deterministic part; `None` if the automaton is not
/// semi-deterministic.
pub(super) fn deterministic_part(automaton: &Automaton) -> Option<Vec<bool>> {
    let parts = SemiDeterminism::of(automaton);
    parts.semi_deterministic.then_some(parts.largest)
}

/// Returns both parts.
pub(super) fn parts(automaton: &Automaton, second: &[bool]) -> Vec<Component> {
    let part = |strength, wanted: bool| {
        let states = automaton.states().filter(|state| second[state.index()] == wanted).collect();
        Component { states, strength }
    };
    vec![part(Strength::FirstPart, false), part(Strength::SecondPart, true)]
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
