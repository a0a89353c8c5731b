//! Checks the LTL properties of the Model Checking Contest.

use super::verdicts;
use crate::bench::Bench;
use crate::collections;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;

/// Checks the LTL properties of the Model Checking Contest.
#[derive(Debug)]
pub struct Contest;

impl Experiment for Contest {
    fn about(&self) -> About {
        About {
            name: "sempre/contest",
            summary: "LTL properties of the Model Checking Contest 2023, beside the consensus of its tools",
            source: Source {
                document: "Model Checking Contest 2023",
                place: "verdicts.tsv of each instance",
            },
            parameters: verdicts::PARAMETERS,
            unit: verdicts::UNIT,
            values: verdicts::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let models = match bench.settings().quick {
            true => collections::generated_nets(6),
            false => collections::instances(bench.settings())?,
        };
        verdicts::run(bench, models)
    }

    fn page(&self, record: &Record) -> Page {
        verdicts::page(record, "4,736 properties of 148 nets")
    }
}
