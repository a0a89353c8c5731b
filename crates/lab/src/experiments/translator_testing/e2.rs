//! E2: sizes of automata over the operators OP2 (Table 6.11).

use super::{DOCUMENT, sizes};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;
use sempre_ltl::generate::OperatorSet;

/// Repeats the sizes of E2.
#[derive(Debug)]
pub struct E2;

impl Experiment for E2 {
    fn about(&self) -> About {
        About {
            name: "translator-testing/e2",
            summary: "Mean sizes of classic tableaux over random formulas, operators OP2",
            source: Source {
                document: DOCUMENT,
                place: "Section 6.3, “Sizes of the Generated Automata”, Table 6.11",
            },
            parameters: sizes::PARAMETERS,
            unit: sizes::UNIT,
            values: sizes::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        sizes::run(bench, OperatorSet::Op2)
    }

    fn page(&self, record: &Record) -> Page {
        sizes::page(record, include_str!("table-6-11.csv"), "Table 6.11")
    }
}
