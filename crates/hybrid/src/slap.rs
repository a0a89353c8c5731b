//! Self-loop aggregation products, for any property: SLAP (Definitions 48 and 49 of the thesis) and
//! SLAP-TGTA (Definition 50). A node is a state of the automaton and a set that is closed under the
//! loops of that state; edges of the product are those of the automaton that leave it or have marks.
//!
//! Beyond the definitions: a state that is alone in its component, and whose loops are all accepting,
//! asks once whether its aggregate contains a cycle, instead of shrinking it step by step. In a state
//! that accepts whatever follows, aggregates are not closed.

use sempre_automata::{Label, StateId};
use sempre_diagrams::Set;
use sempre_models::Fault;
use sempre_testing::ChangeGraph;

use crate::graph::{Aggregates, Definition, Link, Node, Passage, Place, Property, Way};
use crate::observation::Observation;
use crate::run::{End, Layer};
use crate::steps::Steps;

/// A self-loop aggregation product.
pub(crate) struct Slap<'a, 'e, 's> {
    observation: &'a Observation<'e, 's>,
    property: &'a Property<'a>,
    /// If the automaton reads changes.
    changes: Option<&'a ChangeGraph>,
    /// For each state of the automaton, what its loops read.
    loops: Vec<Label>,
    aggregates: Aggregates<'s>,
}

impl<'a, 'e, 's> Slap<'a, 'e, 's> {
    /// The product with an automaton whose propositions are the observed ones, in the same order.
    pub(crate) fn new(
        observation: &'a Observation<'e, 's>,
        property: &'a Property<'a>,
        changes: Option<&'a ChangeGraph>,
    ) -> Self {
        let automaton = property.automaton;
        let loops = |state: StateId| {
            let loops = automaton.edges_from(state).iter().filter(|edge| edge.target == state);
            automaton.alphabet().any_of(loops.map(|edge| edge.label))
        };
        let loops = automaton.states().map(loops).collect();
        Slap { observation, property, changes, loops, aggregates: Aggregates::default() }
    }

    /// The states that are reached from `set` by steps that a label admits.
    fn image(&self, set: &Set<'s>, label: Label) -> Result<Set<'s>, Fault> {
        let alphabet = self.property.automaton.alphabet();
        match self.changes {
            None => {
                let able = self.observation.labelled(set, alphabet, label)?;
                self.observation.image(&able)
            }
            Some(_) => self.observation.change_image(set, alphabet, label),
        }
    }

    /// The aggregate that begins with some states.
    fn node(&mut self, state: StateId, set: &Set<'s>) -> Result<Node, Fault> {
        let (alphabet, label) = (self.property.automaton.alphabet(), self.loops[state.index()]);
        let closed = match self.changes {
            _ if self.property.is_decided[state.index()] => set.clone(),
            None => self.observation.source_closure(set, alphabet, label)?,
            Some(_) => self.observation.change_closure(set, alphabet, label)?,
        };
        Ok((state, Place::Aggregate(self.aggregates.number(closed))))
    }

    /// The steps between two sets that a label admits.
    fn steps(&self, from: &Set<'s>, to: &Set<'s>, label: Label) -> Result<Steps<'s>, Fault> {
        let alphabet = self.property.automaton.alphabet();
        match self.changes {
            None => Ok(Steps::between(&self.observation.labelled(from, alphabet, label)?, to)),
            Some(_) => self.observation.change_steps(from, to, alphabet, label),
        }
    }

    /// The states of a set that repeat, since they have no successors, where a label admits it.
    fn pausing(&self, set: &Set<'s>, label: Label) -> Result<Set<'s>, Fault> {
        let alphabet = self.property.automaton.alphabet();
        let dead = self.observation.pausing(set);
        match self.changes {
            None => self.observation.labelled(&dead, alphabet, label),
            Some(_) if alphabet.satisfied(label, 0) => Ok(dead),
            Some(_) => Ok(self.observation.none()),
        }
    }

    fn set(&self, place: Place) -> &Set<'s> {
        match place {
            Place::Aggregate(aggregate) => self.aggregates.get(aggregate),
            Place::Divergent(_) => unreachable!("these products have no divergent places"),
        }
    }
}

impl<'s> Definition<'s> for Slap<'_, '_, 's> {
    fn initial(&mut self) -> Result<Vec<Node>, Fault> {
        let mut nodes = Vec::new();
        for &state in self.property.automaton.initial() {
            let states = self.entry(state)?;
            if !states.is_empty() {
                nodes.push(self.node(state, &states)?);
            }
        }
        Ok(nodes)
    }

    fn links(&mut self, (state, place): Node) -> Result<Vec<Link<Node>>, Fault> {
        let automaton = self.property.automaton;
        let set = self.set(place).clone();
        let is_alone = self.property.is_weak_alone[state.index()];
        let mut links = Vec::new();
        if is_alone && automaton.edges_from(state).iter().any(|edge| edge.target == state) {
            let label = self.loops[state.index()];
            if !self.pausing(&set, label)?.is_empty()
                || self.steps(&set, &set, label)?.have_cycle(self.observation)
            {
                let (marks, passage) = (self.property.all, Passage::Stay);
                links.push(Link { target: (state, place), marks, edge: 0, event: None, passage });
            }
        }
        for number in automaton.edge_range(state) {
            let edge = &automaton.edges()[number];
            let marks = self.property.marks(number);
            if edge.target == state && (marks == 0 || is_alone) {
                continue;
            }
            let image = self.image(&set, edge.label)?;
            if !image.is_empty() {
                let target = self.node(edge.target, &image)?;
                let passage = Passage::Cross;
                links.push(Link { target, marks, edge: number, event: None, passage });
            }
        }
        self.aggregates.edges += links.len() as u64;
        Ok(links)
    }

    fn entry(&self, state: StateId) -> Result<Set<'s>, Fault> {
        self.observation.entry(self.changes, state)
    }

    fn states(&self, aggregate: u32) -> &Set<'s> {
        self.aggregates.get(aggregate)
    }

    fn layers(&mut self, path: &Way) -> Result<(Vec<Layer<'s>>, End<'s>), Fault> {
        let edges = self.property.automaton.edges();
        let layer = |node: &Node, link: Option<&Link<Node>>| {
            let states = self.set(node.1).clone();
            let stay = self.steps(&states, &states, self.loops[node.0.index()])?;
            let (cross, pause) = match link {
                None => (None, self.observation.none()),
                Some(link) => {
                    let label = edges[link.edge].label;
                    let next = self.set(link.target.1);
                    let pause = self.pausing(&states, label)?;
                    (Some(self.steps(&states, next, label)?), pause)
                }
            };
            Ok(Layer { states, stay, cross, pause })
        };
        let pause = |node: &Node, layer: &Layer<'s>| {
            self.pausing(&layer.states, self.loops[node.0.index()])
        };
        path.route(self.property.all).layers(layer, pause)
    }

    fn size(&self) -> (u64, u64) {
        (self.aggregates.len(), self.aggregates.edges)
    }
}
