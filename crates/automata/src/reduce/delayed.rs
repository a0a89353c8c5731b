//! Delayed simulation of Büchi automata: a mark may be answered later.
//!
//! As in direct simulation, q has to answer the steps of p; but when p has seen the mark, q may
//! see it then or at any later time (Etessami, Wilke and Schuller, Fair simulation relations,
//! parity games, and state space reduction for Büchi automata, SIAM J. Comput. 2005). States that
//! simulate each other in this way can be merged, as in direct simulation, but edges must not be
//! removed for it.
//!
//! The relation is the winning region of a Büchi game on pairs of states and one bit that tells
//! whether q owes a mark. It is computed as the nested fixpoint that this is, from simulation
//! without marks downwards: pairs without debt from which q can always go on to pairs from which
//! it can pay within finitely many steps. Each round is quadratic in the number of edges.

use super::graph::{Context, Graph};
use super::relation::Relation;
use super::simulation;
use sempre_ltl::interrupt;

/// The largest delayed simulation; the acceptance condition must be `Inf` of one mark. Marks of
/// `free` edges do not count, neither on the left nor, being paid, on the right.
pub(super) fn largest(
    graph: &Graph,
    context: &Context<'_>,
    mark: u64,
    free: impl Fn(usize) -> bool,
) -> Relation {
    let states = graph.states();
    let mut game = Game {
        graph,
        context,
        owes: graph
            .arcs()
            .iter()
            .enumerate()
            .map(|(i, a)| a.marks & mark != 0 && !free(i))
            .collect(),
        pays: graph
            .arcs()
            .iter()
            .enumerate()
            .map(|(i, a)| a.marks & mark != 0 || free(i))
            .collect(),
        settled: simulation::largest(graph, context, |_, _| true, |_| true),
        indebted: Relation::empty(states),
    };
    loop {
        game.pay();
        if !game.lose() {
            return game.settled;
        }
    }
}

struct Game<'a> {
    graph: &'a Graph,
    context: &'a Context<'a>,
    owes: Vec<bool>,
    pays: Vec<bool>,
    /// Pairs without debt that may be won.
    settled: Relation,
    /// Pairs with debt from which it can be paid, leading to settled ones.
    indebted: Relation,
}

impl Game<'_> {
    fn answers(&self, left: usize, right: usize, debt: bool) -> bool {
        self.graph.range(left).all(|place| {
            let arc = self.graph.arcs()[place];
            let debt = debt || self.owes[place];
            let mut rest = arc.label;
            for other in self.graph.range(right) {
                let answer = &self.graph.arcs()[other];
                let next = if debt && !self.pays[other] { &self.indebted } else { &self.settled };
                if next.holds(arc.target as usize, answer.target as usize) {
                    rest = self.context.letters.minus(rest, answer.label);
                    if rest == 0 {
                        return true;
                    }
                }
            }
            false
        })
    }

    /// The pairs from which a debt can be paid: the least fixpoint.
    fn pay(&mut self) {
        let states = self.graph.states();
        self.indebted = Relation::empty(states);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for left in 0..states {
                interrupt::poll();
                for right in 0..states {
                    // With debt it is no easier than without.
                    if self.settled.holds(left, right)
                        && !self.indebted.holds(left, right)
                        && self.answers(left, right, true)
                    {
                        self.indebted.insert(left, right);
                        changed = true;
                    }
                }
            }
        }
    }

    /// Removes settled pairs that have no answer; true if there was one.
    fn lose(&mut self) -> bool {
        let states = self.graph.states();
        let mut lost = false;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for left in 0..states {
                interrupt::poll();
                for right in 0..states {
                    if left != right
                        && self.settled.holds(left, right)
                        && !self.answers(left, right, false)
                    {
                        self.settled.remove(left, right);
                        self.indebted.remove(left, right);
                        (changed, lost) = (true, true);
                    }
                }
            }
        }
        lost
    }
}

/// The graph with states merged that simulate each other.
pub(super) fn quotient(graph: &Graph, context: &Context<'_>, mark: u64) -> Graph {
    let relation = largest(graph, context, mark, |_| false);
    let states = graph.states();
    let mut class: Vec<u32> = (0..states as u32).collect();
    let mut classes = states;
    for state in 0..states {
        let first = (0..state).find(|&other| relation.mutual(state, other));
        if let Some(first) = first {
            class[state] = class[first];
            classes -= 1;
        }
    }
    if classes == states {
        return graph.clone();
    }
    let mut number = vec![u32::MAX; states];
    let mut next = 0;
    for &class in &class {
        if number[class as usize] == u32::MAX {
            number[class as usize] = next;
            next += 1;
        }
    }
    graph.mapped(context, classes, |state| Some(number[class[state as usize] as usize]))
}
