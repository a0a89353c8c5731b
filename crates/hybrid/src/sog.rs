//! Symbolic observation graphs: aggregates of states with one label, generated as they are visited.
//!
//! - *By label* (A. E. Ben Salem, *Improving the model checking of stutter-invariant LTL properties*,
//!   2014, Definition 44): the successors of an aggregate are one for each other label.
//! - *By transition* (S. Haddad, J.-M. Ilié, K. Klai, *Design and evaluation of a symbolic and
//!   abstraction-based model checker*, ATVA 2004): one for each external transition. Aggregates are
//!   identified by the states in which external transitions are enabled, by whether there are
//!   deadlocks and circuits, and by the label.
//!
//! Each aggregate costs a fixpoint.

use std::rc::Rc;

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_check::Deadlock;
use sempre_diagrams::Set;
use sempre_ltl::interrupt;
use sempre_models::Fault;

use crate::observation::{Groups, Observation};
use crate::steps::Steps;

/// How the successors of an aggregate are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum By {
    /// One for each other label.
    #[default]
    Label,
    /// One for each external transition.
    Transition,
}

/// A set of states with one label.
pub struct Aggregate<'s> {
    /// The valuation of the observed propositions.
    pub label: u64,
    /// All states; or, by transition, those in which an external transition is enabled.
    kept: Set<'s>,
    /// All states, unless they need not be kept.
    states: Option<Set<'s>>,
    /// The number of states.
    pub count: BigUint,
    dead: Option<bool>,
    live: Option<bool>,
    edges: Option<Rc<[Edge]>>,
}

/// An edge between aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The event of the encoding that leads on, in graphs by transition.
    pub event: Option<usize>,
    /// The aggregate that it leads to.
    pub target: u32,
}

/// The identity of an aggregate.
type Key<'s> = (u64, Set<'s>, bool, bool);

/// An observation graph, as far as it has been visited.
pub struct Sog<'s> {
    by: By,
    keeps_states: bool,
    aggregates: Vec<Aggregate<'s>>,
    index: FxHashMap<Key<'s>, u32>,
    initial: Vec<u32>,
    edge_count: u64,
}

