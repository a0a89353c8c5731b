//! The results of a run, for programs and for browsers.
//!
//! A [`Row`] is what one participant did with one formula: the line of a CSV file, and an object
//! in JSON. [`FindingRecord`]s are what [`Finding`]s are, as data. [`html`] makes a page of
//! all of it that needs nothing else.

pub mod html;
mod plot;

use crate::{Finding, Mistake, Polarity, Round, Statistics, Test};
use sempre_automata::strength::Strength;
use serde::Serialize;
use std::io::{self, Write};

/// The result of a participant for a formula or its negation.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The number of the round.
    pub round: usize,
    /// The formula that was translated.
    pub formula: String,
    /// `+`, or `-` if it is the negation of the formula of the round.
    pub polarity: String,
    /// The participant.
    pub tool: String,
    /// `ok`, or what kind of failure there was.
    pub status: String,
    /// The details of the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether the automaton was found to be wrong.
    pub wrong: bool,
    /// How long the translation took; `None` if times are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The sizes of the automaton, if there is one.
    #[serde(flatten)]
    pub sizes: Option<RowSizes>,
}

/// The sizes of an automaton, and of its products with structures, summed up.
#[derive(Clone, Debug, Serialize)]
pub struct RowSizes {
    /// States.
    pub states: usize,
    /// Edges.
    pub edges: usize,
    /// Edges, once for each valuation.
    pub transitions: u64,
    /// Acceptance marks.
    pub marks: u32,
    /// Whether it is deterministic.
    pub deterministic: bool,
    /// Whether it is complete.
    pub complete: bool,
    /// States with a choice.
    pub nondeterministic_states: usize,
    /// Strongly connected components.
    pub sccs: usize,
    /// Those of them that are terminal.
    pub terminal_sccs: usize,
    /// Those of them that are weak.
    pub weak_sccs: usize,
    /// Those of them that are strong.
    pub strong_sccs: usize,
    /// States of products.
    pub product_states: usize,
    /// Transitions of products.
    pub product_transitions: usize,
    /// Components of products.
    pub product_sccs: usize,
}

impl Row {
    /// The rows of a round: each participant's for the formula, then those for the negation.
    pub fn of_round<'a>(
        round: &'a Round,
        names: &'a [String],
    ) -> impl Iterator<Item = Row> + Clone + use<'a> {
        Polarity::ALL.into_iter().flat_map(move |polarity| {
            let formula = polarity.of(&round.formula).to_string();
            let entries = round.entries.iter().zip(names).enumerate();
            entries.map(move |(participant, (pair, name))| {
                let entry = &pair[polarity.index()];
                let failure = entry.translation.result.as_ref().err();
                let wrong = round.findings.iter().filter_map(Finding::culprit);
                let is_this =
                    |it: &crate::Subject| it.participant == participant && it.polarity == polarity;
                Row {
                    round: round.number,
                    formula: formula.clone(),
                    polarity: polarity.to_string(),
                    tool: name.clone(),
                    status: failure.map_or("ok".to_owned(), |failure| failure.kind.to_string()),
                    message: failure.map(|failure| failure.message.clone()),
                    wrong: wrong.into_iter().any(|it| is_this(&it)),
                    seconds: Some(entry.translation.time.as_secs_f64()),
                    sizes: entry.sizes.as_ref().map(RowSizes::of),
                }
            })
        })
    }

    /// The titles of the columns of a CSV file.
    pub const TITLES: &str = "round,formula,polarity,tool,status,message,wrong,seconds,states,\
        edges,transitions,marks,deterministic,complete,nondeterministic_states,sccs,\
        terminal_sccs,weak_sccs,strong_sccs,product_states,product_transitions,product_sccs";

    /// Leaves out the time, which no two runs have in common.
    #[must_use]
    pub fn without_times(self) -> Self {
        Row { seconds: None, ..self }
    }

    /// Writes the row as a line of CSV.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        write!(
            out,
            "{},{},{},{},{},{},{},{}",
            self.round,
            quoted(&self.formula),
            self.polarity,
            quoted(&self.tool),
            self.status,
            self.message.as_deref().map(quoted).unwrap_or_default(),
            u8::from(self.wrong),
            self.seconds.map(|seconds| format!("{seconds:.6}")).unwrap_or_default(),
        )?;
        match &self.sizes {
            None => writeln!(out, "{}", ",".repeat(14)),
            Some(of) => writeln!(
                out,
                ",{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                of.states,
                of.edges,
                of.transitions,
                of.marks,
                u8::from(of.deterministic),
                u8::from(of.complete),
                of.nondeterministic_states,
                of.sccs,
                of.terminal_sccs,
                of.weak_sccs,
                of.strong_sccs,
                of.product_states,
                of.product_transitions,
                of.product_sccs,
            ),
        }
    }
}

/// A text as a field of CSV.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

