//! Strongly connected components of the reachable states (Pearce: *A space-efficient algorithm for
//! finding strongly connected components*, IPL 2016), in one depth-first search.
//!
//! Costs one word per state besides the store. The word is 0 until the state is entered, then the
//! least number of a state on the stack that is known to be reachable, and in the end the number
//! of the component, counted down from the largest word: numbers of components are larger than
//! all others, so that finished states are never taken for reachable ones.

use super::Failure;
use super::depth_first::{Visitor, visit};
use super::{Exploration, Limits, Progress};
use crate::store::{StateId, Store};
use sempre_models::System;

/// How the reachable states are connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The number of strongly connected components, trivial ones included. If the search is
    /// incomplete: of those that were left.
    pub count: u64,
    /// The number of states of the largest one.
    pub largest: u64,
    /// What else was counted.
    pub exploration: Exploration,
}

/// Explores everything depth-first, into an empty store, and counts the strongly connected
/// components. `progress` is called now and then.
///
/// # Errors
/// If the system has a fault; with a shortest path to it, for which a breadth-first search is done.
///
/// # Panics
/// If the store is not an empty one for the system.
pub fn components<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    progress: impl FnMut(&Progress),
) -> Result<Components, Failure> {
    let mut pearce = Pearce { component: u32::MAX, ..Pearce::default() };
    let exploration = visit(system, store, limits, progress, &mut pearce)?;
    let count = u64::from(u32::MAX - pearce.component);
    Ok(Components { count, largest: pearce.largest, exploration })
}

#[derive(Default)]
struct Pearce {
    words: Vec<u32>,
    /// States that have been left, but whose component is not complete.
    open: Vec<StateId>,
    /// For each state on the stack whether no state below it is known to be reachable from it.
    roots: Vec<bool>,
    /// The last number that was given to a state.
    entered: u32,
    /// The number of the next component.
    component: u32,
    /// The size of the largest component.
    largest: u64,
}

impl Pearce {
    /// The state reaches what the other one, which is not on the way to it, does.
    #[inline]
    fn reaches(&mut self, source: StateId, target: StateId) {
        let reached = self.words[target.index()];
        if reached < self.words[source.index()] {
            self.words[source.index()] = reached;
            *self.roots.last_mut().expect("the source is on the stack") = false;
        }
    }
}

impl Visitor for Pearce {
    #[inline]
    fn is_entered(&self, id: StateId) -> bool {
        self.words.get(id.index()).is_some_and(|word| *word > 0)
    }

    #[inline]
    fn enter(&mut self, id: StateId) {
        if id.index() >= self.words.len() {
            self.words.resize(id.index() + 1, 0);
        }
        self.entered += 1;
        self.words[id.index()] = self.entered;
        self.roots.push(true);
    }

    #[inline]
    fn again(&mut self, source: StateId, target: StateId) {
        self.reaches(source, target);
    }

    fn leave(&mut self, id: StateId, parent: Option<StateId>) {
        if self.roots.pop() == Some(true) {
            let root = self.words[id.index()];
            let mut size = 1;
            while let Some(&member) = self.open.last()
                && self.words[member.index()] >= root
            {
                self.open.pop();
                self.words[member.index()] = self.component;
                size += 1;
            }
            self.words[id.index()] = self.component;
            // Numbers of finished states are free again, so that they never meet components.
            self.entered -= size;
            self.component -= 1;
            self.largest = self.largest.max(u64::from(size));
        } else {
            self.open.push(id);
        }
        if let Some(parent) = parent {
            self.reaches(parent, id);
        }
    }

    fn bytes(&self) -> usize {
        self.words.capacity() * 4 + self.open.capacity() * 4 + self.roots.capacity()
    }
}
