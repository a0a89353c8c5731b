//! Parametric families of Petri nets from the literature.
//!
//! Their numbers of reachable markings are known, by formulas or from publications, which makes
//! them the yardstick of state-space tools. A family is a function from a number to a [`Net`]:
//!
//! ```
//! use sempre_models::generate;
//! let kanban = generate::family("kanban")?.net(5)?;
//! assert_eq!((kanban.place_count(), kanban.transition_count()), (16, 16));
//! assert!(generate::families().iter().any(|family| family.name() == "philosophers"));
//! # Ok::<(), sempre_ltl::Error>(())
//! ```

mod cascades;
mod draft;
mod factories;
mod mutual_exclusion;
mod philosophers;
mod processes;
mod rings;
mod sharing;
#[cfg(test)]
mod token_game;

pub use processes::{PROCESS_PROPOSITIONS, random_processes};

use crate::nearest;
use crate::petri::Net;
use sempre_ltl::Error;
use std::ops::RangeInclusive;

/// A family of nets, one for each number of a range.
#[derive(Clone, Debug)]
pub struct Family {
    name: &'static str,
    description: &'static str,
    parameter: &'static str,
    range: RangeInclusive<u32>,
    build: fn(u32) -> Result<Net, Error>,
}

impl Family {
    /// The name of the family.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The modelled system, in a sentence or two.
    pub fn description(&self) -> &'static str {
        self.description
    }

    /// The meaning of the number, as in "number of philosophers".
    pub fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// The numbers for which there is a net.
    pub fn range(&self) -> RangeInclusive<u32> {
        self.range.clone()
    }

    /// The net for that number.
    ///
    /// # Errors
    /// If the number is not in the [range](Family::range).
    pub fn net(&self, number: u32) -> Result<Net, Error> {
        if !self.range.contains(&number) {
            let (least, greatest) = (self.range.start(), self.range.end());
            let (name, parameter) = (self.name, self.parameter);
            return Err(Error::new(format!(
                "{name} takes a {parameter} from {least} to {greatest}, not {number}"
            )));
        }
        (self.build)(number)
    }
}

/// All families, in the order of their names.
pub fn families() -> &'static [Family] {
    FAMILIES
}

/// The family of that name.
///
/// # Errors
/// If there is none; the error names the nearest ones.
pub fn family(name: &str) -> Result<&'static Family, Error> {
    FAMILIES.iter().find(|family| family.name == name).ok_or_else(|| {
        let error = Error::new(format!("there is no family of nets `{name}`"));
        match nearest::expectation(name, FAMILIES.iter().map(Family::name)) {
            Some(names) => error.expected(names),
            None => {
                error.expected(FAMILIES.iter().map(Family::name).collect::<Vec<_>>().join(", "))
            }
        }
    })
}

