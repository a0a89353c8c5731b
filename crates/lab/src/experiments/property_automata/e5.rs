//! E5: semi-deterministic and cut-deterministic automata of formulas (Tables 7.4 and 7.5).
//!
//! The formulas are the pattern sets `literature-*` and `random-*`. For each there are four ways:
//! one step (with generalized acceptance), two steps (through a Büchi automaton), both from a
//! generalized Büchi automaton; straight from the formula; and the best of all routes.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::statistics::grouped;
use crate::table::Table;
use anyhow::{Context, Result};
use sempre_automata::Automaton;
use sempre_automata::semi_determinize::{Route, SemiDeterminizer};
use sempre_ltl::Formula;
use sempre_ltl::generate::patterns::PatternSet;
use sempre_translate::semi_deterministic::{self, SemiDeterministicKind};
use sempre_translate::{Preference, Translator};

/// Repeats Tables 7.4 and 7.5.
#[derive(Debug)]
pub struct E5;

const SETS: [&str; 8] = [
    "random-det",
    "random-cd",
    "random-sd",
    "random-nd",
    "literature-det",
    "literature-cd",
    "literature-sd",
    "literature-nd",
];

const KINDS: [(&str, bool); 2] = [("semi", false), ("cut", true)];

const WAYS: [&str; 4] = ["one_step", "two_step", "direct", "best"];

const ABOUT: About = About {
    name: "property-automata/e5",
    summary: "Sizes of semi-deterministic and cut-deterministic automata of formulas",
    source: Source {
        document: DOCUMENT,
        place: "Section 7.9, Tables 7.4 and 7.5, with reductions",
    },
    parameters: &[parameter("formulas", "how many at most of each set", "10000", "2")],
    unit: &["kind", "set", "number"],
    values: &["formula", "one_step", "two_step", "direct", "best"],
};

/// The numbers of states, way by way; empty if a way finds none.
fn measure(formula: &Formula, cut_deterministic: bool) -> Vec<String> {
    let small = Translator::new().prefer(Preference::Deterministic).translate(formula);
    let way = SemiDeterminizer::new().cut_deterministic(cut_deterministic);
    let by = |route: Route| {
        let found = way.route(route).run(&small).ok()?;
        Some(way.reduce(&found).state_count())
    };
    let direct = semi_deterministic::limit_deterministic(formula);
    let direct = direct.iter().map(|found| way.reduce(found).state_count()).min();
    let wanted = SemiDeterministicKind { cut_deterministic, ..SemiDeterministicKind::default() };
    let other = Translator::new().translate(formula);
    let best: Automaton = semi_deterministic::translate(formula, wanted, &[small.clone(), other]);
    let shown = |states: Option<usize>| states.map(|states| states.to_string()).unwrap_or_default();
    let mut cells = vec![formula.to_string()];
    cells.extend([by(Route::Tgba), by(Route::Tba), direct, Some(best.state_count())].map(shown));
    cells
}

