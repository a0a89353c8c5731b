//! How much the comparison of results depends on the density of structures.
//!
//! H. Tauriainen (HUT-TCS-A66, 2000), section 6.3, Figures 6.8 and 6.9, whose data are not printed:
//! with faults that accept too much, dense structures show fewer differences, as some path is
//! accepted anyway; structures with a single path show many. Other faults show no such trend.

use crate::checks::Test;
use crate::faults::Fault;
use crate::{Session, Statistics, StructureKind, Structures, Tests};
use sempre_automata::random::KripkeKind;
use sempre_ltl::Error;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};

/// A kind of structures that the experiment compares with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Point {
    /// Random connected graphs of this density.
    Connected(f64),
    /// Random structures with a single path.
    Sequential,
}

/// The densities of the experiment, and structures with a single path.
pub const POINTS: [Point; 12] = [
    Point::Connected(0.0),
    Point::Connected(0.1),
    Point::Connected(0.2),
    Point::Connected(0.3),
    Point::Connected(0.4),
    Point::Connected(0.5),
    Point::Connected(0.6),
    Point::Connected(0.7),
    Point::Connected(0.8),
    Point::Connected(0.9),
    Point::Connected(1.0),
    Point::Sequential,
];

/// How many comparisons there were, and how many found a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differences {
    /// All comparisons: two for each formula.
    pub performed: usize,
    /// Those with a difference at some state.
    pub global: usize,
    /// Those with a difference at the initial state.
    pub local: usize,
}

impl Differences {
    /// The percentage of comparisons with a difference at some state.
    pub fn percentage(self) -> f64 {
        100.0 * self.global as f64 / self.performed.max(1) as f64
    }
}

/// Compares a faulty participant with one that has no fault, on random formulas of the report
/// (all operators, five propositions) of a size and on one structure of 50 states for each.
///
/// # Errors
/// If the report has no formulas of that size.
pub fn measure(
    fault: Fault,
    point: Point,
    size: usize,
    count: usize,
    seed: u64,
) -> Result<Differences, Error> {
    let priorities = Priorities::report(OperatorSet::Op2, size)?;
    let formulas = RandomFormulas::over_numbered(5).size(size).priorities(priorities).seed(seed);
    let (kind, density) = match point {
        Point::Connected(density) => (KripkeKind::Connected, density),
        Point::Sequential => (KripkeKind::Sequential, 0.0),
    };
    let structures =
        Structures { kind: StructureKind::Random(kind), density, seed, ..Structures::default() };
    let session = Session::new(vec![Fault::None.participant(), fault.participant()])
        .tests(Tests::default().only(Test::Comparison))
        .structures(structures);
    let mut statistics = Statistics::new(&session);
    for (number, formula) in (1..=count).zip(formulas.generate()?) {
        statistics.add(&session.round(number, &formula?));
    }
    let pair = statistics.pair(0, 1);
    let tally = pair.tests(Test::Comparison);
    Ok(Differences { performed: tally.performed, global: tally.failed, local: pair.local })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn global(fault: Fault, point: Point) -> Differences {
        let found = measure(fault, point, 8, 80, 1).unwrap();
        assert_eq!(found.performed, 160);
        assert!(found.local <= found.global);
        found
    }

    #[test]
    fn what_accepts_too_much_shows_less_in_dense_structures() {
        let at = |point| global(Fault::NoAcceptance, point).global;
        let [sparse, some, dense] = [0.0, 0.1, 0.5].map(|d| at(Point::Connected(d)));
        let sequential = at(Point::Sequential);
        assert!(sparse > some && some > dense, "{sparse} {some} {dense}");
        assert!(sequential > dense, "{sequential} {dense}");
    }

    #[test]
    fn what_accepts_too_little_shows_everywhere() {
        let shares =
            [0.0, 0.3, 1.0].map(|d| global(Fault::FulfilledOnly, Point::Connected(d)).percentage());
        let least = shares.into_iter().fold(f64::INFINITY, f64::min);
        let most = shares.into_iter().fold(0.0, f64::max);
        assert!(least > 20.0 && most - least < 25.0, "{shares:?}");
    }
}
