//! E1: BA, TGBA and TA in two passes, on explicit state spaces (Tables 3.1 to 3.6).

use super::approach::ALL;
use super::report::Measure::Transitions;
use super::report::Report;
use super::{DOCUMENT, measure};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;

/// BA, TGBA and TA in two passes, on explicit state spaces.
#[derive(Debug)]
pub struct E1;

impl Experiment for E1 {
    fn about(&self) -> About {
        About {
            name: "testing-automata/e1",
            summary: "BA, TGBA and TA in two passes, on explicit state spaces",
            source: Source {
                document: DOCUMENT,
                place: "Section 3.6.3, Tables 3.1 to 3.6, Figures 3.8 and 3.9",
            },
            parameters: measure::PARAMETERS,
            unit: measure::UNIT,
            values: measure::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        measure::run(bench, &ALL, false)
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

fn page(record: &Record) -> Page {
    let report = Report::new(record, include_str!("tables-3-to-5.csv"));
    let mut page = report.page();
    report.conclude(
        &mut page,
        "In two passes, TA explore more than TGBA on all verified sets",
        &[0, 2],
        report
            .ours([0, 2], "TA two passes", Transitions)
            .map(|means| means.iter().all(|m| *m > 1.0)),
        &[report.figure(&[0, 2], "TA two passes", Transitions)],
    );
    report.conclude(
        &mut page,
        "BA explore a little more than TGBA on RND, since degeneralization makes automata larger",
        &[0, 1],
        report.ours([0, 1], "BA", Transitions).map(|means| means.iter().all(|m| *m > 1.0)),
        &[report.figure(&[0, 1], "BA", Transitions)],
    );
    report.conclude(
        &mut page,
        "TA explore less than TGBA on violated RND, where one pass finds most violations",
        &[1],
        report.ours([1], "TA two passes", Transitions).map(|[mean]| mean < 1.0),
        &[report.figure(&[1], "TA two passes", Transitions)],
    );
    page
}
