//! The interface of experiments: description, measurements, and page.
//!
//! An experiment is one file that implements [`Experiment`], and one row of the
//! [registry](crate::registry). It gives its description as data ([`About`]), computes rows
//! ([`Experiment::run`]) that the [`Bench`] stores in a file, and makes a page from the rows alone
//! ([`Experiment::page`]), so that pages can be regenerated at any time.

use crate::bench::Bench;
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;

/// A measurement, compared with published figures where they exist.
pub trait Experiment: Sync {
    /// Returns the description.
    fn about(&self) -> About;

    /// Measures: requests units from the bench, which computes the missing ones.
    ///
    /// # Errors
    /// If input cannot be read or computed, and when the budget is spent.
    fn run(&self, bench: &mut Bench<'_>) -> Result<()>;

    /// Makes a page from the rows.
    fn page(&self, record: &Record) -> Page;
}

/// The description of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name: the document and the repeated item, such as `decomposition/t1`.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The source of the published figures.
    pub source: Source,
    /// The parameters.
    pub parameters: &'static [Parameter],
    /// The columns that identify a unit; a unit is computed as a whole.
    pub unit: &'static [&'static str],
    /// The other columns of rows.
    pub values: &'static [&'static str],
}

/// The source of published figures.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Authors, title, year.
    pub document: &'static str,
    /// Tables, figures, sections, pages.
    pub place: &'static str,
}

/// A parameter of a run, with its default values.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// Its meaning and unit.
    pub meaning: &'static str,
    /// The default value.
    pub full: &'static str,
    /// The value with `--quick`.
    pub quick: &'static str,
}

/// Makes a parameter, for tables.
pub const fn parameter(
    name: &'static str,
    meaning: &'static str,
    full: &'static str,
    quick: &'static str,
) -> Parameter {
    Parameter { name, meaning, full, quick }
}

impl About {
    /// Returns all columns of rows.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.unit.iter().chain(self.values).copied()
    }
}
