//! Returns small state spaces as graphs, for drawings.

use super::Insert;
use super::{Limits, Reason};
use crate::store::{Arena, StateId, Store};
use sempre_ltl::interrupt;
use sempre_models::{ActionId, Fault, Successors, System};

/// The reachable states and the transitions between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateGraph {
    /// The states in breadth-first order; their indices are their numbers.
    pub states: Vec<Box<[u32]>>,
    /// The transitions, sorted by source.
    pub edges: Vec<Transition>,
    /// The number of initial states, which come first.
    pub initial: usize,
    /// Why the graph is incomplete, if it is. Then it has the transitions of expanded states
    /// between its states.
    pub incomplete: Option<Reason>,
    /// The states of which some transitions are missing, because they lead to further states.
    pub unfinished: Vec<StateId>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The source.
    pub source: StateId,
    /// The action.
    pub action: ActionId,
    /// The target.
    pub target: StateId,
}

/// Computes the graph of at most `limit` reachable states.
///
/// # Errors
/// If the system has a fault in one of the states.
pub fn graph(system: &dyn System, limit: usize) -> Result<StateGraph, Fault> {
    let limits = Limits { states: Some(limit as u64), ..Limits::default() };
    let mut store = Arena::new(system.words());
    let mut ids = Vec::new();
    let mut graph = StateGraph {
        states: Vec::new(),
        edges: Vec::new(),
        initial: 0,
        incomplete: None,
        unfinished: Vec::new(),
    };
    graph.incomplete = limits.insert(&mut store, 0, &system.initial()?.concat(), &mut ids).err();
    graph.initial = store.len();
    let mut expander = system.expander();
    let mut successors = Successors::new(system.words());
    while graph.states.len() < store.len() {
        interrupt::poll();
        let source = StateId(graph.states.len() as u32);
        let state: Box<[u32]> = store.state(source).into();
        successors.clear();
        expander.expand(&state, &mut successors)?;
        for (action, successor) in successors.iter() {
            ids.clear();
            match limits.insert(&mut store, 0, successor, &mut ids) {
                Ok(()) => graph.edges.push(Transition { source, action, target: ids[0] }),
                Err(reason) => {
                    graph.incomplete = Some(reason);
                    if graph.unfinished.last() != Some(&source) {
                        graph.unfinished.push(source);
                    }
                }
            }
        }
        graph.states.push(state);
    }
    Ok(graph)
}
