//! E4: findings on structures with a single path (the points "seq." of Figures 6.8 and 6.9).

use super::DOCUMENT;
use super::density::{self, FAULTS, Point, percentage, sample};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use crate::statistics::shown;
use anyhow::Result;

/// Repeats E4.
#[derive(Debug)]
pub struct E4;

/// Connected structures to compare with: sparse and dense.
const POINTS: [Point; 3] = [Point::Connected(0.1), Point::Connected(0.5), Point::Sequential];

impl Experiment for E4 {
    fn about(&self) -> About {
        About {
            name: "translator-testing/e4",
            summary: "Findings on structures with a single path, beside connected ones",
            source: Source {
                document: DOCUMENT,
                place: "Section 6.3, Figures 6.8 and 6.9, points seq.",
            },
            parameters: density::PARAMETERS,
            unit: density::UNIT,
            values: density::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        density::run(bench, &POINTS)
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = density::page(record, "the report has 2,000 for each of 8 sizes");
        let rates = FAULTS.map(|fault| {
            let name = fault.to_string();
            let [single, dense] = ["seq.", "0.5"].map(|d| percentage(record, &name, d, None));
            (name, single, dense)
        });
        let comparison: Option<Vec<bool>> =
            rates.iter().map(|(_, single, dense)| Some((*single)? + 5.0 >= (*dense)?)).collect();
        let figures = rates.iter().map(|(name, single, dense)| {
            format!("{name}: {} % (density 0.5: {} %)", shown(*single, 1), shown(*dense, 1))
        });
        page.conclude(
            "Structures with a single path have comparatively high rates: at most five points below dense ones",
            comparison.map(|all| all.iter().all(|holds| *holds)),
            sample(record, &FAULTS, &["seq.", "0.5"]),
            figures.collect::<Vec<_>>().join("; "),
        );
        page
    }
}
