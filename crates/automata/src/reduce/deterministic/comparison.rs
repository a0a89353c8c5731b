//! Exact comparison of the languages of states of deterministic automata.
//!
//! Two states differ if a word leads to a pair of states of which only one reads some letter. They
//! also differ if a word leads to a cycle of pairs that only one condition accepts. The conditions
//! are in disjunctive normal form. Each pair of disjuncts takes one SCC search, so the cost is that
//! of the product times the number of pairs of disjuncts.

use super::table::{NONE, Table};
use crate::acceptance::{Condition, Disjunct};
use crate::graph::{FunctionGraph, Identity};
use crate::scc::Search as Components;
use sempre_ltl::interrupt;
use std::ops::ControlFlow;

/// The maximal number of disjuncts of a condition, and of their pairs.
const MAX_DISJUNCTS: usize = 1 << 10;

/// Two tables over the same letters.
pub(crate) struct Comparison<'a> {
    pub(super) left: &'a Table,
    pub(super) right: &'a Table,
    /// The marks to see finitely and infinitely often, left and right, that only one condition
    /// accepts.
    pub(super) disputed: Vec<[u64; 4]>,
}

impl<'a> Comparison<'a> {
    /// Creates a comparison; `None` if the conditions have too many disjuncts.
    pub(crate) fn new(left: &'a Table, right: &'a Table) -> Option<Self> {
        let (yes, no) = (disjuncts(left.condition())?, disjuncts(&left.condition().dual())?);
        let (and_yes, and_no) =
            (disjuncts(right.condition())?, disjuncts(&right.condition().dual())?);
        if yes.len() * and_no.len() + no.len() * and_yes.len() > MAX_DISJUNCTS {
            return None;
        }
        let mut disputed = vec![];
        for (left, right) in [(&yes, &and_no), (&no, &and_yes)] {
            for (fin, inf) in left {
                disputed.extend(right.iter().map(|(fin2, inf2)| [*fin, *inf, *fin2, *inf2]));
            }
        }
        Some(Comparison { left, right, disputed })
    }

    /// Whether the initial states have the same language; `None` if the steps do not suffice.
    pub(crate) fn equivalent(&self, steps: &mut usize) -> Option<bool> {
        let root = self.node(self.left.initial, self.right.initial);
        let mut search = Search::new(self, true);
        match search.run([root].into_iter(), steps) {
            ControlFlow::Continue(()) => Some(!search.differ[root as usize]),
            ControlFlow::Break(End::Differ) => Some(false),
            ControlFlow::Break(End::Exhausted) => None,
        }
    }

    /// By pair of a left and a right state, whether their languages differ. Only the `wanted` pairs
    /// and their successors are decided; others count as equal.
    pub(crate) fn differences(
        &self,
        wanted: impl Fn(u32, u32) -> bool,
        steps: &mut usize,
    ) -> Option<Vec<bool>> {
        let right = self.right.states as u32;
        let pairs = (0..self.left.states as u32).flat_map(|l| (0..right).map(move |r| (l, r)));
        // Each of these pairs costs a step for each letter. If the steps cannot suffice, the memory
        // for all pairs is not even taken.
        let least = pairs.clone().filter(|&(l, r)| wanted(l, r)).take(*steps + 1).count();
        if least.saturating_mul(self.left.letters) > *steps {
            return None;
        }
        let mut search = Search::new(self, false);
        let roots = pairs.filter(|&(l, r)| wanted(l, r)).map(|(l, r)| self.node(l, r));
        match search.run(roots, steps) {
            ControlFlow::Continue(()) => Some(search.differ),
            ControlFlow::Break(_) => None,
        }
    }

    pub(super) fn node(&self, left: u32, right: u32) -> u32 {
        left * self.right.states as u32 + right
    }

    pub(super) fn pair(&self, node: u32) -> (u32, u32) {
        (node / self.right.states as u32, node % self.right.states as u32)
    }

    /// Returns the successor pair on a letter; an error if only one of the states reads it.
    fn step(&self, node: u32, letter: usize) -> Result<Option<u32>, ()> {
        let (l, r) = self.pair(node);
        let next = self.left.next[l as usize * self.left.letters + letter];
        let other = self.right.next[r as usize * self.right.letters + letter];
        match (next == NONE, other == NONE) {
            (true, true) => Ok(None),
            (false, false) => Ok(Some(self.node(next, other))),
            _ => Err(()),
        }
    }

    pub(super) fn marks(&self, node: u32, letter: usize) -> (u64, u64) {
        let (l, r) = self.pair(node);
        let left = self.left.marks[l as usize * self.left.letters + letter];
        (left, self.right.marks[r as usize * self.right.letters + letter])
    }
}

pub(super) fn disjuncts(condition: &Condition) -> Option<Vec<(u64, u64)>> {
    if condition.disjunct_count() > MAX_DISJUNCTS {
        return None;
    }
    let bits = |d: Disjunct| Some((d.fin.as_bits()?, d.inf.as_bits()?));
    condition.disjuncts().into_iter().map(bits).collect()
}

enum End {
    /// The initial states differ.
    Differ,
    Exhausted,
}

