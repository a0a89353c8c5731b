//! E5: semi-deterministic and cut-deterministic automata of formulas (Tables 7.4 and 7.5).
//!
//! The formulas are the pattern sets `literature-*` and `random-*`. The first three ways begin with
//! the automaton of a formula, and semi-determinize it as published, with B empty after breakpoints:
//! as it is, with marks on edges for Büchi acceptance, and with marks on states. The fourth goes
//! straight from the formula. Each way is measured before and after reductions. The last one is the
//! best of all routes.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::statistics::{grouped, rounded};
use crate::table::{Row, Table};
use anyhow::{Context, Result};
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::semi_determinize::{Reset, Route, SemiDeterminizer};
use sempre_automata::{Automaton, convert};
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

/// Our ways, before and after reductions, each with the published tool that does the same.
const WAYS: [[&str; 3]; 4] = [
    ["one_step_raw", "one_step", "seminator"],
    ["two_step_raw", "two_step", "two_step"],
    ["direct_raw", "direct", "ltl2ldba"],
    ["states_raw", "states", "nba2ldba"],
];

const ABOUT: About = About {
    name: "property-automata/e5",
    summary: "Sizes of semi-deterministic and cut-deterministic automata of formulas",
    source: Source { document: DOCUMENT, place: "Section 7.9, Tables 7.4 and 7.5, Figure 7.10" },
    parameters: &[parameter("formulas", "how many at most of each set", "10000", "2")],
    unit: &["kind", "set", "number"],
    values: &[
        "formula",
        "one_step_raw",
        "one_step",
        "two_step_raw",
        "two_step",
        "direct_raw",
        "direct",
        "states_raw",
        "states",
        "best",
    ],
};

/// The numbers of states, way by way; empty if a way finds none.
fn measure(formula: &Formula, cut_deterministic: bool) -> Vec<String> {
    let small = Translator::new().prefer(Preference::Deterministic).translate(formula);
    let way = SemiDeterminizer::new().cut_deterministic(cut_deterministic);
    // As the version behind the tables: cuts at the highest mark, or at the first one.
    let last = small.acceptance().marks().saturating_sub(1);
    let published = way.route(Route::Tgba).reset(Reset::Empty);
    let published = published.cut_mark(if cut_deterministic { 0 } else { last });
    let from = |start: &Automaton| {
        [false, true].map(|reductions| {
            let found = published.reductions(reductions).run(start).ok()?;
            let found = if reductions { way.reduce(&found) } else { found };
            Some(found.state_count())
        })
    };
    let generalized = convert::to_generalized_buchi(&small);
    let on_edges = Degeneralizer::default().transition_based(&generalized);
    let on_states = Degeneralizer::default().state_based(&generalized);
    let direct = semi_deterministic::limit_deterministic(formula);
    let direct = [
        direct.iter().map(Automaton::state_count).min(),
        direct.iter().map(|found| way.reduce(found).state_count()).min(),
    ];
    let wanted = SemiDeterministicKind { cut_deterministic, ..SemiDeterministicKind::default() };
    let other = Translator::new().translate(formula);
    let best: Automaton = semi_deterministic::translate(formula, wanted, &[small.clone(), other]);
    let shown = |states: Option<usize>| states.map(|states| states.to_string()).unwrap_or_default();
    let mut cells = vec![formula.to_string()];
    for pair in [from(&small), from(&on_edges), direct, from(&on_states)] {
        cells.extend(pair.map(shown));
    }
    cells.push(best.state_count().to_string());
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
        let own = |kind: &str, set: &str| {
            let of = |row: &Row<'_>| row.text("kind") == kind && row.text("set") == set;
            rows.rows().filter(of).collect::<Vec<_>>()
        };
        for ((kind, _), title) in KINDS.into_iter().zip([
            "Semi-deterministic automata (Table 7.4)",
            "Cut-deterministic automata (Table 7.5)",
        ]) {
            page.heading(title);
            page.paragraph(
                "Sums of states before / after reductions. Published figures are of all formulas of \
                 a set. Our columns stand beside those of the tool that does the same; a sum lacks \
                 the formulas for which a way finds nothing (their number follows in brackets).",
            );
            let mut lines = vec![];
            for row in published.rows().filter(|row| row.text("kind") == kind) {
                let set = row.text("set");
                let own = own(kind, set);
                let mut line = cells![set, format!("{} of {}", own.len(), row.text("formulas"))];
                for [raw, reduced, tool] in WAYS {
                    let theirs = [format!("{tool}_raw"), tool.to_owned()];
                    let theirs = theirs.map(|column| grouped(row.text(&column)));
                    let empty = theirs.iter().all(String::is_empty);
                    line.push(if empty { "–".to_owned() } else { theirs.join(" / ") });
                    let missing = own.iter().filter(|row| row.number(reduced).is_none()).count();
                    let sums = [raw, reduced].map(|way| total(&own, way)).map(rounded).join(" / ");
                    line.push(match missing {
                        0 => sums,
                        missing => format!("{sums} ({missing})"),
                    });
                }
                line.push(rounded(total(&own, "best")));
                lines.push(line);
            }
            let titles = [
                "set",
                ">formulas",
                ">Seminator",
                ">our one step",
                ">Seminator, two steps",
                ">our two steps",
                ">ltl2ldba",
                ">our direct",
                ">nba2ldba",
                ">ours from marks on states",
                ">our best",
            ];
            page.table(&titles, &lines);
            let series = ["det", "cd", "sd", "nd"].map(|sort| {
                let of = |row: &Row<'_>| {
                    row.text("kind") == kind && row.text("set").ends_with(&format!("-{sort}"))
                };
                let point = |row: Row<'_>| Some((row.number("one_step")?, row.number("direct")?));
                let points = rows.rows().filter(of).filter_map(point).collect();
                Series { name: sort.to_owned(), points }
            });
            page.figure(
                &format!("one-step-direct-{kind}.svg"),
                "States by semi-determinization and straight from the formula, by type of the input",
                scatter(("one step", "direct"), &series),
            );
        }
        conclusions(&mut page, &own);
        page.coverage(format!("{} of 1242", rows.len()), "all formulas of each set in their order");
        page
    }
}

