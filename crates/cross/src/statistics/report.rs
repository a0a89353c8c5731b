//! The tables of a final report.

use std::collections::BTreeSet;
use std::fmt;

use super::table::Table;
use super::{Statistics, ratio};
use crate::checks::{Obstacle, Test};
use crate::participant::FailureKind;
use crate::subject::Polarity;

impl fmt::Display for Statistics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(out, true)
    }
}

impl Statistics {
    /// The report without any times: the same for the same formulas, participants and seeds.
    pub fn without_times(&self) -> impl fmt::Display + '_ {
        struct WithoutTimes<'a>(&'a Statistics);

        impl fmt::Display for WithoutTimes<'_> {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(out, false)
            }
        }

        WithoutTimes(self)
    }

    fn write(&self, out: &mut fmt::Formatter<'_>, times: bool) -> fmt::Result {
        writeln!(out, "Automata, means over {} formulas and their negations:", self.rounds)?;
        write!(out, "{}", self.sizes(times))?;
        if let Some(failures) = self.failures() {
            write!(out, "\nFormulas without an automaton:\n{failures}")?;
        }
        write!(out, "\nTests:\n{}", self.test_numbers())?;
        for (title, cell) in Self::MATRICES {
            if let Some(matrix) = self.matrix(*cell) {
                write!(out, "\n{title}:\n{matrix}")?;
            }
        }
        if let Some(consistency) = self.inconsistencies() {
            write!(out, "\nFailures of the consistency test:\n{consistency}")?;
        }
        if let Some(mistakes) = self.wrong_automata() {
            write!(out, "\nWrong automata:\n{mistakes}")?;
        }
        write!(out, "\nOperators in a formula, means:\n{}", self.operator_numbers())?;
        if self.contradictions > 0 {
            let count = self.contradictions;
            writeln!(out, "\n{count} failures did not stand up to a second look.")?;
        }
        Ok(())
    }

    fn participants(&self) -> impl Iterator<Item = (usize, &str)> {
        self.names.iter().map(String::as_str).enumerate().take(self.translations.len())
    }

    fn sizes(&self, times: bool) -> Table {
        let headings = [
            "",
            "",
            "automata",
            "states",
            "edges",
            "transitions",
            "marks",
            "det.",
            "complete",
            "product",
            "its edges",
            "ms",
        ];
        let shown = headings.len() - usize::from(!times);
        let mut table = Table::new(headings[..shown].iter().copied());
        for (participant, name) in self.participants() {
            for polarity in Polarity::ALL {
                let of = &self.translations[participant][polarity.index()];
                let share = |count| format!("{:.0}%", 100.0 * of.mean(count));
                let product = |sum: usize| format!("{:.1}", ratio(sum as f64, of.products));
                let milliseconds = ratio(of.time.as_secs_f64() * 1000.0, of.attempted);
                let cells = [
                    if polarity == Polarity::Positive { name.to_owned() } else { String::new() },
                    polarity.to_string(),
                    of.generated.to_string(),
                    format!("{:.2}", of.mean(of.states)),
                    format!("{:.2}", of.mean(of.edges)),
                    format!("{:.1}", ratio(of.transitions as f64, of.generated)),
                    format!("{:.2}", of.mean(of.marks)),
                    share(of.deterministic),
                    share(of.complete),
                    product(of.product_states),
                    product(of.product_transitions),
                    format!("{milliseconds:.3}"),
                ];
                table.row(cells.into_iter().take(shown));
            }
        }
        table
    }

    fn failures(&self) -> Option<Table> {
        let kinds: BTreeSet<FailureKind> =
            self.translations.iter().flatten().flat_map(|of| of.failures.keys().copied()).collect();
        if kinds.is_empty() {
            return None;
        }
        let headings = kinds.iter().map(ToString::to_string);
        let headings = [String::new()].into_iter().chain(headings).chain(["attempts".to_owned()]);
        let mut table = Table::new(headings);
        for (participant, name) in self.participants() {
            let both = &self.translations[participant];
            let count = |kind: &FailureKind| -> usize {
                both.iter().filter_map(|of| of.failures.get(kind)).sum()
            };
            let attempts: usize = both.iter().map(|of| of.attempted).sum();
            let cells = kinds.iter().map(|kind| count(kind).to_string());
            let cells = [name.to_owned()].into_iter().chain(cells).chain([attempts.to_string()]);
            table.row(cells);
        }
        Some(table)
    }

    fn test_numbers(&self) -> Table {
        let headings = ["", "performed", "failed", "no automaton", "too expensive"];
        let mut table = Table::new(headings);
        for (test, tally) in self.tests.iter().filter(|(_, tally)| tally.scheduled() > 0) {
            let obstacle = |obstacle: Obstacle| {
                self.obstacles.get(&(test, obstacle)).copied().unwrap_or(0).to_string()
            };
            table.row([
                test.to_string(),
                tally.performed.to_string(),
                tally.failed.to_string(),
                obstacle(Obstacle::NoAutomaton),
                obstacle(Obstacle::Budget),
            ]);
        }
        table
    }

    const MATRICES: &[(&str, Cell)] = &[
        (
            "Failures by pairs: intersection / comparison (at the initial state) / automata wrong",
            |of, left, right| {
                let pair = of.pair(left, right);
                let [one, three] =
                    [Test::Intersection, Test::Comparison].map(|test| pair.tests(test).failed);
                (one + three > 0).then(|| match left == right {
                    true => format!("{one}/-/{}", pair.wrong),
                    false => format!("{one}/{three}({})/{}", pair.local, pair.wrong),
                })
            },
        ),
        ("Failures of the universality test by pairs", |of, left, right| {
            let failed = of.pair(left, right).tests(Test::Universality).failed;
            (failed > 0).then(|| failed.to_string())
        }),
        ("Failures of the complement test by pairs", |of, left, right| {
            let failed = of.pair(left, right).tests(Test::Complement).failed;
            (failed > 0).then(|| failed.to_string())
        }),
    ];

    /// The cells of all pairs, unless all are empty.
    fn matrix(&self, cell: Cell) -> Option<Table> {
        let all = 0..self.names.len();
        let pairs = all.clone().flat_map(|right| (0..=right).map(move |left| (left, right)));
        if !pairs.clone().any(|(left, right)| cell(self, left, right).is_some()) {
            return None;
        }
        // The semantics has no row if it did not take part.
        let used = |one: &usize| {
            *one < self.translations.len()
                || all.clone().any(|other| cell(self, *one, other).is_some())
        };
        let shown: Vec<usize> = all.clone().filter(used).collect();
        let headings = shown.iter().map(|&one| self.names[one].clone());
        let mut table = Table::new([String::new()].into_iter().chain(headings));
        for &row in &shown {
            let cells = shown.iter().map(|&column| match column <= row {
                true => cell(self, column, row).unwrap_or_else(|| "0".to_owned()),
                false => String::new(),
            });
            table.row([self.names[row].clone()].into_iter().chain(cells));
        }
        Some(table)
    }

    fn inconsistencies(&self) -> Option<Table> {
        if self.consistency.iter().all(|tally| tally.failed == 0) {
            return None;
        }
        let mut table = Table::new(["", "failed", "performed"]);
        for (participant, name) in self.participants() {
            let tally = self.consistency[participant];
            table.row([name.to_owned(), tally.failed.to_string(), tally.performed.to_string()]);
        }
        Some(table)
    }

    fn operator_numbers(&self) -> Table {
        let columns = if self.expected.is_empty() { 2 } else { 3 };
        let mut table = Table::new(["", "observed", "expected"].into_iter().take(columns));
        for (op, observed, expected) in self.operators() {
            let shown = |mean: f64| format!("{mean:.3}");
            let expected = expected.map(shown).unwrap_or_default();
            let cells = [op.name().to_owned(), shown(observed), expected];
            table.row(cells.into_iter().take(columns));
        }
        table
    }

    fn wrong_automata(&self) -> Option<Table> {
        if self.mistakes.is_empty() {
            return None;
        }
        let mut table = Table::new(["", "how", "automata"]);
        for ((participant, mistake), count) in &self.mistakes {
            table.row([self.names[*participant].as_str(), mistake, &count.to_string()]);
        }
        Some(table)
    }
}

/// The cell of a matrix for a pair, if it is not empty.
type Cell = fn(&Statistics, usize, usize) -> Option<String>;
