//! The reachable states of a system, and paths to sets of states.

use std::cell::OnceCell;
use std::sync::Arc;

use num_bigint::BigUint;
use sempre_check::{Path, Step};
use sempre_diagrams::{Manager, Set, Strategy};
use sempre_models::proposition::Propositions;
use sempre_models::{Fault, Successors, System, VariableId};

use crate::encoding::{Encoding, Order};
use crate::race::race;

/// The reachable states of a system.
pub struct Space<'s> {
    /// The encoding of the system.
    pub encoding: Encoding<'s>,
    /// The reachable states.
    pub reached: Set<'s>,
    dead: OnceCell<Set<'s>>,
}

impl<'s> Space<'s> {
    /// Computes the reachable states with a variable order. For the best order, several orders
    /// compete: saturation with each gets a limited number of steps. Each next round has further
    /// orders and several times as many steps, until one completes.
    ///
    /// # Errors
    /// If the system has a fault in one of the states, or a value does not fit.
    pub fn find(
        manager: &Manager<'s>,
        system: &Arc<dyn System>,
        order: &Order,
        strategy: Strategy,
    ) -> Result<Self, Fault> {
        if *order != Order::Best {
            return Space::new(Encoding::new(manager, system, order)?, strategy);
        }
        let reach = |encoding: &Encoding<'s>| {
            let reached = encoding.events.reach(&encoding.initial, strategy);
            encoding.check(&reached).map(|()| reached)
        };
        let (encoding, reached) = race(manager, system, &[], reach)?;
        Ok(Space { encoding, reached, dead: OnceCell::new() })
    }

    /// Computes the reachable states.
    ///
    /// # Errors
    /// If the system has a fault in one of them, or a value does not fit.
    pub fn new(encoding: Encoding<'s>, strategy: Strategy) -> Result<Self, Fault> {
        let reached = encoding.events.reach(&encoding.initial, strategy);
        encoding.check(&reached)?;
        Ok(Space { encoding, reached, dead: OnceCell::new() })
    }

    /// Returns the deadlocks, computed on demand.
    pub fn deadlocks(&self) -> &Set<'s> {
        self.dead.get_or_init(|| self.encoding.events.deadlocks(&self.reached))
    }

    /// Returns the empty set of states.
    pub(crate) fn none(&self) -> Set<'s> {
        self.reached.manager().empty(self.reached.arity())
    }

    /// Returns the number of states.
    pub fn count(&self) -> BigUint {
        self.reached.count()
    }

    /// Returns the states that satisfy a proposition.
    ///
    /// # Errors
    /// If it is undefined in a state.
    pub fn satisfying(&self, propositions: &Propositions, number: usize) -> Result<Set<'s>, Fault> {
        let alive = &self.reached - self.deadlocks();
        let alive = self.encoding.satisfying(&alive, propositions.expression(number, false))?;
        let dead = propositions.expression(number, true);
        let dead = self.encoding.satisfying(self.deadlocks(), dead)?;
        Ok(alive | dead)
    }

    /// Returns the minimal and maximal value of each state variable.
    pub fn ranges(&self) -> Vec<(VariableId, (i64, i64))> {
        let ranges = self.reached.ranges().unwrap_or_default();
        self.encoding.values(&ranges)
    }

    /// Returns a path from an initial state to one of `target`, if there is one; not necessarily a
    /// shortest one.
    ///
    /// # Errors
    /// If the system has a fault in a state of the path.
    pub fn path(&self, target: &Set<'s>) -> Result<Option<Path>, Fault> {
        let Some(states) = self.states_to(target) else { return Ok(None) };
        let system = self.encoding.system();
        let mut expander = system.expander();
        let mut successors = Successors::new(system.words());
        let mut steps = Vec::with_capacity(states.len() - 1);
        for pair in states.windows(2) {
            successors.clear();
            expander.expand(&pair[0], &mut successors)?;
            let step = successors.iter().find(|(_, state)| **state == *pair[1]);
            // Events of the diagram agree with the system.
            let (action, _) = step.expect("a state that follows");
            steps.push(Step { action, state: pair[1].clone() });
        }
        Ok(Some(Path { initial: states[0].clone(), steps }))
    }

    /// Returns the states along a path from an initial state to one of `target`: applies each event
    /// in turn to all visited states, and records the states that it adds for the way back.
    fn states_to(&self, target: &Set<'s>) -> Option<Vec<Box<[u32]>>> {
        let goal = target & &self.reached;
        if goal.is_empty() {
            return None;
        }
        let events = self.encoding.events.events();
        // The states that each event has added, and the states before.
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
