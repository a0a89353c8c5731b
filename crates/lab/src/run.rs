//! Runs experiments and writes their pages.

use crate::bench::{Bench, BudgetSpent};
use crate::experiment::{About, Experiment};
use crate::page::{self, Finding, Page};
use crate::record::{Record, folder};
use crate::registry;
use crate::settings::Settings;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file of a page in its folder.
pub const PAGE: &str = "README.md";

/// What a run has done.
#[derive(Debug)]
pub struct Summary {
    /// Where its files are.
    pub folder: PathBuf,
    /// How many units were computed.
    pub computed: usize,
    /// How many rows there are by now.
    pub rows: usize,
    /// False if the budget was spent before everything was measured.
    pub is_complete: bool,
    /// What should not be.
    pub faults: Vec<String>,
}

/// Runs an experiment in its folder below `out`, or goes on with it, and writes its page.
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

/// Writes the page of an experiment with its pictures.
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

/// Writes the pages of all experiments that have rows below `out`, and a page that lists them; how
/// many there are.
///
/// # Errors
/// If files cannot be read or written.
pub fn write_pages(out: &Path) -> Result<usize> {
    let mut pages = vec![];
    for experiment in registry::experiments() {
        let about = experiment.about();
        let folder = folder(out, &about);
        if folder.join("rows.csv").exists() {
            let record = Record::load(about, &folder)?;
            pages.push((about, write_page(*experiment, &record, &folder)?));
        }
    }
    let path = out.join(PAGE);
    fs::write(&path, index(&pages)).with_context(|| path.display().to_string())?;
    Ok(pages.len())
}

/// The page that lists the others.
pub fn index(pages: &[(About, Page)]) -> String {
    let mut out = "# Experiments\n\nEach page is made from the rows beside it, by \
                   `cargo run --release -p sempre-lab -- page -o docs/experiments`; the command that \
                   made the rows stands on the page. `cargo run --release -p sempre-lab -- list` names \
                   all experiments. Sources name pages where the texts at hand print them, and sections \
                   elsewhere.\n\n"
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
