//! The on-the-fly product of a system with the automaton of a property.
//!
//! A node is a state of the system and one of the automaton; an edge of the automaton is enabled if
//! its label admits the valuation of the source. States and successors come from a [`StateSpace`],
//! which expands each state once. The product stores valuations, one word per state. It does not
//! expand a state for nodes where the automaton has no enabled edge.

mod changes;
pub(crate) mod letters;
mod numbers;
mod on_demand;

use crate::bits::Bits;
use crate::explore::{Counts, Limits, Progress, Reason};
use crate::graph::{Edge, MAX_MARKS, SearchGraph};
use crate::state_space::{Place, StateSpace};
use crate::store::{StateId, Store, reserve};
use changes::Changes;
use letters::Letters;
use numbers::Numbers;
use on_demand::BuiltSteps;
use sempre_automata::Automaton;
use sempre_check::Deadlock;
use sempre_models::Fault;
use sempre_models::proposition::Propositions;
use sempre_testing::{ChangeGraph, OnDemand};

/// How an automaton over changes is read.
enum Reader<'p> {
    /// It exists.
    Whole(Changes<'p>),
    /// It is built for the valuations that occur.
    Built(Box<BuiltSteps>),
}

/// Why a product cannot be generated further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The model has a fault in this state.
    Fault(Fault, Box<[u32]>),
    /// A limit was reached.
    Limit(Reason),
}

/// The letter of a state that is not evaluated yet.
const NONE: u32 = EXPANDED - 1;

/// The bit of expanded states in their letters.
const EXPANDED: u32 = 1 << 31;

/// The number of nodes expanded between two polls of time and memory.
const NODES_BETWEEN_POLLS: u32 = 1 << 12;

/// The number of words of successors that count as one node.
const WORDS_OF_NODE: usize = 1 << 5;

/// The visited part of a product.
pub struct Product<'p, 'a, T> {
    space: &'p mut StateSpace<'a, T>,
    automaton: &'p Automaton,
    propositions: &'p Propositions,
    limits: &'p Limits,
    deadlock: Deadlock,
    letters: Letters<'p>,
    /// `Some` if the automaton reads changes: letters are changes, then.
    changes: Option<Reader<'p>>,
    /// For each state, the number of its letter, or of its valuation if the automaton reads
    /// changes; with a bit for states that this product has expanded.
    observed: Vec<u32>,
    /// The reached states, if the state space has others.
    reached: Option<Reached>,
    numbers: Numbers,
    transitions: u64,
    /// The number of expanded states of the system.
    expanded: u64,
    /// The memory of the search, in bytes.
    search_bytes: usize,
    poll_timer: u32,
    progress: &'p (dyn Fn(&Progress) + Sync),
}

impl<'p, 'a, T: Store> Product<'p, 'a, T> {
    /// Makes the product of a system with an automaton over the given propositions, in the same
    /// order. Calls `progress` at intervals.
    ///
    /// # Panics
    /// If the automaton has more than [`MAX_MARKS`] acceptance marks.
    pub fn new(
        space: &'p mut StateSpace<'a, T>,
        automaton: &'p Automaton,
        propositions: &'p Propositions,
        deadlock: Deadlock,
        limits: &'p Limits,
        progress: &'p (dyn Fn(&Progress) + Sync),
    ) -> Self {
        assert!(automaton.acceptance().marks() <= MAX_MARKS, "too many acceptance marks");
        let reached = space.has_others().then(Reached::default);
        space.prepare(true);
        Product {
            space,
            automaton,
            propositions,
            limits,
            deadlock,
            letters: Letters::new(automaton),
            changes: None,
            observed: Vec::new(),
            reached,
            numbers: Numbers::new(automaton.state_count()),
            transitions: 0,
            expanded: 0,
            search_bytes: 0,
            poll_timer: NODES_BETWEEN_POLLS,
            progress,
        }
    }

    /// Makes the product of a system with an automaton over changes of the given propositions, in
    /// the same order.
    pub fn of_changes(
        space: &'p mut StateSpace<'a, T>,
        graph: &'p ChangeGraph,
        propositions: &'p Propositions,
        deadlock: Deadlock,
        limits: &'p Limits,
        progress: &'p (dyn Fn(&Progress) + Sync),
    ) -> Self {
        let automaton = graph.automaton();
        let product = Product::new(space, automaton, propositions, deadlock, limits, progress);
        Product { changes: Some(Reader::Whole(Changes::new(graph))), ..product }
    }

    /// Makes the product of a system with a testing automaton over the given propositions, in the
    /// same order, that is built for the valuations that occur. The location of a node is the
    /// [class](OnDemand::class) of its automaton state.
    pub fn on_demand(
        space: &'p mut StateSpace<'a, T>,
        testing: &'p OnDemand,
        propositions: &'p Propositions,
        deadlock: Deadlock,
        limits: &'p Limits,
        progress: &'p (dyn Fn(&Progress) + Sync),
    ) -> Self {
        let automaton = testing.automaton();
        let product = Product::new(space, automaton, propositions, deadlock, limits, progress);
        let changes = Some(Reader::Built(Box::new(BuiltSteps::new(testing.clone()))));
        Product { changes, numbers: Numbers::new(usize::MAX), ..product }
    }

