//! An experiment: its description, its measurements, and the page that is made of them.
//!
//! An experiment is one file that implements [`Experiment`], and one row of the
//! [registry](crate::registry). It gives its description as data ([`About`]), computes rows
//! ([`Experiment::run`]) that the [`Bench`] keeps in a file, and makes a page of rows alone
//! ([`Experiment::page`]), so that pages can be made again at any time.

use crate::bench::Bench;
use crate::page::Page;
use crate::record::Record;
use anyhow::Result;

/// Something that is measured, beside published figures where there are some.
pub trait Experiment: Sync {
    /// Describes it.
    fn about(&self) -> About;

    /// Measures: asks the bench for units, which computes those that it does not have yet.
    ///
    /// # Errors
    /// If something cannot be read or computed, and when the budget is spent.
    fn run(&self, bench: &mut Bench<'_>) -> Result<()>;

    /// Makes a page of the rows.
    fn page(&self, record: &Record) -> Page;
}

/// The description of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name: that of a document and of what is repeated, such as `decomposition/t1`.
    pub name: &'static str,
    /// One line on what is measured.
    pub summary: &'static str,
    /// Where the published figures are.
    pub source: Source,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    /// The columns that name a unit; a unit is computed as a whole.
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

/// Something that can be chosen for a run, with what is chosen if nobody says so.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// The value by default.
    pub full: &'static str,
    /// The value with `--quick`.
    pub quick: &'static str,
}

/// A parameter, for tables of them.
pub const fn parameter(
    name: &'static str,
    meaning: &'static str,
    full: &'static str,
    quick: &'static str,
) -> Parameter {
    Parameter { name, meaning, full, quick }
}

impl About {
    /// All columns of rows.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.unit.iter().chain(self.values).copied()
    }
}
