//! What symbolic searches need of sets and events, whatever keeps them.

use num_bigint::BigUint;
use sempre_diagrams::Set;
use sempre_ltl::interrupt;

use crate::encoding::Encoding;

/// A set of states, as a value.
pub trait States: Clone + Eq {
    /// What is in one of two sets.
    #[must_use]
    fn union(&self, other: &Self) -> Self;

    /// What is in both sets.
    #[must_use]
    fn intersection(&self, other: &Self) -> Self;

    /// What is in this set and not in the other.
    #[must_use]
    fn difference(&self, other: &Self) -> Self;

    /// True if there is no state.
    fn is_empty(&self) -> bool;

    /// How many states there are, exactly.
    fn count(&self) -> BigUint;

    /// The nodes of the diagram, without terminals.
    fn nodes(&self) -> usize;

    /// True if the state whose numbers these are, from the top, is in the set.
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

/// A system whose events lead from sets of states to sets of states.
pub trait Images {
    /// The sets.
    type Set: States;

    /// The initial states.
    fn initial(&self) -> Self::Set;

    /// How many events there are.
    fn event_count(&self) -> usize;

    /// The states that an event leads to.
    fn image(&self, event: usize, set: &Self::Set) -> Self::Set;

    /// The reachable states: each event is applied to all that is known, its results included,
    /// until nothing is new.
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

    /// The reachable states: all events are applied to the newest states.
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
