//! Extracts lassos from hulls.
//!
//! In a forward hull every state follows an accepting cycle. A state that reaches all its
//! predecessors in the hull lies in the SCC of an accepting cycle. The search for such a state
//! takes a candidate, and removes the states reachable from it as long as cycles remain before it.
//! From the final candidate, a backward path through an edge of each acceptance set stays in the
//! SCC and closes the cycle.

use crate::emptiness::{Fixpoint, Hull};
use crate::product::{Node, Parts, Product, add, both, is_empty, minus};
use crate::rings::{Direction, Goal, ProductPath};

/// The states of a run: a prefix, and a cycle.
pub(crate) struct Run {
    pub(crate) prefix: Vec<Vec<u32>>,
    pub(crate) cycle: Vec<Vec<u32>>,
}

/// The number of candidates to try before removing cycles that do not lead to them. The removal
/// costs time, but avoids thousands of candidates.
const TRIES: usize = 10;

impl<'s> Product<'_, 's> {
    /// Returns a run of the system that the automaton accepts, through a nonempty hull.
    pub(crate) fn run(&self, hull: &Hull<'s>, fixpoint: Fixpoint) -> Option<Run> {
        let inside = self.accepting_edges();
        let hull = match hull {
            Hull::Forward(parts) => parts.clone(),
            Hull::Reached(parts) | Hull::Backward(parts) => {
                self.trim(self.reach(parts, |edge| inside[edge]), fixpoint)
            }
        };
        let mut cycle = match self.pause(&hull, &inside) {
            Some(node) => vec![node],
            None => self.cycle(hull, &inside, fixpoint)?,
        };
        let mut goal = self.none();
        for node in &cycle {
            add(&mut goal, &self.single(node));
        }
        let prefix = self.path_to(&goal)?;
        // The cycle begins where the prefix meets it.
        let (meeting, prefix) = prefix.split_last()?;
        let start = cycle.iter().position(|node| node == meeting)?;
        cycle.rotate_left(start);
        let states = |nodes: &[Node]| nodes.iter().map(|(_, tuple)| tuple.clone()).collect();
        Some(Run { prefix: states(prefix), cycle: states(&cycle) })
    }

    /// Returns a node of the hull where the run ends in a deadlock that stutters on an accepting
    /// loop.
    fn pause(&self, hull: &Parts<'s>, inside: &[bool]) -> Option<Node> {
        let loops =
            self.automaton().transitions().enumerate().filter(|(number, (source, edge))| {
                *source == edge.target
                    && inside[*number]
                    && (0..self.marks()).all(|mark| self.carries(*number, mark))
            });
        let mut nodes = loops.filter_map(|(number, (state, _))| {
            let here = &hull[state.index()];
            Some((state, self.successors(None, number, here, here).pick()?))
        });
        nodes.next()
    }

    /// Returns the nodes of a cycle inside a forward hull that has an edge of each acceptance set.
    fn cycle(&self, hull: Parts<'s>, inside: &[bool], fixpoint: Fixpoint) -> Option<Vec<Node>> {
        let any = |edge: usize| inside[edge];
        let mut hull = hull;
        let mut tries = 0;
        let start = loop {
            // Nodes met first reach most others.
            let start = self.path_to(&hull)?.pop()?;
            let reached = self.reach(&self.single(&start), any);
            let mut rest = self.trim(minus(hull.clone(), &reached), fixpoint);
            tries += 1;
            if tries > TRIES && !is_empty(&rest) {
                let before = self.closure(&self.single(&start), &hull, Direction::Backward, any);
                rest = both(&rest, &before);
            }
            if is_empty(&rest) {
                break start;
            }
            hull = rest;
        };
        let mut walk = vec![start.clone()];
        let mut missing: Vec<u32> = (0..self.marks()).collect();
        let mut go = |goal: Goal<'_, 's>, missing: &mut Vec<u32>| {
            let from = self.single(walk.last()?);
            let path = self.find_path(&from, &hull, Direction::Backward, any, goal)?;
            for (edge, node) in path.steps {
                missing.retain(|mark| !self.carries(edge, *mark));
                walk.push(node);
            }
            Some(())
        };
        // At least one edge is needed, even if there is no acceptance set.
        go(Goal::Edge(&any), &mut missing)?;
        while let Some(&mark) = missing.first() {
            go(Goal::Edge(&|edge| inside[edge] && self.carries(edge, mark)), &mut missing)?;
        }
        go(Goal::Nodes(&self.single(&start)), &mut missing)?;
        walk.pop();
        walk.reverse();
        Some(walk)
    }

    /// Returns the nodes of a path from an initial node to one of the given ones.
    fn path_to(&self, nodes: &Parts<'s>) -> Option<Vec<Node>> {
        let everywhere = self.all_nodes();
        let goal = Goal::Nodes(nodes);
        let ProductPath { start, steps } =
            self.find_path(&self.initial, &everywhere, Direction::Forward, |_| true, goal)?;
        Some([start].into_iter().chain(steps.into_iter().map(|(_, node)| node)).collect())
    }
}
