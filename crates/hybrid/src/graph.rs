//! Graphs of aggregates for the emptiness checks: nodes are numbered as they are met, successors are
//! generated when a search first asks for them, and kept.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use sempre_automata::strength::{Strength, Strengths};
use sempre_automata::{Acceptance, Automaton, Marks, Named, StateId};
use sempre_check::{Counts, Deadlock, Progress, Unsupported};
use sempre_diagrams::Set;
use sempre_explicit::{Edge, Lasso, MAX_MARKS, SearchGraph};
use sempre_ltl::interrupt;
use sempre_models::Fault;

use crate::run::{End, Layer};

/// The part of a node besides the state of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// The aggregate of this number.
    Aggregate(u32),
    /// Some states with this valuation, in which the system stays for ever.
    Divergent(u64),
}

/// How an edge is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// By a step of the system, which leads on from the aggregate.
    Cross,
    /// By staying in the aggregate for ever, in which the automaton follows the edges that come.
    Stay,
    /// By any continuation: the automaton accepts them all.
    Anyhow,
}

/// An edge of a graph of aggregates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<T> {
    pub(crate) target: T,
    /// The acceptance marks, as bits.
    pub(crate) marks: u32,
    /// The number of the automaton's edge.
    pub(crate) edge: usize,
    /// For a graph by transitions, the event that leads on.
    pub(crate) event: Option<usize>,
    pub(crate) passage: Passage,
}

/// A node: a state of the automaton, and a place.
pub(crate) type Node = (StateId, Place);

/// The successors of nodes, by one of the definitions.
pub(crate) trait Definition<'s> {
    /// The initial nodes.
    fn initial(&mut self) -> Result<Vec<Node>, Fault>;

    /// The edges that leave a node, in the same order each time.
    fn links(&mut self, node: Node) -> Result<Vec<Link<Node>>, Fault>;

    /// The initial states in which runs begin with this state of the automaton.
    fn entry(&self, state: StateId) -> Result<Set<'s>, Fault>;

    /// The states of an aggregate.
    fn states(&self, aggregate: u32) -> &Set<'s>;

    /// The layers of a path whose edges are given with the nodes that they leave, and how it ends.
    fn layers(&mut self, path: &Way) -> Result<(Vec<Layer<'s>>, End<'s>), Fault>;

    /// The numbers of aggregates and of edges between them.
    fn size(&self) -> (u64, u64);
}

/// A path through a graph of aggregates: each edge with the node that it leaves.
pub(crate) struct Way {
    pub(crate) links: Vec<(Node, Link<Node>)>,
    /// Where the cycle begins.
    pub(crate) start: usize,
}

/// An automaton in the form that graphs of aggregates need: with a mark at least, and few enough.
pub(crate) struct Property<'a> {
    pub(crate) automaton: &'a Automaton,
    /// All marks, as bits.
    pub(crate) all: u32,
    /// For each state whether it accepts whatever follows, and something does.
    pub(crate) is_decided: Vec<bool>,
    /// For each state whether it is alone in a component whose cycles are all accepting.
    pub(crate) is_weak_alone: Vec<bool>,
}

impl<'a> Property<'a> {
    /// Reads an automaton with generalized Büchi acceptance and at least one mark. Without shortcuts,
    /// graphs are those of the definitions.
    ///
    /// # Errors
    /// If there are too many marks, or the acceptance condition is another one.
    pub(crate) fn new(
        automaton: &'a Automaton,
        deadlock: Deadlock,
        shortcuts: bool,
    ) -> Result<Self, Unsupported> {
        let refuse = |text: &str| Err(Unsupported(text.to_owned()));
        let marks = match Named::of(automaton.acceptance()) {
            Some(Named::Buchi) => 1,
            Some(Named::GeneralizedBuchi(marks)) if marks > 0 => marks,
            _ => return refuse("hybrid engines need generalized Büchi acceptance"),
        };
        if marks > MAX_MARKS {
            return refuse("the automaton has more acceptance marks than hybrid engines can count");
        }
        let strengths = Strengths::of(automaton);
        let strength = |state| strengths.of_state(state);
        let is_alone = |state: StateId| {
            let sccs = strengths.sccs();
            automaton.states().all(|other| other == state || !same(sccs, state, other))
        };
        let is_total = deadlock == Deadlock::Stutter;
        let is_decided =
            |state| shortcuts && is_total && strength(state) == Some(Strength::Terminal);
        let is_weak = |state| {
            let accepting = [Some(Strength::Terminal), Some(Strength::Weak)];
            shortcuts && accepting.contains(&strength(state)) && is_alone(state)
        };
        Ok(Property {
            automaton,
            all: u32::MAX >> (u32::BITS - marks),
            is_decided: automaton.states().map(is_decided).collect(),
            is_weak_alone: automaton.states().map(is_weak).collect(),
        })
    }

    /// The marks of an edge, as bits.
    pub(crate) fn marks(&self, edge: usize) -> u32 {
        let marks = self.automaton.edges()[edge].marks.as_bits();
        marks.map_or(0, |bits| bits as u32 & self.all)
    }
}

