//! Computes the SCCs of the reachable states in one depth-first search (Pearce: *A space-efficient
//! algorithm for finding strongly connected components*, IPL 2016).
//!
//! Costs one word per state besides the store. The word is 0 until the state is entered. Then it is
//! the least number of a reachable state on the stack, and finally the number of the SCC, counted
//! down from the largest word. Numbers of SCCs are larger than all others, so that closed states
//! never count as reachable.

use super::Failure;
use super::depth_first::{Visitor, visit};
use super::{Exploration, Limits, Progress};
use crate::store::{StateId, Store};
use sempre_models::System;

/// The SCCs of the reachable states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The number of SCCs, with trivial ones. If the search is incomplete, of the complete SCCs.
    pub count: u64,
    /// The number of states of the largest SCC.
    pub largest: u64,
    /// The other counts.
    pub exploration: Exploration,
}

/// Explores all states depth-first into an empty store, and counts the SCCs. Calls `progress` at
/// intervals.
///
/// # Errors
/// If the system has a fault; a breadth-first search finds a shortest path to it.
///
/// # Panics
/// If the store is not empty, or made for states of another width.
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
    /// States that were left while their SCC is incomplete.
    open: Vec<StateId>,
    /// For each state on the stack, whether it reaches no state below it so far.
    roots: Vec<bool>,
    /// The last number given to a state.
    entered: u32,
    /// The number of the next SCC.
    component: u32,
    /// The size of the largest SCC.
    largest: u64,
}

impl Pearce {
    /// Records that the source reaches the states that the target reaches.
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
    fn revisit(&mut self, source: StateId, target: StateId) {
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
            // Numbers of closed states are reused, so that they never meet numbers of SCCs.
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
