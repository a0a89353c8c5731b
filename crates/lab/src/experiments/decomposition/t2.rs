//! Table 2: the formulas that each set-up decides within the limits, with and without parts.

use super::DOCUMENT;
use super::selection::{
    self, DRAWN, LEAST, LEAST_NODES, MEMORY, MODELS, RULE, SEED, SHARE, UNIT, VERDICTS,
};
use super::setups::{COLUMNS, NAMES, measure};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::table::{Row, Table};
use anyhow::Result;

/// Repeats Table 2.
#[derive(Debug)]
pub struct T2;

const ABOUT: About = About {
    name: "decomposition/t2",
    summary: "Formulas that each check decides within limits, of the whole and of the parts",
    source: Source { document: DOCUMENT, place: "Section 5, Table 2" },
    parameters: &[
        MODELS,
        parameter("cases", "formulas of each verdict for each model", "10", "2"),
        parameter("symbolic", "of these, checked by OWCTY as well", "3", "1"),
        LEAST_NODES,
        DRAWN,
        parameter("timeout", "seconds of processor time for a check", "2", "1"),
        parameter("states", "of the model: kept, or fresh for each check", "fresh", "fresh"),
        SHARE,
        MEMORY,
        SEED,
    ],
    unit: UNIT,
    values: COLUMNS,
};

impl Experiment for T2 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let symbolic = bench.settings().number("symbolic")?;
        selection::run(bench, COLUMNS.len() - 2, |subject, case| measure(subject, case, symbolic))
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("table-2.csv"), ',').unwrap_or_default();
    let of = |verdict: Option<&str>, setup: &str| -> Vec<Row<'_>> {
        let rows = record.rows().rows().filter(|row| {
            row.text("setup") == setup
                && verdict.is_none_or(|verdict| row.text("verdict") == verdict)
        });
        rows.collect()
    };
    let solved = |rows: &[Row<'_>], side: &str| {
        let column = format!("{side}_seconds");
        rows.iter().filter(|row| row.number(&column).is_some()).count()
    };
    page.heading("Table 2");
    page.paragraph(
        "Decided formulas within the limits, of those that one of the explicit checks decides; \
         published: of 1,300 for each verdict, within one hour and 4 GB. Published / ours.",
    );
    let mut lines = vec![];
    for verdict in VERDICTS {
        for setup in NAMES {
            let theirs = published.find(&[("verdict", verdict), ("setup", setup)]);
            let ours = of(Some(verdict), setup);
            let pair = |side: &str| {
                let theirs = theirs.map_or("–", |row| row.text(side));
                format!("{theirs} / {} of {}", solved(&ours, side), ours.len())
            };
            lines.push(vec![verdict.to_owned(), setup.to_owned(), pair("whole"), pair("parts")]);
        }
    }
    page.table(&["formulas that", "check", ">whole", ">parts"], &lines);
    let figure = |count: &dyn Fn(&[Row<'_>]) -> String| {
        let figures = NAMES.map(|setup| format!("{setup} {}", count(&of(None, setup))));
        figures.join(", ")
    };
    let sample = Sample::smallest(NAMES[..3].iter().map(|setup| of(None, setup).len()), LEAST);
    let never_fewer = NAMES
        .iter()
        .all(|setup| solved(&of(None, setup), "parts") >= solved(&of(None, setup), "whole"));
    page.conclude(
        "The decomposition always helps: with each check, the parts decide at least as many formulas",
        (sample.cases > 0).then_some(never_fewer),
        sample,
        figure(&|rows| format!("{} → {}", solved(rows, "whole"), solved(rows, "parts"))),
    );
    let lost = |rows: &[Row<'_>]| {
        let is_lost = |row: &&Row<'_>| {
            row.number("whole_seconds").is_some() && row.number("parts_seconds").is_none()
        };
        rows.iter().filter(is_lost).count()
    };
    page.conclude(
        "Ours: no formula that the whole automaton decides is lost by its parts",
        (sample.cases > 0).then_some(NAMES.iter().all(|setup| lost(&of(None, setup)) == 0)),
        sample,
        figure(&|rows| lost(rows).to_string()),
    );
    let cases = VERDICTS.map(|verdict| of(Some(verdict), "Cou").len());
    page.coverage(
        format!(
            "{} formulas that hold and {} that are violated on {} models, of the paper's 1,300 and \
             1,300 on 13",
            cases[0],
            cases[1],
            record.rows().distinct("model").len()
        ),
        RULE,
    );
    page
}
