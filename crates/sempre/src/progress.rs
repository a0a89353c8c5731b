//! Shows the progress of a search on standard error.

use sempre::explicit::explore::Progress;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The interval between updates.
const INTERVAL: Duration = Duration::from_millis(500);

/// A progress line that is overwritten; only on a terminal.
pub(crate) struct Meter {
    is_terminal: bool,
    start: Instant,
    last: Instant,
    shown: bool,
}

impl Meter {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Meter { is_terminal: io::stderr().is_terminal(), start: now, last: now, shown: false }
    }

    /// Shows the progress of a search, at most once per interval.
    pub(crate) fn show(&mut self, progress: &Progress) {
        self.show_line(|time| line(progress, time));
    }

    /// Shows a line made from the elapsed time, at most once per interval.
    pub(crate) fn show_line(&mut self, line: impl FnOnce(Duration) -> String) {
        if !self.is_terminal || self.last.elapsed() < INTERVAL {
            return;
        }
        self.last = Instant::now();
        self.shown = true;
        let line = line(self.start.elapsed());
        // A failure to show progress is no reason to stop.
        let _ = write!(io::stderr(), "\r{line}\x1b[K");
        let _ = io::stderr().flush();
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(progress: &Progress, time: Duration) -> String {
    let counts = &progress.counts;
    let rate = counts.states as f64 / time.as_secs_f64().max(0.001);
    // Checks do not count their depth during the search.
    let depth = match counts.depth {
        0 => String::new(),
        depth => format!("depth {depth}, "),
    };
    format!(
        "{} states, {} transitions, {} to expand, {depth}{} states/s, {} MiB, {:.0} s",
        short(counts.states as f64),
        short(counts.transitions as f64),
        short(counts.states.saturating_sub(progress.expanded) as f64),
        short(rate),
        progress.bytes >> 20,
        time.as_secs_f64(),
    )
}

/// Formats a number with about three digits.
pub(crate) fn short(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1} k", n / 1e3),
        n if n < 1e9 => format!("{:.2} M", n / 1e6),
        n => format!("{:.2} G", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre::explicit::explore::Counts;

    #[test]
    fn the_line_is_short() {
        let counts = Counts {
            initial: 1,
            states: 2_546_432,
            transitions: 24_460_016,
            deadlocks: 0,
            depth: 70,
        };
        let progress = Progress { counts, expanded: 2_500_000, bytes: 60 << 20 };
        assert_eq!(
            line(&progress, Duration::from_secs(2)),
            "2.55 M states, 24.46 M transitions, 46.4 k to expand, depth 70, 1.27 M states/s, \
             60 MiB, 2 s"
        );
    }
}
