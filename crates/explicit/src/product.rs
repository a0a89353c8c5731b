//! The product of a system with the automaton of a property, generated as a search visits it.
//!
//! A node is a state of the system and one of the automaton; an edge of the automaton can be taken
//! if its label admits the valuation of the state that is left. States of the system are expanded
//! once: their valuation and their successors are kept, so that visiting them again with other
//! states of the automaton, or in the second of two nested searches, costs only memory accesses.

use crate::explore::{Counts, Limits, Progress, Reason};
use crate::graph::{Edge, Graph};
use crate::store::{StateId, Store};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use sempre_automata::Automaton;
use sempre_models::proposition::Propositions;
use sempre_models::{Fault, System};

/// What a state without successors means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Deadlock {
    /// The last state repeats for ever.
    #[default]
    Stutter,
    /// Runs that end count for nothing: only infinite ones can violate a property.
    Ignore,
    /// Reaching such a state is a violation by itself.
    Report,
}

impl Deadlock {
    /// All meanings.
    pub const ALL: [Deadlock; 3] = [Deadlock::Stutter, Deadlock::Ignore, Deadlock::Report];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Deadlock::Stutter => "stutter",
            Deadlock::Ignore => "ignore",
            Deadlock::Report => "report",
        }
    }
}

/// Why a product cannot be generated further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The model has a fault in this state.
    Fault(Fault, Box<[u32]>),
    /// A limit was reached.
    Limit(Reason),
}

/// The numbers of nodes that have none yet.
const NONE: u32 = u32::MAX;

/// How many states an automaton may have for nodes to be numbered by a plain table.
const DENSE_STATES: usize = 8;

/// How many nodes are expanded between two looks at the clock and the memory.
const NODES_BETWEEN_LOOKS: u32 = 1 << 12;

/// A product that exists as far as it has been visited.
pub struct Product<'a, S: System, T> {
    system: &'a S,
    scratch: S::Scratch,
    propositions: &'a Propositions,
    limits: &'a Limits,
    deadlock: Deadlock,
    letters: Letters<'a>,
    store: T,
    /// For each state that has been expanded, where its valuation and successors are in `known`.
    places: Vec<u32>,
    /// For each state that has been expanded: the number of its letter, that of its successors, and
    /// the successors.
    known: Vec<u32>,
    nodes: Vec<(u32, u32)>,
    numbers: Numbers,
    transitions: u64,
    /// How many states of the system have been expanded.
    expanded: u64,
    /// Buffers.
    state: Vec<u32>,
    successors: Vec<u32>,
    ids: Vec<StateId>,
    patience: u32,
    progress: &'a (dyn Fn(&Progress) + Sync),
}

impl<'a, S: System, T: Store> Product<'a, S, T> {
    /// The product of a system with an automaton, whose propositions are those given, in the same
    /// order. `progress` is called now and then.
    pub fn new(
        system: &'a S,
        automaton: &'a Automaton,
        propositions: &'a Propositions,
        deadlock: Deadlock,
        limits: &'a Limits,
        progress: &'a (dyn Fn(&Progress) + Sync),
    ) -> Self {
        Product {
            system,
            scratch: system.scratch(),
            propositions,
            limits,
            deadlock,
            letters: Letters::new(automaton),
            store: T::new(system.words()),
            places: Vec::new(),
            known: Vec::new(),
            nodes: Vec::new(),
            numbers: Numbers::new(automaton.state_count()),
            transitions: 0,
            expanded: 0,
            state: vec![0; system.words()],
            successors: Vec::new(),
            ids: Vec::new(),
            patience: NODES_BETWEEN_LOOKS,
            progress,
        }
    }

    /// How many states of the system have been reached.
    pub fn states(&self) -> u64 {
        self.store.len() as u64
    }