impl<'s> Sog<'s> {
    /// The graph of which only the initial aggregates are known, one for each label of initial states.
    /// Graphs by transition keep all states of aggregates if they are asked to.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn new(
        observation: &Observation<'_, 's>,
        by: By,
        keeps_states: bool,
    ) -> Result<Self, Fault> {
        let mut sog = Sog {
            by,
            keeps_states: keeps_states || by == By::Label,
            aggregates: Vec::new(),
            index: FxHashMap::default(),
            initial: Vec::new(),
            edge_count: 0,
        };
        for (label, states) in observation.classes(observation.initial(), observation.all())? {
            interrupt::poll();
            let number = sog.add(observation, label, &states)?;
            sog.initial.push(number);
        }
        sog.initial.dedup();
        Ok(sog)
    }

    /// How the successors of an aggregate are made.
    pub fn by(&self) -> By {
        self.by
    }

    /// The initial aggregates.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// The aggregates that have been met.
    pub fn aggregates(&self) -> &[Aggregate<'s>] {
        &self.aggregates
    }

    /// The number of edges between aggregates that have been met.
    pub fn edge_count(&self) -> u64 {
        self.edge_count
    }

    /// All states of an aggregate, if they are kept.
    pub fn states(&self, aggregate: u32) -> Option<&Set<'s>> {
        self.aggregates[aggregate as usize].states.as_ref()
    }

    /// The closure that makes an aggregate of states with one label.
    pub(crate) fn close(
        &self,
        observation: &Observation<'_, 's>,
        label: u64,
        states: &Set<'s>,
    ) -> Result<Set<'s>, Fault> {
        match self.by {
            By::Label => observation.closure(states, label, observation.all()),
            By::Transition => local_closure(observation, label, states),
        }
    }

    /// The number of the aggregate that begins with some states, which is added if it is new.
    fn add(
        &mut self,
        observation: &Observation<'_, 's>,
        label: u64,
        states: &Set<'s>,
    ) -> Result<u32, Fault> {
        let states = self.close(observation, label, states)?;
        let (key, dead, live) = match self.by {
            By::Label => ((label, states.clone(), false, false), None, None),
            By::Transition => {
                let loud = observation.loud_events();
                let events = observation.encoding().events.events();
                let enabled = loud.iter().map(|number| events[*number].enabled(&states));
                let out = enabled.fold(observation.none(), |sum, more| sum | more);
                let dead = !observation.dead(&states).is_empty();
                let live = Steps::between(&states, &states).have_cycle(observation);
                ((label, out, dead, live), Some(dead), Some(live))
            }
        };
        if let Some(&number) = self.index.get(&key) {
            return Ok(number);
        }
        let number = self.aggregates.len() as u32;
        let count = states.count();
        self.aggregates.push(Aggregate {
            label,
            kept: key.1.clone(),
            states: self.keeps_states.then_some(states),
            count,
            dead,
            live,
            edges: None,
        });
        self.index.insert(key, number);
        Ok(number)
    }

    /// The edges that leave an aggregate.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn edges(
        &mut self,
        observation: &Observation<'_, 's>,
        aggregate: u32,
    ) -> Result<Rc<[Edge]>, Fault> {
        interrupt::poll();
        let Aggregate { label, kept, edges, .. } = &self.aggregates[aggregate as usize];
        if let Some(edges) = edges {
            return Ok(edges.clone());
        }
        let (label, kept, all) = (*label, kept.clone(), observation.all());
        let mut edges: Vec<Edge> = Vec::new();
        match self.by {
            By::Label => {
                let image = observation.groups(all).loud.image(&kept);
                for (next, states) in observation.classes(&image, all)? {
                    interrupt::poll();
                    if next != label {
                        let target = self.add(observation, next, &states)?;
                        edges.push(Edge { event: None, target });
                    }
                }
            }
            By::Transition => {
                let mut known = FxHashSet::default();
                for &event in observation.loud_events().iter() {
                    let image = observation.encoding().events.events()[event].image(&kept);
                    let origin = observation.encoding().origins()[event];
                    for (next, states) in observation.classes(&image, all)? {
                        interrupt::poll();
                        if next == label && !is_external(observation, event) {
                            continue;
                        }
                        let target = self.add(observation, next, &states)?;
                        if known.insert((origin, target)) {
                            edges.push(Edge { event: Some(event), target });
                        }
                    }
                }
            }
        }
        self.edge_count += edges.len() as u64;
        let edges: Rc<[Edge]> = edges.into();
        self.aggregates[aggregate as usize].edges = Some(edges.clone());
        Ok(edges)
    }

    /// True if an aggregate has a state without successors.
    pub fn is_dead(&mut self, observation: &Observation<'_, 's>, aggregate: u32) -> bool {
        let Aggregate { dead, kept, .. } = &mut self.aggregates[aggregate as usize];
        *dead.get_or_insert_with(|| !observation.dead(kept).is_empty())
    }

    /// True if an aggregate contains a circuit.
    pub fn is_live(&mut self, observation: &Observation<'_, 's>, aggregate: u32) -> bool {
        let Aggregate { live, kept, .. } = &mut self.aggregates[aggregate as usize];
        *live.get_or_insert_with(|| Steps::between(kept, kept).have_cycle(observation))
    }

    /// True if a run may stay in an aggregate for ever.
    pub fn is_divergent(&mut self, observation: &Observation<'_, 's>, aggregate: u32) -> bool {
        let is_dead =
            observation.deadlock() == Deadlock::Stutter && self.is_dead(observation, aggregate);
        is_dead || self.is_live(observation, aggregate)
    }

    /// Generates the whole graph.
    ///
    /// # Errors
    /// If the system has a fault.
    pub fn complete(&mut self, observation: &Observation<'_, 's>) -> Result<(), Fault> {
        let mut next = 0;
        while next < self.aggregates.len() {
            interrupt::poll();
            self.edges(observation, next as u32)?;
            next += 1;
        }
        Ok(())
    }

    /// True if the whole graph has been generated.
    pub fn is_complete(&self) -> bool {
        self.aggregates.iter().all(|aggregate| aggregate.edges.is_some())
    }
}

/// True if a firing of an event always leads to another aggregate. Events that are more than rules of
/// a net are local where they leave the label as it is.
fn is_external(observation: &Observation<'_, '_>, event: usize) -> bool {
    observation.is_rule(event) || observation.is_marked_external(event)
}

/// The closure under local events.
fn local_closure<'s>(
    observation: &Observation<'_, 's>,
    label: u64,
    states: &Set<'s>,
) -> Result<Set<'s>, Fault> {
    let all = observation.all();
    let Groups { silent, .. } = &*observation.groups(all);
    let partly = observation.loud_events();
    let partly: Vec<usize> =
        partly.iter().copied().filter(|event| !is_external(observation, *event)).collect();
    let events = observation.encoding().events.events();
    observation.grow(states, silent, |new, closed| {
        let images = partly.iter().map(|event| events[*event].image(new));
        let image = images.fold(observation.none(), |sum, image| sum | image) - closed;
        observation.with_valuation(&image, label, all)
    })
}