fn same(sccs: &sempre_automata::Sccs, left: StateId, right: StateId) -> bool {
    sccs.component(left).is_some() && sccs.component(left) == sccs.component(right)
}

/// The acceptance condition in which all runs are accepting needs a mark: otherwise loops without
/// marks would be left out that accept. Returns marks for it, if they are missing.
pub(crate) fn missing_mark(acceptance: &Acceptance) -> Option<(Acceptance, Marks)> {
    (Named::of(acceptance) == Some(Named::All)).then(|| (Named::Buchi.acceptance(), Marks::all(1)))
}

/// The graph of a definition, as far as it has been visited.
pub(crate) struct Lazy<'r, 's> {
    definition: &'r mut (dyn Definition<'s> + 'r),
    property: &'r Property<'r>,
    nodes: Vec<Node>,
    index: FxHashMap<Node, u32>,
    links: Vec<Option<Rc<[Link<u32>]>>>,
    /// For each state of the automaton its nodes, if nodes may be dropped because of larger ones.
    by_state: Option<Vec<Vec<u32>>>,
    pub(crate) dropped: u64,
    progress: &'r (dyn Fn(&Progress) + Sync),
}

/// The number of nodes with the same state of the automaton that are looked at for a larger one.
const MAX_COMPARED: usize = 32;

impl<'r, 's> Lazy<'r, 's> {
    pub(crate) fn new(
        definition: &'r mut (dyn Definition<'s> + 'r),
        property: &'r Property<'r>,
        drops: bool,
        progress: &'r (dyn Fn(&Progress) + Sync),
    ) -> Self {
        let by_state = drops.then(|| vec![Vec::new(); property.automaton.state_count()]);
        Lazy {
            definition,
            property,
            nodes: Vec::new(),
            index: FxHashMap::default(),
            links: Vec::new(),
            by_state,
            dropped: 0,
            progress,
        }
    }

    fn number(&mut self, node: Node) -> u32 {
        if let Some(&number) = self.index.get(&node) {
            return number;
        }
        let number = self.nodes.len() as u32;
        self.index.insert(node, number);
        self.nodes.push(node);
        self.links.push(None);
        if let Some(by_state) = &mut self.by_state {
            by_state[node.0.index()].push(number);
        }
        number
    }

    /// The links that leave a node.
    fn links(&mut self, number: u32) -> Result<Rc<[Link<u32>]>, Fault> {
        if let Some(links) = &self.links[number as usize] {
            return Ok(links.clone());
        }
        interrupt::poll();
        let node = self.nodes[number as usize];
        let found = match self.property.is_decided[node.0.index()] {
            true => {
                let (marks, passage) = (self.property.all, Passage::Anyhow);
                vec![Link { target: node, marks, edge: 0, event: None, passage }]
            }
            false => self.definition.links(node)?,
        };
        let links = found.into_iter().map(|link| Link {
            target: self.number(link.target),
            marks: link.marks,
            edge: link.edge,
            event: link.event,
            passage: link.passage,
        });
        let links: Rc<[Link<u32>]> = links.collect();
        self.links[number as usize] = Some(links.clone());
        let (aggregates, edges) = self.definition.size();
        let counts = Counts { states: aggregates, transitions: edges, ..Counts::default() };
        (self.progress)(&Progress { counts, expanded: number.into(), ..Progress::default() });
        Ok(links)
    }

    /// True if a node that no search has come to yet has fewer states than another that was searched
    /// without success: closures and successors grow with the set, so nothing is accepted here.
    fn is_covered(&self, number: u32, is_wanted: &impl Fn(u32) -> bool) -> bool {
        let Some(by_state) = &self.by_state else { return false };
        let (state, Place::Aggregate(aggregate)) = self.nodes[number as usize] else {
            return false;
        };
        if self.links[number as usize].is_some() {
            return false;
        }
        let states = self.definition.states(aggregate);
        let others = by_state[state.index()].iter().rev().filter(|other| !is_wanted(**other));
        others.take(MAX_COMPARED).any(|other| match self.nodes[*other as usize] {
            (_, Place::Aggregate(other)) => states.is_subset(self.definition.states(other)),
            _ => false,
        })
    }

    /// The initial states of runs along a lasso, its layers, and how runs through them end.
    pub(crate) fn layers(
        &mut self,
        lasso: &Lasso,
    ) -> Result<(Set<'s>, Vec<Layer<'s>>, End<'s>), Fault> {
        let mut links: Vec<(Node, Link<Node>)> = Vec::new();
        let mut missing = self.property.all;
        let path = |nodes: &[u32], next: Option<u32>| -> Vec<(u32, u32)> {
            let targets = nodes.iter().skip(1).copied().chain(next);
            nodes.iter().copied().zip(targets).collect()
        };
        let first = lasso.cycle.first().copied();
        for (node, next) in path(&lasso.prefix, first) {
            links.push(self.link(node, next, 0)?);
        }
        let start = links.len();
        // Several edges may lead from one node to the next: other laps take others, until all marks
        // have been seen.
        let most = start + lasso.cycle.len() * (1 + MAX_MARKS as usize);
        while (missing != 0 || links.len() == start) && links.len() < most {
            for (node, next) in path(&lasso.cycle, first) {
                let link = self.link(node, next, missing)?;
                missing &= !link.1.marks;
                links.push(link);
            }
        }
        let entry = self.definition.entry(links[0].0.0)?;
        let (layers, end) = self.definition.layers(&Way { links, start })?;
        Ok((entry, layers, end))
    }

