//! Limits of time and memory.

use crate::signals;
use anyhow::{Result, anyhow, bail};
use clap::ArgMatches;
use sempre::ltl::interrupt::{self, Interrupt};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// The limits for one formula or automaton.
#[derive(clap::Args, Debug, Default)]
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

/// The interval at which time and memory use are looked at.
const WATCH: Duration = Duration::from_millis(5);

/// Limits of one piece of work, from when it began.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    start: Instant,
    timeout: Option<Duration>,
    mebibytes: Option<u64>,
}

/// The limits in the command line, for reading inputs.
static READING: OnceLock<(Option<Duration>, Option<u64>)> = OnceLock::new();

/// Keeps the limits in the command line, which [`reading`] obeys.
pub(crate) fn declare(arguments: &ArgMatches) {
    let mut leaf = arguments;
    while let Some((_, inner)) = leaf.subcommand() {
        leaf = inner;
    }
    let timeout = leaf.try_get_one::<Duration>("timeout").ok().flatten().copied();
    let words = leaf.try_get_one::<usize>("memory").ok().flatten().map(|number| *number as u64);
    let memory = leaf.try_get_one::<u64>("memory").ok().flatten().copied().or(words);
    let _ = READING.set((timeout, memory));
    let _ = START.set(resident().unwrap_or_default());
}

/// Reads a large part of an input under the limits of the command; `what` names it.
pub(crate) fn reading<T>(what: impl FnOnce() -> String, work: impl FnOnce() -> T) -> Result<T> {
    let (timeout, mebibytes) = READING.get().copied().unwrap_or_default();
    Bounds { start: Instant::now(), timeout, mebibytes }.run(what, || Ok(work()))
}

/// Returns the bytes that a part of an input may have: no more than --memory.
pub(crate) fn longest_part(most: u64) -> u64 {
    let mebibytes = READING.get().and_then(|(_, memory)| *memory);
    mebibytes.map_or(most, |mebibytes| mebibytes.saturating_mul(1 << 20).min(most))
}

impl Limits {
    /// Runs the work under the limits; `what` names it in error messages.
    pub(crate) fn run<T>(
        &self,
        what: impl FnOnce() -> String,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let (start, mebibytes) = (Instant::now(), self.memory);
        Bounds { start, timeout: self.timeout, mebibytes }.run(what, work)
    }

    /// Returns the time limit, or another one if there is none.
    pub(crate) fn timeout_or(&self, timeout: Duration) -> Bounds {
        let timeout = Some(self.timeout.unwrap_or(timeout));
        Bounds { start: Instant::now(), timeout, mebibytes: self.memory }
    }
}

impl ModelLimits {
    /// The limits of all work on the model that began then.
    pub(crate) fn bounds(&self, start: Instant) -> Bounds {
        let mebibytes = self.memory.and_then(|memory| u64::try_from(memory).ok());
        Bounds { start, timeout: self.time.timeout, mebibytes }
    }

    /// Watches a search that begins at `start` and measures its memory itself. Its budget does not
    /// count everything, so the interrupt is raised somewhat later.
    pub(crate) fn watch(&self, start: Instant, interrupt: &Interrupt) -> Result<Option<Watch>> {
        let bounds = self.bounds(start);
        if bounds.timeout.is_none() && bounds.mebibytes.is_none() {
            return Ok(None);
        }
        let slack = bounds.mebibytes.map_or(0, |mebibytes| (mebibytes << 20) / 8 + (32 << 20));
        Watch::new(&bounds, interrupt, slack).map(Some)
    }
}

impl Bounds {
    /// Runs the work under the limits; `what` names it in error messages.
    pub(crate) fn run<T>(
        &self,
        what: impl FnOnce() -> String,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        if self.timeout.is_none() && self.mebibytes.is_none() {
            return work();
        }
        let interrupt = Interrupt::default();
        let deadline = self.timeout.and_then(|timeout| self.start.checked_add(timeout));
        let outcome = {
            let _watch = Watch::new(self, &interrupt, 0)?;
            interrupt::run(&interrupt, deadline, work)
        };
        match outcome {
            Ok(result) => result,
            Err(_) if interrupt.is_raised() => {
                let limit = self.mebibytes.unwrap_or_default();
                bail!("{} needs more than the {limit} MiB that --memory allows", what())
            }
            Err(_) => {
                let limit = self.timeout.unwrap_or_default().as_secs_f64();
                bail!("{} took more than the {limit} s that --timeout allows", what())
            }
        }
    }
}