impl RowSizes {
    /// The sizes of an automaton and its products.
    pub fn of(sizes: &crate::Sizes) -> Self {
        let product = |size: fn(&crate::ProductSizes) -> usize| -> usize {
            sizes.products.iter().map(size).sum()
        };
        RowSizes {
            states: sizes.states,
            edges: sizes.edges,
            transitions: u64::try_from(sizes.transitions).unwrap_or(u64::MAX),
            marks: sizes.marks,
            deterministic: sizes.deterministic,
            complete: sizes.complete,
            nondeterministic_states: sizes.nondeterministic_states,
            sccs: sizes.sccs,
            terminal_sccs: sizes.of_strength(Strength::Terminal),
            weak_sccs: sizes.of_strength(Strength::Weak),
            strong_sccs: sizes.of_strength(Strength::Strong),
            product_states: product(|of| of.states),
            product_transitions: product(|of| of.transitions),
            product_sccs: product(|of| of.sccs),
        }
    }
}

/// A [`Finding`] as data.
#[derive(Clone, Debug, Serialize)]
pub struct FindingRecord {
    /// The number of the round.
    pub round: usize,
    /// Its formula.
    pub formula: String,
    /// The test that failed.
    pub test: &'static str,
    /// The automata that were tested, such as `spin (+)`.
    pub tested: [String; 2],
    /// The participant whose automaton is wrong.
    pub culprit: Option<String>,
    /// `+`, or `-` for the automaton of the negation.
    pub polarity: Option<String>,
    /// `wrongly accepts`, `wrongly rejects` or `not as claimed`.
    pub mistake: Option<&'static str>,
    /// The word that it is wrong about.
    pub word: Option<String>,
    /// All of it, for people.
    pub explanation: String,
}

impl From<&Finding> for FindingRecord {
    fn from(finding: &Finding) -> Self {
        let culprit = finding.culprit();
        FindingRecord {
            round: finding.round,
            formula: finding.formula.to_string(),
            test: finding.test.name(),
            tested: finding
                .subjects
                .map(|subject| format!("{} ({})", finding.name(subject), subject.polarity)),
            culprit: culprit.map(|subject| finding.name(subject).to_owned()),
            polarity: culprit.map(|subject| subject.polarity.to_string()),
            mistake: finding.verdict.mistake().map(|mistake| match mistake {
                Mistake::WronglyAccepts => "wrongly accepts",
                Mistake::WronglyRejects => "wrongly rejects",
                Mistake::NotAsClaimed(_) => "not as claimed",
            }),
            word: finding.witness.as_ref().map(|witness| witness.word.to_string()),
            explanation: finding.to_string(),
        }
    }
}

/// A whole run.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The participants.
    pub tools: Vec<String>,
    /// The number of rounds.
    pub rounds: usize,
    /// The set-up, as TOML.
    pub configuration: String,
    /// The number of tests.
    pub tests: Vec<TestRecord>,
    /// The mean numbers of operators in the formulas.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<OperatorRecord>,
    /// The findings.
    pub findings: Vec<FindingRecord>,
    /// The results of participants.
    pub results: Vec<Row>,
}

/// The number of tests of a kind.
#[derive(Clone, Debug, Serialize)]
pub struct TestRecord {
    /// The test.
    pub test: &'static str,
    /// The number of tests with a result.
    pub performed: usize,
    /// The number of failed tests.
    pub failed: usize,
    /// The number of tests without a result.
    pub not_applicable: usize,
}

/// The mean number of an operator in a formula.
#[derive(Clone, Debug, Serialize)]
pub struct OperatorRecord {
    /// The operator, or kind of leaf.
    pub operator: &'static str,
    /// The mean over the formulas of the run.
    pub observed: f64,
    /// The mean of the distribution, if formulas are random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
}

impl Record {
    /// No rounds yet.
    pub fn new(tools: Vec<String>, configuration: String) -> Self {
        let (tests, operators, findings, results) = (vec![], vec![], vec![], vec![]);
        Record { tools, rounds: 0, configuration, tests, operators, findings, results }
    }

    /// Adds a round, with the texts of its findings and its rows.
    pub fn add(&mut self, findings: &[Finding], rows: impl IntoIterator<Item = Row>) {
        self.rounds += 1;
        self.findings.extend(findings.iter().map(FindingRecord::from));
        self.results.extend(rows);
    }

    /// Adds the numbers of tests and of operators.
    pub fn count(&mut self, statistics: &Statistics) {
        self.operators = statistics
            .operators()
            .map(|(op, observed, expected)| OperatorRecord {
                operator: op.name(),
                observed,
                expected,
            })
            .collect();
        self.tests = Test::ALL
            .into_iter()
            .map(|test| (test, statistics.tests()[test]))
            .filter(|(_, tally)| tally.scheduled() > 0)
            .map(|(test, tally)| TestRecord {
                test: test.name(),
                performed: tally.performed,
                failed: tally.failed,
                not_applicable: tally.not_applicable,
            })
            .collect();
    }
}
