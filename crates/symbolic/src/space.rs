//! The reachable states of a system, and paths between sets of them.

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
    /// How the system is encoded.
    pub encoding: Encoding<'s>,
    /// All of them.
    pub reached: Set<'s>,
    dead: OnceCell<Set<'s>>,
}

impl<'s> Space<'s> {
    /// Finds the reachable states with an order of variables. For the best order there is a race:
    /// with each one that is worth a trial, saturation may take some steps, then with each one,
    /// and with some more that take time to be found, several times as many, until it ends with one
    /// of them.
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

    /// Finds the reachable states.
    ///
    /// # Errors
    /// If the system has a fault in one of them, or a value does not fit.
    pub fn new(encoding: Encoding<'s>, strategy: Strategy) -> Result<Self, Fault> {
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

    /// The states in which a proposition holds.
    ///
    /// # Errors
    /// If it has no meaning in a state.
    pub fn satisfying(&self, propositions: &Propositions, number: usize) -> Result<Set<'s>, Fault> {
        let alive = &self.reached - self.dead();
        let alive = self.encoding.satisfying(&alive, propositions.expression(number, false))?;
        let dead = propositions.expression(number, true);
        let dead = self.encoding.satisfying(self.dead(), dead)?;
        Ok(alive | dead)
    }

    /// The least and the greatest value of each variable that makes up states.
    pub fn ranges(&self) -> Vec<(VariableId, (i64, i64))> {
        let ranges = self.reached.ranges().unwrap_or_default();
        self.encoding.values(&ranges)
    }

    /// A path from an initial state to one of `target`, if there is one. It need not be a shortest
    /// one.
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
            // What an event leads to is what the system says.
            let (action, _) = step.expect("a state that follows");
            steps.push(Step { action, state: pair[1].clone() });
        }
        Ok(Some(Path { initial: states[0].clone(), steps }))
    }

    /// The states along a path from an initial state to one of `target`: each event in turn is
    /// applied to all states so far, and what it adds is kept, for the way back.
    fn states_to(&self, target: &Set<'s>) -> Option<Vec<Box<[u32]>>> {
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