    /// The link from one node to another that has most of the missing marks.
    fn link(&mut self, node: u32, next: u32, missing: u32) -> Result<(Node, Link<Node>), Fault> {
        let links = self.links(node)?;
        let all = links.iter().filter(|link| link.target == next);
        let best = all.max_by_key(|link| (link.marks & missing).count_ones());
        let Link { marks, edge, event, passage, .. } = *best.expect("an edge of the lasso");
        let target = self.nodes[next as usize];
        Ok((self.nodes[node as usize], Link { target, marks, edge, event, passage }))
    }
}

impl SearchGraph for Lazy<'_, '_> {
    type Error = Fault;

    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Fault> {
        for node in self.definition.initial()? {
            let number = self.number(node);
            nodes.push(number);
        }
        Ok(())
    }

    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Fault> {
        let links = self.links(node)?;
        for link in links.iter().filter(|link| is_wanted(link.target)) {
            if self.is_covered(link.target, &is_wanted) {
                self.dropped += 1;
                continue;
            }
            edges.push(Edge { target: link.target, marks: link.marks });
        }
        Ok(links.len())
    }

    fn location(&self, node: u32) -> usize {
        self.nodes[node as usize].0.index()
    }
}

/// Sets of states with numbers.
#[derive(Default)]
pub(crate) struct Aggregates<'s> {
    sets: Vec<Set<'s>>,
    index: FxHashMap<Set<'s>, u32>,
    /// The number of edges between nodes.
    pub(crate) edges: u64,
}

impl<'s> Aggregates<'s> {
    /// The number of a set, which is added if it is new.
    pub(crate) fn number(&mut self, set: Set<'s>) -> u32 {
        if let Some(&number) = self.index.get(&set) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.index.insert(set, number);
        number
    }

    /// The set of a number.
    pub(crate) fn get(&self, number: u32) -> &Set<'s> {
        &self.sets[number as usize]
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> u64 {
        self.sets.len() as u64
    }
}

/// A path without the edges by which it only stays where it is.
pub(crate) struct Route {
    /// The edges that cross from one aggregate to the next, with the nodes that they leave.
    pub(crate) hops: Vec<(Node, Link<Node>)>,
    pub(crate) tail: Tail,
}

/// How a route ends.
#[derive(Clone, Copy)]
pub(crate) enum Tail {
    /// The hops from this one on repeat for ever.
    Around(usize),
    /// The run stays in the aggregate of this node for ever.
    Inside(Node),
    /// The run goes on from this node as it likes.
    Anyhow(Node),
}

impl Way {
    /// The route of the path; `all` are all marks. Staying somewhere for a while is left out: the
    /// automaton accepts a stuttering word if and only if it accepts the word without.
    pub(crate) fn route(&self, all: u32) -> Route {
        let mut hops = Vec::new();
        let mut start = 0;
        let cycle = &self.links[self.start..];
        let is_only_staying = cycle.iter().all(|(_, link)| link.passage == Passage::Stay);
        for (number, (node, link)) in self.links.iter().enumerate() {
            if number == self.start {
                start = hops.len();
            }
            let tail = match link.passage {
                Passage::Cross => {
                    hops.push((*node, *link));
                    continue;
                }
                Passage::Anyhow => Tail::Anyhow(*node),
                Passage::Stay => {
                    let is_divergent = matches!(link.target.1, Place::Divergent(_));
                    let is_cycle = number >= self.start && (link.marks == all || is_only_staying);
                    if !is_divergent && !is_cycle {
                        continue;
                    }
                    Tail::Inside(*node)
                }
            };
            return Route { hops, tail };
        }
        Route { hops, tail: Tail::Around(start) }
    }
}

impl Route {
    /// The layers of the route, each made from a node and the edge that leaves it; and the end of runs
    /// through them. `pause` returns the states of the last layer that may be repeated.
    pub(crate) fn layers<'s>(
        &self,
        mut layer: impl FnMut(&Node, Option<&Link<Node>>) -> Result<Layer<'s>, Fault>,
        pause: impl Fn(&Node, &Layer<'s>) -> Result<Set<'s>, Fault>,
    ) -> Result<(Vec<Layer<'s>>, End<'s>), Fault> {
        let hops = self.hops.iter().map(|(node, link)| layer(node, Some(link)));
        let mut layers: Vec<Layer<'s>> = hops.collect::<Result<_, _>>()?;
        let end = match &self.tail {
            Tail::Around(start) => End::Around(*start),
            Tail::Inside(node) => {
                let last = layer(node, None)?;
                let dead = pause(node, &last)?;
                layers.push(last);
                End::Inside(dead)
            }
            Tail::Anyhow(node) => {
                layers.push(layer(node, None)?);
                End::Anyhow
            }
        };
        Ok((layers, end))
    }
}
