//! Small state spaces as graphs, to be drawn.

use super::{Limits, Reason};
use crate::store::{Arena, StateId, Store, append};
use sempre_ltl::interrupt;
use sempre_models::{ActionId, Fault, System};

/// The reachable states and the transitions between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// The states; their numbers are their positions, in breadth-first order.
    pub states: Vec<Box<[u32]>>,
    /// The transitions, sorted by their sources.
    pub edges: Vec<Edge>,
    /// How many of the states are initial; they are the first ones.
    pub initial: usize,
    /// Why there are more states than these, if there are. Then the transitions are those of the
    /// states that were expanded, between states of the graph.
    pub incomplete: Option<Reason>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The state it leaves.
    pub source: StateId,
    /// What happens.
    pub action: ActionId,
    /// The state it leads to.
    pub target: StateId,
}

/// The graph of at most `limit` reachable states.
///
/// # Errors
/// If the system has a fault in one of the states.
pub fn graph<S: System>(system: &S, limit: usize) -> Result<Graph, Fault> {
    let limits = Limits { states: Some(limit as u64), ..Limits::default() };
    let mut store = Arena::new(system.words());
    let mut ids = Vec::new();
    let mut graph = Graph { states: Vec::new(), edges: Vec::new(), initial: 0, incomplete: None };
    graph.incomplete = limits.insert(&mut store, 0, &system.initial()?.concat(), &mut ids).err();
    graph.initial = store.len();
    let mut scratch = system.scratch();
    let (mut actions, mut successors) = (Vec::new(), Vec::new());
    while graph.states.len() < store.len() {
        interrupt::poll();
        let source = StateId(graph.states.len() as u32);
        let state: Box<[u32]> = store.state(source).into();
        actions.clear();
        successors.clear();
        system.successors(&state, &mut scratch, |action, successor| {
            actions.push(action);
            append(&mut successors, successor);
        })?;
        for (&action, successor) in actions.iter().zip(successors.chunks_exact(system.words())) {
            ids.clear();
            match limits.insert(&mut store, 0, successor, &mut ids) {
                Ok(()) => graph.edges.push(Edge { source, action, target: ids[0] }),
                Err(reason) => graph.incomplete = Some(reason),
            }
        }
        graph.states.push(state);
    }
    Ok(graph)
}
