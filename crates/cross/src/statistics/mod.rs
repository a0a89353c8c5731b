//! Statistics over rounds: failed tests by pairs of participants, failed translations by reason,
//! and sizes of automata.
//!
//! The numbers are those of H. Tauriainen (HUT-TCS-A66, 2000), chapter 6: for each pair of
//! participants the failures of Test 1, those of Test 3 by comparing all states and by comparing
//! the initial one, and the number of automata that these tests have shown to be wrong.

mod pairs;
mod report;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::analysis::Mistake;
use crate::checks::{Answer, Evidence, Obstacle, Test};
use crate::participant::FailureKind;
use crate::round::{Entry, Round, Tallies, Tally};
use crate::session::Session;
use crate::subject::Polarity;

use sempre_ltl::Op;
use sempre_ltl::generate::observed::Observed;

pub use pairs::PairStatistics;
use pairs::Pairs;

/// The numbers of all rounds so far. The text form is the tables of a final report.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// The names of the participants, and that of the semantics.
    names: Arc<[String]>,
    rounds: usize,
    rounds_with_findings: usize,
    /// By participant and polarity.
    translations: Vec<[TranslationStatistics; 2]>,
    tests: Tallies,
    obstacles: BTreeMap<(Test, Obstacle), usize>,
    pairs: Pairs,
    /// Test 4, by participant.
    consistency: Vec<Tally>,
    findings: usize,
    contradictions: usize,
    /// The number of wrong automata of each participant, by kind of error.
    mistakes: BTreeMap<(usize, &'static str), usize>,
    operators: Observed,
    /// The expected numbers of operators in random formulas.
    expected: BTreeMap<usize, f64>,
    time: Duration,
}

/// The results of a participant for formulas, or for their negations.
#[derive(Clone, Debug, Default)]
pub struct TranslationStatistics {
    /// The number of requested automata.
    pub attempted: usize,
    /// The number of failures, by reason.
    pub failures: BTreeMap<FailureKind, usize>,
    /// The number of automata.
    pub generated: usize,
    /// The sum of their states.
    pub states: usize,
    /// The sum of their edges.
    pub edges: usize,
    /// The sum of their transitions.
    pub transitions: u128,
    /// The sum of their acceptance marks.
    pub marks: usize,
    /// The number of deterministic ones.
    pub deterministic: usize,
    /// The number of complete ones.
    pub complete: usize,
    /// The number of products with structures.
    pub products: usize,
    /// The sum of the products' states.
    pub product_states: usize,
    /// The sum of the products' transitions.
    pub product_transitions: usize,
    /// The time of all attempts.
    pub time: Duration,
}

impl TranslationStatistics {
    fn add(&mut self, entry: &Entry) {
        self.attempted += 1;
        self.time += entry.translation.time;
        match &entry.translation.result {
            Ok(_) => self.generated += 1,
            Err(failure) => *self.failures.entry(failure.kind).or_default() += 1,
        }
        let Some(sizes) = &entry.sizes else { return };
        self.states += sizes.states;
        self.edges += sizes.edges;
        self.transitions += sizes.transitions;
        self.marks += sizes.marks as usize;
        self.deterministic += usize::from(sizes.deterministic);
        self.complete += usize::from(sizes.complete);
        self.products += sizes.products.len();
        self.product_states += sizes.products.iter().map(|product| product.states).sum::<usize>();
        let transitions = sizes.products.iter().map(|product| product.transitions);
        self.product_transitions += transitions.sum::<usize>();
    }

    /// Returns the mean of a sum over all automata; 0 if there is none.
    pub fn mean(&self, sum: usize) -> f64 {
        ratio(sum as f64, self.generated)
    }
}

