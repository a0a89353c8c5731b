//! The reachable states of a system, and paths between sets of them.

use std::cell::OnceCell;

use num_bigint::BigUint;
use sempre_diagrams::{Set, Strategy};
use sempre_models::{Fault, System};

use crate::encoding::Encoding;

/// The reachable states of a system.
pub struct Space<'s, S: System> {
    /// How the system is encoded.
    pub encoding: Encoding<'s, S>,
    /// All of them.
    pub reached: Set<'s>,
    dead: OnceCell<Set<'s>>,
}

impl<'s, S: System> Space<'s, S> {
    /// Finds the reachable states.
    ///
    /// # Errors
    /// If the system has a fault in one of them, or a value does not fit.
    pub fn new(encoding: Encoding<'s, S>, strategy: Strategy) -> Result<Self, Fault> {
        let reached = encoding.events.reach(&encoding.initial, strategy);
        encoding.check(&reached)?;
        Ok(Space { encoding, reached, dead: OnceCell::new() })
    }

    /// The states without successors, which are found when somebody asks for them.
    pub fn dead(&self) -> &Set<'s> {
        self.dead.get_or_init(|| self.encoding.events.deadlocks(&self.reached))
    }

    /// The empty set of states.
    pub(crate) fn none(&self) -> Set<'s> {
        self.reached.manager().empty(self.reached.arity())
    }

    /// How many states there are.
    pub fn count(&self) -> BigUint {
        self.reached.count()
    }

    /// The states along a path from an initial state to one of `target`, if there is one.
    pub fn path(&self, target: &Set<'s>) -> Option<Vec<Box<[u32]>>> {
        let goal = target & &self.reached;
        if goal.is_empty() {
            return None;
        }
        let events = self.encoding.events.events();
        // What each event has added, and what there was before.
        let mut rings: Vec<(usize, Set<'s>, Set<'s>)> = Vec::new();
        let mut found = self.encoding.initial.clone();
        let mut hit = &found & &goal;
        while hit.is_empty() {
            for (number, event) in events.iter().enumerate() {
                let new = event.image(&found) - &found;
                if new.is_empty() {
                    continue;
                }
                hit = &new & &goal;
                let all = &found | &new;
                rings.push((number, new, std::mem::replace(&mut found, all)));
                if !hit.is_empty() {
                    break;
                }
            }
        }
        let mut tuple = hit.pick()?;
        let mut path = vec![self.encoding.state(&tuple)];
        for (event, new, before) in rings.iter().rev() {
            if new.contains(&tuple) {
                let here = self.reached.manager().tuple(&tuple);
                tuple = events[*event].preimage(&here, before).pick()?;
                path.push(self.encoding.state(&tuple));
            }
        }
        path.reverse();
        Some(path)
    }
}
