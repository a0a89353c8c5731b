//! Shapes of formulas whose product with a TGTA is never larger than that with a TGBA.
//!
//! Section 8.4.2 of the thesis conjectures that they exist, and names `FG p`. For each shape, random
//! structures are drawn whose neighbours agree with a probability of one half. Both automata are
//! those of a check, with all reductions; products are generated as a whole. Deadlocks stutter.

use super::DOCUMENT;
use super::measure::whole;
use crate::agree::testing::structure;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::statistics::{percent, shown};
use crate::table::Row;
use anyhow::{Context, Result};
use sempre_check::Deadlock;
use sempre_explicit::StateSpace;
use sempre_explicit::store::Arena;
use sempre_ltl::Formula;
use sempre_ltl::generate::Rng;
use sempre_testing::{Kind, Negation, Testing};
use sempre_translate::Translator;

/// Compares products by shape.
#[derive(Debug)]
pub struct Shapes;

/// The formulas of the automata, which a check makes of the negated property.
const SHAPES: [&str; 24] = [
    "F G a",
    "G F a",
    "F a",
    "G a",
    "a U b",
    "a R b",
    "a W b",
    "F(a & F b)",
    "G(a | G b)",
    "G(a -> F b)",
    "F(a & G b)",
    "F(a & G !b)",
    "a U G b",
    "G a | G b",
    "F a & F b",
    "F G a & F G b",
    "F G a | F G b",
    "F G a & G F b",
    "F G a | G F b",
    "G F a & G F b",
    "G F a & G F b & G F c",
    "F G a & F b",
    "F G a & G b",
    "a U (b U c)",
];

/// The structures that decide a conclusion.
const LEAST: usize = 10_000;

const ABOUT: About = About {
    name: "testing-automata/shapes",
    summary: "Shapes of formulas whose product with a TGTA is never larger",
    source: Source { document: DOCUMENT, place: "Section 8.4.2, a question for later work" },
    parameters: &[
        parameter("structures", "for each shape", "20000", "50"),
        parameter("seed", "of structures", "0", "0"),
    ],
    unit: &["shape"],
    values: &[
        "structures",
        "fewer_nodes",
        "more_nodes",
        "fewer_edges",
        "more_edges",
        "largest_ratio",
        "sum_tgba",
        "sum_tgta",
    ],
};

impl Experiment for Shapes {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let count: u64 = bench.settings().number("structures")?;
        let seed: u64 = bench.settings().number("seed")?;
        for shape in SHAPES {
            bench.row(&[shape], || compare(&shape.parse()?, count, seed))?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

fn compare(formula: &Formula, count: u64, seed: u64) -> Result<Vec<String>> {
    let tgba = Negation::from(Translator::new().translate(formula));
    let tgta = Testing::new(formula, Kind::Tgta, &mut Translator::new())?.into();
    let mut rng = Rng::new(seed);
    let (mut fewer, mut more, mut sums) = ([0u64; 2], [0u64; 2], [0u64; 2]);
    let mut largest = 0f64;
    for _ in 0..count {
        let structure = structure(&mut rng)?;
        let mut space = StateSpace::<Arena>::new(&structure);
        let mut size = |negation: &Negation| -> Result<[u64; 2]> {
            let effort = whole(&mut space, negation, Deadlock::Stutter, u64::MAX)?
                .context("there is no limit")?;
            Ok([effort.nodes, effort.edges])
        };
        let (before, after) = (size(&tgba)?, size(&tgta)?);
        for measure in 0..2 {
            fewer[measure] += u64::from(after[measure] < before[measure]);
            more[measure] += u64::from(after[measure] > before[measure]);
        }
        if before[0] > 0 {
            largest = largest.max(after[0] as f64 / before[0] as f64);
        }
        sums = [sums[0] + before[0], sums[1] + after[0]];
    }
    Ok(cells![
        count,
        fewer[0],
        more[0],
        fewer[1],
        more[1],
        format!("{largest:.3}"),
        sums[0],
        sums[1]
    ])
}

/// Returns a count of a row; 0 if there is no row.
fn count(row: Option<Row<'_>>, column: &str) -> usize {
    row.and_then(|row| row.number(column)).map_or(0, |number| number as usize)
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let rows = record.rows();
    page.heading("Sizes of products");
    page.paragraph(
        "Shares of structures, in percent, on which the product with the TGTA of the formula has fewer or \
         more nodes (transitions) than the one with its TGBA; the largest ratio of nodes on a structure, and \
         the ratio of the sums.",
    );
    let lines = rows.rows().map(|row| {
        let structures = count(Some(row), "structures");
        let share = |column: &str| percent(count(Some(row), column), structures);
        let sums = row.number("sum_tgta").zip(row.number("sum_tgba"));
        cells![
            format!("`{}`", row.text("shape")),
            share("fewer_nodes"),
            share("more_nodes"),
            share("fewer_edges"),
            share("more_edges"),
            row.text("largest_ratio"),
            shown(sums.map(|(tgta, tgba)| tgta / tgba), 3),
        ]
    });
    let lines: Vec<_> = lines.collect();
    let titles = [
        "formula of the automata",
        ">fewer nodes",
        ">more nodes",
        ">fewer transitions",
        ">more transitions",
        ">largest ratio",
        ">sums",
    ];
    page.table(&titles, &lines);
    let never: Vec<String> = rows
        .rows()
        .filter(|row| count(Some(*row), "more_nodes") + count(Some(*row), "more_edges") == 0)
        .map(|row| format!("`{}`", row.text("shape")))
        .collect();
    let of = |shape: &str| rows.find(&[("shape", shape)]);
    let persistence = of("F G a");
    let known =
        persistence.map(|row| count(Some(row), "more_nodes") + count(Some(row), "more_edges") == 0);
    page.conclude(
        "The product with the TGTA of `FG a` is never larger than that with its TGBA",
        known,
        Sample { cases: count(persistence, "structures"), least: LEAST },
        format!("never larger, in nodes and transitions: {}", never.join(", ")),
    );
    page.coverage(
        format!(
            "{} shapes, {} structures each",
            lines.len(),
            count(rows.rows().next(), "structures")
        ),
        "random structures of up to ten states over three propositions, the same for all shapes",
    );
    page
}
