//! The operations on sets and events that symbolic searches use, for any kind of diagram.

use num_bigint::BigUint;
use sempre_diagrams::Set;
use sempre_ltl::interrupt;

use crate::encoding::Encoding;

/// A set of states, as a value.
pub trait States: Clone + Eq {
    /// Returns the union.
    #[must_use]
    fn union(&self, other: &Self) -> Self;

    /// Returns the intersection.
    #[must_use]
    fn intersection(&self, other: &Self) -> Self;

    /// Returns the difference.
    #[must_use]
    fn difference(&self, other: &Self) -> Self;

    /// True if the set is empty.
    fn is_empty(&self) -> bool;

    /// Returns the exact number of states.
    fn count(&self) -> BigUint;

    /// Returns the number of nodes of the diagram, without terminals.
    fn nodes(&self) -> usize;

    /// True if the set contains the state with these numbers, from the top.
    fn contains(&self, tuple: &[u32]) -> bool;
}

impl States for Set<'_> {
    fn union(&self, other: &Self) -> Self {
        self | other
    }

    fn intersection(&self, other: &Self) -> Self {
        self & other
    }

    fn difference(&self, other: &Self) -> Self {
        self - other
    }

    fn is_empty(&self) -> bool {
        Set::is_empty(self)
    }

    fn count(&self) -> BigUint {
        Set::count(self)
    }

    fn nodes(&self) -> usize {
        Set::nodes(self)
    }

    fn contains(&self, tuple: &[u32]) -> bool {
        Set::contains(self, tuple)
    }
}

/// A system whose events map sets of states to sets of states.
pub trait Images {
    /// The type of sets.
    type Set: States;

    /// Returns the initial states.
    fn initial(&self) -> Self::Set;

    /// Returns the number of events.
    fn event_count(&self) -> usize;

    /// Returns the image of a set under an event.
    fn image(&self, event: usize, set: &Self::Set) -> Self::Set;

    /// Computes the reachable states by chaining: applies each event to all known states, its own
    /// results included, until a fixpoint.
    fn by_chaining(&self) -> Self::Set {
        let mut reached = self.initial();
        loop {
            let before = reached.clone();
            for event in 0..self.event_count() {
                interrupt::poll_now();
                reached = reached.union(&self.image(event, &reached));
            }
            if reached == before {
                return reached;
            }
        }
    }

    /// Computes the reachable states breadth-first: applies all events to the newest states.
    fn breadth_first(&self) -> Self::Set {
        let mut reached = self.initial();
        let mut new = reached.clone();
        while !new.is_empty() {
            let mut next = new.difference(&new);
            for event in 0..self.event_count() {
                interrupt::poll_now();
                next = next.union(&self.image(event, &new));
            }
            new = next.difference(&reached);
            reached = reached.union(&new);
        }
        reached
    }
}

impl<'s> Images for Encoding<'s> {
    type Set = Set<'s>;

    fn initial(&self) -> Set<'s> {
        self.initial.clone()
    }

    fn event_count(&self) -> usize {
        self.events.events().len()
    }

    fn image(&self, event: usize, set: &Set<'s>) -> Set<'s> {
        self.events.events()[event].image(set)
    }
}
