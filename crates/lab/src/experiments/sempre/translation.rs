//! Compares the sizes of automata with those of another translator.
//!
//! A file of the collection `translation` has a header and a line per formula, with the columns
//! `formula`, `tgba_states`, `tgba_edges`, `tgba_sets`, `ba_states` and `ba_edges`; others are
//! ignored. Automata are checked: each shares no word with the automaton of the negation, and
//! agrees with the semantics on random words. Times are those of the translation alone, on one
//! thread at high effort.

use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::settings::{Settings, existing};
use crate::statistics::{grouped, mean, quantile, shown};
use crate::stopwatch::Stopwatch;
use crate::table::{Row, Table};
use anyhow::{Context, Result};
use sempre_automata::{Automaton, membership, product};
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::patterns::PatternSet;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Word};
use sempre_translate::{Kind, Translator, tableau};
use std::time::{Duration, Instant};

/// Compares sizes of automata.
#[derive(Debug)]
pub struct Translation;

const ABOUT: About = About {
    name: "sempre/translation",
    summary: "States, edges and marks of Büchi automata beside those of Spot, set by set; times",
    source: Source {
        document: "Spot 2.12.1, ltl2tgba and ltl2tgba -B",
        place: "a table with the sizes of each formula",
    },
    parameters: &[
        parameter(
            "sets",
            "tables of sizes; sets of patterns with --quick",
            "literature patterns random400 random-dev random-dev-big",
            "literature",
        ),
        parameter("formulas", "number of each set", "10000", "12"),
        parameter("kinds", "of automata: tgba, ba", "tgba ba", "tgba ba"),
        parameter("checks", "check the automata: yes, no", "yes", "yes"),
        parameter("timeout", "seconds for a formula", "20", "5"),
    ],
    unit: &["set", "kind", "formula"],
    values: &[
        "states",
        "edges",
        "marks",
        "deterministic",
        "their_states",
        "their_edges",
        "their_marks",
        "seconds",
        "fault",
    ],
};

/// A formula with the sizes of the other translator's automaton: states, edges, marks.
struct Case {
    text: String,
    theirs: [String; 3],
}

fn cases(set: &str, kind: &str, settings: &Settings) -> Result<Vec<Case>> {
    if settings.quick {
        let set = PatternSet::by_name(set).with_context(|| format!("unknown set `{set}`"))?;
        let formulas = set.formulas();
        let unknown = || ["", "", ""].map(str::to_owned);
        return Ok(formulas.map(|f| Case { text: f.to_string(), theirs: unknown() }).collect());
    }
    let table =
        Table::read(&existing(&settings.collection("translation")?, &format!("{set}.csv"))?)?;
    let columns = ["states", "edges", "sets"].map(|column| format!("{kind}_{column}"));
    let cases = table.rows().map(|row| Case {
        text: row.text("formula").to_owned(),
        theirs: [0, 1, 2].map(|place: usize| row.text(&columns[place]).to_owned()),
    });
    Ok(cases.collect())
}

