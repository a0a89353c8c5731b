//! Parity automata from any condition, by the trees.
//!
//! A state of the result is a state with a leaf of its subtree, the part of the tree that concerns
//! this state. The colour of an edge is the depth of the first node that contains it, from the leaf
//! upwards. The run continues in the next child of this node, in cyclic order. Languages do not
//! depend on the leaf with which a run enters a component, so one bottom component of the copies is
//! enough. The result is then the smallest parity automaton that copies states.

use super::Decomposition;
use super::tree::Tree;
use crate::acceptance::{Named, Parity, ParityKind};
use crate::automaton::Automaton;
use crate::convert::{ParityForm, to_parity};
use crate::graph::FunctionGraph;
use crate::index::StateId;
use crate::marks::{Mark, Marks};
use crate::scc::numbered;
use sempre_ltl::interrupt;
use std::ops::Range;

#[cfg(test)]
thread_local! {
    /// A fault for tests: the run continues in the first child, whichever it comes from.
    pub(super) static FORGETS_CHILD: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The copies of a component's states.
struct Copies {
    /// The leaves of the copies; those of state `s` are at `offsets[s]` to `offsets[s + 1]`.
    leaves: Vec<usize>,
    offsets: Vec<usize>,
    /// By copy and outgoing edge: the target copy and the depth.
    steps: Vec<Vec<(usize, u32)>>,
    /// By copy, whether the result contains it.
    kept: Vec<bool>,
}

impl Decomposition<'_> {
    /// Returns a parity automaton for the same language. Copies of a state differ by their leaf.
    /// Determinism and completeness are preserved. States and edges do not change if the graph
    /// allows a parity condition ([`Typeness::is_parity`](super::Typeness)).
    pub fn to_parity(&self) -> Automaton {
        let range = self.range();
        let copies: Vec<Option<Copies>> =
            self.trees.iter().map(|tree| tree.as_ref().map(Copies::of)).collect();
        let mut builder = Automaton::builder(self.automaton.alphabet().clone());
        if let Some(name) = self.automaton.name() {
            builder.name(name);
        }
        // The copies of each state that the result contains, in order.
        let mut places: Vec<Vec<(usize, StateId)>> = vec![vec![]; self.automaton.state_count()];
        for (state, places) in self.automaton.states().zip(&mut places) {
            let Some(scc) = self.sccs.component(state) else { continue };
            match (&copies[scc.index()], &self.trees[scc.index()]) {
                (Some(copies), Some(tree)) => {
                    let own = tree.states.binary_search(&state).unwrap_or(0);
                    for copy in copies.range(own).filter(|&copy| copies.kept[copy]) {
                        places.push((copy, builder.add_state()));
                    }
                }
                _ => places.push((0, builder.add_state())),
            }
            if let Some(name) = self.automaton.state_name(state) {
                for (_, number) in places {
                    builder.state_name(*number, name);
                }
            }
        }
        for &state in self.automaton.initial() {
            builder.initial(places[state.index()][0].1);
        }
        let marks = range.end;
        builder.acceptance(
            Named::Parity(Parity { kind: ParityKind::Min, odd: false, marks }).acceptance(),
        );
        // Edges on no cycle get the mark with the lowest priority.
        let idle: Marks = range.clone().last().into_iter().collect();
        for state in self.automaton.states() {
            interrupt::poll();
            let Some(scc) = self.sccs.component(state) else { continue };
            for &(copy, source) in &places[state.index()] {
                let mut inner = 0;
                for edge in self.automaton.edges_from(state) {
                    let inside = copies[scc.index()]
                        .as_ref()
                        .filter(|_| self.sccs.is_inside(state, edge.target));
                    let (target, marks) = match inside {
                        Some(copies) => {
                            let (next, depth) = copies.steps[copy][inner];
                            inner += 1;
                            let targets = &places[edge.target.index()];
                            let target = targets.iter().find(|(copy, _)| *copy == next);
                            let target = target.unwrap_or_else(|| unreachable!("it is kept"));
                            let start = self.start(scc.index(), &range);
                            (target.1, Marks::from_iter([start + depth]))
                        }
                        None => (places[edge.target.index()][0].1, idle.clone()),
                    };
                    builder.edge(source, edge.label, marks, target);
                }
            }
        }
        let parity = to_parity(&builder.build(), ParityForm::any());
        parity.unwrap_or_else(|_| unreachable!("the condition is a parity condition"))
    }

    /// Returns the range of colours, for min even. Trees share colours; one whose root has the
    /// other verdict starts one colour later.
    pub(super) fn range(&self) -> Range<Mark> {
        let tallest = self.trees().map(Tree::height).max().unwrap_or(0);
        let start = |tree: &Tree| Mark::from(!tree.nodes[0].accepting);
        let tall = self.trees().filter(|tree| tree.height() == tallest);
        let first = tall.map(start).min().unwrap_or(0);
        let end = |tree: &Tree| first + Mark::from(start(tree) != first) + tree.height();
        first..self.trees().map(end).max().unwrap_or(first)
    }

    /// Returns the colour of the root of a component.
    fn start(&self, component: usize, range: &Range<Mark>) -> Mark {
        let rejects = self.trees[component].as_ref().is_some_and(|tree| !tree.nodes[0].accepting);
        range.start + Mark::from(rejects != (range.start % 2 == 1))
    }
}

