//! E5: the error that the report found in Spin 3.4.1 (Appendix D).
//!
//! The version is historical. A construction with a deliberate fault makes the same error: the
//! initial state cannot fulfil the until immediately.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Parameter, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::table::{Row, Table};
use anyhow::{Result, anyhow};
use sempre_automata::membership;
use sempre_cross::faults::Fault;
use sempre_cross::{
    Limits, Participant, Session, Statistics, Structures, Test, Tests, smaller_formulas,
};
use sempre_ltl::semantics::{holds, restricted};
use sempre_ltl::{Formula, Word};
use std::time::Duration;

/// Repeats E5.
#[derive(Debug)]
pub struct E5;

/// The formula of the report, the simpler one with the same automaton, and an equivalent one whose
/// automaton is another.
const FORMULAS: [(&str, &str); 3] = [
    ("found", "G G (p4 & (p2 U (!!p3 & F p4)))"),
    ("simplified", "G (p4 & (p2 U (p3 & F p4)))"),
    ("equivalent", "G (p4 & (p2 U p3))"),
];

/// The word of the report.
const WITNESS: &str = "cycle{p3 & p4}";

/// The participants: right ones, the fault, and the installed Spin.
const PARTICIPANTS: [&str; 7] =
    ["classic", "gpvw+", "ltl2aut", "tableau", "alternating", "fault:redundant-until", "spin"];

/// The faulty one.
const FAULTY: &str = "fault:redundant-until";

/// The tests of the report.
const TESTS: [Test; 3] = [Test::Intersection, Test::Comparison, Test::Consistency];

