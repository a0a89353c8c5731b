//! Work on diagrams under limits of time and memory.

use sempre_check::{CheckError, Limits, Reason};
use sempre_diagrams::{Exhausted, Manager};

/// Does work on the diagrams of a manager, and ends it when the time is over, it is cancelled, or the
/// memory of the manager is exhausted. The manager must poll for the first two.
///
/// # Errors
/// With the limit that was reached, or the error of the work.
pub fn attempt<T, E: Into<CheckError>>(
    manager: &Manager<'_>,
    limits: &Limits,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, CheckError> {
    let done = limits.run(|| manager.attempt(work))?;
    done.map_err(|Exhausted| Reason::Memory)?.map_err(Into::into)
}
