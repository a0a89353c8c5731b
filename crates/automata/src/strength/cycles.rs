//! Enumeration of the elementary cycles of a component: Johnson, Finding all the elementary
//! circuits of a directed graph (SIAM J. Comput. 1975), without recursion. Linear in the component
//! for each cycle; the number of cycles may be exponential.

use crate::automaton::Automaton;
use crate::graph::{FunctionGraph, Identity};
use crate::index::{EdgeId, SccId};
use crate::scc::{Sccs, Search as Components};
use sempre_ltl::interrupt;
use std::convert::Infallible;
use std::ops::{ControlFlow, Range};

/// Visits each cycle of a component that repeats no state once, until `visit` breaks. A cycle is a
/// list of edges. Parallel edges form different cycles if their marks differ; of those with equal
/// marks only the first is used.
pub fn elementary_cycles<B>(
    automaton: &Automaton,
    sccs: &Sccs,
    scc: SccId,
    mut visit: impl FnMut(&[EdgeId]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let graph = Inner::new(automaton, sccs, scc);
    let count = graph.count() as usize;
    let mut components = Components::new(Identity);
    let mut search = Search {
        region: vec![0; count],
        blocked: vec![false; count],
        waiting: vec![vec![]; count],
        graph,
    };
    for root in 0..search.graph.count() {
        // The states from the root on that are on a cycle with it, and can be on cycles not yet
        // visited from smaller roots.
        let graph = &search.graph;
        let later = |state| graph.range(state).map(|edge| graph.targets[edge]);
        let later = |state| later(state).filter(|&target| target >= root);
        let from_root = FunctionGraph::new(count, later);
        let mut component = vec![];
        components.forget(root..search.graph.count());
        let ControlFlow::Continue(()) = components.each(&from_root, root, |states| {
            component.clear();
            component.extend_from_slice(states);
            ControlFlow::<Infallible>::Continue(())
        });
        for &state in &component {
            search.region[state as usize] = root + 1;
            search.blocked[state as usize] = false;
            search.waiting[state as usize].clear();
        }
        search.cycles_through(root, &mut visit)?;
    }
    ControlFlow::Continue(())
}

/// The inner edges of a component, its states numbered from 0.
struct Inner {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl Inner {
    fn new(automaton: &Automaton, sccs: &Sccs, scc: SccId) -> Self {
        let mut place = rustc_hash::FxHashMap::default();
        for (number, &state) in sccs.states(scc).iter().enumerate() {
            place.insert(state, number as u32);
        }
        let mut graph = Inner { offsets: vec![0], targets: vec![], edges: vec![] };
        for &state in sccs.states(scc) {
            let first = graph.edges.len();
            for edge in automaton.edge_range(state).map(EdgeId::new) {
                let Some(&target) = place.get(&automaton.edge(edge).target) else { continue };
                let marks = &automaton.edge(edge).marks;
                let is_known = (first..graph.edges.len()).any(|other| {
                    graph.targets[other] == target
                        && automaton.edge(graph.edges[other]).marks == *marks
                });
                if !is_known {
                    graph.targets.push(target);
                    graph.edges.push(edge);
                }
            }
            graph.offsets.push(graph.edges.len() as u32);
        }
        graph
    }

    fn count(&self) -> u32 {
        self.offsets.len() as u32 - 1
    }

    fn range(&self, state: u32) -> Range<usize> {
        self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize
    }
}

/// The search for the cycles through one root after the other.
struct Search {
    graph: Inner,
    /// By state, one plus the last root whose cycles may contain it.
    region: Vec<u32>,
    /// States on the path, and those from which all paths to the root cross the path.
    blocked: Vec<bool>,
    /// By state, the states to unblock together with it.
    waiting: Vec<Vec<u32>>,
}

struct Frame {
    state: u32,
    cursor: Range<usize>,
    /// True if a cycle has been found from here.
    found: bool,
}

impl Search {
    fn cycles_through<B>(
        &mut self,
        root: u32,
        visit: &mut impl FnMut(&[EdgeId]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut path: Vec<EdgeId> = vec![];
        let mut frames = vec![self.enter(root)];
        while let Some(frame) = frames.last_mut() {
            interrupt::poll();
            if let Some(edge) = frame.cursor.next() {
                let target = self.graph.targets[edge];
                if target == root {
                    frame.found = true;
                    path.push(self.graph.edges[edge]);
                    visit(&path)?;
                    path.pop();
                } else if self.is_inside(target, root) && !self.blocked[target as usize] {
                    path.push(self.graph.edges[edge]);
                    frames.push(self.enter(target));
                }
                continue;
            }
            let (state, found) = (frame.state, frame.found);
            frames.pop();
            path.pop();
            if found {
                self.unblock(state);
            } else {
                self.wait(state, root);
            }
            if let Some(parent) = frames.last_mut() {
                parent.found |= found;
            }
        }
        ControlFlow::Continue(())
    }

    fn enter(&mut self, state: u32) -> Frame {
        self.blocked[state as usize] = true;
        Frame { state, cursor: self.graph.range(state), found: false }
    }

    fn is_inside(&self, state: u32, root: u32) -> bool {
        self.region[state as usize] == root + 1
    }

    /// Makes a state that led to no cycle wait for its successors.
    fn wait(&mut self, state: u32, root: u32) {
        for edge in self.graph.range(state) {
            let target = self.graph.targets[edge];
            if self.is_inside(target, root) && !self.waiting[target as usize].contains(&state) {
                self.waiting[target as usize].push(state);
            }
        }
    }

    fn unblock(&mut self, state: u32) {
        let mut pending = vec![state];
        while let Some(state) = pending.pop() {
            interrupt::poll();
            if std::mem::replace(&mut self.blocked[state as usize], false) {
                pending.append(&mut self.waiting[state as usize]);
            }
        }
    }
}
