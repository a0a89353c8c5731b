//! The tree of one component, and the nodes that concern a state.

use crate::acceptance::{Condition, Disjunct};
use crate::automaton::Automaton;
use crate::graph::FunctionGraph;
use crate::index::{SccId, StateId};
use crate::marks::Marks;
use crate::scc::{Sccs, numbered};
use rustc_hash::FxHashSet;
use sempre_ltl::interrupt;
use std::collections::VecDeque;

/// Larger conditions, counted in disjuncts of the condition or of its dual, are not decomposed.
const MAX_DISJUNCTS: usize = 1 << 12;

#[cfg(test)]
thread_local! {
    /// True if components of restricted sets are not judged again: wrong.
    pub(super) static UNJUDGED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A set of edges of a component, one bit each.
pub(super) type EdgeSet = Vec<u64>;

/// The decomposition of a component. States and edges are numbered within it.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) states: Vec<StateId>,
    /// The edges inside the component, ordered by source.
    pub(super) edges: Vec<Inner>,
    /// The edges of state `s` are at `offsets[s]` to `offsets[s + 1]`.
    pub(super) offsets: Vec<usize>,
    /// The root comes first; parents come before their children.
    pub(super) nodes: Vec<Node>,
}

/// An edge inside the component.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    pub(super) target: usize,
    /// Its index among the edges of the automaton.
    pub(super) place: usize,
    marks: Marks,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) edges: EdgeSet,
    /// By state, whether an edge of the node leaves it.
    pub(super) concerns: Vec<bool>,
    pub(super) accepting: bool,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    pub(super) depth: u32,
}

impl Tree {
    /// Builds the tree of a component with a cycle; `None` if `steps` does not suffice.
    pub(super) fn of(
        automaton: &Automaton,
        sccs: &Sccs,
        scc: SccId,
        steps: &mut usize,
    ) -> Option<Self> {
        let condition = automaton.acceptance().condition();
        let condition = condition.without(&(&condition.marks() - sccs.marks(scc)));
        let dual = condition.dual();
        if condition.disjunct_count().max(dual.disjunct_count()) > MAX_DISJUNCTS {
            return None;
        }
        let mut growth = Growth::new(automaton, sccs, scc, [&dual, &condition]);
        let count = growth.edges.len();
        let all: EdgeSet = (0..count.div_ceil(64))
            .map(|word| match count - 64 * word {
                rest if rest >= 64 => u64::MAX,
                rest => (1 << rest) - 1,
            })
            .collect();
        let root = growth.node(all, None, 0);
        let mut nodes = vec![root];
        let mut waiting = VecDeque::from([0]);
        while let Some(parent) = waiting.pop_front() {
            interrupt::poll();
            let want = !nodes[parent].accepting;
            let sets = growth.maximal(&nodes[parent].edges.clone(), want, steps)?;
            for set in sets {
                *steps = steps.checked_sub(count)?;
                let depth = nodes[parent].depth + 1;
                let node = growth.node(set, Some(parent), depth);
                let number = nodes.len();
                nodes[parent].children.push(number);
                waiting.push_back(number);
                nodes.push(node);
            }
        }
        let Growth { states, edges, offsets, .. } = growth;
        Some(Tree { states, edges, offsets, nodes })
    }

    /// Returns the number of levels.
    pub(super) fn height(&self) -> u32 {
        self.nodes.iter().map(|node| node.depth + 1).max().unwrap_or(0)
    }

    /// Returns the children of a node that concern a state, in order.
    pub(super) fn children_for(&self, node: usize, state: usize) -> impl Iterator<Item = usize> {
        let children = self.nodes[node].children.iter().copied();
        children.filter(move |&child| self.nodes[child].concerns[state])
    }

    /// True if the node contains the edge.
    pub(super) fn has(&self, node: usize, edge: usize) -> bool {
        contains(&self.nodes[node].edges, edge)
    }
}

pub(super) fn contains(set: &[u64], edge: usize) -> bool {
    set[edge / 64] >> (edge % 64) & 1 == 1
}

/// Returns the edges of a set in ascending order.
fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(place, word)| {
        let mut word = *word;
        std::iter::from_fn(move || {
            (word != 0).then(|| {
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                place * 64 + bit
            })
        })
    })
}

fn is_subset(left: &[u64], right: &[u64]) -> bool {
    left.iter().zip(right).all(|(l, r)| l & !r == 0)
}

/// A tree under construction.
struct Growth {
    states: Vec<StateId>,
    edges: Vec<Inner>,
    offsets: Vec<usize>,
    /// The rejecting and the accepting sets of marks, as disjunctions.
    disjuncts: [Vec<Disjunct>; 2],
}

