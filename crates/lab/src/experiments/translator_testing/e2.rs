//! E2: translators over the operators OP2 (Tables 6.4, 6.6, 6.7 and 6.11).

use super::comparisons::{self, Published};
use super::{DOCUMENT, sizes};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;
use sempre_ltl::generate::OperatorSet;

/// Repeats E2.
#[derive(Debug)]
pub struct E2;

const PUBLISHED: Published = Published {
    operators: "OP2",
    failures: ("Table 6.4", include_str!("table-6-4.csv")),
    pairs: ("Table 6.6", include_str!("table-6-6.csv")),
    consistency: include_str!("table-6-7.csv"),
};

impl Experiment for E2 {
    fn about(&self) -> About {
        About {
            name: "translator-testing/e2",
            summary: "Failed tests and mean sizes of automata over random formulas, operators OP2",
            source: Source {
                document: DOCUMENT,
                place: "Section 6.3, Tables 6.4, 6.6, 6.7 and 6.11",
            },
            parameters: sizes::PARAMETERS,
            unit: sizes::UNIT,
            values: sizes::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        sizes::run(bench, OperatorSet::Op2)?;
        comparisons::run(bench, OperatorSet::Op2)
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = sizes::page(record, include_str!("table-6-11.csv"), "Table 6.11");
        comparisons::page(&mut page, record, &PUBLISHED);
        page
    }
}
