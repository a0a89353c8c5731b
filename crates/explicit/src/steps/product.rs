//! The product, generated as the search visits it.

use super::components::Set;
use crate::explore::{Counts, Insert, Limits, PollTimer, Progress, Reason};
use crate::product::Stop;
use crate::product::letters::Letters;
use crate::store::{StateId, Store};
use rustc_hash::FxHashMap;
use sempre_automata::Automaton;
use sempre_check::{Deadlock, Fairness};
use sempre_models::proposition::Propositions;
use sempre_models::{ActionId, Expander, Successors, System};

/// A step of the system.
#[derive(Clone, Copy)]
struct Step {
    action: ActionId,
    class: u32,
    target: u32,
}

/// The part of an action that matters to a product: many actions have the same.
#[derive(Clone, Default, PartialEq, Eq)]
struct Class {
    /// The propositions about steps that hold.
    fired: u64,
    /// The components that step.
    stepping: Set,
}

/// An edge of the product.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepEdge {
    pub(super) target: u32,
    pub(super) marks: u32,
    /// Nothing where the state of a deadlock repeats.
    pub(super) action: Option<ActionId>,
    class: u32,
}

/// The class of the repeated step of a deadlock.
const REPEATS: u32 = 0;

/// The place of what has not been expanded.
const NOWHERE: u32 = u32::MAX;

/// The product of a system and an automaton with generalized Büchi acceptance, as far as it has been
/// visited.
pub(crate) struct StepProduct<'p, T> {
    system: &'p dyn System,
    expander: Box<dyn Expander + 'p>,
    automaton: &'p Automaton,
    propositions: &'p Propositions,
    deadlock: Deadlock,
    fairness: Option<Fairness>,
    limits: &'p Limits,
    progress: &'p (dyn Fn(&Progress) + Sync),
    store: T,
    letters: Letters<'p>,
    /// For each state where its steps begin, and how many there are.
    places: Vec<(u32, u32)>,
    steps: Vec<Step>,
    valuations: Vec<u64>,
    classes: Vec<Class>,
    class_of: FxHashMap<ActionId, u32>,
    /// The numbers of components, in the order in which they are met.
    components: FxHashMap<u32, u32>,
    nodes: Vec<(u32, u32)>,
    numbers: FxHashMap<(u32, u32), u32>,
    followed: u64,
    expanded: u64,
    search_bytes: usize,
    poll_timer: PollTimer,
    successors: Successors,
    ids: Vec<StateId>,
    state: Vec<u32>,
}

impl<'p, T: Store> StepProduct<'p, T> {
    pub(crate) fn new(
        system: &'p dyn System,
        automaton: &'p Automaton,
        propositions: &'p Propositions,
        deadlock: Deadlock,
        fairness: Option<Fairness>,
        limits: &'p Limits,
        progress: &'p (dyn Fn(&Progress) + Sync),
    ) -> Self {
        StepProduct {
            system,
            expander: system.expander(),
            automaton,
            propositions,
            deadlock,
            fairness,
            limits,
            progress,
            store: T::new(system.words()),
            letters: Letters::new(automaton),
            places: Vec::new(),
            steps: Vec::new(),
            valuations: Vec::new(),
            classes: vec![Class::default()],
            class_of: FxHashMap::default(),
            components: FxHashMap::default(),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            followed: 0,
            expanded: 0,
            search_bytes: 0,
            poll_timer: PollTimer::default(),
            successors: Successors::new(system.words()),
            ids: Vec::new(),
            state: vec![0; system.words()],
        }
    }

    /// Which runs count.
    pub(super) fn fairness(&self) -> Option<Fairness> {
        self.fairness
    }

    /// All marks, as bits.
    pub(super) fn all_marks(&self) -> u32 {
        let marks = self.automaton.acceptance().marks();
        u32::try_from((1u64 << marks) - 1).expect("few marks")
    }

    /// True if no run is accepting.
    pub(super) fn is_unsatisfiable(&self) -> bool {
        *self.automaton.acceptance().condition() == sempre_automata::Condition::False
    }

    /// The number of states of the system that were reached.
    pub(crate) fn states(&self) -> u64 {
        self.store.len() as u64
    }

    /// The number of steps of the states that were expanded.
    pub(crate) fn transitions(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The number of nodes.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// The number of edges that were followed.
    pub(crate) fn followed(&self) -> u64 {
        self.followed
    }

    /// The memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.store.bytes() + self.own_bytes()
    }

    fn own_bytes(&self) -> usize {
        size_of::<Step>() * self.steps.capacity()
            + 16 * self.places.capacity()
            + 8 * self.nodes.capacity()
            + 16 * self.numbers.capacity()
            + self.letters.bytes()
            + self.search_bytes
    }

    pub(super) fn note_bytes(&mut self, bytes: usize) {
        self.search_bytes = bytes;
    }

    /// The state of the system in a node.
    pub(super) fn state(&self, node: u32) -> Box<[u32]> {
        let mut state = vec![0; self.store.words()];
        self.store.get(StateId(self.nodes[node as usize].0), &mut state);
        state.into()
    }

    /// The automaton state of a node.
    pub(super) fn location(&self, node: u32) -> usize {
        self.nodes[node as usize].1 as usize
    }

    /// The components that step on an edge.
    pub(super) fn stepping(&self, edge: &StepEdge) -> &Set {
        &self.classes[edge.class as usize].stepping
    }

