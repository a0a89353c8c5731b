//! Changes between the valuations of consecutive states, as letters of an automaton over changes.

use super::letters::Letters;
use rustc_hash::FxHashMap;
use sempre_automata::StateId;
use sempre_testing::ChangeGraph;

/// The maximal number of valuations for which a table stores the changes between them.
const MAX_IN_TABLE: usize = 1 << 9;

/// The number of a change that has not occurred.
const NONE: u32 = u32::MAX;

/// Numbered valuations, and the changes between them.
pub(super) struct Changes<'a> {
    graph: &'a ChangeGraph,
    numbers: FxHashMap<u64, u32>,
    valuations: Vec<u64>,
    /// The letter numbers of the changes between two valuations.
    table: Vec<u32>,
    /// The capacity of the table in valuations, as a power of two.
    bits: u32,
}

impl<'a> Changes<'a> {
    pub(super) fn new(graph: &'a ChangeGraph) -> Self {
        let (numbers, valuations) = (FxHashMap::default(), vec![]);
        Changes { graph, numbers, valuations, table: vec![NONE], bits: 0 }
    }

    /// Returns the number of a valuation.
    pub(super) fn number(&mut self, valuation: u64) -> u32 {
        let next = self.valuations.len();
        let number = *self.numbers.entry(valuation).or_insert(next as u32);
        if number as usize == next {
            self.valuations.push(valuation);
            if next >= 1 << self.bits && next < MAX_IN_TABLE {
                // The table is refilled on demand.
                self.bits += 1;
                self.table = vec![NONE; 1 << (2 * self.bits)];
            }
        }
        number
    }

    /// True if runs may begin in this automaton state with this valuation.
    pub(super) fn begins(&self, location: StateId, valuation: u32) -> bool {
        let valuation = self.valuations[valuation as usize];
        self.graph.alphabet().satisfied(self.graph.first(location), valuation)
    }

    /// Returns the letter of the change between two valuations.
    #[inline]
    pub(super) fn letter(&mut self, from: u32, to: u32, letters: &mut Letters<'_>) -> u32 {
        let is_in_table = (from | to) < 1 << self.bits;
        let place = (from as usize) << self.bits | to as usize;
        if is_in_table && self.table[place] != NONE {
            return self.table[place];
        }
        let change = self.valuations[from as usize] ^ self.valuations[to as usize];
        let letter = letters.number(change);
        if is_in_table {
            self.table[place] = letter;
        }
        letter
    }
}
