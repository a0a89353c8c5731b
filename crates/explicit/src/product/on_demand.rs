//! The steps of a testing automaton that is built during the product.

use super::letters::Step;
use crate::emptiness::testing::SURE;
use rustc_hash::FxHashMap;
use sempre_testing::{OnDemand, Step as Found};

/// Numbered valuations, and the steps of testing states under the changes that occurred.
pub(super) struct BuiltSteps {
    automaton: OnDemand,
    numbers: FxHashMap<u64, u32>,
    valuations: Vec<u64>,
    /// By state and change, where their steps begin and end.
    places: FxHashMap<(u32, u64), (u32, u32)>,
    steps: Vec<Step>,
    found: Vec<Found>,
}

impl BuiltSteps {
    pub(super) fn new(automaton: OnDemand) -> Self {
        let (numbers, places) = (FxHashMap::default(), FxHashMap::default());
        let (valuations, steps, found) = (vec![], vec![], vec![]);
        BuiltSteps { automaton, numbers, valuations, places, steps, found }
    }

    /// Returns the number of a valuation.
    pub(super) fn number(&mut self, valuation: u64) -> u32 {
        let next = self.valuations.len();
        let number = *self.numbers.entry(valuation).or_insert(next as u32);
        if number as usize == next {
            self.valuations.push(valuation);
        }
        number
    }

    /// Returns the states in which runs with this first valuation begin.
    pub(super) fn initial(&mut self, valuation: u32) -> Vec<u32> {
        self.automaton.initial(self.valuations[valuation as usize])
    }

    /// Returns the steps of a state from one valuation to another.
    #[inline]
    pub(super) fn steps(&mut self, location: u32, from: u32, to: u32) -> &[Step] {
        let [from, to] = [from, to].map(|number| self.valuations[number as usize]);
        let (begin, end) = match self.places.get(&(location, from ^ to)) {
            Some(place) => *place,
            None => self.build(location, from, to),
        };
        &self.steps[begin as usize..end as usize]
    }

    #[cold]
    fn build(&mut self, location: u32, from: u64, to: u64) -> (u32, u32) {
        self.found.clear();
        self.automaton.steps(location, from, to, &mut self.found);
        let begin = self.steps.len() as u32;
        let sure = if self.automaton.is_sure(location) { SURE } else { 0 };
        let step = |found: &Found| Step { target: found.target, marks: found.marks | sure };
        self.steps.extend(self.found.iter().map(step));
        let place = (begin, self.steps.len() as u32);
        self.places.insert((location, from ^ to), place);
        place
    }

    /// Returns the class of a state.
    #[inline]
    pub(super) fn class(&self, location: u32) -> usize {
        self.automaton.class(location)
    }

    /// Returns the number of states.
    pub(super) fn states(&self) -> usize {
        self.automaton.state_count()
    }

    pub(super) fn bytes(&self) -> usize {
        self.automaton.bytes()
            + self.steps.capacity() * size_of::<Step>()
            + 32 * self.places.capacity()
            + 24 * self.numbers.capacity()
    }
}
