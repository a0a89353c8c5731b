//! A comparison: the participants, the tests and the rounds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sempre_automata::{Automaton, Kripke};
use sempre_ltl::Formula;

use crate::analysis::{self, Finding};
use crate::checks::{self, Answer, Answers, Material, Outcome, Test};
use crate::participant::{Limits, Participant};
use crate::round::{Entry, Round, Tallies};
use crate::structures::Structures;
use crate::subject::{Polarity, Subject};

/// The tests to run, and their limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tests {
    /// Test 1.
    pub intersection: bool,
    /// Test 2.
    pub universality: bool,
    /// Test 3.
    pub comparison: bool,
    /// Test 4.
    pub consistency: bool,
    /// The complements of deterministic automata.
    pub complement: bool,
    /// The claimed properties of automata.
    pub claims: bool,
    /// How many macrostates of a complement may be looked at for one test. Automata that have more
    /// than an eighth as many states, and are not deterministic, are not complemented.
    pub macrostates: usize,
    /// How long each test may take.
    pub time: Option<Duration>,
}

impl Default for Tests {
    /// All of them.
    fn default() -> Self {
        Tests {
            intersection: true,
            universality: true,
            comparison: true,
            consistency: true,
            complement: true,
            claims: true,
            macrostates: 1 << 10,
            time: None,
        }
    }
}

impl Tests {
    /// No tests: participants are only measured.
    pub fn none() -> Self {
        Tests {
            intersection: false,
            universality: false,
            comparison: false,
            consistency: false,
            complement: false,
            claims: false,
            ..Tests::default()
        }
    }

    /// Only this test, at the same cost.
    #[must_use]
    pub fn only(&self, test: Test) -> Self {
        Tests {
            intersection: test == Test::Intersection,
            universality: test == Test::Universality,
            comparison: test == Test::Comparison,
            consistency: test == Test::Consistency,
            complement: test == Test::Complement,
            claims: test == Test::Claims,
            ..*self
        }
    }

    /// Whether a test is performed.
    pub fn includes(&self, test: Test) -> bool {
        match test {
            Test::Intersection => self.intersection,
            Test::Universality => self.universality,
            Test::Comparison => self.comparison,
            Test::Consistency => self.consistency,
            Test::Complement => self.complement,
            Test::Claims => self.claims,
        }
    }

    /// Whether there have to be structures: for tests on them, and to measure products if there are
    /// no tests.
    pub fn need_structures(&self) -> bool {
        let measures_only = Test::ALL.into_iter().all(|test| !self.includes(test));
        self.comparison || self.consistency || measures_only
    }
}

/// Participants, and how they are compared.
///
/// Rounds do not depend on each other, so that they can be performed in any order, and by several
/// threads.
///
/// ```
/// use sempre_automata::Automaton;
/// use sempre_cross::{Failure, Limits, Participant, Session, Test, Tool};
/// use sempre_ltl::Formula;
///
/// struct Method(fn(&Formula) -> Automaton);
///
/// impl Tool for Method {
///     fn translate(&self, formula: &Formula, _: &Limits) -> Result<Automaton, Failure> {
///         Ok(self.0(formula))
///     }
/// }
///
/// let session = Session::new(vec![
///     Participant::new("classic", Method(sempre_translate::classic::translate)),
///     Participant::new("tableau", Method(sempre_translate::tableau::translate)),
/// ]);
/// let round = session.round(1, &"G(a -> F b)".parse()?);
/// assert!(round.findings.is_empty());
/// assert_eq!(round.performed[Test::Intersection].performed, 4);
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
pub struct Session {
    participants: Vec<Participant>,
    /// Their names, and that of the semantics.
    names: Arc<[String]>,
    tests: Tests,
    limits: Limits,
    structures: Structures,
}

impl Session {
    /// A comparison of these participants with all tests, without limits, on the structures of
    /// the report.
    pub fn new(participants: Vec<Participant>) -> Self {
        let names = participants.iter().map(|participant| participant.name.clone());
        let names = names.chain(["semantics".to_owned()]).collect();
        Session {
            participants,
            names,
            tests: Tests::default(),
            limits: Limits::default(),
            structures: Structures::default(),
        }
    }

    /// Sets which tests are performed.
    #[must_use]
    pub fn tests(mut self, tests: Tests) -> Self {
        self.tests = tests;
        self
    }

    /// Sets how much one translation may take.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how structures are made.
    #[must_use]
    pub fn structures(mut self, structures: Structures) -> Self {
        self.structures = structures;
        self
    }

    /// Who takes part.
    pub fn participants(&self) -> &[Participant] {
        &self.participants
    }

    /// The names of the participants, and after them that of the semantics of the logic.
    pub fn names(&self) -> &Arc<[String]> {
        &self.names
    }

