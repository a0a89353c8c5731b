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

/// For how long processors have worked for all threads of this process, where Linux counts it, in
/// hundredths of a second.
pub fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is in parentheses and may have anything in it; the fourteenth and fifteenth
    // are wanted.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}
