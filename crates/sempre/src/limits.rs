//! How long a piece of work may take.

use sempre::ltl::interrupt::{self, Interrupt};
use std::time::{Duration, Instant};

/// A time limit for each of the things that a command works on.
#[derive(clap::Args, Debug)]
pub(crate) struct TimeLimit {
    /// Give up on a formula or automaton after that many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0);
    let duration = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    duration.ok_or_else(|| "a time is a number of seconds above 0".to_owned())
}

/// The time was over: as many seconds as were allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeOver(pub(crate) f64);

impl TimeLimit {
    /// Does the work, unless it takes longer than is allowed.
    pub(crate) fn within<T>(&self, work: impl FnOnce() -> T) -> Result<T, TimeOver> {
        let Some(timeout) = self.timeout else { return Ok(work()) };
        // A time too long to be added is no limit.
        let deadline = Instant::now().checked_add(timeout);
        interrupt::run(&Interrupt::default(), deadline, work)
            .map_err(|_| TimeOver(timeout.as_secs_f64()))
    }
}
