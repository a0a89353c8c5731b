//! The time that this thread has had a processor for, which other processes do not disturb.

use std::time::{Duration, Instant};

/// Measures processor time where the system tells it, and the time on the wall elsewhere.
pub(crate) struct Clock {
    start: Instant,
    processor: Option<Duration>,
}

impl Clock {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Clock { processor: processor_time(), start: Instant::now() }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        let wall = self.start.elapsed();
        match (self.processor, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => wall,
        }
    }

    /// What it measures.
    pub(crate) fn name() -> &'static str {
        if processor_time().is_some() { "processor time" } else { "time" }
    }
}

/// The processor time of this thread, as Linux counts it. The count is brought up to date when the
/// scheduler runs, so it is given the occasion.
fn processor_time() -> Option<Duration> {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
