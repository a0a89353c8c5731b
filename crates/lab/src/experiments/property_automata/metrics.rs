//! Minima, sums and victories: how ways to the same formulas compare (Section 6.4).
//!
//! States are counted without rejecting sinks. A victory of one way over another on a formula: the
//! other fails, or has more states, or as many states and more marks.

use crate::table::{Row, Table};
use std::collections::BTreeMap;

/// The size of one automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size {
    pub(super) states: u32,
    pub(super) marks: u32,
}

/// Where marks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    Transitions,
    States,
}

/// The sizes of all ways on the formulas of one set; a way that failed has none.
#[derive(Debug, Default)]
pub(super) struct Results {
    pub(super) approaches: Vec<String>,
    /// By formula, in the order of approaches.
    pub(super) sizes: Vec<Vec<Option<Size>>>,
    pub(super) seconds: Vec<Vec<Option<f64>>>,
}

impl Results {
    /// The results in the rows of a set. Approaches of which nothing is known are left out.
    pub(super) fn of(rows: &Table, set: &str, on: On) -> Results {
        let column = match on {
            On::Transitions => "states",
            On::States => "on_states",
        };
        let of_set = || rows.rows().filter(|row| row.text("set") == set);
        let known = |name: &&str| {
            of_set().any(|row| row.text("approach") == *name && row.number(column).is_some())
        };
        let approaches: Vec<&str> = rows.distinct("approach").into_iter().filter(known).collect();
        let mut by_formula: BTreeMap<&str, Vec<Row<'_>>> = BTreeMap::new();
        for row in of_set() {
            by_formula.entry(row.text("formula")).or_default().push(row);
        }
        let mut results = Results {
            approaches: approaches.iter().map(|name| (*name).to_owned()).collect(),
            ..Results::default()
        };
        for rows in by_formula.values() {
            let find = |name: &&str| rows.iter().find(|row| row.text("approach") == *name);
            let size = |row: &Row<'_>| {
                let (states, marks) = (row.number(column)?, row.number("marks")?);
                Some(Size { states: states as u32, marks: marks as u32 })
            };
            results.sizes.push(approaches.iter().map(|name| size(find(name)?)).collect());
            let seconds = |name| find(name)?.number("seconds");
            results.seconds.push(approaches.iter().map(seconds).collect());
        }
        results
    }

    /// How often an approach reaches the fewest states, and how often alone.
    pub(super) fn minima(&self, approach: usize) -> (usize, usize) {
        let (mut all, mut alone) = (0, 0);
        for sizes in &self.sizes {
            let states = |size: &Option<Size>| size.map(|size| size.states);
            let least = sizes.iter().filter_map(states).min();
            if least.is_some() && states(&sizes[approach]) == least {
                all += 1;
                alone +=
                    usize::from(sizes.iter().filter(|size| states(size) == least).count() == 1);
            }
        }
        (all, alone)
    }

    /// Formulas that all approaches solve, and the sums of states and marks of an approach on them.
    pub(super) fn sums(&self, approach: usize) -> (usize, u64, u64) {
        let solved = self.sizes.iter().filter(|sizes| sizes.iter().all(Option::is_some));
        solved.fold((0, 0, 0), |(count, states, marks), sizes| {
            let size = sizes[approach].unwrap_or(Size { states: 0, marks: 0 });
            (count + 1, states + u64::from(size.states), marks + u64::from(size.marks))
        })
    }

    /// The sums over all formulas that an approach solves.
    pub(super) fn own_sums(&self, approach: usize) -> (usize, u64, u64) {
        let solved = self.sizes.iter().filter_map(|sizes| sizes[approach]);
        solved.fold((0, 0, 0), |(count, states, marks), size| {
            (count + 1, states + u64::from(size.states), marks + u64::from(size.marks))
        })
    }

    /// The victories of an approach over another.
    pub(super) fn victories(&self, winner: usize, loser: usize) -> usize {
        let wins = |sizes: &&Vec<Option<Size>>| match (sizes[winner], sizes[loser]) {
            (Some(_), None) => true,
            (Some(own), Some(other)) => own < other,
            _ => false,
        };
        self.sizes.iter().filter(wins).count()
    }

    /// The place of an approach.
    pub(super) fn place(&self, approach: &str) -> Option<usize> {
        self.approaches.iter().position(|name| name == approach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_follow_their_definitions() {
        let size = |states, marks| Some(Size { states, marks });
        let results = Results {
            approaches: ["one", "two", "three"].map(str::to_owned).to_vec(),
            sizes: vec![
                vec![size(1, 2), size(1, 3), size(4, 0)],
                vec![size(5, 1), None, size(3, 9)],
                vec![size(2, 1), size(2, 1), size(2, 1)],
            ],
            seconds: vec![],
        };
        assert_eq!((0..3).map(|a| results.minima(a)).collect::<Vec<_>>(), [(2, 0), (2, 0), (2, 1)]);
        assert_eq!(results.sums(0), (2, 3, 3));
        assert_eq!(results.own_sums(2), (3, 9, 10));
        // Fewer marks win at equal states; a failure loses; equal sizes are no victory.
        assert_eq!(results.victories(0, 1), 2);
        assert_eq!(results.victories(1, 0), 0);
        assert_eq!((results.victories(0, 2), results.victories(2, 0)), (1, 1));
    }
}