    /// How many transitions of the system leave the states that have been expanded.
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
            + self.numbers.bytes()
            + 4 * (self.places.capacity() + self.known.capacity() + 2 * self.nodes.capacity())
    }

    /// The state of the system in a node.
    pub fn state(&self, node: u32) -> Box<[u32]> {
        let mut state = vec![0; self.system.words()];
        self.store.get(StateId(self.nodes[node as usize].0), &mut state);
        state.into()
    }

    /// The node of a state of the system and one of the automaton, which is added if it is new.
    pub(crate) fn node(&mut self, state: &[u32], location: u32) -> Result<u32, Stop> {
        let (id, _) = self.store.insert(state).map_err(|_| Stop::Limit(Reason::Numbers))?;
        Ok(self.numbers.number(&mut self.nodes, id.0, location))
    }

    /// Expands a state, and returns the place of what is known about it.
    fn expand(&mut self, state: u32) -> Result<usize, Stop> {
        if self.limits.states.is_some_and(|most| self.store.len() as u64 > most) {
            return Err(Stop::Limit(Reason::States));
        }
        self.store.expand(StateId(state), &mut self.state);
        let Product { system, scratch, successors, propositions, .. } = self;
        successors.clear();
        let visit = |_, successor: &[u32]| successors.extend_from_slice(successor);
        let outcome = system.successors(&self.state, scratch, visit);
        let letter = outcome
            .and_then(|()| propositions.holding(&self.state, successors.is_empty()))
            .map_err(|fault| Stop::Fault(fault, self.state.clone().into()))?;
        let full = |_| Stop::Limit(Reason::Numbers);
        self.store.insert_all(&self.successors, &mut self.ids).map_err(full)?;
        self.transitions += self.ids.len() as u64;
        self.expanded += 1;
        if self.ids.is_empty() && self.deadlock == Deadlock::Stutter {
            self.ids.push(StateId(state));
        }
        let place = u32::try_from(self.known.len()).map_err(|_| Stop::Limit(Reason::Memory))?;
        if self.places.len() < self.store.len() {
            self.places.resize(self.store.len().max(self.places.len() * 3 / 2), NONE);
        }
        self.places[state as usize] = place;
        self.known.push(self.letters.number(letter));
        self.known.push(self.ids.len() as u32);
        self.known.extend(self.ids.iter().map(|id| id.0));
        Ok(place as usize)
    }

    /// Tells how far the product has got, and looks whether a limit has been reached.
    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        self.patience = NODES_BETWEEN_LOOKS;
        let counts = Counts {
            states: self.store.len() as u64,
            transitions: self.transitions,
            ..Counts::default()
        };
        let expanded = self.expanded;
        (self.progress)(&Progress { counts, expanded, bytes: self.bytes() });
        if self.limits.bytes.is_some_and(|most| self.bytes() > most) {
            return Err(Stop::Limit(Reason::Memory));
        }
        self.limits.outside().map_or(Ok(()), |reason| Err(Stop::Limit(reason)))
    }
}

impl<S: System, T: Store> Graph for Product<'_, S, T> {
    type Error = Stop;

    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Stop> {
        let fault = |fault| Stop::Fault(fault, Box::default());
        for state in self.system.initial().map_err(fault)? {
            let (id, _) = self.store.insert(&state).map_err(|_| Stop::Limit(Reason::Numbers))?;
            for location in &self.letters.initial {
                nodes.push(self.numbers.number(&mut self.nodes, id.0, *location));
            }
        }
        Ok(())
    }

    fn successors(&mut self, node: u32, edges: &mut Vec<Edge>) -> Result<(), Stop> {
        match self.patience.checked_sub(1) {
            Some(rest) => self.patience = rest,
            None => self.look()?,
        }
        let (state, location) = self.nodes[node as usize];
        let place = match self.places.get(state as usize) {
            Some(&place) if place != NONE => place as usize,
            _ => self.expand(state)?,
        };
        let (letter, count) = (self.known[place], self.known[place + 1] as usize);
        let steps = self.letters.steps(letter, location);
        for &successor in &self.known[place + 2..place + 2 + count] {
            for step in steps {
                let target = self.numbers.number(&mut self.nodes, successor, step.target);
                edges.push(Edge { target, marks: step.marks });
            }
        }
        Ok(())
    }

    fn location(&self, node: u32) -> usize {
        self.nodes[node as usize].1 as usize
    }
}

