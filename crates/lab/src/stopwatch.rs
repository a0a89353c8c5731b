//! Measures and limits time independently of other load: processor time where Linux reports it,
//! otherwise elapsed time.

use sempre_check::{Control, Limits};
use sempre_ltl::interrupt::Interrupt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The clock limit as a multiple of the processor limit, to allow for other load.
pub const SLOWEST: u32 = 10;

/// The interval at which a separate thread polls the time.
const LOOKS: Duration = Duration::from_millis(5);

/// Measures the processor time of the thread that started it. Other threads may read it.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    /// The file with the count of the thread.
    thread: PathBuf,
    processor: Option<Duration>,
    wall: Instant,
}

impl Stopwatch {
    /// Starts the stopwatch.
    pub fn start() -> Self {
        // For other threads, this name would refer to themselves.
        let thread = fs::read_link("/proc/thread-self").unwrap_or_default();
        let thread = Path::new("/proc").join(thread).join("schedstat");
        // Only the scheduler updates the count, so let it run.
        std::thread::yield_now();
        Stopwatch { processor: processor_time(&thread), wall: Instant::now(), thread }
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        std::thread::yield_now();
        match (self.processor, processor_time(&self.thread)) {
            (Some(begin), Some(now)) => now.saturating_sub(begin),
            _ => self.wall.elapsed(),
        }
    }

    /// Runs work on the thread that started this stopwatch, while another thread watches the time.
    /// Cancels the work when the thread has used `timeout` of processor time since the start, or
    /// after ten times as long by the clock.
    pub fn limited<T>(
        &self,
        timeout: Duration,
        bytes: usize,
        work: impl FnOnce(&Control<'_>) -> T,
    ) -> T {
        let interrupt = Interrupt::default();
        let control = Control::new(Limits {
            bytes: Some(bytes),
            deadline: self.wall.checked_add(timeout.saturating_mul(SLOWEST)),
            interrupt: Some(interrupt.clone()),
            ..Limits::default()
        });
        let (done, working) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                while working.recv_timeout(LOOKS) == Err(RecvTimeoutError::Timeout) {
                    if self.elapsed() > timeout {
                        interrupt.raise();
                    }
                }
            });
            let result = work(&control);
            drop(done);
            result
        })
    }

    /// Returns the kind of time that is measured, for headings.
    pub fn name(&self) -> &'static str {
        if self.processor.is_some() { "processor time" } else { "time" }
    }
}

/// Returns the processor time of a thread, if the system reports it.
fn processor_time(thread: &Path) -> Option<Duration> {
    let text = fs::read_to_string(thread).ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Returns the processor time of this process, where Linux reports it, in hundredths of a second.
pub fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is in parentheses and may contain anything; the fourteenth and fifteenth are
    // the times.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}