impl Experiment for E5 {
    fn about(&self) -> About {
        About {
            name: "translator-testing/e5",
            summary: "The error that was found in Spin 3.4.1, reproduced by a fault",
            source: Source { document: DOCUMENT, place: "Section 6.3 and Appendix D" },
            parameters: const {
                &[
                    parameter("structures", "on which the formula is tested", "1000", "30"),
                    parameter("seed", "of structures", "0", "0"),
                ] as &[Parameter]
            },
            unit: &["part", "formula", "subject"],
            values: &["states", "accepts", "performed", "failed", "local"],
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let (count, seed) = (settings.number("structures")?, settings.number("seed")?);
        let word: Word = WITNESS.parse()?;
        for (name, text) in FORMULAS {
            let formula: Formula = text.parse()?;
            bench.row(&["witness", name, "semantics"], || {
                let agree = holds(&formula, &word) == restricted::holds(&formula, &word);
                anyhow::ensure!(agree, "two evaluations differ");
                Ok(cells!["", u8::from(holds(&formula, &word)), "", "", ""])
            })?;
            for participant in PARTICIPANTS {
                bench.row(&["witness", name, participant], || {
                    accepts(participant, &formula, &word)
                })?;
            }
        }
        let (_, found) = FORMULAS[0];
        let formula: Formula = found.parse()?;
        let session = session(seed)?;
        let mut statistics = Statistics::new(&session);
        let missing = TESTS.iter().any(|test| !bench.has(&["tests", "found", test.name()]));
        for number in 1..=if missing { count } else { 0 } {
            bench.require_budget()?;
            statistics.add(&session.round(number, &formula));
        }
        for test in TESTS {
            bench.row(&["tests", "found", test.name()], || {
                let pair = statistics.pair(0, 1);
                let (tally, local) = match test {
                    Test::Consistency => (statistics.consistency(1), String::new()),
                    Test::Comparison => (pair.tests(test), pair.local.to_string()),
                    _ => (pair.tests(test), String::new()),
                };
                Ok(cells!["", "", tally.performed, tally.failed, local])
            })?;
        }
        bench.row(&["shrunk", "found", FAULTY], || {
            let small = smallest(&formula, &word)?;
            Ok(cells![small.size(), "", formula.size(), "", ""])
        })
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

fn named(name: &str) -> Result<Participant> {
    sempre_cross::participant(name, false).map_err(|error| anyhow!(error.message))
}

fn session(seed: u64) -> Result<Session> {
    let tests = Tests { intersection: true, comparison: true, consistency: true, ..Tests::none() };
    let participants = vec![named("classic")?, named(FAULTY)?];
    let structures = Structures { seed, ..Structures::default() };
    Ok(Session::new(participants).tests(tests).structures(structures))
}

/// Returns the row of a participant: the states of its automaton, and whether it accepts the word.
fn accepts(name: &str, formula: &Formula, word: &Word) -> Result<Vec<String>> {
    let participant = named(name)?;
    if participant.tool.ready().is_err() {
        return Ok(vec![String::new(); 5]);
    }
    let limits = Limits { time: Some(Duration::from_secs(60)), memory: None };
    let automaton = participant.translate(formula, &limits).result?;
    let accepts = u8::from(membership::accepts(&automaton, word));
    Ok(cells![automaton.state_count(), accepts, "", "", ""])
}

/// Returns a formula that no single step makes smaller as long as the faulty automaton rejects the
/// word and the formula holds on it.
fn smallest(formula: &Formula, word: &Word) -> Result<Formula> {
    let errs = |formula: &Formula| {
        let automaton = Fault::RedundantUntil.participant().translate(formula, &Limits::default());
        automaton.result.is_ok_and(|a| holds(formula, word) && !membership::accepts(&a, word))
    };
    anyhow::ensure!(errs(formula), "the fault is not there");
    let mut best = formula.clone();
    while let Some(smaller) = smaller_formulas(&best).into_iter().find(|f| errs(f)) {
        best = smaller;
    }
    Ok(best)
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let rows = record.rows();
    let row = |part: &str, formula: &str, subject: &str| {
        rows.find(&[("part", part), ("formula", formula), ("subject", subject)])
    };
    page.heading("The witness");
    page.paragraph(&format!(
        "Does the automaton accept `{WITNESS}`, with its number of states? The formulas are {}.",
        FORMULAS.map(|(name, text)| format!("{name}: `{text}`")).join("; ")
    ));
    let answer = |row: Option<Row<'_>>| match row.as_ref().map(|row| row.text("accepts")) {
        Some("1") => format!("yes, {}", row.as_ref().map_or("", |row| row.text("states"))),
        Some("0") => format!("no, {}", row.as_ref().map_or("", |row| row.text("states"))),
        _ => "–".to_owned(),
    };
    let subjects = ["semantics"].into_iter().chain(PARTICIPANTS);
    let lines: Vec<Vec<String>> = subjects
        .map(|subject| {
            let cells = FORMULAS.map(|(name, _)| answer(row("witness", name, subject)));
            let cells = cells.map(|cell| cell.trim_end_matches(", ").to_owned());
            [subject.to_owned()].into_iter().chain(cells).collect()
        })
        .collect();
    let titles = FORMULAS.map(|(name, _)| name);
    page.table(&[["translator"].as_slice(), &titles].concat(), &lines);
    page.heading("The tests");
    page.paragraph(
        "The fault against `classic`, on random structures as in the report, all for the formula that \
         was found. Published are the failures on a single structure.",
    );
    let published = Table::parse(include_str!("appendix-d.csv"), ',').unwrap_or_default();
    let number = |test: Test, column: &str| row("tests", "found", test.name())?.number(column);
    let lines: Vec<Vec<String>> = TESTS
        .iter()
        .map(|test| {
            let theirs = published.find(&[("test", test.name())]);
            let theirs =
                |column: &str| theirs.as_ref().map_or("", |row| row.text(column)).to_owned();
            let row = row("tests", "found", test.name());
            let ours = |column: &str| row.as_ref().map_or("", |row| row.text(column)).to_owned();
            cells![
                test.name(),
                theirs("failed"),
                theirs("local"),
                ours("failed"),
                ours("local"),
                ours("performed")
            ]
        })
        .collect();
    page.table(
        &[
            "test",
            ">published",
            ">at the initial state",
            ">ours",
            ">at the initial state",
            ">tests",
        ],
        &lines,
    );
    conclusions(&mut page, record, &number);
    page.coverage(
        format!(
            "3 of the 3 formulas, {} structures (published: one)",
            record.settings().text("structures")
        ),
        "the formulas and the word of the report; random structures from the seed",
    );
    page
}

fn conclusions(page: &mut Page, record: &Record, number: &dyn Fn(Test, &str) -> Option<f64>) {
    let accepted = |formula: &str, subject: &str| {
        let key = [("part", "witness"), ("formula", formula), ("subject", subject)];
        record.rows().find(&key)?.number("accepts").map(|accepts| accepts == 1.0)
    };
    let three = Sample { cases: 3, least: 3 };
    let all = |subject: &str| -> Option<bool> {
        FORMULAS
            .iter()
            .map(|(name, _)| accepted(name, subject))
            .collect::<Option<Vec<bool>>>()
            .map(|all| all.iter().all(|accepts| *accepts))
    };
    page.conclude(
        "The three formulas hold on the witness",
        all("semantics"),
        three,
        "by two evaluations of the semantics",
    );
    let right = PARTICIPANTS.iter().filter(|name| !["spin", FAULTY].contains(name));
    let right: Option<Vec<bool>> = right.map(|name| all(name)).collect();
    page.conclude(
        "Correct translators accept it",
        right.map(|all| all.iter().all(|accepts| *accepts)),
        three,
        "`classic`, `gpvw+`, `ltl2aut`, `tableau`, `alternating`",
    );
    page.conclude("Later versions of Spin accept it", all("spin"), three, "the installed Spin");
    let found = ["found", "simplified"].map(|formula| accepted(formula, FAULTY));
    page.conclude(
        "The error needs redundancy: the first two formulas have the wrong automaton, the equivalent \
         one does not",
        found[0].zip(found[1]).zip(accepted("equivalent", FAULTY)).map(
            |((one, two), equivalent)| !one && !two && equivalent,
        ),
        three,
        "with the fault",
    );
    let failed = |test: Test| number(test, "failed");
    let structures = number(Test::Comparison, "performed").unwrap_or(0.0) as usize;
    let sample = Sample { cases: structures, least: 200 };
    page.conclude(
        "Test 3 finds the error, Test 1 does not, and Test 4 rarely does",
        failed(Test::Comparison)
            .zip(failed(Test::Intersection))
            .zip(failed(Test::Consistency))
            .map(|((three, one), four)| three > 0.0 && one == 0.0 && 10.0 * four < three),
        sample,
        TESTS
            .map(|test| {
                let failed = failed(test).map_or("–".to_owned(), |count| format!("{count:.0}"));
                format!("{}: {failed}", test.name())
            })
            .join(", "),
    );
    let local = number(Test::Comparison, "local");
    page.conclude(
        "It is found rather when all states are compared than at the initial state",
        failed(Test::Comparison).zip(local).map(|(all, local)| all > 2.0 * local),
        sample,
        format!(
            "{} at some state, {} at the initial state",
            failed(Test::Comparison).unwrap_or(0.0),
            local.unwrap_or(0.0)
        ),
    );
    let key = [("part", "shrunk"), ("formula", "found"), ("subject", FAULTY)];
    let shrunk = record.rows().find(&key).and_then(|row| row.number("states"));
    page.conclude(
        "The formula can be simplified to 9 nodes with the same error",
        shrunk.map(|size| size <= 9.0),
        Sample { cases: 1, least: 1 },
        format!("shrinking gives {} nodes", shrunk.unwrap_or(0.0)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_case_of_the_report_is_reproduced() {
        let word: Word = WITNESS.parse().unwrap();
        let [found, simplified, equivalent] =
            FORMULAS.map(|(_, text)| text.parse::<Formula>().unwrap());
        assert_eq!((found.size(), simplified.size()), (12, 9));
        let answer =
            |name: &str, formula: &Formula| accepts(name, formula, &word).unwrap()[1].clone();
        for formula in [&found, &simplified, &equivalent] {
            assert!(holds(formula, &word));
            assert_eq!(answer("classic", formula), "1");
        }
        let wrong = [&found, &simplified, &equivalent].map(|formula| answer(FAULTY, formula));
        assert_eq!(wrong, ["0", "0", "1"]);
        assert!(smallest(&found, &word).unwrap().size() <= 9);
    }
}