impl Experiment for E5 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let most = bench.settings().number("formulas")?;
        for (kind, cut) in KINDS {
            for set in SETS {
                let patterns = PatternSet::by_name(set).with_context(|| set.to_owned())?;
                for (number, formula) in patterns.formulas().take(most).enumerate() {
                    let key = cells![kind, set, number];
                    bench.row(&key, || Ok(measure(&formula, cut)))?;
                }
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let published = Table::parse(include_str!("tables-7.csv"), ',');
        let published = published.unwrap_or_else(|error| unreachable!("{error}"));
        let rows = record.rows();
        let sum = |kind: &str, set: &str, way: &str| -> f64 {
            let own = rows.rows().filter(|row| row.text("kind") == kind && row.text("set") == set);
            own.filter_map(|row| row.number(way)).sum()
        };
        let count = |kind: &str, set: &str| {
            rows.rows().filter(|row| row.text("kind") == kind && row.text("set") == set).count()
        };
        for ((kind, _), title) in KINDS.into_iter().zip([
            "Semi-deterministic automata (Table 7.4)",
            "Cut-deterministic automata (Table 7.5)",
        ]) {
            page.heading(title);
            page.paragraph(
                "Sums of states after reductions. Published figures are of all formulas of a set.",
            );
            let mut lines = vec![];
            for row in published.rows().filter(|row| row.text("kind") == kind) {
                let set = row.text("set");
                let mut line =
                    cells![set, format!("{} of {}", count(kind, set), row.text("formulas"))];
                let theirs = ["seminator", "two_step", "ltl2ldba", "nba2ldba"];
                line.extend(theirs.map(|column| grouped(row.text(column))));
                line.extend(WAYS.map(|way| grouped(&format!("{:.0}", sum(kind, set, way)))));
                lines.push(line);
            }
            let titles = [
                "set",
                ">formulas",
                ">Seminator",
                ">two steps",
                ">ltl2ldba",
                ">nba2ldba",
                ">our one step",
                ">our two steps",
                ">our direct",
                ">our best",
            ];
            page.table(&titles, &lines);
        }
        let series = ["det", "cd", "sd", "nd"].map(|sort| {
            let own = rows.rows().filter(|row| row.text("set").ends_with(&format!("-{sort}")));
            let point =
                |row: crate::table::Row<'_>| Some((row.number("one_step")?, row.number("direct")?));
            Series { name: sort.to_owned(), points: own.filter_map(point).collect() }
        });
        page.figure(
            "one-step-direct.svg",
            "States by semi-determinization and straight from the formula, by type of the input",
            scatter(("one step", "direct"), &series),
        );
        conclusions(&mut page, &sum, &count);
        let all: usize =
            KINDS.iter().map(|(kind, _)| SETS.map(|s| count(kind, s)).iter().sum::<usize>()).sum();
        page.coverage(format!("{all} of 1242"), "all formulas of each set in their order");
        page
    }
}

/// The observations of the document.
fn conclusions(
    page: &mut Page,
    sum: &dyn Fn(&str, &str, &str) -> f64,
    count: &dyn Fn(&str, &str) -> usize,
) {
    let total = |kind: &str, sets: &[&str], way: &str| -> f64 {
        sets.iter().map(|set| sum(kind, set, way)).sum()
    };
    let cases = |kind: &str, sets: &[&str]| sets.iter().map(|set| count(kind, set)).sum::<usize>();
    let easy = ["random-det", "random-cd", "random-sd", "literature-det", "literature-cd"];
    let hard = ["random-nd", "literature-nd"];
    let compared = |kind: &str, sets: &[&str], left: &str, right: &str| {
        let (l, r) = (total(kind, sets, left), total(kind, sets, right));
        (l < r, format!("{l:.0} and {r:.0} states"))
    };
    let (holds, figure) = compared("semi", &easy, "one_step", "direct");
    let sample = Sample { cases: cases("semi", &easy), least: 300 };
    let claim = "If the automaton is semi-deterministic already, semi-determinization wins";
    page.conclude(claim, Some(holds), sample, figure);
    let (holds, figure) = compared("cut", &hard, "direct", "one_step");
    let sample = Sample { cases: cases("cut", &hard), least: 100 };
    let claim = "On other formulas, automata straight from the formula are smaller if they are to be \
                 cut-deterministic";
    page.conclude(claim, Some(holds), sample, figure);
    let (_, figure) = compared("semi", &hard, "one_step", "two_step");
    let (one, two) = (total("semi", &hard, "one_step"), total("semi", &hard, "two_step"));
    let sample = Sample { cases: cases("semi", &hard), least: 100 };
    let claim = "One step gains little over two steps (below a tenth of the states)";
    page.conclude(claim, Some(one <= two && one * 10.0 >= two * 9.0), sample, figure);
    page.leave_open("nba2ldba is clearly worse", "there is no such construction here");
    page.leave_open("reductions matter", "only reduced automata are measured");
}
