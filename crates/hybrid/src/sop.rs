//! Symbolic observation products, for stutter-invariant properties: SOP (Definition 46 of the thesis)
//! and SOP-TGTA (Definition 47, whose filter is corrected: it is over the propositions that the source
//! observes). A node is a state of the automaton and a set of states that agree on the propositions
//! that the automaton may still read.
//!
//! A state of an automaton over valuations observes fewer propositions than the automaton only if the
//! languages of all states that it reaches are stutter-invariant: automata of stutter-invariant
//! formulas with X may have others.

use sempre_automata::{Automaton, StateId, stutter};
use sempre_diagrams::Set;
use sempre_models::Fault;
use sempre_testing::ChangeGraph;

use crate::graph::{Aggregates, Definition, Link, Node, Passage, Place, Property, Way};
use crate::observation::{Observation, support};
use crate::run::{End, Layer};
use crate::steps::Steps;

/// A symbolic observation product.
pub(crate) struct Sop<'a, 'e, 's> {
    observation: &'a Observation<'e, 's>,
    property: &'a Property<'a>,
    /// If the automaton reads changes.
    changes: Option<&'a ChangeGraph>,
    /// For each state of the automaton, the propositions that are observed there.
    observed: Vec<u64>,
    aggregates: Aggregates<'s>,
    /// For each aggregate whether a run may stay in it for ever, once it is known.
    divergent: Vec<Option<bool>>,
}

/// For each state of an automaton, the propositions that it or a state that it reaches reads.
pub(crate) fn read_from(automaton: &Automaton) -> Vec<u64> {
    let mut read = vec![0; automaton.state_count()];
    loop {
        let before = read.clone();
        for (state, edge) in automaton.transitions() {
            read[state.index()] |=
                read[edge.target.index()] | support(automaton.alphabet(), edge.label);
        }
        if read == before {
            return read;
        }
    }
}

/// The same, with all propositions where a state reaches one whose language is not stutter-invariant.
pub(crate) fn guarded(automaton: &Automaton, all: u64) -> Vec<u64> {
    let read = read_from(automaton);
    let is_invariant = |state: StateId| {
        // Without propositions, and where nothing shrinks, there is nothing to show.
        if read[state.index()] == 0 || read[state.index()] == all {
            return true;
        }
        let mut from = automaton.edit();
        from.clear_initial().initial(state);
        stutter::invariance(&from.build()).is_invariant()
    };
    let mut observed = read.clone();
    for state in automaton.states().filter(|state| !is_invariant(*state)) {
        observed[state.index()] = all;
    }
    // A state observes what those that it reaches observe.
    loop {
        let before = observed.clone();
        for (state, edge) in automaton.transitions() {
            observed[state.index()] |= observed[edge.target.index()];
        }
        if observed == before {
            return observed;
        }
    }
}

impl<'a, 'e, 's> Sop<'a, 'e, 's> {
    /// The product with an automaton whose propositions are the observed ones, in the same order.
    pub(crate) fn new(
        observation: &'a Observation<'e, 's>,
        property: &'a Property<'a>,
        changes: Option<&'a ChangeGraph>,
    ) -> Self {
        let observed = match changes {
            None => guarded(property.automaton, observation.all()),
            Some(_) => read_from(property.automaton),
        };
        let aggregates = Aggregates::default();
        Sop { observation, property, changes, observed, aggregates, divergent: Vec::new() }
    }

    fn node(&mut self, state: StateId, label: u64, states: &Set<'s>) -> Result<Node, Fault> {
        let mask = self.observed[state.index()];
        let closed = self.observation.closure(states, label & mask, mask)?;
        Ok((state, Place::Aggregate(self.aggregates.number(closed))))
    }

    /// The valuation of the observed propositions in an aggregate.
    fn label(&self, set: &Set<'s>, mask: u64) -> Result<u64, Fault> {
        let tuple = set.pick().expect("aggregates are not empty");
        let one = set.manager().tuple(&tuple);
        Ok(self.observation.classes(&one, mask)?[0].0)
    }