    /// Translates a formula and its negation by all participants, and performs all tests.
    pub fn round(&self, number: usize, formula: &Formula) -> Round {
        let translate = |participant: &Participant| {
            Polarity::ALL
                .map(|polarity| participant.translate(&polarity.of(formula), &self.limits))
                .map(Entry::new)
        };
        let entries: Vec<[Entry; 2]> = self.participants.iter().map(translate).collect();
        let (structures, no_structures) = match self.tests.need_structures() {
            true => match self.structures.of_round(number, formula) {
                Ok(structures) => (structures, None),
                Err(error) => (vec![], Some(error.to_string())),
            },
            false => (vec![], None),
        };
        let mut round = self.judge(number, formula, entries, structures);
        round.no_structures = no_structures;
        round
    }

    /// The outcome of one test for some of the participants, on a formula and structures.
    pub(crate) fn examine(
        &self,
        number: usize,
        formula: &Formula,
        test: Test,
        participants: &[usize],
        structures: Vec<Kripke>,
    ) -> Vec<Finding> {
        let tests = self.tests.only(test);
        let translate = |(number, participant): (usize, &Participant)| {
            Polarity::ALL.map(|polarity| {
                let involved = participants.contains(&number);
                let formula = polarity.of(formula);
                involved.then(|| participant.translate(&formula, &self.limits).result.ok())?
            })
        };
        let automata: Vec<[Option<Automaton>; 2]> =
            self.participants.iter().enumerate().map(translate).collect();
        let automata = automata.iter().map(|pair| pair.each_ref().map(Option::as_ref));
        let material = self.material(formula, automata, &structures, &tests);
        let outcomes = outcomes(&material, &mut []);
        analysis::findings(&material, &outcomes, &self.names, number)
    }

    fn material<'a, 'b>(
        &self,
        formula: &'a Formula,
        automata: impl Iterator<Item = [Option<&'b Automaton>; 2]> + Clone,
        structures: &'a [Kripke],
        tests: &'a Tests,
    ) -> Material<'a> {
        Material {
            formula,
            automata: checks::over_one_alphabet(formula, automata),
            claims: self.participants.iter().map(|participant| participant.claims).collect(),
            references: self.participants.iter().map(|p| p.reference).collect(),
            structures,
            scope: self.structures.scope,
            tests,
        }
    }

    /// Performs all tests on these automata.
    fn judge(
        &self,
        number: usize,
        formula: &Formula,
        mut entries: Vec<[Entry; 2]>,
        structures: Vec<Kripke>,
    ) -> Round {
        let start = Instant::now();
        let automata = entries.iter().map(|pair| pair.each_ref().map(Entry::automaton));
        let material = self.material(formula, automata, &structures, &self.tests);
        let outcomes = outcomes(&material, &mut entries);
        let findings = analysis::findings(&material, &outcomes, &self.names, number);
        let groups = groups(&material.automata, &outcomes);
        Round {
            number,
            formula: formula.clone(),
            performed: Tallies::of(&outcomes),
            entries,
            outcomes,
            findings,
            groups,
            structures,
            no_structures: None,
            time: start.elapsed(),
        }
    }
}

/// Performs all tests, and notes the sizes of products.
fn outcomes(material: &Material<'_>, entries: &mut [[Entry; 2]]) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = vec![];
    if material.tests.intersection {
        outcomes.extend(checks::intersection(material));
    }
    if material.tests.universality {
        let universality = checks::universality(material, &outcomes);
        outcomes.extend(universality);
    }
    if material.tests.complement {
        outcomes.extend(checks::complement(material));
    }
    if material.tests.claims {
        outcomes.extend(checks::claims(material));
    }
    for number in 0..material.structures.len() {
        let answers = Answers::on(material, number);
        for (participant, pair) in entries.iter_mut().enumerate() {
            for (polarity, entry) in Polarity::ALL.into_iter().zip(pair) {
                let answer = answers.of(Subject::new(participant, polarity));
                if let (Some(sizes), Some(answer)) = (&mut entry.sizes, answer) {
                    sizes.products.push(answer.sizes);
                }
            }
        }
        if material.tests.comparison {
            outcomes.extend(checks::comparison(material, &answers));
        }
        if material.tests.consistency {
            outcomes.extend(checks::consistency(material, &answers));
        }
    }
    outcomes
}

/// The participants grouped by the languages of their automata, as far as the outcomes show.
fn groups(automata: &[[Option<Automaton>; 2]], outcomes: &[Outcome]) -> [Vec<Vec<usize>>; 2] {
    Polarity::ALL.map(|polarity| {
        let differ = |left: usize, right: usize| {
            outcomes.iter().any(|outcome| {
                let compares = matches!(outcome.test, Test::Comparison | Test::Complement);
                let pair = outcome.subjects.map(|subject| subject.participant);
                compares
                    && outcome.subjects[0].polarity == polarity
                    && (pair == [left, right] || pair == [right, left])
                    && matches!(outcome.answer, Answer::Failed(_))
            })
        };
        let mut groups: Vec<Vec<usize>> = vec![];
        for (participant, pair) in automata.iter().enumerate() {
            if pair[polarity.index()].is_none() {
                continue;
            }
            match groups.iter_mut().find(|group| !group.iter().any(|&o| differ(o, participant))) {
                Some(group) => group.push(participant),
                None => groups.push(vec![participant]),
            }
        }
        groups
    })
}
