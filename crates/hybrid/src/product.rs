//! The product of an observation graph with an automaton, over valuations (SOG) or over changes
//! (SOG-TGTA): Definitions 44 and 45 of the thesis. Where a run may stay in an aggregate for ever, the
//! product goes on to a divergent place of the same label, or loops if the automaton reads changes.

use sempre_automata::StateId;
use sempre_diagrams::Set;
use sempre_models::Fault;
use sempre_testing::ChangeGraph;

use crate::graph::{Definition, Link, Node, Passage, Place, Property, Route, Tail, Way};
use crate::observation::Observation;
use crate::run::{End, Layer};
use crate::sog::{By, Sog};
use crate::steps::Steps;

/// The product of an observation graph with an automaton.
pub(crate) struct SogProduct<'a, 'e, 's> {
    pub(crate) observation: &'a Observation<'e, 's>,
    pub(crate) sog: &'a mut Sog<'s>,
    pub(crate) property: &'a Property<'a>,
    /// If the automaton reads changes.
    pub(crate) changes: Option<&'a ChangeGraph>,
    /// For each proposition of the automaton its number among those observed.
    pub(crate) places: Vec<usize>,
}

impl<'s> SogProduct<'_, '_, 's> {
    /// The letter of the automaton in an aggregate.
    fn letter(&self, label: u64) -> u64 {
        let bits = self.places.iter().enumerate();
        bits.fold(0, |letter, (number, place)| letter | (label >> place & 1) << number)
    }

    fn label(&self, aggregate: u32) -> u64 {
        self.sog.aggregates()[aggregate as usize].label
    }

    /// The edges of a state that a letter admits.
    fn admitted(&self, state: StateId, letter: u64) -> Vec<usize> {
        let automaton = self.property.automaton;
        let is_admitted =
            |edge: &usize| automaton.alphabet().satisfied(automaton.edges()[*edge].label, letter);
        automaton.edge_range(state).filter(is_admitted).collect()
    }

    fn target(&self, edge: usize) -> StateId {
        self.property.automaton.edges()[edge].target
    }

    /// The states of the aggregates along a route. Aggregates of one node may have different states,
    /// so that they are saturated again from the initial states; a cycle is repeated until it begins
    /// with states that it has begun with before.
    fn saturate_again(&self, route: &Route) -> Result<(Route, Vec<Set<'s>>), Fault> {
        let observation = self.observation;
        let label = |node: &Node| match node.1 {
            Place::Aggregate(aggregate) => self.label(aggregate),
            Place::Divergent(_) => unreachable!("no run crosses to a divergent place"),
        };
        let close = |set: &Set<'s>, label: u64| {
            let states = observation.with_valuation(set, label, observation.all())?;
            self.sog.close(observation, label, &states)
        };
        let first = match (route.hops.first(), &route.tail) {
            (Some((node, _)), _) | (None, Tail::Inside(node) | Tail::Anyhow(node)) => label(node),
            (None, Tail::Around(_)) => unreachable!("a cycle has edges"),
        };
        let mut states = close(observation.initial(), first)?;
        let mut hops = route.hops.clone();
        let mut sets = Vec::new();
        let mut heads: Vec<(usize, Set<'s>)> = Vec::new();
        let mut next = 0;
        loop {
            if let Tail::Around(start) = route.tail
                && next >= start
                && (next - start) % (route.hops.len() - start) == 0
            {
                if let Some((place, _)) = heads.iter().find(|(_, head)| *head == states) {
                    return Ok((Route { hops, tail: Tail::Around(*place) }, sets));
                }
                heads.push((next, states.clone()));
                if next == hops.len() {
                    hops.extend_from_slice(&route.hops[start..]);
                }
            }
            sets.push(states.clone());
            let Some((_, link)) = hops.get(next) else { break };
            let events = &observation.encoding().events;
            let image = match link.event {
                Some(event) => events.events()[event].image(&states),
                None => events.image(&states),
            };
            states = close(&image, label(&link.target))?;
            next += 1;
        }
        Ok((Route { hops, tail: route.tail }, sets))
    }

    fn link(
        &self,
        edge: usize,
        place: Place,
        event: Option<usize>,
        passage: Passage,
    ) -> Link<Node> {
        let (target, marks) = ((self.target(edge), place), self.property.marks(edge));
        Link { target, marks, edge, event, passage }
    }
}