    /// The components that are enabled in a node that was expanded.
    pub(super) fn enabled(&self, node: u32) -> Set {
        let mut enabled = Set::default();
        if self.fairness.is_none() {
            return enabled;
        }
        let (first, count) = self.places[self.nodes[node as usize].0 as usize];
        for step in &self.steps[first as usize..][..count as usize] {
            enabled.add(&self.classes[step.class as usize].stepping);
        }
        enabled
    }

    pub(super) fn initial(&mut self) -> Result<Vec<u32>, Stop> {
        let fault = |fault| Stop::Fault(fault, Box::default());
        let mut nodes = Vec::new();
        for state in self.system.initial().map_err(fault)? {
            let mut ids = Vec::new();
            let others = self.own_bytes();
            self.limits.insert(&mut self.store, others, &state, &mut ids).map_err(Stop::Limit)?;
            for location in self.automaton.initial() {
                nodes.push(self.node(ids[0].0, location.index() as u32)?);
            }
        }
        Ok(nodes)
    }

    fn node(&mut self, state: u32, location: u32) -> Result<u32, Stop> {
        if let Some(number) = self.numbers.get(&(state, location)) {
            return Ok(*number);
        }
        let number = u32::try_from(self.nodes.len()).ok().filter(|number| *number < u32::MAX);
        let number = number.ok_or(Stop::Limit(Reason::Numbers))?;
        self.numbers.insert((state, location), number);
        self.nodes.push((state, location));
        Ok(number)
    }

    /// Appends the edges that leave a node, in the same order each time.
    pub(super) fn edges(&mut self, node: u32, edges: &mut Vec<StepEdge>) -> Result<(), Stop> {
        let (state, location) = self.nodes[node as usize];
        let (first, count) = self.expand(state)?;
        let valuation = self.valuations[state as usize];
        let repeats = count == 0 && self.deadlock == Deadlock::Stutter;
        for number in first as usize..first as usize + count as usize + usize::from(repeats) {
            let (action, class, successor) = match repeats {
                true => (None, REPEATS, state),
                false => {
                    let Step { action, class, target } = self.steps[number];
                    (Some(action), class, target)
                }
            };
            let letter = self.letters.number(valuation | self.classes[class as usize].fired);
            for place in 0..self.letters.steps(letter, location).len() {
                sempre_ltl::interrupt::poll();
                let step = self.letters.steps(letter, location)[place];
                let target = self.node(successor, step.target)?;
                edges.push(StepEdge { target, marks: step.marks, action, class });
            }
        }
        self.followed += edges.len() as u64;
        Ok(())
    }

    /// Sees that a state has been expanded; where its steps are, and how many.
    fn expand(&mut self, state: u32) -> Result<(u32, u32), Stop> {
        if let Some(place) = self.places.get(state as usize).filter(|place| place.0 != NOWHERE) {
            return Ok(*place);
        }
        self.store.expand(StateId(state), &mut self.state);
        if self.poll_timer.is_due(self.state.len() + self.successors.words().len()) {
            self.look()?;
        }
        self.successors.clear();
        let fault = |fault, state: &[u32]| Stop::Fault(fault, state.into());
        if let Err(found) = self.expander.expand(&self.state, &mut self.successors) {
            return Err(fault(found, &self.state));
        }
        let valuation = self.propositions.holding(&self.state, self.successors.is_empty());
        let valuation = valuation.map_err(|found| fault(found, &self.state))?;
        self.ids.clear();
        let others = self.own_bytes();
        let words = self.successors.words();
        let inserted = self.limits.insert(&mut self.store, others, words, &mut self.ids);
        inserted.map_err(Stop::Limit)?;
        let first = u32::try_from(self.steps.len()).ok().filter(|first| *first != NOWHERE);
        let first = first.ok_or(Stop::Limit(Reason::Numbers))?;
        for place in 0..self.ids.len() {
            let action = self.successors.actions()[place];
            let class = self.class(action);
            self.steps.push(Step { action, class, target: self.ids[place].0 });
        }
        if self.places.len() < self.store.len() {
            self.places.resize(self.store.len(), (NOWHERE, 0));
            self.valuations.resize(self.store.len(), 0);
        }
        let place = (first, self.ids.len() as u32);
        self.places[state as usize] = place;
        self.valuations[state as usize] = valuation;
        self.expanded += 1;
        Ok(place)
    }

    fn class(&mut self, action: ActionId) -> u32 {
        if let Some(class) = self.class_of.get(&action) {
            return *class;
        }
        let mut class = Class { fired: self.propositions.fired(action), ..Class::default() };
        if let Some(fairness) = self.fairness {
            for component in fairness.stepping(self.system.names(), action) {
                let next = self.components.len() as u32;
                class.stepping.insert(*self.components.entry(component).or_insert(next));
            }
        }
        let known = self.classes.iter().position(|other| *other == class);
        let number = known.unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        });
        self.class_of.insert(action, number as u32);
        number as u32
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        let (states, transitions) = (self.states(), self.transitions());
        let counts = Counts { states, transitions, ..Counts::default() };
        let (expanded, bytes) = (self.expanded, self.bytes());
        (self.progress)(&Progress { counts, expanded, bytes, ..Progress::default() });
        if self.limits.bytes.is_some_and(|most| bytes > most) {
            return Err(Stop::Limit(Reason::Memory));
        }
        self.limits.expired().map_or(Ok(()), |reason| Err(Stop::Limit(reason)))
    }
}
