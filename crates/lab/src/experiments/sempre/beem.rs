//! Checks generated formulas on models of the BEEM collection.

use super::verdicts;
use crate::bench::Bench;
use crate::collections;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;

/// Checks generated formulas on models of the BEEM collection.
#[derive(Debug)]
pub struct Beem;

impl Experiment for Beem {
    fn about(&self) -> About {
        About {
            name: "sempre/beem",
            summary: "Generated LTL formulas about five BEEM models, beside verdicts by LTSmin",
            source: Source {
                document: "verdicts of a published experiment that used LTSmin",
                place: "NAME.tsv beside each model",
            },
            parameters: verdicts::PARAMETERS,
            unit: verdicts::UNIT,
            values: verdicts::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let models = match bench.settings().quick {
            true => collections::shipped_programs(12),
            false => collections::specified_beem(bench.settings())?,
        };
        verdicts::run(bench, models)
    }

    fn page(&self, record: &Record) -> Page {
        verdicts::page(record, "2,302 properties of 5 models")
    }
}
