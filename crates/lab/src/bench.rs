//! The bench of an experiment: computes missing units, writes each unit as soon as it is computed,
//! shows progress on a terminal, and stops when the budget is spent.

use crate::record::Record;
use crate::settings::Settings;
use crate::table::Row;
use anyhow::{Result, bail};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Computes and stores units.
#[derive(Debug)]
pub struct Bench<'a> {
    record: &'a mut Record,
    deadline: Option<Instant>,
    meter: Meter,
    computed: usize,
}

/// The budget of a run is spent.
#[derive(Clone, Copy, Debug)]
pub struct BudgetSpent;

impl fmt::Display for BudgetSpent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the budget is spent")
    }
}

impl std::error::Error for BudgetSpent {}

impl<'a> Bench<'a> {
    /// Makes a bench that adds to a record, with an optional time budget.
    pub fn new(record: &'a mut Record, budget: Option<Duration>) -> Self {
        let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
        Bench { record, deadline, meter: Meter::new(), computed: 0 }
    }

    /// Returns the settings of this run.
    pub fn settings(&self) -> &Settings {
        self.record.settings()
    }

    /// Returns the number of units computed in this run.
    pub fn computed(&self) -> usize {
        self.computed
    }

    /// True if a unit is already computed.
    pub fn has<T: AsRef<str>>(&self, key: &[T]) -> bool {
        self.record.unit(&owned(key)).is_some()
    }

    /// True once the budget is spent.
    pub fn is_spent(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Checks the budget, for work outside of units.
    ///
    /// # Errors
    /// [`BudgetSpent`] if the budget is spent.
    pub fn require_budget(&self) -> Result<()> {
        if self.is_spent() {
            bail!(BudgetSpent);
        }
        Ok(())
    }

    /// Returns the rows of a unit: the stored ones, or those of `work`, without the cells of the
    /// key. A unit has at least one row; a skipped case is a row as well.
    ///
    /// # Errors
    /// Those of `work`, and [`BudgetSpent`].
    pub fn unit<T: AsRef<str>>(
        &mut self,
        key: &[T],
        work: impl FnOnce() -> Result<Vec<Vec<String>>>,
    ) -> Result<Vec<Row<'_>>> {
        let key = owned(key);
        if self.record.unit(&key).is_none() {
            self.require_budget()?;
            self.meter.show(|time| {
                format!(
                    "{}: {}, {:.0} s",
                    self.record.about().name,
                    key.join(" "),
                    time.as_secs_f64()
                )
            });
            let rows = work()?;
            debug_assert!(!rows.is_empty(), "{key:?} has no rows");
            let with_key = rows.into_iter().map(|row| key.iter().cloned().chain(row).collect());
            self.record.add_unit(with_key.collect())?;
            self.computed += 1;
        }
        Ok(self.record.unit(&key).unwrap_or_default())
    }

    /// Returns the row of a unit with a single row.
    ///
    /// # Errors
    /// Those of `work`, and [`BudgetSpent`].
    pub fn row<T: AsRef<str>>(
        &mut self,
        key: &[T],
        work: impl FnOnce() -> Result<Vec<String>>,
    ) -> Result<()> {
        self.unit(key, || Ok(vec![work()?])).map(drop)
    }
}

fn owned<T: AsRef<str>>(key: &[T]) -> Vec<String> {
    key.iter().map(|cell| cell.as_ref().to_owned()).collect()
}

/// A line of progress on standard error, if that is a terminal.
#[derive(Debug)]
pub struct Meter {
    is_terminal: bool,
    start: Instant,
    is_shown: bool,
}

impl Default for Meter {
    fn default() -> Self {
        Self::new()
    }
}

impl Meter {
    /// Starts the clock.
    pub fn new() -> Self {
        Meter { is_terminal: io::stderr().is_terminal(), start: Instant::now(), is_shown: false }
    }

    /// Shows a line made from the elapsed time.
    pub fn show(&mut self, line: impl FnOnce(Duration) -> String) {
        if self.is_terminal {
            self.is_shown = true;
            // A failure to show progress is no reason to stop.
            let _ = write!(io::stderr(), "\r{}\x1b[K", line(self.start.elapsed()));
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
