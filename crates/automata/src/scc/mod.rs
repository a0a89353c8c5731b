//! Strongly connected components of automata and of on-the-fly graphs.

mod accepting;
mod kind;
mod search;
mod strength;
#[cfg(test)]
mod tests;

pub use crate::graph::Graph;
pub use accepting::AcceptingPart;
pub(crate) use accepting::satisfiable;
pub use kind::ComponentKind;
pub(crate) use search::numbered;
pub use search::{Search, Visitor, components};

use crate::automaton::Automaton;
use crate::graph::FunctionGraph;
use crate::index::{SccId, StateId};
use crate::marks::Marks;
use std::ops::ControlFlow;

/// The reachable strongly connected components of an automaton, in reverse topological order: edges
/// between components lead to smaller numbers.
///
/// Linear, besides sorting the edges between components. Methods that take an automaton require the
/// one from which the components were computed.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Sccs, StateId};
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// let first = builder.add_states(2);
/// builder.initial(first);
/// let second = StateId::new(1);
/// let tt = builder.alphabet().tt();
/// builder.edge(first, tt, Marks::EMPTY, second);
/// builder.edge(second, tt, Marks::EMPTY, second);
/// let sccs = Sccs::of(&builder.build());
/// assert_eq!(sccs.len(), 2);
/// assert!(sccs.is_trivial(sccs.component(first).unwrap()));
/// assert!(!sccs.is_trivial(sccs.component(second).unwrap()));
/// ```
#[derive(Clone, Debug)]
pub struct Sccs {
    /// By state, its component, or [`UNREACHABLE`].
    component: Vec<u32>,
    states: Lists<StateId>,
    successors: Lists<SccId>,
    trivial: Vec<bool>,
    marks: Vec<Marks>,
}

const UNREACHABLE: u32 = u32::MAX;

/// A list for each component, stored in one vector.
#[derive(Clone, Debug)]
struct Lists<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    const EMPTY: Self = Lists { ends: vec![], items: vec![] };

    fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.ends.push(u32::try_from(self.items.len()).expect("more than 2^32 states or edges"));
    }

    fn get(&self, index: usize) -> &[T] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.items[start as usize..self.ends[index] as usize]
    }
}

impl Sccs {
    /// Computes the reachable components of the automaton.
    pub fn of(automaton: &Automaton) -> Self {
        Self::from_roots(automaton, automaton.initial().iter().copied())
    }

    /// Computes the components of all states; unreachable states count as reachable.
    pub fn of_all(automaton: &Automaton) -> Self {
        Self::from_roots(automaton, automaton.states())
    }

    fn from_roots(automaton: &Automaton, roots: impl Iterator<Item = StateId>) -> Self {
        let count = automaton.state_count();
        let mut sccs = Sccs {
            component: vec![UNREACHABLE; count],
            states: Lists::EMPTY,
            successors: Lists::EMPTY,
            trivial: vec![],
            marks: vec![],
        };
        let targets = |state| automaton.edges_from(StateId::new(state as usize)).iter();
        let targets = |state| targets(state).map(|edge| edge.target.index() as u32);
        let graph = FunctionGraph::new(count, targets);
        let mut search = Search::new(graph.numbering());
        for root in roots {
            let ControlFlow::Continue(()) = search.each(&graph, root.index() as u32, |states| {
                sccs.add(automaton, states);
                ControlFlow::<std::convert::Infallible>::Continue(())
            });
        }
        sccs
    }

    fn add(&mut self, automaton: &Automaton, states: &[u32]) {
        let id = self.trivial.len() as u32;
        states.iter().for_each(|&state| self.component[state as usize] = id);
        self.states.push(states.iter().map(|&state| StateId::new(state as usize)));
        let (mut trivial, mut marks) = (true, Marks::EMPTY);
        // The list under construction: a vector per component would dominate the cost.
        let successors = &mut self.successors.items;
        let start = successors.len();
        for &state in states {
            for edge in automaton.edges_from(StateId::new(state as usize)) {
                match self.component[edge.target.index()] {
                    target if target == id => {
                        trivial = false;
                        marks |= &edge.marks;
                    }
                    target => successors.push(SccId::new(target as usize)),
                }
            }
        }
        successors[start..].sort_unstable();
        let mut kept = start;
        for place in start..successors.len() {
            if kept == start || successors[kept - 1] != successors[place] {
                successors[kept] = successors[place];
                kept += 1;
            }
        }
        successors.truncate(kept);
        self.successors.push([]);
        self.trivial.push(trivial);
        self.marks.push(marks);
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.trivial.len()
    }

    /// True if there is no component, because the automaton has no initial state.
    pub fn is_empty(&self) -> bool {
        self.trivial.is_empty()
    }

    /// Returns all components in reverse topological order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = SccId> + ExactSizeIterator + use<> {
        (0..self.len()).map(SccId::new)
    }

    /// Returns the component of a state; `None` if the state is unreachable.
    pub fn component(&self, state: StateId) -> Option<SccId> {
        match self.component[state.index()] {
            UNREACHABLE => None,
            id => Some(SccId::new(id as usize)),
        }
    }

    /// True if the state is reachable.
    pub fn is_reachable(&self, state: StateId) -> bool {
        self.component[state.index()] != UNREACHABLE
    }

    /// Returns the states of a component; the first is the one through which the search entered.
    pub fn states(&self, scc: SccId) -> &[StateId] {
        self.states.get(scc.index())
    }

    /// Returns the other components that edges lead to directly, in ascending order.
    pub fn successors(&self, scc: SccId) -> &[SccId] {
        self.successors.get(scc.index())
    }

    /// True if the component has no edge: its state is on no cycle.
    pub fn is_trivial(&self, scc: SccId) -> bool {
        self.trivial[scc.index()]
    }

    /// The marks on the edges inside the component.
    pub fn marks(&self, scc: SccId) -> &Marks {
        &self.marks[scc.index()]
    }

    /// True if the edge from `source` to `target` stays inside a component.
    pub fn is_inside(&self, source: StateId, target: StateId) -> bool {
        self.is_reachable(source)
            && self.component[source.index()] == self.component[target.index()]
    }

    /// True if no edge leaves the component.
    pub fn is_bottom(&self, scc: SccId) -> bool {
        self.successors(scc).is_empty()
    }
}
