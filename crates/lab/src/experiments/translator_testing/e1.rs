//! E1: translators over the operators OP1 (Tables 6.3, 6.5, 6.7 and 6.10).

use super::comparisons::{self, Published};
use super::{DOCUMENT, sizes};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;
use sempre_ltl::generate::OperatorSet;

/// Repeats E1.
#[derive(Debug)]
pub struct E1;

const PUBLISHED: Published = Published {
    operators: "OP1",
    failures: ("Table 6.3", include_str!("table-6-3.csv")),
    pairs: ("Table 6.5", include_str!("table-6-5.csv")),
    consistency: include_str!("table-6-7.csv"),
};

impl Experiment for E1 {
    fn about(&self) -> About {
        About {
            name: "translator-testing/e1",
            summary: "Failed tests and mean sizes of automata over random formulas, operators OP1",
            source: Source {
                document: DOCUMENT,
                place: "Section 6.3, Tables 6.3, 6.5, 6.7 and 6.10",
            },
            parameters: sizes::PARAMETERS,
            unit: sizes::UNIT,
            values: sizes::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        sizes::run(bench, OperatorSet::Op1)?;
        comparisons::run(bench, OperatorSet::Op1)
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = sizes::page(record, include_str!("table-6-10.csv"), "Table 6.10");
        comparisons::page(&mut page, record, &PUBLISHED);
        page
    }
}
