//! Runs experiments and writes their pages.

use crate::bench::{Bench, BudgetSpent};
use crate::experiment::{About, Experiment};
use crate::page::{self, Finding, Page};
use crate::record::{Record, folder};
use crate::registry;
use crate::settings::Settings;
use crate::tables;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file of a page in its folder.
pub const PAGE: &str = "README.md";

/// The result of a run.
#[derive(Debug)]
pub struct Summary {
    /// The folder of its files.
    pub folder: PathBuf,
    /// The number of units computed.
    pub computed: usize,
    /// The total number of rows.
    pub rows: usize,
    /// False if the budget was spent before all units were measured.
    pub is_complete: bool,
    /// The errors.
    pub faults: Vec<String>,
}

/// Runs or continues an experiment in its folder below `out`, and writes its page.
///
/// # Errors
/// Those of the experiment, and if files cannot be read or written.
pub fn run(
    experiment: &dyn Experiment,
    settings: Settings,
    budget: Option<Duration>,
    out: &Path,
) -> Result<Summary> {
    let about = experiment.about();
    let folder = folder(out, &about);
    let mut record = Record::open(about, settings, &folder)?;
    let mut bench = Bench::new(&mut record, budget);
    let outcome = experiment.run(&mut bench);
    let computed = bench.computed();
    drop(bench);
    let is_complete = match outcome {
        Ok(()) => true,
        Err(error) if error.is::<BudgetSpent>() => false,
        Err(error) => return Err(error),
    };
    record.finish(is_complete, &folder)?;
    let page = write_page(experiment, &record, &folder)?;
    let faults = page.faults().to_vec();
    Ok(Summary { folder, computed, rows: record.rows().len(), is_complete, faults })
}

/// Writes the page of an experiment with its plots.
///
/// # Errors
/// If a file cannot be written.
pub fn write_page(experiment: &dyn Experiment, record: &Record, folder: &Path) -> Result<Page> {
    let page = experiment.page(record);
    let figures = page.figures().iter().map(|(file, text)| (file.as_str(), text.clone()));
    for (file, text) in figures.chain([(PAGE, page.text(record))]) {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(page)
}

/// Writes the pages of all experiments that have rows below `out`, a page that lists them, and one
/// that lists the tables and figures of the documents.
/// Returns their number.
///
/// # Errors
/// If files cannot be read or written.
pub fn write_pages(out: &Path) -> Result<usize> {
    let mut all = vec![];
    for experiment in registry::experiments() {
        let about = experiment.about();
        let folder = folder(out, &about);
        let page = match folder.join("rows.csv").exists() {
            true => {
                let record = Record::load(about, &folder)?;
                Some(write_page(*experiment, &record, &folder)?)
            }
            false => None,
        };
        all.push((about, page));
    }
    let tables = tables::text(&all)?;
    let pages: Vec<(About, Page)> =
        all.into_iter().filter_map(|(about, page)| Some((about, page?))).collect();
    for (file, text) in [(PAGE, index(&pages)), (tables::TABLES, tables)] {
        let path = out.join(file);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(pages.len())
}

/// Returns the page that lists the others.
pub fn index(pages: &[(About, Page)]) -> String {
    let mut out = "# Experiments\n\nEach page is generated from the rows beside it, by \
                   `cargo run --release -p sempre-lab -- page -o docs/experiments`, and shows the \
                   command that made the rows. `cargo run --release -p sempre-lab -- list` lists all \
                   experiments. Sources are cited by page where known, otherwise by section. The \
                   [tables and figures](tables.md) of the documents are listed with what repeats \
                   them.\n\n"
        .to_owned();
    let rows = pages.iter().map(|(about, page)| {
        let count = |wanted| page.conclusions().iter().filter(|c| c.finding == wanted).count();
        let counts = [Finding::Confirmed, Finding::Refuted, Finding::Open].map(count);
        let [confirmed, refuted, open] = counts.map(|count| count.to_string());
        let name = format!("[{}]({}/{PAGE})", about.name, about.name);
        let place = about.source.place.to_owned();
        vec![name, place, page.cases().to_owned(), confirmed, refuted, open]
    });
    let titles = ["experiment", "repeats", "cases", ">confirmed", ">refuted", ">open"];
    out += &page::table(&titles, &rows.collect::<Vec<_>>());
    out
}
