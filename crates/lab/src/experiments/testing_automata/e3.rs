//! E3: TGTA compared with TGBA and TA; our variant (Tables 5.1 to 5.6).

use super::approach::ALL;
use super::report::Measure::{Time, Transitions};
use super::report::Report;
use super::{DOCUMENT, measure};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;

/// TGTA compared with TGBA and TA; our variant.
#[derive(Debug)]
pub struct E3;

impl Experiment for E3 {
    fn about(&self) -> About {
        About {
            name: "testing-automata/e3",
            summary: "TGTA beside TGBA and TA, and ours",
            source: Source {
                document: DOCUMENT,
                place: "Section 5.5.2, Tables 5.1 to 5.6, Figure 5.8",
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
    let all = [0, 1, 2, 3];
    let tgta = report.ours(all, "TGTA", Transitions);
    report.conclude(
        &mut page,
        "TGTA explore less than TGBA on all sets",
        &all,
        tgta.map(|means| means.iter().all(|mean| *mean < 1.0)),
        &[report.figure(&all, "TGTA", Transitions), report.figure(&all, "our TGTA", Transitions)],
    );
    report.conclude(
        &mut page,
        "TGTA explore no more than TA, but for a twentieth on violated sets, where the order decides",
        &all,
        report.ours(all, "TA", Transitions).zip(tgta).map(|(ta, tgta)| {
            ta.iter().zip(tgta).enumerate().all(|(set, (ta, tgta))| {
                tgta <= ta * if set % 2 == 1 { 1.05 } else { 1.0 }
            })
        }),
        &[report.figure(&all, "TA", Transitions), report.figure(&all, "TGTA", Transitions)],
    );
    report.conclude(
        &mut page,
        "TGTA save time on all sets",
        &all,
        report.ours(all, "TGTA", Time).map(|means| means.iter().all(|mean| *mean < 1.0)),
        &[report.figure(&all, "TGTA", Time), report.figure(&all, "our TGTA", Time)],
    );
    page
}