fn ratio(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

impl Statistics {
    /// Makes statistics without rounds.
    pub fn new(session: &Session) -> Self {
        let participants = session.participants().len();
        Statistics {
            names: session.names().clone(),
            rounds: 0,
            rounds_with_findings: 0,
            translations: vec![Default::default(); participants],
            tests: Tallies::default(),
            obstacles: BTreeMap::new(),
            pairs: Pairs::default(),
            consistency: vec![Tally::default(); participants],
            findings: 0,
            contradictions: 0,
            mistakes: BTreeMap::new(),
            operators: Observed::default(),
            expected: BTreeMap::new(),
            time: Duration::ZERO,
        }
    }

    /// Sets the expected numbers of operators in a formula, to compare with the observed ones.
    #[must_use]
    pub fn expecting(mut self, expected: impl IntoIterator<Item = (Op, f64)>) -> Self {
        self.expected = expected.into_iter().map(|(op, mean)| (op as usize, mean)).collect();
        self
    }

    /// Adds a round.
    pub fn add(&mut self, round: &Round) {
        self.rounds += 1;
        self.rounds_with_findings += usize::from(!round.findings.is_empty());
        self.time += round.time;
        self.operators.add(&round.formula);
        for (statistics, entries) in self.translations.iter_mut().zip(&round.entries) {
            for polarity in Polarity::ALL {
                statistics[polarity.index()].add(&entries[polarity.index()]);
            }
        }
        for (test, tally) in round.performed.iter() {
            self.tests[test] += tally;
        }
        for outcome in &round.outcomes {
            if let Answer::NotApplicable(obstacle) = outcome.answer {
                *self.obstacles.entry((outcome.test, obstacle)).or_default() += 1;
            }
            let participant = outcome.subjects[0].participant;
            match (outcome.test, self.consistency.get_mut(participant)) {
                (Test::Consistency, Some(tally)) => tally.count(&outcome.answer),
                _ => self.pairs.count(outcome),
            }
        }
        self.pairs.blame(&round.findings);
        for finding in &round.findings {
            self.findings += 1;
            let (Some(culprit), Some(mistake)) = (finding.culprit(), finding.verdict.mistake())
            else {
                self.contradictions += 1;
                continue;
            };
            let kind = match mistake {
                Mistake::WronglyAccepts => "wrongly accepts",
                Mistake::WronglyRejects => "wrongly rejects",
                Mistake::NotAsClaimed(_) => "not as claimed",
            };
            *self.mistakes.entry((culprit.participant, kind)).or_default() += 1;
        }
    }

    /// Returns the number of rounds.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Returns the number of rounds with findings.
    pub fn rounds_with_findings(&self) -> usize {
        self.rounds_with_findings
    }

    /// Returns the number of wrong automata.
    pub fn findings(&self) -> usize {
        self.findings
    }

    /// Returns the number of tests of each kind.
    pub fn tests(&self) -> &Tallies {
        &self.tests
    }

    /// Returns the results of a participant for formulas of this polarity.
    pub fn translations(
        &self,
        participant: usize,
        polarity: Polarity,
    ) -> Option<&TranslationStatistics> {
        self.translations.get(participant).map(|both| &both[polarity.index()])
    }

    /// Returns the tests of an unordered pair of participants, or of one with itself.
    pub fn pair(&self, left: usize, right: usize) -> PairStatistics {
        self.pairs.of(left, right)
    }

    /// Returns Test 4 of a participant.
    pub fn consistency(&self, participant: usize) -> Tally {
        self.consistency.get(participant).copied().unwrap_or_default()
    }

    /// Returns the operators that occur or are expected, each with its mean number in a formula and
    /// the expected one.
    pub fn operators(&self) -> impl Iterator<Item = (Op, f64, Option<f64>)> {
        let all = Op::ALL.into_iter().map(|op| {
            let expected = self.expected.get(&(op as usize)).copied();
            (op, self.operators.mean(op), expected)
        });
        all.filter(|(_, mean, expected)| *mean > 0.0 || expected.is_some())
    }

    /// Returns the time of all tests, without translations.
    pub fn time(&self) -> Duration {
        self.time
    }
}

/// True if a test failed at the initial state of a structure.
fn is_local(answer: &Answer) -> bool {
    match answer {
        Answer::Failed(Evidence::Word(evidence)) => {
            evidence.place.as_ref().is_some_and(|place| place.local)
        }
        _ => false,
    }
}
