//! A page with tables and plots.

use super::Record;
use std::io::{self, Write};

/// Writes the page.
///
/// # Errors
/// What `out` reports.
pub fn write(record: &Record, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<!doctype html><title>{}</title>", record.rounds)
}