    /// The steps from one aggregate to the next by an edge. Where fewer propositions are observed in the
    /// next one, a change that the edge does not read must not slip in.
    fn crossing(&self, from: &Set<'s>, to: &Set<'s>, edge: usize) -> Result<Steps<'s>, Fault> {
        let automaton = self.property.automaton;
        match self.changes {
            None => Ok(Steps::between(from, to)),
            Some(_) => {
                let label = automaton.edges()[edge].label;
                self.observation.change_steps(from, to, automaton.alphabet(), label)
            }
        }
    }

    fn is_divergent(&mut self, aggregate: u32) -> bool {
        let place = aggregate as usize;
        if self.divergent.len() <= place {
            self.divergent.resize(place + 1, None);
        }
        let set = self.aggregates.get(aggregate);
        *self.divergent[place].get_or_insert_with(|| {
            !self.observation.pausing(set).is_empty()
                || Steps::between(set, set).have_cycle(self.observation)
        })
    }
}

impl<'s> Definition<'s> for Sop<'_, '_, 's> {
    fn initial(&mut self) -> Result<Vec<Node>, Fault> {
        let mut nodes = Vec::new();
        for &state in self.property.automaton.initial() {
            let states = self.entry(state)?;
            let mask = self.observed[state.index()];
            for (label, states) in self.observation.classes(&states, mask)? {
                sempre_ltl::interrupt::poll();
                nodes.push(self.node(state, label, &states)?);
            }
        }
        nodes.dedup();
        Ok(nodes)
    }

    fn links(&mut self, (state, place): Node) -> Result<Vec<Link<Node>>, Fault> {
        let automaton = self.property.automaton;
        let alphabet = automaton.alphabet();
        let here = self.observed[state.index()];
        let mut links = Vec::new();
        let (label, aggregate) = match place {
            Place::Divergent(label) => (label, None),
            Place::Aggregate(aggregate) => {
                (self.label(self.aggregates.get(aggregate), here)?, Some(aggregate))
            }
        };
        let is_able = |number: usize, letter: u64| {
            alphabet.satisfied(automaton.edges()[number].label, letter)
        };
        let outside = match aggregate {
            None => None,
            Some(aggregate) => {
                let set = self.aggregates.get(aggregate).clone();
                Some(self.observation.groups(here).loud.image(&set) - &set)
            }
        };
        for number in automaton.edge_range(state) {
            let (target, marks) = (automaton.edges()[number].target, self.property.marks(number));
            let next = self.observed[target.index()];
            let mut link = |target: Node, passage: Passage| {
                links.push(Link { target, marks, edge: number, event: None, passage });
            };
            match self.changes {
                None if !is_able(number, label) => continue,
                None => {
                    if let Some(outside) = &outside {
                        for (after, states) in self.observation.classes(outside, next)? {
                            sempre_ltl::interrupt::poll();
                            link(self.node(target, after, &states)?, Passage::Cross);
                        }
                    }
                }
                Some(_) => {
                    if let Some(outside) = &outside {
                        for (after, states) in self.observation.classes(outside, here)? {
                            sempre_ltl::interrupt::poll();
                            if is_able(number, label ^ after) {
                                link(self.node(target, after, &states)?, Passage::Cross);
                            }
                        }
                    }
                    if !is_able(number, 0) {
                        continue;
                    }
                }
            }
            let stays = aggregate.is_none_or(|aggregate| self.is_divergent(aggregate));
            if stays {
                link((target, Place::Divergent(label & next)), Passage::Stay);
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
        let set = |place: Place| match place {
            Place::Aggregate(aggregate) => self.aggregates.get(aggregate).clone(),
            Place::Divergent(_) => unreachable!("no run crosses to a divergent place"),
        };
        let layer = |node: &Node, link: Option<&Link<Node>>| {
            let states = set(node.1);
            let cross = match link {
                None => None,
                Some(link) => {
                    let next = set(link.target.1);
                    Some(self.crossing(&states, &next, link.edge)?)
                }
            };
            let (stay, pause) = (Steps::between(&states, &states), self.observation.none());
            Ok(Layer { states, stay, cross, pause })
        };
        let pause = |_: &Node, layer: &Layer<'s>| Ok(self.observation.pausing(&layer.states));
        path.route(self.property.all).layers(layer, pause)
    }

    fn size(&self) -> (u64, u64) {
        (self.aggregates.len(), self.aggregates.edges)
    }
}
