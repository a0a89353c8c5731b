//! The explored state space of a system, shared by several searches.
//!
//! Each state is expanded once: the numbers of its successors are stored, one word each, and two
//! words for their count and place. Later visits cost only memory accesses: with another automaton
//! state, in the inner one of nested searches, or for the next property. Successors are not stored
//! if there is one property and the search visits each state once.
//!
//! Searches on several threads can [join](StateSpace::join) a state space: it then stores and expands
//! each state once for all of them.

mod joint;

pub(crate) use joint::Joint;

use crate::explore::Insert;
use crate::explore::{Limits, Reason};
use crate::product::Stop;
use crate::store::{StateId, Store, reserve};
use sempre_models::{Expander, Fault, Successors, System};

/// The place of the successors of a state.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Place(u32);

/// The place of a state that is not expanded.
const NOWHERE: Place = Place(u32::MAX);

/// The number of no state.
const NONE: u32 = u32::MAX;

/// The visited states of a system, with successors of expanded states.
pub struct StateSpace<'a, T> {
    system: &'a dyn System,
    expander: Box<dyn Expander + 'a>,
    explored: Explored<T>,
    /// The state space of several searches; then the explored part has lists only.
    joint: Option<joint::Member<'a, T>>,
    /// True if successors are stored.
    keeps: bool,
    /// The state in the buffer.
    held: u32,
    /// Buffers.
    state: Vec<u32>,
    successors: Successors,
    copied: Vec<StateId>,
}

/// The visited states and their successors: the part of a [`StateSpace`] that outlives the system.
pub struct Explored<T> {
    store: T,
    lists: Lists,
    /// True if there may be further properties.
    is_shared: bool,
}

/// The successors of expanded states.
#[derive(Default)]
struct Lists {
    /// For each expanded state, the place of its successors.
    places: Vec<Place>,
    /// The successors of expanded states, each list after its length, so that one access to distant
    /// memory suffices. Stored lists come first, then that of the last state if it is not stored.
    known: Vec<StateId>,
    kept: usize,
}

impl Lists {
    /// Returns the place of a state, if it is expanded and its successors are stored.
    #[inline]
    fn place(&self, state: u32) -> Option<Place> {
        let place = self.places.get(state as usize).copied();
        place.filter(|place| *place != NOWHERE)
    }

    /// Returns the successors at this place.
    #[inline]
    fn at(&self, place: Place) -> &[StateId] {
        let (count, successors) = self.known[place.0 as usize..].split_first().expect("a place");
        &successors[..count.index()]
    }

    /// Begins a list of this length after the stored ones; its states are to be pushed.
    fn begin(&mut self, count: usize) -> &mut Vec<StateId> {
        self.known.truncate(self.kept);
        reserve(&mut self.known, count + 1, 1);
        self.known.push(StateId(count as u32));
        &mut self.known
    }

    /// Ends the list of a state, and returns its place. If the list is not stored, the place is valid
    /// until the next list begins. `states` is the number of states.
    fn end(&mut self, state: u32, states: usize, keeps: bool) -> Result<Place, Stop> {
        let place = u32::try_from(self.kept).ok().map(Place).filter(|place| *place != NOWHERE);
        let place = place.ok_or(Stop::Limit(Reason::Numbers))?;
        if keeps {
            self.kept = self.known.len();
            if self.places.len() < states {
                let more = states - self.places.len();
                reserve(&mut self.places, more, 1);
                self.places.resize(self.places.capacity(), NOWHERE);
            }
            self.places[state as usize] = place;
        }
        Ok(place)
    }

    fn bytes(&self) -> usize {
        4 * self.places.capacity() + 4 * self.known.capacity()
    }
}

impl<T: Store> Explored<T> {
    /// Makes an empty part for states of this number of words. `is_shared` is true if there may be
    /// several properties.
    pub fn new(words: usize, is_shared: bool) -> Self {
        Explored { store: T::new(words), lists: Lists::default(), is_shared }
    }

    /// Adds the successors of a state. `others` is the memory besides this part, in bytes.
    fn add(
        &mut self,
        state: u32,
        successors: &Successors,
        keeps: bool,
        limits: &Limits,
        others: usize,
    ) -> Result<Place, Stop> {
        let others = others + self.lists.bytes();
        let list = self.lists.begin(successors.len());
        limits.insert(&mut self.store, others, successors.words(), list).map_err(Stop::Limit)?;
        self.lists.end(state, self.store.len(), keeps)
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.lists.bytes()
    }
}

impl<'a, T: Store> StateSpace<'a, T> {
    /// Makes an unexplored state space.
    pub fn new(system: &'a dyn System) -> Self {
        Self::resume(system, Explored::new(system.words(), true))
    }

    /// Makes an unexplored state space for one property: stores no data that only later checks
    /// would need.
    pub fn for_one_property(system: &'a dyn System) -> Self {
        Self::resume(system, Explored::new(system.words(), false))
    }

    /// Makes a state space from its explored part.
    ///
    /// # Panics
    /// If the states of the system have another number of words.
    pub fn resume(system: &'a dyn System, explored: Explored<T>) -> Self {
        assert_eq!(explored.store.words(), system.words(), "states of the same system");
        StateSpace {
            system,
            expander: system.expander(),
            explored,
            joint: None,
            keeps: true,
            held: NONE,
            state: vec![0; system.words()],
            successors: Successors::new(system.words()),
            copied: Vec::new(),
        }
    }