    /// Returns the number of states of the automaton that exist so far.
    pub(crate) fn automaton_states(&self) -> usize {
        match &self.changes {
            Some(Reader::Built(built)) => built.states(),
            _ => self.automaton.state_count(),
        }
    }

    /// Optimizes for a search that visits almost no state of the system twice.
    pub(crate) fn visited_once(self) -> Self {
        // Deadlocks are tested before the expansion.
        self.space.prepare(self.changes.is_some() || self.propositions.is_about_deadlocks());
        self
    }

    /// Returns the number of reached states of the system.
    pub fn states(&self) -> u64 {
        self.reached.as_ref().map_or(self.space.states() as u64, |reached| reached.count)
    }

    /// Returns the number of transitions of the expanded states.
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// Returns the memory in use, with that of the state space, in bytes.
    pub fn bytes(&self) -> usize {
        self.space.bytes() + self.own_bytes()
    }

    fn own_bytes(&self) -> usize {
        self.numbers.bytes()
            + self.letters.bytes()
            + 4 * self.observed.capacity()
            + self.reached.as_ref().map_or(0, |reached| reached.states.bytes())
            + match &self.changes {
                Some(Reader::Built(built)) => built.bytes(),
                _ => 0,
            }
            + self.search_bytes
    }

    /// Returns the system state of a node.
    pub fn state(&self, node: u32) -> Box<[u32]> {
        self.space.get(self.numbers.node(node).0)
    }

    /// Returns the node of a system state and an automaton state; adds it if it is new.
    pub(crate) fn node(&mut self, state: &[u32], location: u32) -> Result<u32, Stop> {
        let state = self.space.number(state, self.limits)?;
        self.check_numbers()?;
        if let Some(reached) = &mut self.reached {
            reached.insert(state);
        }
        Ok(self.numbers.number(state, location))
    }

    fn check_numbers(&self) -> Result<(), Stop> {
        match self.numbers.suffice(self.space.states()) {
            true => Ok(()),
            false => Err(Stop::Limit(Reason::Numbers)),
        }
    }

    /// Returns the number of the letter, or of the valuation, of a state.
    #[inline]
    fn observe(&mut self, state: u32) -> Result<u32, Stop> {
        match self.observed.get(state as usize) {
            Some(&letter) if letter & !EXPANDED != NONE => Ok(letter & !EXPANDED),
            _ => self.evaluate(state),
        }
    }

    fn evaluate(&mut self, state: u32) -> Result<u32, Stop> {
        let mut place = self.space.place(state);
        if place.is_none() && self.propositions.is_about_deadlocks() {
            place = Some(self.space.expand(state, self.limits, self.own_bytes())?);
        }
        if self.propositions.is_about_deadlocks()
            && let Some(place) = place
            && let Some(reached) = &mut self.reached
        {
            // Counted even if another property has expanded the state.
            self.space.successors(place).iter().for_each(|successor| reached.insert(successor.0));
        }
        let is_deadlock = place.is_some_and(|place| self.space.successors(place).is_empty());
        let valuation = self.propositions.holding(self.space.words(state), is_deadlock);
        let valuation = valuation.map_err(|f| self.space.fault(state, f))?;
        let letter = match &mut self.changes {
            Some(Reader::Whole(changes)) => changes.number(valuation),
            Some(Reader::Built(built)) => built.number(valuation),
            None => self.letters.number(valuation),
        };
        if self.observed.len() <= state as usize {
            let more = self.space.states() - self.observed.len();
            reserve(&mut self.observed, more, 1);
            self.observed.resize(self.observed.capacity(), NONE);
        }
        self.observed[state as usize] = letter;
        Ok(letter)
    }

    /// Expands a state unless the automaton has no enabled edge; returns its letter and its place
    /// in the state space.
    fn visit(&mut self, state: u32, location: u32) -> Result<Option<(u32, Place)>, Stop> {
        let letter = self.observe(state)?;
        // For an automaton over changes, the enabled edges depend on the successors.
        if self.changes.is_none() && self.letters.steps(letter, location).is_empty() {
            return Ok(None);
        }
        let place = match self.space.place(state) {
            Some(place) => place,
            None => self.space.expand(state, self.limits, self.own_bytes())?,
        };
        self.check_numbers()?;
        let successors = self.space.successors(place);
        // Wide states with many successors take more time.
        let work = successors.len() * self.space.system().words() / WORDS_OF_NODE;
        self.poll_timer = self.poll_timer.saturating_sub(u32::try_from(work).unwrap_or(u32::MAX));
        if self.observed[state as usize] & EXPANDED == 0 {
            self.expanded += 1;
            self.transitions += successors.len() as u64;
            if let Some(reached) = &mut self.reached {
                successors.iter().for_each(|successor| reached.insert(successor.0));
            }
            self.observed[state as usize] = letter | EXPANDED;
        }
        Ok(Some((letter, place)))
    }