impl Copies {
    fn of(tree: &Tree) -> Self {
        let (mut leaves, mut offsets) = (vec![], vec![0]);
        for state in 0..tree.states.len() {
            let own = 0..tree.nodes.len();
            let own = own.filter(|&node| tree.nodes[node].concerns[state]);
            leaves.extend(own.filter(|&node| tree.children_for(node, state).next().is_none()));
            offsets.push(leaves.len());
        }
        let mut copies = Copies { steps: vec![], kept: vec![false; leaves.len()], leaves, offsets };
        for state in 0..tree.states.len() {
            for copy in copies.range(state) {
                interrupt::poll();
                let edges = tree.offsets[state]..tree.offsets[state + 1];
                let steps = edges.map(|edge| copies.step(tree, copy, edge)).collect();
                copies.steps.push(steps);
            }
        }
        copies.keep();
        copies
    }

    /// Returns the copies of a state.
    fn range(&self, state: usize) -> Range<usize> {
        self.offsets[state]..self.offsets[state + 1]
    }

    /// Returns the target copy and the depth of an edge.
    fn step(&self, tree: &Tree, copy: usize, edge: usize) -> (usize, u32) {
        let (mut node, mut from) = (self.leaves[copy], None);
        while !tree.has(node, edge) {
            from = Some(node);
            node = tree.nodes[node].parent.unwrap_or_else(|| unreachable!("the root has all"));
        }
        #[cfg(test)]
        let from = from.filter(|_| !FORGETS_CHILD.get());
        let depth = tree.nodes[node].depth;
        let target = tree.edges[edge].target;
        // The next child in cyclic order, and below it always the first one.
        let mut place = {
            let mut children = tree.children_for(node, target);
            let next = children.find(|&child| from.is_none_or(|from| child > from));
            next.or_else(|| tree.children_for(node, target).next()).unwrap_or(node)
        };
        while let Some(child) = tree.children_for(place, target).next() {
            place = child;
        }
        let found = self.range(target).find(|&copy| self.leaves[copy] == place);
        (found.unwrap_or_else(|| unreachable!("it is a leaf for the state")), depth)
    }

    /// Selects the smallest set of copies that is closed under edges and has one of each state.
    fn keep(&mut self) {
        let count = self.leaves.len();
        let targets = |copy: u32| self.steps[copy as usize].iter().map(|(next, _)| *next as u32);
        let graph = FunctionGraph::new(count, targets);
        let (component, components) = numbered(&graph, count, 0..count as u32);
        let mut found: Vec<Vec<u32>> = vec![vec![]; components];
        for (copy, &component) in component.iter().enumerate() {
            found[component as usize].push(copy as u32);
        }
        let is_bottom = |copies: &Vec<u32>| {
            copies.iter().all(|&copy| {
                let mut steps = self.steps[copy as usize].iter();
                steps.all(|(next, _)| component[*next] == component[copy as usize])
            })
        };
        let bottom = found.iter().filter(|copies| is_bottom(copies));
        for &copy in bottom.min_by_key(|copies| copies.len()).into_iter().flatten() {
            self.kept[copy as usize] = true;
        }
    }
}
