//! Time that does not depend on what else goes on on the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Measures the time for which the thread that started it had a processor, or else the time that
/// has passed.
pub(crate) struct Stopwatch {
    /// Where the system tells about the thread.
    thread: PathBuf,
    processor: Option<Duration>,
    wall: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        // Elsewhere the same path tells about another thread.
        let thread = fs::read_link("/proc/thread-self").unwrap_or_default();
        let thread = Path::new("/proc").join(thread).join("schedstat");
        Stopwatch { processor: processor_time(&thread), wall: Instant::now(), thread }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match (self.processor, processor_time(&self.thread)) {
            (Some(begin), Some(now)) => now.saturating_sub(begin),
            _ => self.wall.elapsed(),
        }
    }
}

/// For how long a thread has had a processor, if the system tells.
fn processor_time(thread: &Path) -> Option<Duration> {
    let text = fs::read_to_string(thread).ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
