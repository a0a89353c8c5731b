//! Limits of time and memory.

use anyhow::{Result, bail};
use sempre::ltl::interrupt::{self, Interrupt};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The limits for one formula or automaton.
#[derive(clap::Args, Debug)]
pub(crate) struct Limits {
    /// Abort work on a formula or an automaton after SECONDS.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// Abort when memory use has grown by MIB.
    #[arg(
        long,
        value_name = "MIB",
        value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "Limits"
    )]
    memory: Option<u64>,
}

/// The option that limits the time of work on a model.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct TimeLimit {
    /// Stop after that many seconds; with several properties, each has that time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub(crate) timeout: Option<Duration>,
}

/// The options that limit the time and the memory of work on a model.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ModelLimits {
    #[command(flatten)]
    pub(crate) time: TimeLimit,

    /// Stop when memory use reaches MIB; decision diagrams take at most 4096 by default.
    #[arg(long, value_name = "MIB", help_heading = "Limits")]
    memory: Option<usize>,
}

/// The limits of a search.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SearchLimits {
    /// Stop when N states are stored.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) states: Option<u64>,

    #[command(flatten)]
    pub(crate) model: ModelLimits,
}

impl TimeLimit {
    /// When to stop work that begins then.
    pub(crate) fn deadline(&self, start: Instant) -> Option<Instant> {
        self.timeout.and_then(|timeout| start.checked_add(timeout))
    }

    /// The limits of work that begins then.
    pub(crate) fn from(&self, start: Instant) -> sempre::check::Limits {
        let deadline = self.deadline(start);
        sempre::check::Limits { deadline, ..sempre::check::Limits::default() }
    }
}

impl ModelLimits {
    /// The limits of work that begins then.
    pub(crate) fn from(&self, start: Instant) -> sempre::check::Limits {
        sempre::check::Limits {
            bytes: self.memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
            ..self.time.from(start)
        }
    }
}

impl SearchLimits {
    /// Returns the limits of a search that begins at `start` and stops when the token is raised.
    pub(crate) fn from(&self, start: Instant, interrupt: Interrupt) -> sempre::check::Limits {
        sempre::check::Limits {
            states: self.states,
            interrupt: Some(interrupt),
            ..self.model.from(start)
        }
    }
}

/// A number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0);
    let duration = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    duration.ok_or_else(|| "expected a finite number of seconds above 0".to_owned())
}

/// The interval at which memory use is measured.
const WATCH: Duration = Duration::from_millis(5);

impl Limits {
    /// Runs the work under the limits; `what` names it in error messages.
    pub(crate) fn run<T>(
        &self,
        what: impl FnOnce() -> String,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let interrupt = Interrupt::default();
        let outcome = match self.memory {
            None if self.timeout.is_none() => return work(),
            None => interrupt::run(&interrupt, deadline, work),
            Some(mebibytes) => {
                watched(mebibytes, &interrupt, || interrupt::run(&interrupt, deadline, work))?
            }
        };
        match outcome {
            Ok(result) => result,
            Err(_) if interrupt.is_raised() => {
                let limit = self.memory.unwrap_or_default();
                bail!("{} needs more than the {limit} MiB that --memory allows", what())
            }
            Err(_) => {
                let limit = self.timeout.unwrap_or_default().as_secs_f64();
                bail!("{} took more than the {limit} s that --timeout allows", what())
            }
        }
    }
}

/// Runs the work while another thread measures the memory, and raises the interrupt when the limit
/// is exceeded.
fn watched<T>(mebibytes: u64, interrupt: &Interrupt, work: impl FnOnce() -> T) -> Result<T> {
    let Some(before) = resident() else {
        bail!("--memory is not supported: the system does not report memory use")
    };
    let most = before.saturating_add(mebibytes.saturating_mul(1 << 20));
    let done = AtomicBool::new(false);
    Ok(thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if resident().is_some_and(|now| now > most) {
                    interrupt.raise();
                }
                thread::park_timeout(WATCH);
            }
        });
        let result = work();
        done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        result
    }))
}

/// Returns the memory use of the process in bytes, if the system reports it.
fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// Returns the peak memory use of the process in bytes, if the system reports it.
pub(crate) fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// Returns a number of bytes from the status of the process.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
