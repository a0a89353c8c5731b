//! The tests by pairs of participants.

use std::collections::{BTreeMap, BTreeSet};

use super::is_local;
use crate::analysis::Finding;
use crate::checks::{Outcome, Test};
use crate::round::{Tallies, Tally};
use crate::subject::Subject;

/// The tests of an unordered pair of participants, or of one with itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairStatistics {
    tests: Tallies,
    /// Failures of Test 3 that show at the initial state of a structure.
    pub local: usize,
    /// The number of wrong automata found by Tests 1 and 3 of the pair.
    pub wrong: usize,
}

impl PairStatistics {
    /// The tests of one kind.
    pub fn tests(&self, test: Test) -> Tally {
        self.tests[test]
    }
}

/// The data of each pair, the smaller number first.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs(BTreeMap<(usize, usize), PairStatistics>);

fn key(subjects: [Subject; 2]) -> (usize, usize) {
    let [left, right] = subjects.map(|subject| subject.participant);
    (left.min(right), left.max(right))
}

impl Pairs {
    pub(super) fn count(&mut self, outcome: &Outcome) {
        let pair = self.0.entry(key(outcome.subjects)).or_default();
        pair.tests[outcome.test].count(&outcome.answer);
        pair.local += usize::from(outcome.test == Test::Comparison && is_local(&outcome.answer));
    }

    /// Counts the automata that the findings of a round blame, once for each pair.
    pub(super) fn blame(&mut self, findings: &[Finding]) {
        let mut blamed: BTreeMap<(usize, usize), BTreeSet<Subject>> = BTreeMap::new();
        for finding in findings {
            let Some(culprit) = finding.culprit() else { continue };
            let first = (finding.test, finding.subjects);
            for (test, subjects) in finding.also.iter().copied().chain([first]) {
                if matches!(test, Test::Intersection | Test::Comparison) {
                    blamed.entry(key(subjects)).or_default().insert(culprit);
                }
            }
        }
        for (pair, culprits) in blamed {
            self.0.entry(pair).or_default().wrong += culprits.len();
        }
    }

    pub(super) fn of(&self, left: usize, right: usize) -> PairStatistics {
        self.0.get(&(left.min(right), left.max(right))).copied().unwrap_or_default()
    }
}
