//! The results of a round: the automata, their sizes, the outcomes of tests, the findings.

use std::ops::{Index, IndexMut};
use std::time::Duration;

use sempre_automata::strength::{Strength, Strengths};
use sempre_automata::{Automaton, Kripke};
use sempre_ltl::Formula;

use crate::analysis::Finding;
use crate::checks::{Answer, Outcome, ProductSizes, Test};
use crate::participant::Translation;
use crate::subject::Subject;

/// A formula with the automata of all participants and the results of the tests.
#[derive(Debug)]
pub struct Round {
    /// The number of the round, from 1.
    pub number: usize,
    /// Its formula.
    pub formula: Formula,
    /// For each participant, the automata of the formula and of its negation.
    pub entries: Vec<[Entry; 2]>,
    /// The structures that results were compared on.
    pub structures: Vec<Kripke>,
    /// Why there are no structures, if they were wanted.
    pub no_structures: Option<String>,
    /// All tests, as far as they were to be performed.
    pub outcomes: Vec<Outcome>,
    /// The number of tests of each kind.
    pub performed: Tallies,
    /// The automata that are wrong, each with the reasons.
    pub findings: Vec<Finding>,
    /// The participants by what their automata of the formula, and of the negation, accept as far
    /// as the tests show: no test distinguishes those in the same group. Participants
    /// without an automaton are in none.
    pub groups: [Vec<Vec<usize>>; 2],
    /// How long the tests took, without the translations.
    pub time: Duration,
}

impl Round {
    /// The data of an automaton; none for the semantics.
    pub fn entry(&self, subject: Subject) -> Option<&Entry> {
        self.entries.get(subject.participant).map(|pair| &pair[subject.polarity.index()])
    }
}

/// The answer of a participant to the formula or its negation, and how large it is.
#[derive(Debug)]
pub struct Entry {
    /// The answer.
    pub translation: Translation,
    /// The measurements, if there is an automaton.
    pub sizes: Option<Sizes>,
}

impl Entry {
    /// Measures an answer.
    pub fn new(translation: Translation) -> Self {
        let sizes = translation.result.as_ref().ok().map(Sizes::of);
        Entry { translation, sizes }
    }

    /// The automaton, if there is one.
    pub fn automaton(&self) -> Option<&Automaton> {
        self.translation.result.as_ref().ok()
    }
}

/// How large an automaton is, and of what kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// States.
    pub states: usize,
    /// Edges, each with its label.
    pub edges: usize,
    /// Transitions: edges, once for each valuation that they read.
    pub transitions: u128,
    /// Acceptance marks.
    pub marks: u32,
    /// Whether each word has at most one run.
    pub deterministic: bool,
    /// Whether each state reads every letter.
    pub complete: bool,
    /// States with several edges for some letter.
    pub nondeterministic_states: usize,
    /// Strongly connected components that can be reached.
    pub sccs: usize,
    /// The number of SCCs of each strength, in the order of [`Strength::ALL`].
    pub strengths: [usize; 5],
    /// How large the products with the structures of the round are, in their order.
    pub products: Vec<ProductSizes>,
}

impl Sizes {
    /// The sizes of an automaton, without products.
    pub fn of(automaton: &Automaton) -> Self {
        let alphabet = automaton.alphabet();
        let strengths = Strengths::of(automaton);
        Sizes {
            states: automaton.state_count(),
            edges: automaton.edge_count(),
            transitions: automaton.edges().iter().map(|edge| alphabet.count(edge.label)).sum(),
            marks: automaton.acceptance().marks(),
            deterministic: automaton.is_deterministic(),
            complete: automaton.is_complete(),
            nondeterministic_states: automaton.nondeterministic_state_count(),
            sccs: strengths.sccs().len(),
            strengths: Strength::ALL.map(|strength| strengths.count(strength)),
            products: vec![],
        }
    }

    /// Returns the number of SCCs of this strength.
    pub fn of_strength(&self, strength: Strength) -> usize {
        let place = Strength::ALL.iter().position(|known| *known == strength);
        place.map_or(0, |place| self.strengths[place])
    }
}

/// The number of tests of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests with an answer.
    pub performed: usize,
    /// Those of them that failed.
    pub failed: usize,
    /// Tests without an answer.
    pub not_applicable: usize,
}

impl Tally {
    /// Counts one more test.
    pub fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Passed => self.performed += 1,
            Answer::Failed(_) => {
                self.performed += 1;
                self.failed += 1;
            }
            Answer::NotApplicable(_) => self.not_applicable += 1,
        }
    }

    /// All tests that were to be performed.
    pub fn scheduled(self) -> usize {
        self.performed + self.not_applicable
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.performed += other.performed;
        self.failed += other.failed;
        self.not_applicable += other.not_applicable;
    }
}

/// A [`Tally`] for each kind of test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallies([Tally; Test::ALL.len()]);

impl Tallies {
    /// The numbers of these outcomes.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let mut tallies = Tallies::default();
        outcomes.iter().for_each(|outcome| tallies[outcome.test].count(&outcome.answer));
        tallies
    }

    /// Each kind of test with its numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Test, Tally)> {
        Test::ALL.into_iter().zip(self.0)
    }
}

impl Index<Test> for Tallies {
    type Output = Tally;

    fn index(&self, test: Test) -> &Tally {
        &self.0[test as usize]
    }
}

impl IndexMut<Test> for Tallies {
    fn index_mut(&mut self, test: Test) -> &mut Tally {
        &mut self.0[test as usize]
    }
}