/// An edge of the automaton that can be taken.
#[derive(Clone, Copy)]
struct Step {
    target: u32,
    marks: u64,
}

/// The steps of an automaton, for each of the valuations that have occurred.
struct Letters<'a> {
    automaton: &'a Automaton,
    initial: Vec<u32>,
    numbers: FxHashMap<u64, u32>,
    /// The valuation that occurred last, and its number: it often occurs again.
    last: (u64, u32),
    steps: Vec<Step>,
    /// For each letter and state of the automaton where its steps begin; they end where those of
    /// the next begin.
    places: Vec<u32>,
}

impl<'a> Letters<'a> {
    fn new(automaton: &'a Automaton) -> Self {
        Letters {
            automaton,
            initial: automaton.initial().iter().map(|state| state.index() as u32).collect(),
            numbers: FxHashMap::default(),
            last: (0, NONE),
            steps: Vec::new(),
            places: vec![0],
        }
    }

    /// The number of a valuation.
    fn number(&mut self, valuation: u64) -> u32 {
        if self.last.0 == valuation && self.last.1 != NONE {
            return self.last.1;
        }
        let number = match self.numbers.get(&valuation) {
            Some(&number) => number,
            None => self.add(valuation),
        };
        self.last = (valuation, number);
        number
    }

    fn add(&mut self, valuation: u64) -> u32 {
        let number = self.numbers.len() as u32;
        self.numbers.insert(valuation, number);
        let alphabet = self.automaton.alphabet();
        for state in self.automaton.states() {
            for edge in self.automaton.edges_from(state) {
                if alphabet.satisfied(edge.label, valuation) {
                    let marks = edge.marks.as_bits().expect("at most 64 marks");
                    self.steps.push(Step { target: edge.target.index() as u32, marks });
                }
            }
            self.places.push(self.steps.len() as u32);
        }
        number
    }

    /// The steps from a state of the automaton under a letter.
    fn steps(&self, letter: u32, location: u32) -> &[Step] {
        let place = letter as usize * self.automaton.state_count() + location as usize;
        &self.steps[self.places[place] as usize..self.places[place + 1] as usize]
    }
}

/// The numbers of nodes.
enum Numbers {
    /// For automata with few states: by state of the system and of the automaton.
    Dense {
        locations: usize,
        table: Vec<u32>,
    },
    Sparse(HashTable<u32>),
}

impl Numbers {
    fn new(locations: usize) -> Self {
        match locations <= DENSE_STATES {
            true => Numbers::Dense { locations, table: Vec::new() },
            false => Numbers::Sparse(HashTable::new()),
        }
    }

    /// The number of a node, which is added to the nodes if it has none.
    #[inline]
    fn number(&mut self, nodes: &mut Vec<(u32, u32)>, state: u32, location: u32) -> u32 {
        match self {
            Numbers::Dense { locations, table } => {
                let place = state as usize * *locations + location as usize;
                if table.len() <= place {
                    table.resize((place + 1).max(table.len() * 3 / 2), NONE);
                }
                if table[place] == NONE {
                    table[place] = nodes.len() as u32;
                    nodes.push((state, location));
                }
                table[place]
            }
            Numbers::Sparse(table) => {
                let entry = table.entry(
                    hash((state, location)),
                    |number| nodes[*number as usize] == (state, location),
                    |number| hash(nodes[*number as usize]),
                );
                let next = nodes.len() as u32;
                let number = *entry.or_insert(next).get();
                if number == next {
                    nodes.push((state, location));
                }
                number
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Numbers::Dense { table, .. } => 4 * table.capacity(),
            Numbers::Sparse(table) => table.allocation_size(),
        }
    }
}

fn hash((state, location): (u32, u32)) -> u64 {
    let mixed = (u64::from(state) << 32 | u64::from(location)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}