/// A thread that measures time and memory while work is done.
///
/// It raises the interrupt when the memory limit is exceeded. All long work polls; if some does not
/// for long after a limit, the thread ends the process, so that limits hold in any case.
pub(crate) struct Watch {
    done: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

/// How much of a limit may be exceeded before the process ends, as a part of it.
const EXCESS: f64 = 0.4;

/// How much time may pass besides.
const EXCESS_TIME: Duration = Duration::from_millis(400);

/// The processor time that work may take after a limit of time: on a machine that does much else, it
/// may not have come to its next look at the clock.
const EXCESS_WORK: Duration = Duration::from_millis(250);

/// The time that such work may take at most.
const STARVED: Duration = Duration::from_secs(10);

/// How much memory may be used besides, in bytes.
const EXCESS_MEMORY: u64 = 64 << 20;

/// The memory use of the process at its start.
static START: OnceLock<u64> = OnceLock::new();

impl Watch {
    /// Watches work under these limits; `slack` bytes may be used besides before the interrupt is
    /// raised.
    pub(crate) fn new(bounds: &Bounds, interrupt: &Interrupt, slack: u64) -> Result<Self> {
        let now = resident();
        if bounds.mebibytes.is_some() && now.is_none() {
            bail!("--memory is not supported: the system does not report memory use")
        }
        let allowed = bounds.mebibytes.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        let excess = |bytes: u64| (bytes as f64 * (1.0 + EXCESS)) as u64;
        let start = *START.get_or_init(|| now.unwrap_or_default());
        // Earlier work may leave memory that is not returned to the system, or results in use. They
        // count, but for a part of the limit.
        let before = |bytes: u64| now.unwrap_or_default().min(start + excess(bytes) - bytes);
        let soft = allowed.map(|bytes| before(bytes).saturating_add(bytes.saturating_add(slack)));
        let hard = allowed.map(|bytes| {
            let most = start.saturating_add(excess(bytes)).saturating_add(EXCESS_MEMORY);
            most.max(before(bytes).saturating_add(bytes.saturating_add(slack)))
        });
        let soft_end = bounds.timeout.and_then(|timeout| bounds.start.checked_add(timeout));
        let end = bounds.timeout.and_then(|timeout| {
            bounds.start.checked_add(timeout.mul_f64(1.0 + EXCESS))?.checked_add(EXCESS_TIME)
        });
        // The processor time of the process when the limit was reached.
        let mut spent_at_limit = None;
        let done = Arc::new(AtomicBool::new(false));
        let (is_done, interrupt) = (done.clone(), interrupt.clone());
        let look = move || {
            while !is_done.load(Ordering::Relaxed) {
                if let Some(now) = soft.and_then(|_| resident()) {
                    if soft.is_some_and(|soft| now > soft) {
                        interrupt.raise();
                    }
                    if hard.is_some_and(|hard| now > hard) {
                        give_up("--memory");
                    }
                }
                let is_over = |end: Instant| Instant::now() > end + interrupt.waited();
                if soft_end.is_some_and(is_over) {
                    let spent = processor_time().unwrap_or(Duration::MAX);
                    let since = spent.saturating_sub(*spent_at_limit.get_or_insert(spent));
                    let has_run = since > EXCESS_WORK || spent == Duration::MAX;
                    let is_late = end.is_some_and(is_over) && has_run
                        || end.is_some_and(|end| is_over(end + STARVED));
                    if is_late && !interrupt.is_waiting() {
                        give_up("--timeout");
                    }
                }
                thread::park_timeout(WATCH);
            }
        };
        let thread = thread::Builder::new().name("limits".into()).spawn(look)?;
        Ok(Watch { done, thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// Ends the process, since work does not end that should have.
fn give_up(option: &str) -> ! {
    signals::remove_temporary_files();
    crate::report::error(&anyhow!(
        "the limit of {option} is exceeded, in work that does not look at it"
    ));
    std::process::exit(crate::Exit::Error as i32)
}

/// Returns the memory use of the process in bytes, if the system reports it.
fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// Returns the processor time of the process, if the system reports it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the command, in parentheses, may have spaces.
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    // Linux reports hundredths of seconds.
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
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
