//! A certificate: its claim, and the table that proves it.

use crate::obligations::{Obligations, Set};
use crate::table::Rows;
use sempre_ltl::Formula;
use sempre_models::plain::Step;

/// The meaning of states without successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlocks {
    /// They repeat for ever.
    Stutter,
    /// Finite runs do not count.
    Ignore,
    /// Each reachable one violates the property.
    Report,
}

impl Deadlocks {
    /// All meanings, by name.
    pub const NAMES: [(&'static str, Deadlocks); 3] = [
        ("stutter", Deadlocks::Stutter),
        ("ignore", Deadlocks::Ignore),
        ("report", Deadlocks::Report),
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
    }
}

/// The infinite runs that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fair {
    /// All.
    All,
    /// Those that are weakly fair to processes.
    Processes,
    /// Those that are weakly fair to transitions.
    Transitions,
}

impl Fair {
    /// All kinds of runs, by name.
    pub const NAMES: [(&'static str, Fair); 3] = [
        ("none", Fair::All),
        ("weak:process", Fair::Processes),
        ("weak:transition", Fair::Transitions),
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
    }

    /// Returns the components that take part in a step.
    pub fn stepping(self, step: &Step) -> &[u32] {
        match self {
            Fair::All => &[],
            Fair::Processes => &step.processes,
            Fair::Transitions => &step.transitions,
        }
    }
}

/// The statement that a certificate proves about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The [fingerprint] of the text of the model.
    pub model: u64,
    /// The property.
    pub property: Formula,
    /// The meaning of states without successors.
    pub deadlocks: Deadlocks,
    /// The infinite runs that count.
    pub fair: Fair,
}

impl Claim {
    /// Returns the obligations of runs that violate the property.
    pub fn obligations(&self) -> Obligations {
        Obligations::of_negation(&self.property, self.deadlocks == Deadlocks::Report)
    }
}

/// A rank without a promise.
pub const NONE: u32 = u32::MAX;

/// A claim with a table of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The statement.
    pub claim: Claim,
    /// The sets of obligations.
    pub sets: Vec<Set>,
    /// The nodes in ascending order of ranks: the values of the variables, then the number of the
    /// set.
    pub rows: Rows,
    /// For each node its rank.
    pub ranks: Vec<u32>,
    /// For each rank its promise: the number of an until; the number of a component, counted after
    /// the untils; or [`NONE`].
    pub promises: Vec<u32>,
}

impl Certificate {
    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.ranks.len()
    }

    /// Returns the number of ranks.
    pub fn rank_count(&self) -> usize {
        self.promises.len()
    }
}

/// Returns a hash of the text of a model (FNV-1a, 64 bits). It detects mistakes; correctness does
/// not depend on it, since the checker executes the model that it is given.
pub fn fingerprint(text: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
