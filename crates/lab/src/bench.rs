//! The bench on which an experiment runs: it computes what is not there yet, keeps each unit as soon
//! as it is computed, shows progress on a terminal, and stops when the budget is spent.

use crate::record::Record;
use crate::settings::Settings;
use crate::table::Row;
use anyhow::{Result, bail};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Computes and keeps units.
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
    /// A bench that adds to a record, for at most so long.
    pub fn new(record: &'a mut Record, budget: Option<Duration>) -> Self {
        let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
        Bench { record, deadline, meter: Meter::new(), computed: 0 }
    }

    /// The choices for this run.
    pub fn settings(&self) -> &Settings {
        self.record.settings()
    }

    /// How many units were computed, not counting those that were there.
    pub fn computed(&self) -> usize {
        self.computed
    }

    /// True if a unit need not be computed.
    pub fn has<T: AsRef<str>>(&self, key: &[T]) -> bool {
        self.record.unit(&owned(key)).is_some()
    }

    /// True once the budget is spent: nothing more is computed.
    pub fn is_spent(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// For work outside of units, which is not kept.
    ///
    /// # Errors
    /// [`BudgetSpent`] once it is.
    pub fn require_budget(&self) -> Result<()> {
        if self.is_spent() {
            bail!(BudgetSpent);
        }
        Ok(())
    }

    /// The rows of a unit: those that there are, or else those that `work` gives, without the cells
    /// that name the unit. A unit has one row at least; that a case was left out is a row as well.
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

    /// A unit with a single row.
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
    /// Starts now.
    pub fn new() -> Self {
        Meter { is_terminal: io::stderr().is_terminal(), start: Instant::now(), is_shown: false }
    }

    /// Shows what is made of the time that has passed.
    pub fn show(&mut self, line: impl FnOnce(Duration) -> String) {
        if self.is_terminal {
            self.is_shown = true;
            // That nobody sees it is no reason to stop.
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
