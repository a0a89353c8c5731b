//! Compares variable orders: nodes of the reachable states, and peak nodes.
//!
//! The orders are that of the file, its reverse, those of the heuristics, and the default `best`:
//! the winner of a race of several orders, with the peak and the time of all of them.

use super::counting::{Choice, Found, count};
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::statistics::{grouped, shown};
use anyhow::Result;
use std::path::PathBuf;

/// Compares variable orders.
#[derive(Debug)]
pub struct Orders;

const ABOUT: About = About {
    name: "sempre/orders",
    summary: "Nodes of diagrams by variable order: file, reverse, heuristics, race",
    source: Source { document: "none", place: "orders are compared with each other" },
    parameters: &[
        parameter(
            "models",
            "files, FAMILY:NUMBER, shipped:NAME, names in the BEEM collection",
            "kanban:10 kanban:30 philosophers:20 ring:8 fms:10 round-robin:20",
            "kanban:3 philosophers:6",
        ),
        parameter("timeout", "seconds for an order", "8", "5"),
        parameter("memory", "MiB for an order", "4096", "512"),
    ],
    unit: &["model", "order"],
    values: &["states", "nodes", "peak_nodes", "seconds", "note"],
};

impl Experiment for Orders {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let (timeout, bytes) = (settings.seconds("timeout")?, settings.bytes("memory")?);
        for name in settings.words("models") {
            let path = PathBuf::from(name);
            let place = match path.is_file() {
                true => Place::File(path),
                false => Place::named(name, &settings)?,
            };
            for choice in Choice::all() {
                bench.row(&[name, choice.name()], || {
                    let (found, seconds) = count(|| place.open(), choice, timeout, bytes);
                    let seconds = format!("{seconds:.3}");
                    Ok(match found {
                        Ok(Found { states, nodes, peak_nodes }) => {
                            cells![states, nodes, peak_nodes, seconds, ""]
                        }
                        Err(reason) => cells!["", "", "", seconds, reason],
                    })
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let models = record.rows().distinct("model");
        let mut lines = vec![];
        for model in &models {
            let rows = || record.rows().rows().filter(|row| row.text("model") == *model);
            let peaks = rows().filter_map(|row| row.number("peak_nodes"));
            let least = peaks.fold(f64::INFINITY, f64::min).max(1.0);
            let states: Vec<&str> = rows().map(|row| row.text("states")).collect();
            let mut known = states.iter().filter(|states| !states.is_empty());
            if let Some(first) = known.next()
                && known.any(|other| other != first)
            {
                page.fault(format!("{model}: orders lead to different numbers of states"));
            }
            lines.extend(rows().enumerate().map(|(place, row)| {
                vec![
                    if place == 0 { (*model).to_owned() } else { String::new() },
                    row.text("order").to_owned(),
                    grouped(row.text("states")),
                    grouped(row.text("nodes")),
                    grouped(row.text("peak_nodes")),
                    shown(row.number("peak_nodes").map(|peak| peak / least), 2),
                    row.text("seconds").to_owned(),
                    row.text("note").to_owned(),
                ]
            }));
        }
        page.heading("Nodes");
        page.paragraph("The factor is the peak divided by the least peak of the model.");
        page.table(
            &["model", "order", ">states", ">nodes", ">peak nodes", ">factor", ">seconds", "note"],
            &lines,
        );
        let cases = format!("{} models, {} orders each", models.len(), Choice::all().count());
        page.coverage(cases, "models by name");
        page
    }
}
