//! Limits of time and memory for work that may take long.

use anyhow::{Result, bail};
use sempre::ltl::interrupt::{self, Interrupt};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The options that limit what is spent on one piece of input.
#[derive(clap::Args, Debug)]
pub(crate) struct Limits {
    /// Give up on a formula or an automaton after that many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// Give up on a formula or an automaton that needs so many mebibytes of memory more than there
    /// were in use.
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

    /// Stop when that many mebibytes of memory are needed; decision diagrams take no more than 4096
    /// without it.
    #[arg(long, value_name = "MIB", help_heading = "Limits")]
    memory: Option<usize>,
}

/// The options that limit a search.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SearchLimits {
    /// Stop when there are that many states.
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
    /// The limits of a search that begins then and ends when the token is raised.
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
    duration.ok_or_else(|| "a time is a finite number of seconds above 0".to_owned())
}

/// How often the memory is looked at.
const WATCH: Duration = Duration::from_millis(5);

impl Limits {
    /// Does the work unless it goes beyond a limit; `what` is what it is done for.
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

/// Does the work while another thread looks at the memory, and raises the interrupt when it has
/// grown too much.
fn watched<T>(mebibytes: u64, interrupt: &Interrupt, work: impl FnOnce() -> T) -> Result<T> {
    let Some(before) = resident() else {
        bail!("--memory is not possible: the system does not tell how much is in use")
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

/// The bytes of memory that the process has in use, where the system tells.
fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The most bytes of memory that the process has had in use, where the system tells.
pub(crate) fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// A number of bytes that the system tells about the process.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
