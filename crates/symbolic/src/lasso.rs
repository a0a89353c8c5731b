//! Runs of a product: from hulls to lassos.
//!
//! In a forward hull every state has predecessors in the hull, and behind it an edge of each
//! acceptance set. Going back from a state to an edge of each set in turn either comes to that
//! state again, which closes a cycle, or leads into a component further up, where it begins anew;
//! components are finitely many. A backward hull is the same with successors.

use crate::emptiness::Hull;
use crate::product::{Node, Parts, Product, add, both, is_empty, minus, pick};
use sempre_automata::StateId;

/// The states of a run: a prefix, and a cycle that repeats.
pub(crate) struct Run {
    pub(crate) prefix: Vec<Vec<u32>>,
    pub(crate) cycle: Vec<Vec<u32>>,
}

/// In which direction a hull is walked.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Forward,
    Backward,
}

impl<'s> Product<'_, 's> {
    /// A run of the system that the automaton accepts, through a hull that is not empty.
    pub(crate) fn run(&self, hull: &Hull<'s>) -> Option<Run> {
        let inside = self.accepting_edges();
        let (within, direction) = match hull {
            // Every walk inside a terminal component is accepted, and the system can go on.
            Hull::Reached(parts) => {
                let within = self.reach(parts, |edge| inside[edge]);
                (within, Direction::Forward)
            }
            Hull::Forward(parts) => (parts.clone(), Direction::Backward),
            Hull::Backward(parts) => (parts.clone(), Direction::Forward),
        };
        let mut cycle = self.cycle(&within, &inside, direction)?;
        let prefix = self.way_to(&cycle)?;
        // The cycle begins where the prefix meets it.
        let meeting = prefix.last()?;
        let start = cycle.iter().position(|node| node == meeting)?;
        cycle.rotate_left(start);
        let states = |nodes: &[Node]| nodes.iter().map(|(_, tuple)| tuple.clone()).collect();
        Some(Run { prefix: states(&prefix[..prefix.len() - 1]), cycle: states(&cycle) })
    }

    /// One step, in a direction.
    fn step(
        &self,
        from: &Parts<'s>,
        within: &Parts<'s>,
        direction: Direction,
        chosen: impl Fn(usize) -> bool,
    ) -> Parts<'s> {
        match direction {
            Direction::Forward => both(&self.post(from, chosen), within),
            Direction::Backward => self.pre(from, within, chosen),
        }
    }

    /// The nodes of a cycle inside `within` that has an edge of each acceptance set.
    fn cycle(
        &self,
        within: &Parts<'s>,
        inside: &[bool],
        direction: Direction,
    ) -> Option<Vec<Node>> {
        let mut start = pick(within)?;
        loop {
            let mut walk = vec![start.clone()];
            if self.marks() == 0 {
                // Every edge will do, but one has to be taken to get anywhere.
                let any = |edge: usize| inside[edge];
                self.walk(&mut walk, &start, within, inside, direction, Goal::Edge(&any))?;
            }
            for mark in 0..self.marks() {
                let wanted = |edge: usize| inside[edge] && self.carries(edge, mark);
                let here = walk.last()?.clone();
                self.walk(&mut walk, &here, within, inside, direction, Goal::Edge(&wanted))?;
            }
            let here = walk.last()?.clone();
            let home = Goal::Node(&start);
            if self.walk(&mut walk, &here, within, inside, direction, home).is_some() {
                walk.pop();
                if direction == Direction::Backward {
                    walk.reverse();
                }
                return Some(walk);
            }
            start = here;
        }
    }

    /// Extends a walk from its last node to the goal, by at least one step.
    fn walk(
        &self,
        walk: &mut Vec<Node>,
        from: &Node,
        within: &Parts<'s>,
        inside: &[bool],
        direction: Direction,
        goal: Goal<'_>,
    ) -> Option<()> {
        let any = |edge: usize| inside[edge];
        let mut layers = vec![self.single(from)];
        let mut seen = layers[0].clone();
        // The last node of the walk, and by which edges it is reached.
        let last = loop {
            let here = layers.last()?;
            let hit = match goal {
                Goal::Edge(wanted) => self.step(here, within, direction, wanted),
                Goal::Node(node) => {
                    both(&self.step(here, within, direction, any), &self.single(node))
                }
            };
            if let Some(node) = pick(&hit) {
                break node;
            }
            let new = minus(self.step(here, within, direction, any), &seen);
            if is_empty(&new) {
                return None;
            }
            add(&mut seen, &new);
            layers.push(new);
        };
        let back = match direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
        let mut path = vec![last];
        for (number, layer) in layers.iter().enumerate().rev().take(layers.len() - 1) {
            let node = self.single(path.last()?);
            let is_last = number == layers.len() - 1;
            let before = match goal {
                Goal::Edge(wanted) if is_last => self.step(&node, layer, back, wanted),
                _ => self.step(&node, layer, back, any),
            };
            path.push(pick(&before)?);
        }
        walk.extend(path.into_iter().rev());
        Some(())
    }

    /// The nodes of a path from an initial node to one of the given ones.
    fn way_to(&self, nodes: &[Node]) -> Option<Vec<Node>> {
        let mut goal = self.none();
        for node in nodes {
            add(&mut goal, &self.single(node));
        }
        let all = |_: usize| true;
        let mut layers = vec![self.initial.clone()];
        let mut seen = self.initial.clone();
        let last = loop {
            let here = layers.last()?;
            if let Some(node) = pick(&both(here, &goal)) {
                break node;
            }
            let new = minus(self.post(here, all), &seen);
            if is_empty(&new) {
                return None;
            }
            add(&mut seen, &new);
            layers.push(new);
        };
        let mut path = vec![last];
        for layer in layers.iter().rev().skip(1) {
            let before = self.pre(&self.single(path.last()?), layer, all);
            path.push(pick(&before)?);
        }
        path.reverse();
        Some(path)
    }
}

/// Where a walk ends.
#[derive(Clone, Copy)]
enum Goal<'g> {
    /// With an edge that is wanted.
    Edge(&'g dyn Fn(usize) -> bool),
    /// At a node.
    Node(&'g (StateId, Vec<u32>)),
}
