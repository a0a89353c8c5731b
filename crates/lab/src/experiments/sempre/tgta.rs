//! Compares the sizes of TGTA by construction.
//!
//! The formulas are the first column of the collection `translation`. Formulas are skipped if they
//! are not stutter-invariant, or if a construction takes too long.

use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::settings::{Settings, existing};
use crate::statistics::grouped;
use crate::table::Table;
use anyhow::{Context, Result};
use sempre_ltl::Formula;
use sempre_ltl::generate::patterns::PatternSet;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_testing::{Tgta, TgtaOptions};
use sempre_translate::{Preference, Translator, require_invariance};
use std::time::{Duration, Instant};

/// Compares sizes of TGTA.
#[derive(Debug)]
pub struct TgtaSizes;

/// The constructions; sizes are compared with those of the second.
const WAYS: [&str; 6] = [
    "TGBA, as in the thesis",
    "TGBA",
    "deterministic TGBA",
    "tableau",
    "tableau, postponing",
    "smallest",
];

const ABOUT: About = About {
    name: "sempre/tgta",
    summary: "States and transitions of TGTA by construction",
    source: Source { document: "none", place: "constructions are compared with each other" },
    parameters: &[
        parameter(
            "sets",
            "tables of formulas; sets of patterns with --quick",
            "literature patterns random400 random-dev random-dev-big",
            "literature",
        ),
        parameter("formulas", "number of each set", "10000", "15"),
        parameter("timeout", "seconds for a construction", "5", "2"),
    ],
    unit: &["set", "formula"],
    values: &["note", "way", "states", "transitions"],
};

fn formulas(set: &str, settings: &Settings) -> Result<Vec<String>> {
    if settings.quick {
        let set = PatternSet::by_name(set).with_context(|| format!("unknown set `{set}`"))?;
        return Ok(set.formulas().map(|formula| formula.to_string()).collect());
    }
    let table =
        Table::read(&existing(&settings.collection("translation")?, &format!("{set}.csv"))?)?;
    Ok(table.rows().map(|row| row.text("formula").to_owned()).collect())
}

impl Experiment for TgtaSizes {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let timeout = settings.seconds("timeout")?;
        for set in settings.words("sets") {
            for text in formulas(set, &settings)?.iter().take(settings.number("formulas")?) {
                bench.unit(&[set, text], || {
                    let formula: Formula = text.parse().with_context(|| text.clone())?;
                    if require_invariance(&formula).is_err() {
                        return Ok(vec![cells!["not stutter-invariant", "", "", ""]]);
                    }
                    Ok(match sizes_of(&formula, timeout) {
                        None => vec![cells!["left out for time or size", "", "", ""]],
                        Some(sizes) => {
                            let rows = WAYS.iter().zip(sizes);
                            rows.map(|(way, (states, edges))| cells!["", way, states, edges])
                                .collect()
                        }
                    })
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        let note = |note: &str| rows.rows().filter(|row| row.text("note") == note).count();
        let sizes = |way: &str| -> Vec<[Option<f64>; 2]> {
            let rows = rows.rows().filter(|row| row.text("way") == way);
            rows.map(|row| ["states", "transitions"].map(|column| row.number(column))).collect()
        };
        let standard = sizes(WAYS[1]);
        let lines = WAYS.iter().map(|way| {
            let own = sizes(way);
            let [states, transitions] = [0, 1].map(|place: usize| {
                grouped(&format!("{:.0}", own.iter().filter_map(|size| size[place]).sum::<f64>()))
            });
            use std::cmp::Ordering::{Equal, Greater, Less};
            let [smaller, alike, larger] = [Less, Equal, Greater].map(|order| {
                let orders = own.iter().zip(&standard).map(|(own, other)| own.partial_cmp(other));
                orders.filter(|found| *found == Some(order)).count()
            });
            cells![way, states, transitions, smaller, alike, larger]
        });
        page.heading("Sizes");
        page.paragraph("Sums, and the number of automata that are smaller than, as large as, and larger than those of the TGBA.");
        let titles = ["made of", ">states", ">transitions", ">smaller", ">alike", ">larger"];
        page.table(&titles, &lines.collect::<Vec<_>>());
        page.coverage(
            format!("{} stutter-invariant formulas", standard.len()),
            format!(
                "all formulas of the sets but for {} that are not stutter-invariant and {} that were \
                 left out for time or size",
                note("not stutter-invariant"),
                note("left out for time or size")
            ),
        );
        page
    }
}

/// States and transitions.
type Size = (usize, u128);

/// Returns the sizes for a formula; `None` at the time limit or if an automaton would be too large.
fn sizes_of(formula: &Formula, timeout: Duration) -> Option<[Size; 6]> {
    let options = TgtaOptions::default();
    let mut sizes = [(0, 0); 6];
    for (way, size) in sizes[..5].iter_mut().enumerate() {
        let make = || match way {
            0 => Tgta::new(&Translator::new().translate(formula), &TgtaOptions::THESIS).ok(),
            1 => Tgta::new(&Translator::new().translate(formula), &options).ok(),
            2 => {
                let mut translator = Translator::new().prefer(Preference::Deterministic);
                Tgta::new(&translator.translate(formula), &options).ok()
            }
            _ => Tgta::of_tableau(formula, way == 4, &options).ok().flatten(),
        };
        let deadline = Instant::now().checked_add(timeout);
        let tgta = interrupt::run(&Interrupt::default(), deadline, make).ok()??;
        *size = (tgta.state_count(), tgta.transition_count());
    }
    sizes[5] = sizes[..5].iter().copied().min()?;
    Some(sizes)
}
