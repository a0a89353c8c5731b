//! E4: E3 with TGBA reduced by simulation; our variants (Tables A.1 to A.6).

use super::approach::ALL;
use super::report::Measure::{Time, Transitions};
use super::report::Report;
use super::{DOCUMENT, measure};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;

/// E3 with TGBA reduced by simulation; our variants.
#[derive(Debug)]
pub struct E4;

impl Experiment for E4 {
    fn about(&self) -> About {
        About {
            name: "testing-automata/e4",
            summary: "The same as E3 after TGBA were reduced by simulation; our variants",
            source: Source {
                document: DOCUMENT,
                place: "Appendix A, pages 174 and following, Tables A.1 to A.6, Figure A.1",
            },
            parameters: measure::PARAMETERS,
            unit: measure::UNIT,
            values: measure::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        measure::run(bench, &ALL, true)
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

fn page(record: &Record) -> Page {
    let report = Report::new(record, include_str!("tables-a.csv"));
    let mut page = report.page();
    let all = [0, 1, 2, 3];
    let tgta = report.ours(all, "TGTA", Transitions);
    report.conclude(
        &mut page,
        "With TGBA reduced by simulation, the gain of TGTA is smaller but stays on all sets",
        &all,
        tgta.map(|means| means.iter().all(|mean| *mean < 1.0)),
        &[report.figure(&all, "TGTA", Transitions), report.figure(&all, "our TGTA", Transitions)],
    );
    report.conclude(
        &mut page,
        "The ranking is unchanged: TGTA explore less than TA on verified sets",
        &[0, 2],
        report
            .ours([0, 2], "TA", Transitions)
            .zip(report.ours([0, 2], "TGTA", Transitions))
            .map(|(ta, tgta)| ta.iter().zip(tgta).all(|(ta, tgta)| tgta < *ta)),
        &[report.figure(&[0, 2], "TA", Transitions), report.figure(&[0, 2], "TGTA", Transitions)],
    );
    report.conclude(
        &mut page,
        "TGTA save time on verified sets",
        &[0, 2],
        report.ours([0, 2], "TGTA", Time).map(|means| means.iter().all(|mean| *mean < 1.0)),
        &[report.figure(&[0, 2], "TGTA", Time), report.figure(&[0, 2], "our TGTA", Time)],
    );
    report.race(&mut page, "our TGTA");
    page
}
