//! The product of a system with an automaton: for each state of the automaton, a set of states of
//! the system.
//!
//! That is a diagram with the automaton's variable at the top, whose root is kept as a list. An
//! edge of the automaton moves the states that satisfy its label to their successors.

use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, Label, StateId};
use sempre_diagrams::{Group, Set};
use sempre_models::proposition::Propositions;
use sempre_models::{Fault, System};

use crate::space::Space;

/// For each state of the automaton, states of the system.
pub(crate) type Parts<'s> = Vec<Set<'s>>;

/// A product whose states are reachable in the system.
pub(crate) struct Product<'a, 's> {
    automaton: &'a Automaton,
    events: Group<'s>,
    reached: Set<'s>,
    /// States that are their own successors, since they have no other.
    stuttering: Set<'s>,
    /// The states that satisfy each label.
    labelled: FxHashMap<Label, Set<'s>>,
    pub(crate) initial: Parts<'s>,
}

impl<'a, 's> Product<'a, 's> {
    /// The product with the states of a space; the last state of a run that ends repeats if
    /// `stutter`, and has no successor otherwise.
    ///
    /// # Errors
    /// If a proposition has no meaning in a state.
    pub(crate) fn new<S: System>(
        space: &Space<'s, S>,
        automaton: &'a Automaton,
        propositions: &Propositions,
        stutter: bool,
    ) -> Result<Self, Fault> {
        let manager = space.reached.manager();
        let empty = manager.empty(space.reached.arity());
        let alive = &space.reached - space.dead();
        let mut holding = Vec::with_capacity(propositions.len());
        for number in 0..propositions.len() {
            let footprint = propositions.footprint(number);
            let holds = |dead| {
                move |state: &[u32]| Ok(propositions.holding(state, dead)? >> number & 1 == 1)
            };
            let alive = space.encoding.filter(&alive, footprint, holds(false))?;
            let dead = space.encoding.filter(space.dead(), footprint, holds(true))?;
            holding.push(alive | dead);
        }
        let mut labelled = FxHashMap::default();
        for edge in automaton.edges() {
            labelled.entry(edge.label).or_insert_with(|| {
                let mut sum = empty.clone();
                for cube in automaton.alphabet().cubes(edge.label) {
                    let mut states = space.reached.clone();
                    for (prop, positive) in cube {
                        states = if positive {
                            states & &holding[prop]
                        } else {
                            states - &holding[prop]
                        };
                    }
                    sum |= states;
                }
                sum
            });
        }
        let mut initial = vec![empty.clone(); automaton.state_count()];
        for state in automaton.initial() {
            initial[state.index()] = space.encoding.initial.clone();
        }
        Ok(Product {
            automaton,
            events: space.encoding.events.clone(),
            reached: space.reached.clone(),
            stuttering: if stutter { space.dead().clone() } else { empty },
            labelled,
            initial,
        })
    }

    pub(crate) fn none(&self) -> Parts<'s> {
        let empty = self.reached.manager().empty(self.reached.arity());
        vec![empty; self.automaton.state_count()]
    }

    /// The successors of states by edges that are `chosen`.
    pub(crate) fn post(&self, from: &Parts<'s>, chosen: impl Fn(usize) -> bool) -> Parts<'s> {
        let mut parts = self.none();
        for state in self.automaton.states() {
            let here = &from[state.index()];
            if here.is_empty() {
                continue;
            }
            // Edges with the same label have the same successors in the system.
            let mut images: Vec<(Label, Set<'s>)> = Vec::new();
            for number in self.automaton.edge_range(state) {
                let edge = &self.automaton.edges()[number];
                if !chosen(number) {
                    continue;
                }
                if !images.iter().any(|(label, _)| *label == edge.label) {
                    let able = here & &self.labelled[&edge.label];
                    let image = self.events.image(&able) | (&able & &self.stuttering);
                    images.push((edge.label, image));
                }
                let image = images.iter().find(|(label, _)| *label == edge.label);
                if let Some((_, image)) = image {
                    parts[edge.target.index()] |= image;
                }
            }
        }
        parts
    }

    /// The predecessors in `within` of states by edges that are `chosen`.
    pub(crate) fn pre(
        &self,
        to: &Parts<'s>,
        within: &Parts<'s>,
        chosen: impl Fn(usize) -> bool,
    ) -> Parts<'s> {
        let mut parts = self.none();
        for state in self.automaton.states() {
            let here = &within[state.index()];
            for number in self.automaton.edge_range(state) {
                let edge = &self.automaton.edges()[number];
                let target = &to[edge.target.index()];
                if target.is_empty() || here.is_empty() || !chosen(number) {
                    continue;
                }
                let able = here & &self.labelled[&edge.label];
                let stuttering = &(&able & &self.stuttering) & target;
                parts[state.index()] |= self.events.preimage(target, &able) | stuttering;
            }
        }
        parts
    }

    /// All that can be reached from some states by edges that are `chosen`, those included.
    pub(crate) fn reach(&self, from: &Parts<'s>, chosen: impl Fn(usize) -> bool) -> Parts<'s> {
        let mut found = from.clone();
        let mut new = from.clone();
        while !is_empty(&new) {
            let next = self.post(&new, &chosen);
            new = minus(next, &found);
            add(&mut found, &new);
        }
        found
    }

    pub(crate) fn automaton(&self) -> &'a Automaton {
        self.automaton
    }

    /// The part of one state of the product.
    pub(crate) fn single(&self, state: &Node) -> Parts<'s> {
        let mut parts = self.none();
        parts[state.0.index()] = self.reached.manager().tuple(&state.1);
        parts
    }
}

/// A state of the product.
pub(crate) type Node = (StateId, Vec<u32>);

pub(crate) fn is_empty(parts: &Parts<'_>) -> bool {
    parts.iter().all(Set::is_empty)
}

pub(crate) fn add<'s>(parts: &mut Parts<'s>, more: &Parts<'s>) {
    for (part, more) in parts.iter_mut().zip(more) {
        *part |= more;
    }
}

pub(crate) fn minus<'s>(parts: Parts<'s>, less: &Parts<'s>) -> Parts<'s> {
    parts.into_iter().zip(less).map(|(part, less)| part - less).collect()
}

pub(crate) fn both<'s>(left: &Parts<'s>, right: &Parts<'s>) -> Parts<'s> {
    left.iter().zip(right).map(|(left, right)| left & right).collect()
}

/// A state of the product, if there is one.
pub(crate) fn pick(parts: &Parts<'_>) -> Option<Node> {
    let mut found = parts.iter().enumerate();
    found.find_map(|(state, part)| Some((StateId::new(state), part.pick()?)))
}
