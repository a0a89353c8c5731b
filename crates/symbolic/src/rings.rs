//! Finds paths through a product, by onion rings.
//!
//! Applies each step of the system with each edge of the automaton in turn to all visited nodes;
//! the nodes that it adds are a ring. These rings are more numerous than layers of equal distance,
//! and paths get longer. But diagrams stay as small as those of chaining, whereas layers encode the
//! distance and grow with it.

use sempre_automata::StateId;
use sempre_diagrams::Set;

use crate::product::{Node, Parts, Product, both, pick};

/// The direction of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// The goal of a path.
#[derive(Clone, Copy)]
pub(crate) enum Goal<'g, 's> {
    /// A wanted edge.
    Edge(&'g dyn Fn(usize) -> bool),
    /// One of these nodes.
    Nodes(&'g Parts<'s>),
}

/// A path: its first node, and each edge of the automaton with its target.
pub(crate) struct ProductPath {
    pub(crate) start: Node,
    pub(crate) steps: Vec<(usize, Node)>,
}

/// The nodes that one step has added.
struct Ring<'s> {
    step: Step,
    new: Set<'s>,
    /// The nodes before it.
    before: Set<'s>,
}

/// An event of the system with an edge of the automaton, in the direction of the search.
#[derive(Clone, Copy)]
struct Step {
    /// `None` for a deadlock that stutters.
    event: Option<usize>,
    edge: usize,
    from: StateId,
    to: StateId,
}

impl<'s> Product<'_, 's> {
    /// Returns a path from one of the nodes `from` to the goal, inside `within`, by `chosen` edges.
    pub(crate) fn find_path(
        &self,
        from: &Parts<'s>,
        within: &Parts<'s>,
        direction: Direction,
        chosen: impl Fn(usize) -> bool,
        goal: Goal<'_, 's>,
    ) -> Option<ProductPath> {
        if let Goal::Nodes(goal) = goal
            && let Some(start) = pick(&both(from, goal))
        {
            return Some(ProductPath { start, steps: Vec::new() });
        }
        let steps = self.steps(direction, chosen);
        let mut found = from.clone();
        let mut rings: Vec<Ring<'s>> = Vec::new();
        loop {
            let known = rings.len();
            for &step in &steps {
                let before = &found[step.from.index()];
                let inside = &within[step.to.index()];
                let next = self.take(step, direction, before, inside);
                let is_wanted = match goal {
                    Goal::Edge(wanted) if wanted(step.edge) => next.pick(),
                    Goal::Edge(_) => None,
                    Goal::Nodes(goal) => (&next & &goal[step.to.index()]).pick(),
                };
                if let Some(tuple) = is_wanted {
                    let last = Ring { step, before: before.clone(), new: next };
                    rings.push(last);
                    return self.back(&rings, direction, (step.to, tuple));
                }
                let new = next - &found[step.to.index()];
                if !new.is_empty() {
                    rings.push(Ring { step, before: before.clone(), new: new.clone() });
                    found[step.to.index()] |= new;
                }
            }
            if rings.len() == known {
                return None;
            }
        }
    }

    /// Returns all nodes of `within` reachable from the nodes `from` by `chosen` edges, inclusive.
    pub(crate) fn closure(
        &self,
        from: &Parts<'s>,
        within: &Parts<'s>,
        direction: Direction,
        chosen: impl Fn(usize) -> bool,
    ) -> Parts<'s> {
        let steps = self.steps(direction, chosen);
        let mut found = from.clone();
        loop {
            let before = found.clone();
            for &step in &steps {
                let inside = &within[step.to.index()];
                let next = self.take(step, direction, &found[step.from.index()], inside);
                found[step.to.index()] |= next;
            }
            if found == before {
                return found;
            }
        }
    }

    /// Returns the path to a node of the last ring.
    fn back(&self, rings: &[Ring<'s>], direction: Direction, last: Node) -> Option<ProductPath> {
        let opposite = match direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
        let mut here = last;
        let mut steps = Vec::new();
        for Ring { step, new, before } in rings.iter().rev() {
            if step.to == here.0 && new.contains(&here.1) {
                let back = Step { from: step.to, to: step.from, ..*step };
                let one = self.single(&here);
                let origin = self.take(back, opposite, &one[here.0.index()], before).pick()?;
                steps.push((step.edge, std::mem::replace(&mut here, (step.from, origin))));
            }
        }
        steps.reverse();
        Some(ProductPath { start: here, steps })
    }

    /// Returns all steps by `chosen` edges.
    fn steps(&self, direction: Direction, chosen: impl Fn(usize) -> bool) -> Vec<Step> {
        let events = (0..self.events().len()).map(Some).chain([None]);
        events
            .flat_map(|event| {
                let edges = self.automaton().transitions().enumerate();
                let edges = edges.filter(|(number, _)| chosen(*number));
                edges.map(move |(edge, (source, to))| match direction {
                    Direction::Forward => Step { event, edge, from: source, to: to.target },
                    Direction::Backward => Step { event, edge, from: to.target, to: source },
                })
            })
            .collect()
    }

    /// Returns the nodes of `within` that a step leads to.
    fn take(&self, step: Step, direction: Direction, from: &Set<'s>, within: &Set<'s>) -> Set<'s> {
        match direction {
            Direction::Forward => self.successors(step.event, step.edge, from, within),
            Direction::Backward => self.predecessors(step.event, step.edge, from, within),
        }
    }
}
