//! Disputed cycles: cycles of pairs of states that only one of two conditions accepts.

use super::comparison::{Comparison, Pairs};
use crate::graph::{FunctionGraph, Identity};
use crate::marks::Marks;
use crate::scc::Search as Components;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// A cycle of the left automaton on which the right one disagrees.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DisputedCycle {
    /// Its edges, each once, in order.
    pub(super) edges: Vec<CycleEdge>,
    /// Whether the right automaton accepts it.
    pub(super) is_accepted: bool,
}

/// An edge of the left automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CycleEdge {
    pub(super) source: u32,
    pub(super) letter: u32,
    pub(super) target: u32,
}

impl Comparison<'_> {
    /// Returns short disputed cycles among the pairs that are to have the same language, some for
    /// each component of pairs; none exactly if there is none. From such pairs only such pairs
    /// may be reached.
    pub(super) fn disputed_cycles(&self, same: impl Fn(u32, u32) -> bool) -> Vec<DisputedCycle> {
        let (left, right) = (self.left.states as u32, self.right.states as u32);
        let mut present = vec![false; (left * right) as usize];
        let pairs = (0..left).flat_map(|l| (0..right).map(move |r| (l, r)));
        for (l, r) in pairs.filter(|&(l, r)| same(l, r)) {
            present[self.node(l, r) as usize] = true;
        }
        let mut cycles = vec![];
        for &[fin, inf, fin2, inf2] in &self.disputed {
            let pairs = Pairs { comparison: self, avoided: (fin, fin2), present: &present };
            let graph = FunctionGraph::new(present.len(), |node| pairs.targets(node));
            let mut components = Components::new(Identity);
            for root in (0..left * right).filter(|&node| present[node as usize]) {
                let end: ControlFlow<()> = components.each(&graph, root, |part| {
                    let (l, r) = pairs.marks_inside(part);
                    if inf & !l == 0 && inf2 & !r == 0 && pairs.has_cycle(part) {
                        for &start in part {
                            let walk = pairs.cycle(start, part, inf, inf2);
                            cycles.push(self.dispute(&pairs, &walk));
                        }
                    }
                    ControlFlow::Continue(())
                });
                debug_assert!(end.is_continue());
            }
        }
        cycles.sort();
        cycles.dedup();
        cycles
    }

    fn dispute(&self, pairs: &Pairs<'_>, walk: &[Step]) -> DisputedCycle {
        let marks = |(node, letter): Step| self.marks(node, letter as usize).1;
        let seen = walk.iter().fold(0, |seen, step| seen | marks(*step));
        let mut edges: Vec<CycleEdge> = walk.iter().map(|step| pairs.edge(*step)).collect();
        edges.sort_unstable();
        edges.dedup();
        let is_accepted = self.right.acceptance.accepts(&Marks::from_bits(seen));
        DisputedCycle { edges, is_accepted }
    }
}

/// A pair of states, and the letter with which it is left.
type Step = (u32, u32);

impl Pairs<'_> {
    fn edge(&self, (node, letter): Step) -> CycleEdge {
        let source = self.comparison.pair(node).0;
        let target =
            self.target(node, letter as usize).map_or(source, |next| self.comparison.pair(next).0);
        CycleEdge { source, letter, target }
    }

    /// Returns a closed walk from a node of a component with all these marks, by shortest paths
    /// from one mark to the next.
    fn cycle(&self, start: u32, part: &[u32], inf: u64, inf2: u64) -> Vec<Step> {
        let (mut walk, mut here) = (vec![], start);
        let (mut left, mut right) = (inf, inf2);
        loop {
            let done = (left, right) == (0, 0);
            let wanted = |node: u32, letter: usize| {
                let (l, r) = self.comparison.marks(node, letter);
                let closes = self.target(node, letter) == Some(start);
                if done { closes } else { l & left != 0 || r & right != 0 }
            };
            if done && here == start && !walk.is_empty() {
                return walk;
            }
            let path = self.path(here, part, &wanted);
            for &(node, letter) in &path {
                let (l, r) = self.comparison.marks(node, letter as usize);
                (left, right) = (left & !l, right & !r);
            }
            let last = path.last().and_then(|&(node, letter)| self.target(node, letter as usize));
            here = last.unwrap_or_else(|| unreachable!("a component is strongly connected"));
            walk.extend(path);
        }
    }

    /// Returns a shortest path inside a component that ends with a wanted edge.
    fn path(&self, from: u32, part: &[u32], wanted: &dyn Fn(u32, usize) -> bool) -> Vec<Step> {
        let mut before: Vec<(u32, Option<Step>)> = vec![(from, None)];
        let mut queue = VecDeque::from([0]);
        while let Some(place) = queue.pop_front() {
            sempre_ltl::interrupt::poll();
            let node = before[place].0;
            for letter in 0..self.comparison.left.letters {
                sempre_ltl::interrupt::poll();
                let Some(next) = self.target(node, letter).filter(|next| part.contains(next))
                else {
                    continue;
                };
                if wanted(node, letter) {
                    let mut path = vec![(node, letter as u32)];
                    let mut place = place;
                    while let Some((earlier, letter)) = before[place].1 {
                        path.push((before[earlier as usize].0, letter));
                        place = earlier as usize;
                    }
                    path.reverse();
                    return path;
                }
                if !before.iter().any(|(known, _)| *known == next) {
                    before.push((next, Some((place as u32, letter as u32))));
                    queue.push_back(before.len() - 1);
                }
            }
        }
        vec![]
    }
}
