//! E3: findings by the density of connected structures (Figures 6.8 and 6.9).

use super::DOCUMENT;
use super::density::{self, FAULTS, Point, percentage, sample};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source};
use crate::page::Page;
use crate::record::Record;
use crate::statistics::shown;
use anyhow::Result;
use sempre_cross::faults::Fault;

/// Repeats E3.
#[derive(Debug)]
pub struct E3;

impl Experiment for E3 {
    fn about(&self) -> About {
        About {
            name: "translator-testing/e3",
            summary: "Findings by the density of connected structures, with deliberate faults",
            source: Source { document: DOCUMENT, place: "Section 6.3, Figures 6.8 and 6.9" },
            parameters: density::PARAMETERS,
            unit: density::UNIT,
            values: density::VALUES,
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        // A quick run has the lowest and the highest density, and one between.
        let step = if bench.settings().quick { 5 } else { 1 };
        let points = (0..=10).step_by(step).map(|tenth| Point::Connected(f64::from(tenth) / 10.0));
        density::run(bench, &points.collect::<Vec<_>>())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page =
            density::page(record, "the report has 2,000 for each of 11 densities and 8 sizes");
        let too_much = Fault::NoAcceptance.to_string();
        let at = |density: &str| percentage(record, &too_much, density, None);
        page.conclude(
            "Findings drop as the density grows, at least for the smallest densities",
            at("0.0").zip(at("0.5")).map(|(sparse, dense)| sparse > dense),
            sample(record, &[Fault::NoAcceptance], &["0.0", "0.5"]),
            format!(
                "{too_much}: {} % at density 0.0, {} % at 0.5, {} % at 1.0",
                shown(at("0.0"), 1),
                shown(at("0.5"), 1),
                shown(at("1.0"), 1)
            ),
        );
        let spreads = FAULTS.map(|fault| {
            let name = fault.to_string();
            let densities = record.rows().distinct("density");
            let shares: Vec<f64> =
                densities.iter().filter_map(|d| percentage(record, &name, d, None)).collect();
            let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
            (name, (shares.len() > 1).then_some(most - least))
        });
        let known: Option<Vec<f64>> = spreads.iter().map(|(_, spread)| *spread).collect();
        let figures = spreads.iter().map(|(name, spread)| format!("{name} {}", shown(*spread, 1)));
        page.conclude(
            "The density is not critical: rates differ by at most about ten percentage points",
            known.map(|spreads| spreads.iter().all(|spread| *spread <= 11.0)),
            sample(record, &FAULTS, &record.rows().distinct("density")),
            format!("spread in percentage points: {}", figures.collect::<Vec<_>>().join(", ")),
        );
        page
    }
}