const FAMILIES: &[Family] = &[
    Family {
        name: "counter",
        description: "A binary counter that counts for ever: each increment flips the lowest bit \
                      that is 0 and clears those below.",
        parameter: "number of bits",
        range: 1..=1_000,
        build: sharing::counter,
    },
    Family {
        name: "dekker",
        description: "Mutual exclusion by flags: a process that sees another flag withdraws its \
                      own and tries again (Dekker, for any number of processes).",
        parameter: "number of processes",
        range: 2..=1_000,
        build: mutual_exclusion::dekker,
    },
    Family {
        name: "fms",
        description: "A flexible manufacturing system with three machines, three kinds of parts \
                      and one assembled from two of them (Ciardo and Trivedi).",
        parameter: "number of parts of each kind",
        range: 1..=1_000_000,
        build: factories::fms,
    },
    Family {
        name: "kanban",
        description: "A production line of four cells, the middle two side by side; cards limit \
                      how many parts a cell holds (Ciardo and Tilgner).",
        parameter: "number of cards of each cell",
        range: 1..=1_000_000,
        build: factories::kanban,
    },
    Family {
        name: "mapk",
        description: "The cascade of kinases that hands a signal on in cells: Raf, MEK and ERK, \
                      each activated by the one before, with their phosphatases (Huang and \
                      Ferrell); the Contest's net of the same name has a number four times as \
                      large.",
        parameter: "number of signals (RasGTP)",
        range: 1..=1_000_000,
        build: cascades::mapk,
    },
    Family {
        name: "peterson",
        description: "Peterson's algorithm for the mutual exclusion of any number of processes, \
                      in single steps; the Contest's net of the same name has one process more \
                      than its number says.",
        parameter: "number of processes",
        range: 2..=40,
        build: mutual_exclusion::peterson,
    },
    Family {
        name: "philosophers",
        description: "Dining philosophers who take both forks in any order, one by one, and then \
                      begin to eat; they may all wait for ever.",
        parameter: "number of philosophers",
        range: 1..=100_000,
        build: philosophers::seven_places,
    },
    Family {
        name: "philosophers-simple",
        description: "Dining philosophers who eat as soon as they have both forks: a place less \
                      for each than in the family philosophers.",
        parameter: "number of philosophers",
        range: 1..=100_000,
        build: philosophers::six_places,
    },
    Family {
        name: "producer-consumer",
        description: "Producers and consumers, as many of both as the buffer between them has \
                      slots.",
        parameter: "number of producers, consumers and slots",
        range: 1..=1_000_000,
        build: sharing::producer_consumer,
    },
    Family {
        name: "readers-writers",
        description: "Readers share, writers exclude everybody else; as many processes as \
                      permits, of which a writer needs all.",
        parameter: "number of processes",
        range: 1..=1_000_000,
        build: sharing::readers_writers,
    },
    Family {
        name: "ring",
        description: "A slotted ring: slots go round among nodes that fill free ones and empty \
                      their own (Pastor, Roig, Cortadella and Badia).",
        parameter: "number of nodes",
        range: 1..=100_000,
        build: rings::slotted,
    },
    Family {
        name: "round-robin",
        description: "Mutual exclusion by turns: the right to use the one resource goes round; a \
                      process whose turn it is loads its buffer, and empties it before or after \
                      it passes the right on (Graf, Steffen and Lüttgen).",
        parameter: "number of processes",
        range: 2..=100_000,
        build: rings::round_robin,
    },
    Family {
        name: "swimming-pool",
        description: "Bathers share cabins and bags: they need a cabin to change, a bag for their \
                      clothes, and a cabin again to dress (Brams).",
        parameter: "number of scores of bathers, with 10 cabins and 15 bags for each",
        range: 1..=100_000,
        build: sharing::swimming_pool,
    },
    Family {
        name: "token-ring",
        description: "Dijkstra's self-stabilizing ring, in which each machine copies the value of \
                      the one before, and the first adds one; in the beginning all values \
                      differ.",
        parameter: "number of machines",
        range: 2..=200,
        build: rings::self_stabilizing,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_in_order_and_exist_at_both_ends_of_their_ranges() {
        assert!(FAMILIES.is_sorted_by_key(Family::name));
        for family in families() {
            let (least, greatest) = (*family.range().start(), *family.range().end());
            assert!(family.net(least).unwrap().place_count() > 0);
            assert!(family.net(least - 1).is_err() && family.net(greatest + 1).is_err());
        }
    }

    #[test]
    fn nets_have_names() {
        let name = |family, number| super::family(family).unwrap().net(number).unwrap();
        assert_eq!(name("fms", 3).name(), Some("fms-3"));
        assert_eq!(name("philosophers-simple", 12).name(), Some("philosophers-simple-12"));
    }

    #[test]
    fn near_names_are_suggested() {
        let error = family("kaban").unwrap_err();
        assert_eq!(error.to_string(), "there is no family of nets `kaban`, expected `kanban`");
        assert!(family("x").unwrap_err().to_string().contains("peterson, philosophers"));
        let error = family("ring").unwrap().net(0).unwrap_err();
        assert_eq!(error.message(), "ring takes a number of nodes from 1 to 100000, not 0");
    }
}
