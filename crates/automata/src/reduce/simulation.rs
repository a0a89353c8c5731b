//! Direct simulation: which states can answer every step of which others.
//!
//! State q simulates p if every edge of p, on each of its letters, is answered by an edge of q
//! that reads the letter, is at least as well marked, and leads to a state that simulates the
//! target (Etessami and Holzmann, CONCUR 2000; for generalised acceptance on transitions Babiak,
//! Badie, Duret-Lutz, Křetínský and Strejček, SPIN 2013). The letters of an edge need not all have
//! the same answer: the label must be covered by those of the answers, which is computed on whole
//! labels. Reverse simulation is the same on edges turned round, between states that are initial
//! alike.
//!
//! The largest such relation is found by removing pairs: first those that fail whatever targets
//! are, then, as in the algorithm of Henzinger, Henzinger and Kopke (FOCS 1995), those that lose
//! an answer because targets are no longer related; each edge is looked at again only when that
//! happened. Quadratic in the number of edges, times edges per state, with one bit per pair of
//! states.

use super::graph::{Context, Graph};
use super::relation::{Relation, ones};
use sempre_ltl::interrupt;

/// The largest direct simulation among the pairs for which `may` holds. If an edge or its answer
/// is `free`, marks do not count; the relation is transitive only if none is.
pub(super) fn largest(
    graph: &Graph,
    context: &Context<'_>,
    may: impl Fn(usize, usize) -> bool,
    free: impl Fn(usize) -> bool,
) -> Relation {
    let states = graph.states();
    let mut search = Search { graph, context, relation: Relation::empty(states), free };
    for left in 0..states {
        interrupt::poll();
        for right in 0..states {
            if left == right || may(left, right) && search.answers(left, right, false) {
                search.relation.insert(left, right);
            }
        }
    }
    search.run();
    search.relation
}

struct Search<'a, F> {
    graph: &'a Graph,
    context: &'a Context<'a>,
    relation: Relation,
    free: F,
}

impl<F: Fn(usize) -> bool> Search<'_, F> {
    /// True if `right` answers all edges of `left`; targets count only if wanted.
    fn answers(&self, left: usize, right: usize, targets: bool) -> bool {
        self.graph.range(left).all(|place| self.answers_one(place, right, targets))
    }

    #[inline]
    fn answers_one(&self, place: usize, right: usize, targets: bool) -> bool {
        let arc = self.graph.arcs()[place];
        let free = (self.free)(place);
        let row = self.relation.row(arc.target as usize);
        let mut rest = arc.label;
        for other in self.graph.range(right) {
            let answer = &self.graph.arcs()[other];
            let target = answer.target as usize;
            let related = !targets || row[target / 64] >> (target % 64) & 1 == 1;
            let marked =
                free || self.context.order.below(arc.marks, answer.marks) || (self.free)(other);
            if related && marked {
                rest = self.context.letters.minus(rest, answer.label);
                if rest == 0 {
                    return true;
                }
            }
        }
        false
    }

    fn run(&mut self) {
        let states = self.graph.states();
        // Pairs that have been removed, and whose effect on others is still to be looked at.
        let mut lost = Relation::empty(states);
        let mut waiting = vec![false; states];
        let mut queue = vec![];
        for left in 0..states {
            interrupt::poll();
            for place in 0..self.relation.row(left).len() {
                let mut candidates = self.relation.row(left)[place];
                while candidates != 0 {
                    let right = place * 64 + candidates.trailing_zeros() as usize;
                    candidates &= candidates - 1;
                    if left != right && !self.answers(left, right, true) {
                        self.relation.remove(left, right);
                        lost.insert(left, right);
                        if !std::mem::replace(&mut waiting[left], true) {
                            queue.push(left);
                        }
                    }
                }
            }
        }
        if queue.is_empty() {
            return;
        }
        let (ends, places) = self.graph.incoming();
        let into = |state: usize| {
            places[ends[state] as usize..ends[state + 1] as usize].iter().map(|&p| p as usize)
        };
        let mut losers = vec![0u64; lost.row(0).len()];
        while let Some(target) = queue.pop() {
            interrupt::poll();
            waiting[target] = false;
            // The states that may have lost an answer.
            losers.fill(0);
            for right in ones(lost.row(target)) {
                for place in into(right) {
                    let source = self.graph.arcs()[place].source as usize;
                    losers[source / 64] |= 1 << (source % 64);
                }
            }
            lost.row_mut(target).fill(0);
            for place in into(target) {
                let left = self.graph.arcs()[place].source as usize;
                for word in 0..losers.len() {
                    let mut candidates = losers[word] & self.relation.row(left)[word];
                    while candidates != 0 {
                        let right = word * 64 + candidates.trailing_zeros() as usize;
                        candidates &= candidates - 1;
                        if left != right && !self.answers_one(place, right, true) {
                            self.relation.remove(left, right);
                            lost.insert(left, right);
                            if !std::mem::replace(&mut waiting[left], true) {
                                queue.push(left);
                            }
                        }
                    }
                }
            }
        }
    }
}