impl Growth {
    fn new(
        automaton: &Automaton,
        sccs: &Sccs,
        scc: SccId,
        [rejects, accepts]: [&Condition; 2],
    ) -> Self {
        let mut states = sccs.states(scc).to_vec();
        states.sort_unstable();
        let number = |state: StateId| states.binary_search(&state).ok();
        let (mut edges, mut offsets) = (vec![], vec![0]);
        for &state in &states {
            for place in automaton.edge_range(state) {
                let edge = &automaton.edges()[place];
                if let Some(target) = number(edge.target) {
                    edges.push(Inner { target, place, marks: edge.marks.clone() });
                }
            }
            offsets.push(edges.len());
        }
        let disjuncts = [rejects.disjuncts(), accepts.disjuncts()];
        Growth { states, edges, offsets, disjuncts }
    }

    fn node(&self, edges: EdgeSet, parent: Option<usize>, depth: u32) -> Node {
        let concerns = (0..self.states.len())
            .map(|s| (self.offsets[s]..self.offsets[s + 1]).any(|edge| contains(&edges, edge)))
            .collect();
        let accepting = self.verdict(&self.marks(&edges));
        Node { edges, concerns, accepting, parent, children: vec![], depth }
    }

    fn marks(&self, set: &[u64]) -> Marks {
        let mut marks = Marks::EMPTY;
        members(set).for_each(|edge| marks |= &self.edges[edge].marks);
        marks
    }

    fn verdict(&self, marks: &Marks) -> bool {
        self.disjuncts[1].iter().any(|disjunct| disjunct.accepts(marks))
    }

    /// Computes the maximal strongly connected subsets with verdict `want` of a strongly connected
    /// set with the other verdict.
    fn maximal(&mut self, set: &[u64], want: bool, steps: &mut usize) -> Option<Vec<EdgeSet>> {
        let mut found: Vec<EdgeSet> = vec![];
        let mut work = vec![set.to_vec()];
        let mut seen: FxHashSet<EdgeSet> = FxHashSet::default();
        while let Some(set) = work.pop() {
            interrupt::poll();
            *steps = steps.checked_sub(self.edges.len() + self.states.len())?;
            if found.iter().any(|known| is_subset(&set, known)) {
                continue;
            }
            let marks = self.marks(&set);
            if self.verdict(&marks) == want {
                *steps = steps.checked_sub(found.len())?;
                found.retain(|known| !is_subset(known, &set));
                found.push(set);
                continue;
            }
            for allowed in self.largest(&marks, want) {
                *steps = steps.checked_sub(self.edges.len() + self.states.len())?;
                let mut part = vec![0; set.len()];
                for edge in members(&set) {
                    if self.edges[edge].marks.is_subset(&allowed) {
                        part[edge / 64] |= 1 << (edge % 64);
                    }
                }
                // A component may have fewer marks than the set, and hence the other verdict.
                for component in self.components(&part) {
                    #[cfg(test)]
                    if UNJUDGED.get() {
                        found.push(component);
                        continue;
                    }
                    if seen.insert(component.clone()) {
                        work.push(component);
                    }
                }
            }
        }
        found.sort_unstable_by(|l, r| members(l).cmp(members(r)));
        Some(found)
    }

    /// Returns the maximal subsets of the marks with verdict `want`.
    fn largest(&self, marks: &Marks, want: bool) -> Vec<Marks> {
        let possible = self.disjuncts[usize::from(want)].iter();
        let possible = possible.filter(|disjunct| disjunct.inf.is_subset(marks));
        let mut largest: Vec<Marks> = vec![];
        for set in possible.map(|disjunct| marks - &disjunct.fin) {
            if !largest.iter().any(|known| set.is_subset(known)) {
                largest.retain(|known| !known.is_subset(&set));
                largest.push(set);
            }
        }
        largest
    }

    /// Returns the strongly connected components of a set of edges, without trivial ones.
    fn components(&self, set: &[u64]) -> Vec<EdgeSet> {
        let count = self.states.len();
        let range = |state: u32| self.offsets[state as usize]..self.offsets[state as usize + 1];
        let inside = |state| range(state).filter(|&edge| contains(set, edge));
        let targets = |state| inside(state).map(|edge| self.edges[edge].target as u32);
        let (component, number) =
            numbered(&FunctionGraph::new(count, targets), count, 0..count as u32);
        let mut parts: Vec<Option<EdgeSet>> = vec![None; number];
        for source in 0..count {
            for edge in self.offsets[source]..self.offsets[source + 1] {
                let own = component[source];
                if contains(set, edge) && component[self.edges[edge].target] == own {
                    let part = parts[own as usize].get_or_insert_with(|| vec![0; set.len()]);
                    part[edge / 64] |= 1 << (edge % 64);
                }
            }
        }
        parts.into_iter().flatten().collect()
    }
}
