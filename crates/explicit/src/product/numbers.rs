//! The numbers of nodes: pairs of a state of the system and one of the automaton.

use super::letters::Step;
use crate::graph::Edge;
use crate::store::StateId;
use hashbrown::HashTable;

/// How many states an automaton may have for the number of a node to be computed from it.
const FEW: usize = 8;

/// Numbers of nodes.
pub(super) enum Numbers {
    /// For automata with few states: the low bits are the state of the automaton.
    Computed { bits: u32 },
    /// In the order in which nodes were met.
    Given { table: HashTable<u32>, nodes: Vec<(u32, u32)> },
}

impl Numbers {
    pub(super) fn new(locations: usize) -> Self {
        match locations <= FEW {
            true => Numbers::Computed { bits: locations.next_power_of_two().ilog2() },
            false => Numbers::Given { table: HashTable::new(), nodes: Vec::new() },
        }
    }

    /// True if nodes with one of so many states of the system have numbers.
    #[inline]
    pub(super) fn suffice(&self, states: usize) -> bool {
        match self {
            Numbers::Computed { bits } => states <= (u32::MAX >> bits) as usize,
            Numbers::Given { nodes, .. } => nodes.len() < (u32::MAX >> 1) as usize,
        }
    }

    /// The number of a node, which gets one if it has none.
    #[inline]
    pub(super) fn number(&mut self, state: u32, location: u32) -> u32 {
        match self {
            Numbers::Computed { bits } => state << *bits | location,
            Numbers::Given { table, nodes } => {
                let entry = table.entry(
                    hash((state, location)),
                    |number| nodes[*number as usize] == (state, location),
                    |number| hash(nodes[*number as usize]),
                );
                let next = nodes.len() as u32;
                let number = *entry.or_insert(next).get();
                if number == next {
                    nodes.push((state, location));
                }
                number
            }
        }
    }

    /// Appends the edges that are made of a step of the system to each of these states and one of
    /// these steps of the automaton.
    #[inline]
    pub(super) fn follow(&mut self, states: &[StateId], steps: &[Step], edges: &mut Vec<Edge>) {
        match (&*self, steps) {
            // By far the most frequent case, for which the loop is as short as can be.
            (Numbers::Computed { bits }, [step]) => {
                let edge = |state: &StateId| Edge {
                    target: state.0 << bits | step.target,
                    marks: step.marks,
                };
                edges.extend(states.iter().map(edge));
            }
            _ => {
                for state in states {
                    edges.extend(steps.iter().map(|step| {
                        let target = self.number(state.0, step.target);
                        Edge { target, marks: step.marks }
                    }));
                }
            }
        }
    }

    /// The state of the system and that of the automaton.
    #[inline]
    pub(super) fn node(&self, number: u32) -> (u32, u32) {
        match self {
            Numbers::Computed { bits } => (number >> bits, number & !(u32::MAX << bits)),
            Numbers::Given { nodes, .. } => nodes[number as usize],
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Numbers::Computed { .. } => 0,
            Numbers::Given { table, nodes } => table.allocation_size() + 8 * nodes.capacity(),
        }
    }
}

fn hash((state, location): (u32, u32)) -> u64 {
    let mixed = (u64::from(state) << 32 | u64::from(location)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}
