//! Bounding configurations: the sets of states in which modest runs may stay forever.
//!
//! F. Blahoudek, Automata for formal methods (2018), Section 5.7, corrected: the empty
//! configuration has one bounding configuration, the empty one; until-states count the states that
//! they start while they wait; must-states count what they start finitely often. A modest run always
//! leaves a may-state by the same step. Exponential at worst.

use super::Limit;
use super::linear::{Linear, Set, Shape, members};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use std::collections::BTreeSet;

/// The maximal number of sets.
const MAX_SETS: usize = 1 << 10;

/// The maximal number of states for enumerating all subsets, without the restriction to modest
/// runs.
const MAX_FREE_STATES: u32 = 9;

type Family = BTreeSet<Set>;

/// Returns the bounding configurations of modest runs, including the empty one.
pub(super) fn bounding(linear: &Linear) -> Result<Vec<Set>, Limit> {
    let mut search = Search {
        linear,
        must: linear.of_shape(Shape::Must),
        recurring: FxHashMap::default(),
        single: FxHashMap::default(),
    };
    let mut all = Family::from([0]);
    for &start in &linear.initial {
        all.extend(search.from(start, false)?);
    }
    Ok(all.into_iter().collect())
}

/// Returns all sets of must-states and of the may-states reachable from these.
pub(super) fn all(linear: &Linear) -> Result<Vec<Set>, Limit> {
    let must = linear.of_shape(Shape::Must);
    let free = must | linear.reachable_from(must) & linear.of_shape(Shape::May);
    if free.count_ones() > MAX_FREE_STATES {
        return Err(Limit::BoundingConfigurations);
    }
    // Enumerates all subsets by counting down within the mask.
    let mut sets = vec![free];
    while let Some(&last) = sets.last()
        && last != 0
    {
        sets.push((last - 1) & free);
    }
    sets.reverse();
    Ok(sets)
}

struct Search<'a> {
    linear: &'a Linear,
    must: Set,
    recurring: FxHashMap<usize, Family>,
    single: FxHashMap<usize, Family>,
}

impl Search<'_> {
    /// Returns the sets of a configuration, by those of its states. The recursion follows the order
    /// of states, at most 128.
    fn from(&mut self, configuration: Set, recurring: bool) -> Result<Family, Limit> {
        let mut all = Family::from([0]);
        for state in members(configuration) {
            interrupt::poll();
            let known = if recurring { &self.recurring } else { &self.single };
            let sets = match known.get(&state) {
                Some(sets) => sets.clone(),
                None => {
                    let sets = if recurring { self.recur(state)? } else { self.one_visit(state)? };
                    let known = if recurring { &mut self.recurring } else { &mut self.single };
                    known.insert(state, sets.clone());
                    sets
                }
            };
            all = all.iter().flat_map(|l| sets.iter().map(move |r| l | r)).collect();
            limited(&all)?;
        }
        Ok(all)
    }

    /// Returns the targets of steps that leave the state.
    fn exits(&self, state: usize) -> Family {
        let targets = self.linear.states[state].steps.iter().map(|step| step.target);
        targets.filter(|target| target >> state & 1 == 0).collect()
    }

    /// Returns all unions of the other targets of looping steps; the empty union only if `none`.
    fn started(&self, state: usize, none: bool) -> Result<Family, Limit> {
        let own: Set = 1 << state;
        let steps = self.linear.states[state].steps.iter();
        let loops = steps.filter(|step| step.target & own != 0).map(|step| step.target & !own);
        let mut unions = Family::new();
        for started in loops.collect::<Family>() {
            let more: Vec<Set> = unions.iter().map(|union| union | started).collect();
            unions.extend(more);
            unions.insert(started);
            limited(&unions)?;
        }
        if none {
            unions.insert(0);
        }
        Ok(unions)
    }

    fn recur(&mut self, state: usize) -> Result<Family, Limit> {
        let is_must = self.linear.states[state].shape == Shape::Must;
        let next = if is_must { self.started(state, false)? } else { self.exits(state) };
        // Configurations that a must-state starts finitely often may leave must-states behind.
        let mut once = Family::from([0]);
        if is_must {
            for configuration in self.started(state, true)? {
                once.extend(self.from(configuration, false)?);
                limited(&once)?;
            }
        }
        let mut all = Family::new();
        for configuration in next {
            for set in self.from(configuration, true)? {
                all.extend(once.iter().map(|more| set | more | 1 << state));
                limited(&all)?;
            }
        }
        Ok(all)
    }

    fn one_visit(&mut self, state: usize) -> Result<Family, Limit> {
        if self.must >> state & 1 == 1 {
            return self.recur(state);
        }
        let started = self.started(state, true)?;
        let mut all = Family::new();
        for exit in self.exits(state) {
            for more in &started {
                all.extend(self.from(exit | more, false)?);
                limited(&all)?;
            }
        }
        Ok(all)
    }
}

fn limited(family: &Family) -> Result<(), Limit> {
    if family.len() > MAX_SETS { Err(Limit::BoundingConfigurations) } else { Ok(()) }
}