    /// Makes the view of one search on the state space of several searches.
    pub(crate) fn join(system: &'a dyn System, joint: &'a Joint<T>) -> Self {
        StateSpace { joint: Some(joint.member()), ..StateSpace::for_one_property(system) }
    }

    /// True if it may have states that this search has not reached.
    pub(crate) fn has_others(&self) -> bool {
        self.joint.is_some() || self.states() > 0
    }

    /// Moves the explored part to a state space of several searches.
    pub(crate) fn take_joint(&mut self) -> Joint<T> {
        let empty = Explored::new(self.system.words(), self.explored.is_shared);
        self.held = NONE;
        Joint::new(std::mem::replace(&mut self.explored, empty))
    }

    /// Takes the explored part back after these searches.
    pub(crate) fn give_back(&mut self, joint: Joint<T>) {
        self.explored = joint.into_explored();
    }

    /// Returns the explored part.
    pub fn into_explored(self) -> Explored<T> {
        self.explored
    }

    /// Declares whether a search visits states more than once.
    pub(crate) fn prepare(&mut self, revisits: bool) {
        self.keeps = self.explored.is_shared || revisits;
    }

    /// Returns the system.
    pub fn system(&self) -> &'a dyn System {
        self.system
    }

    /// Returns the number of visited states.
    pub fn states(&self) -> usize {
        match &self.joint {
            None => self.explored.store.len(),
            Some(joint) => joint.states(),
        }
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        match &self.joint {
            None => self.explored.bytes(),
            Some(joint) => joint.bytes() + self.explored.lists.bytes(),
        }
    }

    /// Removes all states.
    pub fn clear(&mut self) {
        self.explored = Explored::new(self.system.words(), self.explored.is_shared);
        self.held = NONE;
    }

    /// Copies a state.
    pub(crate) fn get(&self, state: u32) -> Box<[u32]> {
        let mut words = vec![0; self.system.words()];
        match &self.joint {
            None => self.explored.store.get(StateId(state), &mut words),
            Some(joint) => joint.words(state, &mut words),
        }
        words.into()
    }

    /// Returns the number of a state; adds it if it is new.
    pub(crate) fn number(&mut self, state: &[u32], limits: &Limits) -> Result<u32, Stop> {
        let others = self.explored.lists.bytes();
        if let Some(joint) = &mut self.joint {
            return joint.number(state, limits);
        }
        let mut ids = Vec::new();
        limits.insert(&mut self.explored.store, others, state, &mut ids).map_err(Stop::Limit)?;
        Ok(ids[0].0)
    }

    /// Returns the place of a state, if it is expanded and its successors are stored.
    #[inline]
    pub(crate) fn place(&self, state: u32) -> Option<Place> {
        self.explored.lists.place(state)
    }

    /// Returns the successors at this place.
    #[inline]
    pub(crate) fn successors(&self, place: Place) -> &[StateId] {
        self.explored.lists.at(place)
    }

    /// Returns the words of a state that is likely to be expanded next.
    #[inline]
    pub(crate) fn words(&mut self, state: u32) -> &[u32] {
        if self.held != state {
            match &self.joint {
                None => self.explored.store.expand(StateId(state), &mut self.state),
                Some(joint) => joint.words(state, &mut self.state),
            }
            self.held = state;
        }
        &self.state
    }

    /// Converts a fault in a state into the end of a search.
    pub(crate) fn fault(&mut self, state: u32, fault: Fault) -> Stop {
        Stop::Fault(fault, self.words(state).into())
    }

    /// Expands a state and returns its place, which is valid until the next expansion if successors
    /// are not stored. `others` is the memory of the search, in bytes.
    pub(crate) fn expand(
        &mut self,
        state: u32,
        limits: &Limits,
        others: usize,
    ) -> Result<Place, Stop> {
        if self.joint.is_some() {
            return self.expand_jointly(state, limits, others);
        }
        self.words(state);
        self.successors.clear();
        if let Err(fault) = self.expander.expand(&self.state, &mut self.successors) {
            return Err(self.fault(state, fault));
        }
        self.explored.add(state, &self.successors, self.keeps, limits, others)
    }

    /// As [`StateSpace::expand`], in a state space of several searches.
    fn expand_jointly(
        &mut self,
        state: u32,
        limits: &Limits,
        others: usize,
    ) -> Result<Place, Stop> {
        let Some(joint) = &mut self.joint else { unreachable!("it is joined") };
        joint.publish(others + self.explored.lists.bytes());
        self.copied.clear();
        if !joint.copy(state, &mut self.copied) {
            if self.held != state {
                joint.words(state, &mut self.state);
                self.held = state;
            }
            self.successors.clear();
            if let Err(fault) = self.expander.expand(&self.state, &mut self.successors) {
                return Err(Stop::Fault(fault, self.state.as_slice().into()));
            }
            joint.add(state, &self.successors, limits, &mut self.copied)?;
        }
        let states = joint.states();
        self.explored.lists.begin(self.copied.len()).extend_from_slice(&self.copied);
        self.explored.lists.end(state, states, self.keeps)
    }
}
