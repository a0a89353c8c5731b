//! Time that does not depend on what else goes on on the machine: that for which a processor has
//! worked, where Linux counts it, and the time that has passed elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Measures the time for which the thread that started it had a processor. Other threads may read
/// it.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    /// Where the system counts for the thread.
    thread: PathBuf,
    processor: Option<Duration>,
    wall: Instant,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        // For other threads, this name means those.
        let thread = fs::read_link("/proc/thread-self").unwrap_or_default();
        let thread = Path::new("/proc").join(thread).join("schedstat");
        // The count is brought up to date when the scheduler runs, so it is given the occasion.
        std::thread::yield_now();
        Stopwatch { processor: processor_time(&thread), wall: Instant::now(), thread }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        std::thread::yield_now();
        match (self.processor, processor_time(&self.thread)) {
            (Some(begin), Some(now)) => now.saturating_sub(begin),
            _ => self.wall.elapsed(),
        }
    }

    /// The kind of time that is measured, for headings.
    pub fn name(&self) -> &'static str {
        if self.processor.is_some() { "processor time" } else { "time" }
    }
}

/// For how long a thread has had a processor, if the system counts it.
fn processor_time(thread: &Path) -> Option<Duration> {
    let text = fs::read_to_string(thread).ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