struct Search<'a> {
    comparison: &'a Comparison<'a>,
    /// True if the search ends with the first difference.
    first: bool,
    differ: Vec<bool>,
    done: Vec<bool>,
    inner: Components<Identity>,
    /// By node, whether it is in the current component.
    present: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(comparison: &'a Comparison<'a>, first: bool) -> Self {
        let nodes = comparison.left.states * comparison.right.states;
        Search {
            comparison,
            first,
            differ: vec![false; nodes],
            done: vec![false; nodes],
            inner: Components::new(Identity),
            present: vec![false; nodes],
        }
    }

    fn run(&mut self, roots: impl Iterator<Item = u32>, steps: &mut usize) -> ControlFlow<End> {
        let comparison = self.comparison;
        let pairs = Pairs { comparison, avoided: (0, 0), present: &[] };
        let graph = FunctionGraph::new(self.differ.len(), |node| pairs.targets(node));
        let mut components = Components::new(Identity);
        for root in roots {
            components.each(&graph, root, |nodes| {
                let cost = nodes.len() * comparison.left.letters;
                match steps.checked_sub(cost) {
                    Some(rest) => *steps = rest,
                    None => return ControlFlow::Break(End::Exhausted),
                }
                match self.decide(nodes, steps) {
                    None => ControlFlow::Break(End::Exhausted),
                    Some(true) if self.first => ControlFlow::Break(End::Differ),
                    Some(_) => ControlFlow::Continue(()),
                }
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Decides the pairs of a component, whose successors are all decided.
    fn decide(&mut self, nodes: &[u32], steps: &mut usize) -> Option<bool> {
        let comparison = self.comparison;
        nodes.iter().for_each(|&node| self.present[node as usize] = true);
        let (mut left, mut right, mut cycle, mut differ) = (0, 0, false, false);
        for &node in nodes {
            for letter in 0..comparison.left.letters {
                interrupt::poll();
                match comparison.step(node, letter) {
                    Err(()) => differ = true,
                    Ok(None) => {}
                    Ok(Some(next)) if self.present[next as usize] => {
                        let (l, r) = comparison.marks(node, letter);
                        (left, right, cycle) = (left | l, right | r, true);
                    }
                    Ok(Some(next)) => differ |= self.differ[next as usize],
                }
            }
        }
        if !differ && cycle {
            differ = self.has_disputed_cycle(nodes, left, right, steps)?;
        }
        for &node in nodes {
            self.present[node as usize] = false;
            self.done[node as usize] = true;
            self.differ[node as usize] = differ;
        }
        Some(differ)
    }

    fn has_disputed_cycle(
        &mut self,
        nodes: &[u32],
        left: u64,
        right: u64,
        steps: &mut usize,
    ) -> Option<bool> {
        let comparison = self.comparison;
        // Cycles of diagonal pairs are equal on both sides.
        let same = std::ptr::eq(comparison.left, comparison.right);
        if same && nodes.iter().all(|&node| comparison.pair(node).0 == comparison.pair(node).1) {
            return Some(false);
        }
        for &[fin, inf, fin2, inf2] in &comparison.disputed {
            if inf & !left != 0 || inf2 & !right != 0 {
                continue;
            }
            if fin & left == 0 && fin2 & right == 0 {
                return Some(true);
            }
            interrupt::poll();
            *steps = steps.checked_sub(nodes.len() * comparison.left.letters)?;
            self.inner.forget(nodes.iter().copied());
            let avoided = (fin, fin2);
            let pairs = Pairs { comparison, avoided, present: &self.present };
            let graph = FunctionGraph::new(self.differ.len(), |node| pairs.targets(node));
            for &root in nodes {
                let found = self.inner.each(&graph, root, |part| {
                    let (l, r) = pairs.marks_inside(part);
                    match inf & !l == 0 && inf2 & !r == 0 && pairs.has_cycle(part) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                });
                if found.is_break() {
                    // Discards the state of the interrupted search.
                    self.inner = Components::new(Identity);
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}

/// Pairs of states as a graph, without edges that have an avoided mark.
pub(super) struct Pairs<'a> {
    pub(super) comparison: &'a Comparison<'a>,
    pub(super) avoided: (u64, u64),
    /// If not empty, the nodes of the graph.
    pub(super) present: &'a [bool],
}

impl Pairs<'_> {
    pub(super) fn targets(&self, node: u32) -> impl Iterator<Item = u32> {
        (0..self.comparison.left.letters).filter_map(move |letter| self.target(node, letter))
    }

    pub(super) fn target(&self, node: u32, letter: usize) -> Option<u32> {
        let next = self.comparison.step(node, letter).ok()??;
        if self.present.is_empty() {
            return Some(next);
        }
        let (l, r) = self.comparison.marks(node, letter);
        let allowed = l & self.avoided.0 == 0 && r & self.avoided.1 == 0;
        (allowed && self.present[next as usize]).then_some(next)
    }

    /// Returns the marks of the edges between these nodes, a few nodes or a whole component.
    pub(super) fn marks_inside(&self, part: &[u32]) -> (u64, u64) {
        let mut inside: Vec<u32> = part.to_vec();
        inside.sort_unstable();
        let (mut left, mut right) = (0, 0);
        for &node in part {
            for letter in 0..self.comparison.left.letters {
                interrupt::poll();
                let next = self.target(node, letter);
                if next.is_some_and(|next| inside.binary_search(&next).is_ok()) {
                    let (l, r) = self.comparison.marks(node, letter);
                    (left, right) = (left | l, right | r);
                }
            }
        }
        (left, right)
    }

    pub(super) fn has_cycle(&self, part: &[u32]) -> bool {
        let mut letters = 0..self.comparison.left.letters;
        part.len() > 1 || letters.any(|letter| self.target(part[0], letter) == Some(part[0]))
    }
}
