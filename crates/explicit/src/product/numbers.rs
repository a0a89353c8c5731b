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
    /// these steps of the automaton, as far as their targets are wanted.
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
        // Which targets are wanted cannot be foreseen, so there is no jump that depends on it.
        let mut keep = |target: u32, marks: u32| {
            room[kept] = Edge { target, marks };
            kept += usize::from(is_wanted(target));
        };
        match (&*self, steps) {
            // By far the most frequent cases, for which the loop is as short as can be.
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
