//! Compares the sizes of complements with those of other tools, input by input.
//!
//! The collection `complementation` has `results.csv` with the columns `automaton` (a file in
//! `inputs` or `ncsb`), `group`, and sizes by other tools in columns `T_states` and `T_edges`. Tools
//! whose name ends in `_ba` or `_ba_small`, and `ranker`, give state-based Büchi automata.

use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::settings::existing;
use crate::statistics::{grouped, quantile, shown};
use crate::stopwatch::Stopwatch;
use crate::table::{Row, Table};
use anyhow::{Context, Result};
use sempre_automata::complement::{self, Division, Method};
use sempre_automata::random::RandomAutomata;
use sempre_automata::to_ba::to_ba;
use sempre_automata::{Automaton, Error, Named, hoa, parallel, product};
use sempre_ltl::interrupt::{self, Interrupt};
use std::time::{Duration, Instant};

/// Compares sizes of complements.
#[derive(Debug)]
pub struct Complements;

/// The tools whose results are state-based Büchi automata, and those with other conditions.
const BUCHI: [&str; 5] = ["spot_ba", "spot_ba_small", "ranker", "ranker_ba", "kofola_ba"];
const NATIVE: [&str; 3] = ["spot", "ranker", "kofola"];

const ABOUT: About = About {
    name: "sempre/complements",
    summary: "States of complements of Büchi automata, beside those of Spot, Ranker and Kofola",
    source: Source {
        document: "Spot 2.12.1, Ranker (2022-12-30), Kofola (2025-02-01)",
        place: "results.csv; automata of the literature on complementation",
    },
    parameters: &[
        parameter("automata", "how many at most of each group", "10000", "4"),
        parameter("groups", "the groups", "ncsb tv term ltl misc", "random"),
        parameter("timeout", "seconds for a complement", "10", "10"),
        parameter("macrostates", "how many an attempt may visit", "1048576", "1048576"),
        parameter("seed", "of the random automata of --quick", "1", "1"),
    ],
    unit: &["group", "automaton"],
    values: &[
        "input_states",
        "states",
        "edges",
        "seconds",
        "native_states",
        "native_edges",
        "native_marks",
        "native_seconds",
        "fault",
        "spot_ba",
        "spot_ba_small",
        "ranker",
        "ranker_ba",
        "kofola_ba",
        "spot",
        "kofola",
    ],
};

/// The limits of one complement.
#[derive(Clone, Copy)]
struct Limits {
    time: Duration,
    macrostates: usize,
}

/// A complement and the seconds that it took; `None` without an answer within the limits.
fn timed(
    limits: Limits,
    work: impl FnOnce() -> Result<Automaton, Error>,
) -> (Option<Automaton>, String) {
    let clock = Stopwatch::start();
    let deadline = Some(Instant::now() + limits.time);
    let done = interrupt::run(&Interrupt::default(), deadline, work);
    let seconds = format!("{:.6}", clock.elapsed().as_secs_f64());
    (done.ok().and_then(Result::ok), seconds)
}

/// Returns our cells of an automaton.
fn measure(automaton: &Automaton, limits: Limits) -> Vec<String> {
    let most = limits.macrostates;
    let (buchi, seconds) = timed(limits, || {
        complement::by(automaton, Method::Auto, Division::Smallest, most).map(|c| to_ba(&c))
    });
    let (native, native_seconds) = timed(limits, || complement::native(automaton, most));
    let mut fault = String::new();
    for result in [&buchi, &native].into_iter().flatten() {
        let deadline = Some(Instant::now() + limits.time);
        let common = || product::common_word(automaton, result);
        if let Ok(Some(word)) = interrupt::run(&Interrupt::default(), deadline, common) {
            fault = format!("both accept {word}");
        }
    }
    let size = |result: &Option<Automaton>| match result {
        Some(result) => cells![result.state_count(), parallel::merge(result).edge_count()],
        None => cells!["", ""],
    };
    let mut cells = cells![automaton.state_count()];
    cells.extend(size(&buchi));
    cells.push(seconds);
    cells.extend(size(&native));
    cells.push(native.map(|native| native.acceptance().marks().to_string()).unwrap_or_default());
    cells.extend([native_seconds, fault]);
    cells
}