fn total(rows: &[Row<'_>], way: &str) -> Option<f64> {
    let sizes: Vec<f64> = rows.iter().filter_map(|row| row.number(way)).collect();
    (!sizes.is_empty()).then(|| sizes.iter().sum())
}

/// On how many formulas the first way gives fewer states than the second, more, and on how many
/// both give a result.
fn compared(rows: &[Row<'_>], left: &str, right: &str) -> [usize; 3] {
    let pair = |row: &Row<'_>| Some((row.number(left)?, row.number(right)?));
    let pairs: Vec<(f64, f64)> = rows.iter().filter_map(pair).collect();
    let fewer = pairs.iter().filter(|(l, r)| l < r).count();
    [fewer, pairs.iter().filter(|(l, r)| l > r).count(), pairs.len()]
}

/// The observations of the document.
fn conclusions<'a>(page: &mut Page, own: &dyn Fn(&str, &str) -> Vec<Row<'a>>) {
    let of = |kind: &str, sorts: &[&str]| -> Vec<Row<'a>> {
        let sets = SETS.iter().filter(|set| sorts.iter().any(|sort| set.ends_with(sort)));
        sets.flat_map(|set| own(kind, set)).collect()
    };
    let easy = of("semi", &["-det", "-cd", "-sd"]);
    let [fewer, more, cases] = compared(&easy, "one_step", "direct");
    page.conclude(
        "If the automaton is semi-deterministic already, semi-determinization nearly always wins (at \
         most a twentieth of the formulas has fewer states straight from the formula)",
        Some(more * 20 <= cases),
        Sample { cases, least: 498 },
        format!("fewer states on {fewer}, more on {more}"),
    );
    let [hard, hard_cut] = ["semi", "cut"].map(|kind| of(kind, &["-nd"]));
    let [fewer, more, cases] = compared(&hard_cut, "direct", "one_step");
    page.conclude(
        "On other formulas, cut-deterministic automata are often smaller straight from the formula \
         (on a third of them)",
        Some(fewer * 3 >= cases),
        Sample { cases, least: 100 },
        format!("fewer states on {fewer}, more on {more}"),
    );
    let [fewer, more, cases] = compared(&hard, "direct", "one_step");
    page.conclude(
        "For semi-deterministic automata this is undecided (neither way is smaller twice as often)",
        Some(fewer <= 2 * more && more <= 2 * fewer),
        Sample { cases, least: 100 },
        format!("fewer states on {fewer}, more on {more}"),
    );
    let sum = |rows: &[Row<'_>], way: &str| total(rows, way).unwrap_or(0.0);
    let figure = |left: f64, right: f64| format!("{left:.0} and {right:.0} states");
    let (one, two) = (sum(&hard, "one_step"), sum(&hard, "two_step"));
    page.conclude(
        "One step gains little over two steps (below a tenth of the states)",
        Some(one <= two && one * 10.0 >= two * 9.0),
        Sample { cases: hard.len(), least: 100 },
        figure(one, two),
    );
    let states = sum(&hard, "states");
    page.conclude(
        "nba2ldba, here our construction from marks on states, is clearly worse (by a tenth)",
        Some(states * 10.0 >= one * 11.0),
        Sample { cases: hard.len(), least: 100 },
        figure(states, one),
    );
    let raw = sum(&hard, "one_step_raw");
    page.conclude(
        "Reductions matter (a tenth of the states)",
        Some(one * 10.0 <= raw * 9.0),
        Sample { cases: hard.len(), least: 100 },
        figure(raw, one),
    );
    let all = ["-det", "-cd", "-sd", "-nd"];
    let (semi, cut) = (of("semi", &all), of("cut", &all));
    let larger =
        |(semi, cut): (&Row<'_>, &Row<'_>)| Some(semi.number("direct")? > cut.number("direct")?);
    let pairs: Vec<bool> = semi.iter().zip(&cut).filter_map(larger).collect();
    let times = pairs.iter().filter(|larger| **larger).count();
    page.conclude(
        "Straight from the formula, the semi-deterministic automaton is sometimes larger than the \
         cut-deterministic one",
        Some(times > 0),
        Sample { cases: pairs.len(), least: 400 },
        format!("on {times} of {}", pairs.len()),
    );
}
