//! Compares the sizes of reduced automata with those of another tool.
//!
//! The collection `complementation` has `reduction.csv` with the columns `automaton` (a file in
//! `inputs`), `reduced_states` and `reduced_edges`: the sizes by the other tool.

use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::settings::existing;
use crate::statistics::grouped;
use crate::table::Table;
use anyhow::{Context, Result};
use sempre_automata::random::RandomAutomata;
use sempre_automata::reduce::{Level, reduce};
use sempre_automata::{Automaton, Named, hoa, parallel};
use std::time::Instant;

/// Compares sizes of reduced automata.
#[derive(Debug)]
pub struct Reduction;

const LEVELS: [(&str, Level); 3] =
    [("low", Level::Low), ("medium", Level::Medium), ("high", Level::High)];

const ABOUT: About = About {
    name: "sempre/reduction",
    summary: "States and edges of reduced Büchi automata, by level, beside those of Spot",
    source: Source {
        document: "Spot 2.12.1, autfilt --small --tgba",
        place: "reduction.csv; automata of the literature on complementation",
    },
    parameters: &[
        parameter("automata", "how many at most", "10000", "10"),
        parameter("seed", "of the random automata of --quick", "1", "1"),
    ],
    unit: &["automaton"],
    values: &[
        "states",
        "edges",
        "their_states",
        "their_edges",
        "low_states",
        "low_edges",
        "medium_states",
        "medium_edges",
        "high_states",
        "high_edges",
        "low_seconds",
        "medium_seconds",
        "high_seconds",
    ],
};

fn size(automaton: &Automaton) -> (usize, usize) {
    (automaton.state_count(), parallel::merge(automaton).edge_count())
}

/// Returns the cells of an automaton.
fn measure(automaton: &Automaton, theirs: (&str, &str)) -> Vec<String> {
    let (states, edges) = size(automaton);
    let mut cells = cells![states, edges, theirs.0, theirs.1];
    let mut times = vec![];
    for (_, level) in LEVELS {
        let start = Instant::now();
        let reduced = reduce(automaton, level);
        times.push(format!("{:.6}", start.elapsed().as_secs_f64()));
        let (states, edges) = size(&reduced);
        cells.extend(cells![states, edges]);
    }
    cells.extend(times);
    cells
}

impl Experiment for Reduction {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let most = settings.number("automata")?;
        if settings.quick {
            let random = RandomAutomata::over(["a", "b"])?.states(8).density(0.2);
            let random =
                random.acceptance(Named::GeneralizedBuchi(2)).seed(settings.number("seed")?);
            for (number, automaton) in random.generate().take(most).enumerate() {
                bench.row(&[format!("random {number}")], || Ok(measure(&automaton, ("", ""))))?;
            }
            return Ok(());
        }
        let folder = settings.collection("complementation")?;
        let table = Table::read(&existing(&folder, "reduction.csv")?)?;
        for row in table.rows().take(most) {
            let name = row.text("automaton");
            bench.row(&[name], || {
                let path = existing(&folder.join("inputs"), name)?;
                let parsed = hoa::parse(&std::fs::read_to_string(path)?);
                let parsed = parsed.with_context(|| name.to_owned())?;
                let automaton = parsed.nondeterministic().context("an alternating automaton")?;
                Ok(measure(&automaton, (row.text("reduced_states"), row.text("reduced_edges"))))
            })?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        let sum = |column: &str| rows.rows().filter_map(|row| row.number(column)).sum::<f64>();
        let whole = |column: &str| grouped(&format!("{:.0}", sum(column)));
        page.heading("Sums");
        let mut lines = vec![
            cells!["as they are", whole("states"), whole("edges"), ""],
            cells!["theirs", whole("their_states"), whole("their_edges"), ""],
        ];
        lines.extend(LEVELS.map(|(level, _)| {
            let [states, edges] = ["states", "edges"].map(|what| whole(&format!("{level}_{what}")));
            cells![
                format!("ours, {level}"),
                states,
                edges,
                format!("{:.2}", sum(&format!("{level}_seconds")))
            ]
        }));
        page.table(&["reduced", ">states", ">edges", ">seconds"], &lines);
        let above = rows.rows().filter(|row| {
            let theirs = row.number("their_states");
            theirs.is_some_and(|theirs| row.number("high_states").is_some_and(|ours| ours > theirs))
        });
        let columns =
            ["automaton", "states", "their_states", "low_states", "medium_states", "high_states"];
        let above = above.map(|row| columns.map(|column| row.text(column).to_owned()).to_vec());
        let above: Vec<Vec<String>> = above.collect();
        if !above.is_empty() {
            page.heading("Automata with more states than theirs at the highest level");
            let titles = ["automaton", ">as it is", ">theirs", ">low", ">medium", ">high"];
            page.table(&titles, &above);
        }
        page.coverage(format!("{} automata", rows.len()), "all automata of the table in its order");
        page
    }
}
