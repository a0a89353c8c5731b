//! E2: TA without needless second passes, and STA, compared with TGBA; our variants (Tables 4.1 to
//! 4.6).

use super::approach::ALL;
use super::report::Measure::Transitions;
use super::report::Report;
use super::{DOCUMENT, measure};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;

/// TA without needless second passes, and STA, compared with TGBA; our variants.
#[derive(Debug)]
pub struct E2;

impl Experiment for E2 {
    fn about(&self) -> About {
        About {
            name: "testing-automata/e2",
            summary: "TA without needless second passes, and STA, beside TGBA; our variants",
            source: Source {
                document: DOCUMENT,
                place: "Section 4.4.2, Tables 4.1 to 4.6, Figure 4.5",
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
        "Without needless second passes, TA explore at most a tenth more than TGBA on verified RND",
        &[0],
        report.ours([0], "TA", Transitions).map(|[mean]| mean <= 1.1),
        &[report.figure(&[0], "TA", Transitions), report.figure(&[0], "our TA", Transitions)],
    );
    report.conclude(
        &mut page,
        "STA explore less than TGBA on RND",
        &[0, 1],
        report.ours([0, 1], "STA", Transitions).map(|means| means.iter().all(|m| *m < 1.0)),
        &[
            report.figure(&[0, 1], "STA", Transitions),
            report.figure(&[0, 1], "our STA", Transitions),
        ],
    );
    let [rnd, fair] = [[0, 1], [2, 3]].map(|sets| report.ours(sets, "TA", Transitions));
    report.conclude(
        &mut page,
        "TA lose by degeneralization where there are many marks: they do worse on violated WFair than on \
         violated RND",
        &[1, 3],
        rnd.zip(fair).map(|([_, rnd], [_, fair])| fair > rnd),
        &[report.figure(&[1, 3], "TA", Transitions), report.figure(&[1, 3], "STA", Transitions)],
    );
    page
}
