//! The state space of a system, as far as it has been explored, kept for further searches.
//!
//! Each state is expanded once: the numbers of its successors are kept, a word for each, and two
//! words for the state: how many there are, and where. Whoever comes to the state again, with
//! another state of an automaton, in the second of two nested searches or for the next property,
//! pays for memory accesses only. They are not kept if there is one property, and the search comes
//! to each state once.

use crate::explore::Insert;
use crate::explore::{Limits, Reason};
use crate::product::Stop;
use crate::store::{StateId, Store, reserve};
use sempre_models::{Expander, Fault, Successors, System};

/// Where the successors of a state are.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Place(u32);

/// The place of what is not known.
const NOWHERE: Place = Place(u32::MAX);

/// The number of no state.
const NONE: u32 = u32::MAX;

/// States of a system with their successors, as far as they have been asked for.
pub struct StateSpace<'a, T> {
    system: &'a dyn System,
    expander: Box<dyn Expander + 'a>,
    explored: Explored<T>,
    /// Whether successors are kept.
    keeps: bool,
    /// Which state is in the buffer.
    held: u32,
    /// Buffers.
    state: Vec<u32>,
    successors: Successors,
}

/// The states that are known and their successors: the part of a [`StateSpace`] that can be kept
/// without the system.
pub struct Explored<T> {
    store: T,
    /// For each state that has been expanded, where its successors are.
    places: Vec<Place>,
    /// The successors of the states that have been expanded, after their number, which is here so
    /// that there is one access to distant memory, not two. First those that are kept, then those of
    /// the last state if they are not.
    known: Vec<StateId>,
    kept: usize,
    /// Whether there may be further properties.
    is_shared: bool,
}

impl<T: Store> Explored<T> {
    /// Knows nothing about a system whose states have that many words. `is_shared` says whether
    /// there may be several properties.
    pub fn new(words: usize, is_shared: bool) -> Self {
        let (places, known) = (Vec::new(), Vec::new());
        Explored { store: T::new(words), places, known, kept: 0, is_shared }
    }

    /// The memory of everything besides the store.
    fn other_bytes(&self) -> usize {
        4 * self.places.capacity() + 4 * self.known.capacity()
    }
}

impl<'a, T: Store> StateSpace<'a, T> {
    /// A state space of which nothing is known.
    pub fn new(system: &'a dyn System) -> Self {
        Self::resume(system, Explored::new(system.words(), true))
    }

    /// A state space of which nothing is known, for one property: what its check does not need more
    /// than once is not kept.
    pub fn for_one_property(system: &'a dyn System) -> Self {
        Self::resume(system, Explored::new(system.words(), false))
    }

    /// A state space as far as it has been explored before.
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

    /// Keeps the explored part.
    pub fn into_explored(self) -> Explored<T> {
        self.explored
    }

    /// Says whether a search comes to states more than once.
    pub(crate) fn prepare(&mut self, comes_again: bool) {
        self.keeps = self.explored.is_shared || comes_again;
    }

    /// The system.
    pub fn system(&self) -> &'a dyn System {
        self.system
    }

    /// How many states are known.
    pub fn states(&self) -> usize {
        self.explored.store.len()
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        self.explored.store.bytes() + self.explored.other_bytes()
    }

    /// Forgets everything.
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

    /// The number of a state, which is added if it is new.
    pub(crate) fn number(&mut self, state: &[u32], limits: &Limits) -> Result<u32, Stop> {
        let others = self.explored.other_bytes();
        let mut ids = Vec::new();
        limits.insert(&mut self.explored.store, others, state, &mut ids).map_err(Stop::Limit)?;
        Ok(ids[0].0)
    }

    /// The place of a state, if it has been expanded and its successors are kept.
    #[inline]
    pub(crate) fn place(&self, state: u32) -> Option<Place> {
        let place = self.explored.places.get(state as usize).copied();
        place.filter(|place| *place != NOWHERE)
    }

    /// The successors of the state that has this place.
    #[inline]
    pub(crate) fn successors(&self, place: Place) -> &[StateId] {
        let (count, successors) =
            self.explored.known[place.0 as usize..].split_first().expect("a place");
        &successors[..count.index()]
    }

    /// The words of a state, which is likely to be expanded next.
    #[inline]
    pub(crate) fn words(&mut self, state: u32) -> &[u32] {
        if self.held != state {
            self.explored.store.expand(StateId(state), &mut self.state);
            self.held = state;
        }
        &self.state
    }

    /// What becomes of a search if a state has a fault.
    pub(crate) fn fault(&mut self, state: u32, fault: Fault) -> Stop {
        Stop::Fault(fault, self.words(state).into())
    }

    /// Expands a state, and returns its place, which it has until another one is expanded if
    /// successors are not kept. `others` is the memory of the search.
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
