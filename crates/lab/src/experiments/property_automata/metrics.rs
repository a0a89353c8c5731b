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
    pub(super) formulas: Vec<String>,
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
        for (formula, rows) in &by_formula {
            results.formulas.push((*formula).to_owned());
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

    /// The approaches that solve at least nine of ten formulas; others are for fragments.
    pub(super) fn general(&self) -> Vec<usize> {
        let solves =
            |place: usize| self.sizes.iter().filter(|sizes| sizes[place].is_some()).count();
        let most = |place: &usize| 10 * solves(*place) >= 9 * self.sizes.len();
        (0..self.approaches.len()).filter(most).collect()
    }

    /// The approaches whose names fulfil a condition, with their results.
    pub(super) fn of_approaches(&self, wanted: impl Fn(&str) -> bool) -> Results {
        let places: Vec<usize> =
            (0..self.approaches.len()).filter(|place| wanted(&self.approaches[*place])).collect();
        let of = |sizes: &Vec<Option<Size>>| places.iter().map(|place| sizes[*place]).collect();
        let times = |times: &Vec<Option<f64>>| places.iter().map(|place| times[*place]).collect();
        Results {
            approaches: places.iter().map(|place| self.approaches[*place].clone()).collect(),
            formulas: self.formulas.clone(),
            sizes: self.sizes.iter().map(of).collect(),
            seconds: self.seconds.iter().map(times).collect(),
        }
    }

    /// The best results of groups of approaches, as approaches of their own.
    pub(super) fn grouped(&self, group: impl Fn(&str) -> String) -> Results {
        let groups: Vec<String> = self.approaches.iter().map(|name| group(name)).collect();
        let mut names: Vec<String> = vec![];
        groups.iter().for_each(|name| {
            if !names.contains(name) {
                names.push(name.clone());
            }
        });
        let best = |sizes: &Vec<Option<Size>>| {
            let of = |name: &String| {
                let own = groups.iter().zip(sizes).filter(|(group, _)| *group == name);
                own.filter_map(|(_, size)| *size).min()
            };
            names.iter().map(of).collect()
        };
        let sizes = self.sizes.iter().map(best).collect();
        Results { approaches: names, formulas: self.formulas.clone(), sizes, seconds: vec![] }
    }

    /// How often an approach has the smallest result by states, then marks; how often it is the
    /// first in the order of approaches that has it; and how often no other has it.
    pub(super) fn smallest(&self, approach: usize) -> [usize; 3] {
        let mut counts = [0; 3];
        for sizes in &self.sizes {
            let least = sizes.iter().flatten().min().copied();
            if least.is_none() || sizes[approach] != least {
                continue;
            }
            counts[0] += 1;
            counts[1] +=
                usize::from(sizes.iter().position(|size| *size == least) == Some(approach));
            counts[2] += usize::from(sizes.iter().filter(|size| **size == least).count() == 1);
        }
        counts
    }

    /// Formulas that all general approaches solve, and the sums of states and marks of an approach
    /// on them; nothing if it is not general.
    pub(super) fn sums(&self, approach: usize) -> (usize, u64, u64) {
        let general = self.general();
        if !general.contains(&approach) {
            return (0, 0, 0);
        }
        let all = |sizes: &&Vec<Option<Size>>| general.iter().all(|place| sizes[*place].is_some());
        let solved = self.sizes.iter().filter(all);
        solved.fold((0, 0, 0), |(count, states, marks), sizes| {
            let size = sizes[approach].unwrap_or(Size { states: 0, marks: 0 });
            (count + 1, states + u64::from(size.states), marks + u64::from(size.marks))
        })
    }

    /// The sums of states and marks of some approaches on the formulas of a class that all of them
    /// solve, with the number of these formulas; `None` if an approach is unknown.
    pub(super) fn sums_on(
        &self,
        approaches: &[&str],
        class: impl Fn(&str) -> bool,
    ) -> Option<(usize, Vec<(u64, u64)>)> {
        let places: Option<Vec<usize>> = approaches.iter().map(|name| self.place(name)).collect();
        let places = places?;
        let (mut count, mut sums) = (0, vec![(0, 0); places.len()]);
        for (formula, sizes) in self.formulas.iter().zip(&self.sizes) {
            let own: Option<Vec<Size>> = places.iter().map(|place| sizes[*place]).collect();
            let Some(own) = own.filter(|_| class(formula)) else { continue };
            count += 1;
            for (sum, size) in sums.iter_mut().zip(own) {
                *sum = (sum.0 + u64::from(size.states), sum.1 + u64::from(size.marks));
            }
        }
        Some((count, sums))
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

    fn size(states: u32, marks: u32) -> Option<Size> {
        Some(Size { states, marks })
    }

    fn results() -> Results {
        Results {
            approaches: ["one", "two", "three"].map(str::to_owned).to_vec(),
            formulas: ["Fa", "Ga", "a U b"].map(str::to_owned).to_vec(),
            sizes: vec![
                vec![size(1, 2), size(1, 3), size(4, 0)],
                vec![size(5, 1), None, size(3, 9)],
                vec![size(2, 1), size(2, 1), size(2, 1)],
            ],
            seconds: vec![vec![None; 3]; 3],
        }
    }

    #[test]
    fn metrics_follow_their_definitions() {
        let results = results();
        assert_eq!((0..3).map(|a| results.minima(a)).collect::<Vec<_>>(), [(2, 0), (2, 0), (2, 1)]);
        // The second approach is not general.
        assert_eq!(results.general(), [0, 2]);
        assert_eq!((results.sums(0), results.sums(1)), ((3, 8, 4), (0, 0, 0)));
        assert_eq!(results.own_sums(2), (3, 9, 10));
        // Fewer marks win at equal states; a failure loses; equal sizes are no victory.
        assert_eq!(results.victories(0, 1), 2);
        assert_eq!(results.victories(1, 0), 0);
        assert_eq!((results.victories(0, 2), results.victories(2, 0)), (1, 1));
    }

    #[test]
    fn groups_have_the_best_of_their_approaches() {
        let results = results();
        let smallest: Vec<_> = (0..3).map(|approach| results.smallest(approach)).collect();
        assert_eq!(smallest, [[2, 2, 1], [1, 0, 0], [2, 1, 1]]);
        let grouped = results.grouped(|name| name[..1].to_owned());
        assert_eq!(grouped.approaches, ["o", "t"]);
        assert_eq!(grouped.sizes[1], [size(5, 1), size(3, 9)]);
        let of_class = results.sums_on(&["one", "three"], |formula| formula != "Ga");
        assert_eq!(of_class, Some((2, vec![(3, 3), (6, 1)])));
        assert_eq!(results.sums_on(&["four"], |_| true), None);
        let part = results.of_approaches(|name| name != "one");
        assert_eq!(part.approaches, ["two", "three"]);
        assert_eq!(part.sizes[1], [None, size(3, 9)]);
    }
}