    /// Appends the edges of a node if the automaton reads changes.
    fn changing_successors(
        &mut self,
        (state, location): (u32, u32),
        valuation: u32,
        place: Place,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Stop> {
        let mut followed = 0;
        let count = self.space.successors(place).len();
        let repeats = count == 0 && self.deadlock == Deadlock::Stutter;
        for number in 0..count + usize::from(repeats) {
            let successor = match repeats {
                true => state,
                false => self.space.successors(place)[number].0,
            };
            let next = self.observe(successor)?;
            let steps = match &mut self.changes {
                Some(Reader::Whole(changes)) => {
                    let change = changes.letter(valuation, next, &mut self.letters);
                    self.letters.steps(change, location)
                }
                Some(Reader::Built(built)) => built.steps(location, valuation, next),
                None => unreachable!("the automaton reads changes"),
            };
            followed += steps.len();
            self.numbers.follow(&[StateId(successor)], steps, &is_wanted, edges);
        }
        Ok(followed)
    }

    /// Reports progress and polls the limits.
    #[cold]
    fn poll(&mut self) -> Result<(), Stop> {
        self.poll_timer = NODES_BETWEEN_POLLS;
        let counts =
            Counts { states: self.states(), transitions: self.transitions, ..Counts::default() };
        let (expanded, bytes) = (self.expanded, self.bytes());
        (self.progress)(&Progress { counts, expanded, nodes: 0, bytes });
        if self.limits.bytes.is_some_and(|most| bytes > most) {
            return Err(Stop::Limit(Reason::Memory));
        }
        self.limits.expired().map_or(Ok(()), |reason| Err(Stop::Limit(reason)))
    }
}

impl<T: Store> SearchGraph for Product<'_, '_, T> {
    type Error = Stop;

    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Stop> {
        let fault = |fault| Stop::Fault(fault, Box::default());
        for state in self.space.system().initial().map_err(fault)? {
            let number = self.space.number(&state, self.limits)?;
            if let Some(reached) = &mut self.reached {
                reached.insert(number);
            }
            let valuation = match self.changes {
                Some(_) => Some(self.observe(number)?),
                None => None,
            };
            if let (Some(Reader::Built(built)), Some(valuation)) = (&mut self.changes, valuation) {
                for location in built.initial(valuation) {
                    nodes.push(self.node(&state, location)?);
                }
                continue;
            }
            for location in self.automaton.initial() {
                let begins = match (&self.changes, valuation) {
                    (Some(Reader::Whole(changes)), Some(valuation)) => {
                        changes.begins(*location, valuation)
                    }
                    _ => true,
                };
                if begins {
                    nodes.push(self.node(&state, location.index() as u32)?);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Stop> {
        match self.poll_timer.checked_sub(1) {
            Some(rest) => self.poll_timer = rest,
            None => self.poll()?,
        }
        let (state, location) = self.numbers.node(node);
        let known = match self.observed.get(state as usize) {
            Some(letter) if letter & EXPANDED != 0 => {
                self.space.place(state).map(|place| (letter & !EXPANDED, place))
            }
            _ => None,
        };
        let (letter, place) = match known {
            Some(known) => known,
            None => match self.visit(state, location)? {
                Some(found) => found,
                None => return Ok(0),
            },
        };
        if self.changes.is_some() {
            let node = (state, location);
            return self.changing_successors(node, letter, place, is_wanted, edges);
        }
        let steps = self.letters.steps(letter, location);
        let itself = [StateId(state)];
        let successors = match self.space.successors(place) {
            [] if self.deadlock == Deadlock::Stutter => &itself[..],
            successors => successors,
        };
        self.numbers.follow(successors, steps, is_wanted, edges);
        Ok(successors.len() * steps.len())
    }

    #[inline]
    fn location(&self, node: u32) -> usize {
        let location = self.numbers.node(node).1;
        match &self.changes {
            Some(Reader::Built(built)) => built.class(location),
            _ => location as usize,
        }
    }

    fn is_final(&self, error: &Stop) -> bool {
        match error {
            Stop::Limit(reason) => *reason != Reason::Interrupt,
            Stop::Fault(Fault::Overflow(_), _) => self.space.system().is_widest(),
            Stop::Fault(..) => false,
        }
    }

    fn report_bytes(&mut self, bytes: usize) {
        self.search_bytes = bytes;
    }
}

/// A set of states with its size.
#[derive(Default)]
struct Reached {
    states: Bits,
    count: u64,
}

impl Reached {
    #[inline]
    fn insert(&mut self, state: u32) {
        self.count += u64::from(self.states.insert(state));
    }
}