impl Experiment for Complements {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let most = settings.number("automata")?;
        let limits = Limits {
            time: settings.seconds("timeout")?,
            macrostates: settings.number("macrostates")?,
        };
        let peers =
            ["spot_ba", "spot_ba_small", "ranker", "ranker_ba", "kofola_ba", "spot", "kofola"];
        if settings.quick {
            let random = RandomAutomata::over(["a"])?.states(5).density(0.3);
            let random = random.acceptance(Named::Buchi).seed(settings.number("seed")?);
            for (number, automaton) in random.generate().take(most).enumerate() {
                let unit = cells!["random", number];
                bench.row(&unit, || {
                    let mut cells = measure(&automaton, limits);
                    cells.extend(peers.map(|_| String::new()));
                    Ok(cells)
                })?;
            }
            return Ok(());
        }
        let folder = settings.collection("complementation")?;
        let table = Table::read(&existing(&folder, "results.csv")?)?;
        for group in settings.words("groups") {
            for row in table.rows().filter(|row| row.text("group") == group).take(most) {
                let name = row.text("automaton");
                bench.row(&[group, name], || {
                    let place = if group == "ncsb" { "ncsb" } else { "inputs" };
                    let path = existing(&folder.join(place), name)?;
                    let parsed = hoa::parse(&std::fs::read_to_string(path)?);
                    let parsed = parsed.with_context(|| name.to_owned())?;
                    let automaton =
                        parsed.nondeterministic().context("an alternating automaton")?;
                    let mut cells = measure(&automaton, limits);
                    let theirs = |tool: &str| row.number(&format!("{tool}_states"));
                    let shown = |states: Option<f64>| states.map(|states| states.to_string());
                    cells.extend(peers.map(|tool| shown(theirs(tool)).unwrap_or_default()));
                    Ok(cells)
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        for row in rows.rows().filter(|row| !row.text("fault").is_empty()) {
            page.fault(format!("{}: {}", row.text("automaton"), row.text("fault")));
        }
        for (title, ours, time, tools) in [
            ("State-based Büchi automata", "states", "seconds", &BUCHI[..]),
            ("Any acceptance condition", "native_states", "native_seconds", &NATIVE[..]),
        ] {
            page.heading(title);
            page.paragraph(
                "Sums of states over the inputs that the tool and Sempre complement. Larger and \
                 smaller: inputs on which ours has more or fewer states than the best tool.",
            );
            let mut lines = vec![];
            let mut larger = vec![];
            for group in rows.distinct("group") {
                let own: Vec<Row<'_>> =
                    rows.rows().filter(|row| row.text("group") == group).collect();
                let best = |row: &Row<'_>| {
                    tools.iter().filter_map(|tool| row.number(tool)).min_by(f64::total_cmp)
                };
                let compared = |row: &Row<'_>| Some((row.number(ours)?, best(row)?));
                let pairs: Vec<(f64, f64)> = own.iter().filter_map(compared).collect();
                let sum = |pick: fn(&(f64, f64)) -> f64| {
                    grouped(&format!("{:.0}", pairs.iter().map(pick).fold(0.0, |sum, n| sum + n)))
                };
                let above = pairs.iter().filter(|(ours, best)| ours > best).count();
                let below = pairs.iter().filter(|(ours, best)| ours < best).count();
                let missing = own.iter().filter(|row| row.number(ours).is_none()).count();
                let times = || own.iter().filter_map(|row| row.number(time));
                let mut line = cells![group, own.len(), missing, sum(|p| p.0), sum(|p| p.1)];
                line.extend(tools.iter().map(|tool| {
                    let pair = |row: &Row<'_>| Some((row.number(ours)?, row.number(tool)?));
                    let both: Vec<(f64, f64)> = own.iter().filter_map(pair).collect();
                    let (ours, theirs) =
                        both.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
                    format!("{theirs:.0} ({ours:.0})")
                }));
                line.extend(cells![above, below]);
                line.extend([0.5, 1.0].map(|part| shown(quantile(times(), part), 2)));
                lines.push(line);
                larger.extend(own.iter().filter_map(|row| {
                    let (ours, best) = compared(row)?;
                    (ours > best).then(|| {
                        cells![group, row.text("automaton"), row.text("input_states"), ours, best]
                    })
                }));
            }
            let mut titles = vec!["group", ">inputs", ">no answer", ">ours", ">best tool"];
            let names: Vec<String> = tools.iter().map(|tool| format!(">{tool} (ours)")).collect();
            titles.extend(names.iter().map(String::as_str));
            titles.extend([">larger", ">smaller", ">median s", ">longest s"]);
            page.table(&titles, &lines);
            if !larger.is_empty() {
                page.paragraph("Inputs on which ours is larger:");
                page.table(&["group", "automaton", ">input", ">ours", ">best tool"], &larger);
            }
        }
        page.coverage(
            format!("{} automata", rows.len()),
            "all automata of a group in the order of the table",
        );
        page
    }
}