impl Experiment for Translation {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let (timeout, checks) = (settings.seconds("timeout")?, settings.text("checks") == "yes");
        for set in settings.words("sets") {
            for name in settings.words("kinds") {
                let kind = if name == "ba" { Kind::Ba } else { Kind::Tgba };
                let mut translator = Translator::new().kind(kind);
                let cases = cases(set, name, &settings)?;
                for case in cases.iter().take(settings.number("formulas")?) {
                    bench.row(&[set, name, &case.text], || {
                        translate(&mut translator, kind, case, timeout, checks)
                    })?;
                }
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        let (mut sizes, mut times, mut larger) = (vec![], vec![], vec![]);
        for set in rows.distinct("set") {
            for kind in ["tgba", "ba"] {
                let of = |row: &Row<'_>| row.text("set") == set && row.text("kind") == kind;
                let of: Vec<Row<'_>> = rows.rows().filter(of).collect();
                if !of.is_empty() {
                    sizes.push(size_line(set, kind, &of));
                    times.push(time_line(set, kind, &of));
                    larger.extend(of.iter().filter_map(larger_line));
                }
            }
        }
        for row in rows.rows().filter(|row| !row.text("fault").is_empty()) {
            page.fault(format!("{}: {}", row.text("formula"), row.text("fault")));
        }
        page.heading("Sizes");
        page.paragraph("Sums over the formulas of a set: ours / theirs, where theirs are known.");
        page.table(
            &[
                "set",
                "kind",
                ">formulas",
                ">states",
                ">edges",
                ">marks",
                ">smaller",
                ">equal",
                ">larger",
                ">deterministic",
            ],
            &sizes,
        );
        page.heading("Times");
        page.paragraph("Milliseconds for a formula, on one thread at high effort.");
        page.table(&["set", "kind", ">mean", ">median", ">99 %", ">longest"], &times);
        if !larger.is_empty() {
            page.heading("Formulas on which the other translator is smaller");
            page.table(&["set", "kind", "formula", ">ours", ">theirs"], &larger);
        }
        page.coverage(
            format!("{} formulas and kinds of automata", grouped(&rows.len().to_string())),
            "the first formulas of each set, up to the limit",
        );
        page
    }
}

fn translate(
    translator: &mut Translator,
    kind: Kind,
    case: &Case,
    timeout: Duration,
    checks: bool,
) -> Result<Vec<String>> {
    let formula: Formula = case.text.parse().with_context(|| case.text.clone())?;
    let [states, edges, marks] = &case.theirs;
    let deadline = Some(Instant::now() + timeout);
    let clock = Stopwatch::start();
    let result = interrupt::run(&Interrupt::default(), deadline, || translator.translate(&formula));
    let seconds = format!("{:.6}", clock.elapsed().as_secs_f64());
    let Ok(automaton) = result else {
        // The aborted work may have left caches half updated.
        *translator = Translator::new().kind(kind);
        let fault = format!("takes longer than {timeout:?}");
        return Ok(cells!["", "", "", "", states, edges, marks, seconds, fault]);
    };
    let mut note = String::new();
    if checks {
        let deadline = Some(Instant::now() + timeout);
        let found = interrupt::run(&Interrupt::default(), deadline, || fault(&formula, &automaton));
        note = found.ok().flatten().unwrap_or_default();
    }
    Ok(cells![
        automaton.state_count(),
        automaton.edge_count(),
        automaton.acceptance().marks(),
        u8::from(automaton.is_deterministic()),
        states,
        edges,
        marks,
        seconds,
        note,
    ])
}

/// Returns the error of an automaton, if any.
fn fault(formula: &Formula, automaton: &Automaton) -> Option<String> {
    let evaluator = Evaluator::new(formula);
    let mut rng = Rng::new(1);
    for _ in 0..50 {
        let bound = 1u64 << formula.props().len().min(63);
        let (prefix, cycle) = (rng.index(5), 1 + rng.index(5));
        let mut letters = |length| (0..length).map(|_| rng.below(bound)).collect::<Vec<u64>>();
        let (prefix, cycle) = (letters(prefix), letters(cycle));
        let word = Word::from_valuations(formula.props(), &prefix, &cycle).ok()?;
        if membership::accepts(automaton, &word) != evaluator.holds(&word) {
            return Some(format!("wrong on {word}"));
        }
    }
    let negation = tableau::translate(&sempre_ltl::simplify(&Formula::not(formula)));
    product::common_word(automaton, &negation).map(|word| format!("accepts {word}"))
}

fn size_line(set: &str, kind: &str, rows: &[Row<'_>]) -> Vec<String> {
    let solved: Vec<&Row<'_>> = rows.iter().filter(|row| !row.text("states").is_empty()).collect();
    let sum = |column: &str| {
        let values = solved.iter().filter_map(|row| row.number(column));
        values.clone().next().map(|_| values.sum::<f64>())
    };
    let cell = |ours: &str, theirs: &str| match sum(theirs) {
        Some(theirs) => format!("{} / {theirs}", sum(ours).unwrap_or_default()),
        None => shown(sum(ours), 0),
    };
    use std::cmp::Ordering::{Equal, Greater, Less};
    let counts = [Less, Equal, Greater].map(|order| {
        let compared = solved
            .iter()
            .filter_map(|row| row.number("states")?.partial_cmp(&row.number("their_states")?));
        compared.filter(|found| *found == order).count().to_string()
    });
    let [smaller, equal, larger] = counts;
    cells![
        set,
        kind,
        rows.len(),
        cell("states", "their_states"),
        cell("edges", "their_edges"),
        cell("marks", "their_marks"),
        smaller,
        equal,
        larger,
        shown(sum("deterministic"), 0),
    ]
}

fn time_line(set: &str, kind: &str, rows: &[Row<'_>]) -> Vec<String> {
    let times = || rows.iter().filter_map(|row| row.number("seconds")).map(|seconds| 1e3 * seconds);
    let [median, most, longest] = [0.5, 0.99, 1.0].map(|part| shown(quantile(times(), part), 2));
    cells![set, kind, shown(mean(times()), 2), median, most, longest]
}

fn larger_line(row: &Row<'_>) -> Option<Vec<String>> {
    let [ours, theirs] = ["states", "their_states"].map(|column| row.number(column));
    let marks = ["marks", "their_marks"].map(|column| row.number(column));
    let (ours, theirs) = (ours?, theirs?);
    let line = |ours: String, theirs: String| {
        let formula = format!("`{}`", row.text("formula"));
        Some(cells![row.text("set"), row.text("kind"), formula, ours, theirs])
    };
    match marks {
        _ if ours > theirs => line(format!("{ours}"), format!("{theirs}")),
        [Some(marks), Some(most)] if ours == theirs && marks > most => {
            line(format!("{ours}, {marks} marks"), format!("{theirs}, {most} marks"))
        }
        _ => None,
    }
}
