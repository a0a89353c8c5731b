//! The explored state space of a system, shared by several searches.
//!
//! Each state is expanded once: the numbers of its successors are stored, one word each, and two
//! words for their count and place. Later visits cost only memory accesses: with another automaton
//! state, in the inner one of nested searches, or for the next property. Successors are not stored
//! if there is one property and the search visits each state once.

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
    /// True if successors are stored.
    keeps: bool,
    /// The state in the buffer.
    held: u32,
    /// Buffers.
    state: Vec<u32>,
    successors: Successors,
}

/// The visited states and their successors: the part of a [`StateSpace`] that outlives the system.
pub struct Explored<T> {
    store: T,
    /// For each expanded state, the place of its successors.
    places: Vec<Place>,
    /// The successors of expanded states, each list after its length, so that one access to distant
    /// memory suffices. Stored lists come first, then that of the last state if it is not stored.
    known: Vec<StateId>,
    kept: usize,
    /// True if there may be further properties.
    is_shared: bool,
}

impl<T: Store> Explored<T> {
    /// Makes an empty part for states of this number of words. `is_shared` is true if there may be
    /// several properties.
    pub fn new(words: usize, is_shared: bool) -> Self {
        let (places, known) = (Vec::new(), Vec::new());
        Explored { store: T::new(words), places, known, kept: 0, is_shared }
    }

    /// Returns the memory of all data but the store, in bytes.
    fn other_bytes(&self) -> usize {
        4 * self.places.capacity() + 4 * self.known.capacity()
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
            keeps: true,
            held: NONE,
            state: vec![0; system.words()],
            successors: Successors::new(system.words()),
        }
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
        self.explored.store.len()
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.explored.store.bytes() + self.explored.other_bytes()
    }

    /// Removes all states.
    pub fn clear(&mut self) {
        self.explored = Explored::new(self.system.words(), self.explored.is_shared);
        self.held = NONE;
    }

    /// Copies a state.
    pub(crate) fn get(&self, state: u32) -> Box<[u32]> {
        let mut words = vec![0; self.system.words()];
        self.explored.store.get(StateId(state), &mut words);
        words.into()
    }

    /// Returns the number of a state; adds it if it is new.
    pub(crate) fn number(&mut self, state: &[u32], limits: &Limits) -> Result<u32, Stop> {
        let others = self.explored.other_bytes();
        let mut ids = Vec::new();
        limits.insert(&mut self.explored.store, others, state, &mut ids).map_err(Stop::Limit)?;
        Ok(ids[0].0)
    }

    /// Returns the place of a state, if it is expanded and its successors are stored.
    #[inline]
    pub(crate) fn place(&self, state: u32) -> Option<Place> {
        let place = self.explored.places.get(state as usize).copied();
        place.filter(|place| *place != NOWHERE)
    }

    /// Returns the successors at this place.
    #[inline]
    pub(crate) fn successors(&self, place: Place) -> &[StateId] {
        let (count, successors) =
            self.explored.known[place.0 as usize..].split_first().expect("a place");
        &successors[..count.index()]
    }

    /// Returns the words of a state that is likely to be expanded next.
    #[inline]
    pub(crate) fn words(&mut self, state: u32) -> &[u32] {
        if self.held != state {
            self.explored.store.expand(StateId(state), &mut self.state);
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
        self.words(state);
        self.successors.clear();
        if let Err(fault) = self.expander.expand(&self.state, &mut self.successors) {
            return Err(self.fault(state, fault));
        }
        let others = others + self.explored.other_bytes();
        self.explored.known.truncate(self.explored.kept);
        let count = self.successors.len();
        reserve(&mut self.explored.known, count + 1, 1);
        self.explored.known.push(StateId(count as u32));
        limits
            .insert(
                &mut self.explored.store,
                others,
                self.successors.words(),
                &mut self.explored.known,
            )
            .map_err(Stop::Limit)?;
        let place =
            u32::try_from(self.explored.kept).ok().map(Place).filter(|place| *place != NOWHERE);
        let place = place.ok_or(Stop::Limit(Reason::Numbers))?;
        if self.keeps {
            self.explored.kept = self.explored.known.len();
            if self.explored.places.len() < self.explored.store.len() {
                let more = self.explored.store.len() - self.explored.places.len();
                reserve(&mut self.explored.places, more, 1);
                self.explored.places.resize(self.explored.places.capacity(), NOWHERE);
            }
            self.explored.places[state as usize] = place;
        }
        Ok(place)
    }
}
