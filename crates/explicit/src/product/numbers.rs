//! Numbers of nodes: pairs of a system state and an automaton state.

use super::letters::Step;
use crate::graph::Edge;
use crate::store::StateId;
use hashbrown::HashTable;

/// The maximal number of automaton states for computed node numbers.
const FEW: usize = 8;

/// Numbers of nodes.
pub(super) enum Numbers {
    /// For automata with few states: the low bits are the automaton state.
    Computed { bits: u32 },
    /// In the order of the first visit.
    Given { table: HashTable<u32>, nodes: Vec<(u32, u32)> },
}

impl Numbers {
    pub(super) fn new(locations: usize) -> Self {
        match locations <= FEW {
            true => Numbers::Computed { bits: locations.next_power_of_two().ilog2() },
            false => Numbers::Given { table: HashTable::new(), nodes: Vec::new() },
        }
    }

    /// True if numbers suffice for nodes with this number of system states.
    #[inline]
    pub(super) fn suffice(&self, states: usize) -> bool {
        match self {
            Numbers::Computed { bits } => states <= (u32::MAX >> bits) as usize,
            Numbers::Given { nodes, .. } => nodes.len() < (u32::MAX >> 1) as usize,
        }
    }

    /// Returns the number of a node; assigns one if it is new.
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

    /// Appends the edges of system steps to each of these states with each of these automaton
    /// steps, if their targets are wanted.
    #[inline]
    pub(super) fn follow(
        &mut self,
        states: &[StateId],
        steps: &[Step],
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) {
        let first = edges.len();
        edges.resize(first + states.len() * steps.len(), Edge { target: 0, marks: 0 });
        let (room, mut kept) = (&mut edges[first..], 0);
        // Branch-free, since the wanted targets are unpredictable.
        let mut keep = |target: u32, marks: u32| {
            room[kept] = Edge { target, marks };
            kept += usize::from(is_wanted(target));
        };
        match (&*self, steps) {
            // The most frequent cases, with a minimal loop.
            (Numbers::Computed { bits }, [step]) => {
                for state in states {
                    keep(state.0 << bits | step.target, step.marks);
                }
            }
            (Numbers::Computed { bits }, [one, other]) => {
                for state in states {
                    keep(state.0 << bits | one.target, one.marks);
                    keep(state.0 << bits | other.target, other.marks);
                }
            }
            _ => {
                for state in states {
                    for step in steps {
                        keep(self.number(state.0, step.target), step.marks);
                    }
                }
            }
        }
        edges.truncate(first + kept);
    }

    /// Returns the system state and the automaton state.
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