impl<'s> Definition<'s> for SogProduct<'_, '_, 's> {
    fn initial(&mut self) -> Result<Vec<Node>, Fault> {
        let mut nodes = Vec::new();
        for &aggregate in self.sog.initial() {
            let letter = self.letter(self.label(aggregate));
            for &state in self.property.automaton.initial() {
                let begins = match self.changes {
                    Some(graph) => graph.alphabet().satisfied(graph.first(state), letter),
                    None => true,
                };
                if begins {
                    nodes.push((state, Place::Aggregate(aggregate)));
                }
            }
        }
        Ok(nodes)
    }

    fn links(&mut self, (state, place): Node) -> Result<Vec<Link<Node>>, Fault> {
        let aggregate = match place {
            Place::Divergent(letter) => {
                let edges = self.admitted(state, letter).into_iter();
                return Ok(edges.map(|edge| self.link(edge, place, None, Passage::Stay)).collect());
            }
            Place::Aggregate(aggregate) => aggregate,
        };
        let letter = self.letter(self.label(aggregate));
        let mut links = Vec::new();
        if self.changes.is_none() {
            let edges = self.admitted(state, letter);
            if edges.is_empty() {
                return Ok(links);
            }
            let successors = self.sog.edges(self.observation, aggregate)?;
            let is_divergent = self.sog.is_divergent(self.observation, aggregate);
            for edge in edges {
                for next in successors.iter() {
                    let place = Place::Aggregate(next.target);
                    links.push(self.link(edge, place, next.event, Passage::Cross));
                }
                if is_divergent {
                    links.push(self.link(edge, Place::Divergent(letter), None, Passage::Stay));
                }
            }
            return Ok(links);
        }
        for next in self.sog.edges(self.observation, aggregate)?.iter() {
            let change = letter ^ self.letter(self.label(next.target));
            for edge in self.admitted(state, change) {
                let place = Place::Aggregate(next.target);
                links.push(self.link(edge, place, next.event, Passage::Cross));
            }
        }
        let stuttering = self.admitted(state, 0);
        if !stuttering.is_empty() && self.sog.is_divergent(self.observation, aggregate) {
            let stay = |edge: usize| self.link(edge, place, None, Passage::Stay);
            links.extend(stuttering.into_iter().map(stay));
        }
        Ok(links)
    }

    fn entry(&self, _: StateId) -> Result<Set<'s>, Fault> {
        Ok(self.observation.initial().clone())
    }

    fn states(&self, aggregate: u32) -> &Set<'s> {
        self.sog.states(aggregate).expect("graphs by label keep their states")
    }

    fn layers(&mut self, path: &Way) -> Result<(Vec<Layer<'s>>, End<'s>), Fault> {
        let observation = self.observation;
        let route = path.route(self.property.all);
        let sets = match self.sog.by() {
            By::Label => None,
            By::Transition => Some(self.saturate_again(&route)?),
        };
        let (route, sets) = sets.map_or((route, Vec::new()), |(route, sets)| (route, sets));
        let known = |place: Place| match place {
            Place::Aggregate(aggregate) => self.states(aggregate).clone(),
            Place::Divergent(_) => unreachable!("no run crosses to a divergent place"),
        };
        let mut number = 0;
        let layer = |node: &Node, _: Option<&Link<Node>>| {
            number += 1;
            let states = match self.sog.by() {
                By::Label => known(node.1),
                By::Transition => sets[number - 1].clone(),
            };
            let (stay, pause) = (Steps::between(&states, &states), observation.none());
            Ok(Layer { states, stay, cross: None, pause })
        };
        let pause = |_: &Node, layer: &Layer<'s>| Ok(observation.pausing(&layer.states));
        let (mut layers, end) = route.layers(layer, pause)?;
        let first = match end {
            End::Around(start) => Some(layers[start].states.clone()),
            _ => None,
        };
        let rest = layers.iter().skip(1).map(|layer| Some(layer.states.clone()));
        let next: Vec<Option<Set<'s>>> = rest.chain([first]).collect();
        for (layer, next) in layers.iter_mut().zip(next) {
            layer.cross = next.map(|next| Steps::between(&layer.states, &next));
        }
        Ok((layers, end))
    }

    fn size(&self) -> (u64, u64) {
        (self.sog.aggregates().len() as u64, self.sog.edge_count())
    }
}
