//! Shows the progress of a search on standard error.

use sempre::check::{Control, Limits, Progress};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
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

    /// Does work under limits while its progress is shown, and removes the line at the end.
    pub(crate) fn run<R>(limits: Limits, work: impl FnOnce(&Control<'_>) -> R) -> R {
        let meter = Mutex::new(Meter::new());
        let progress = |progress: &Progress| {
            // A thread that finds another one writing has nothing new.
            if let Ok(mut meter) = meter.try_lock() {
                meter.show(progress);
            }
        };
        let result = work(&Control { limits, progress: &progress });
        meter.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
        result
    }

    /// Shows the progress of a search, if it is time to.
    fn show(&mut self, progress: &Progress) {
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
    let (mebibytes, seconds) = (progress.bytes >> 20, time.as_secs_f64());
    if progress.nodes > 0 {
        return format!("{} nodes, {mebibytes} MiB, {seconds:.0} s", short(progress.nodes as f64));
    }
    let rate = counts.states as f64 / seconds.max(0.001);
    // Checks do not know their depth while they search.
    let depth = match counts.depth {
        0 => String::new(),
        depth => format!("depth {depth}, "),
    };
    format!(
        "{} states, {} transitions, {} to expand, {depth}{} states/s, {mebibytes} MiB, {seconds:.0} s",
        short(counts.states as f64),
        short(counts.transitions as f64),
        short(counts.states.saturating_sub(progress.expanded) as f64),
        short(rate),
    )
}

/// A number with three digits or so.
fn short(number: f64) -> String {
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
        let progress = Progress { counts, expanded: 2_500_000, nodes: 0, bytes: 60 << 20 };
        assert_eq!(
            line(&progress, Duration::from_secs(2)),
            "2.55 M states, 24.46 M transitions, 46.4 k to expand, depth 70, 1.27 M states/s, \
             60 MiB, 2 s"
        );
    }
}
