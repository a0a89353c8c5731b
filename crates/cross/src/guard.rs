//! Work in this process that must not end the comparison: neither by a panic nor by taking for
//! ever.

use crate::{Failure, FailureKind, Limits};
use sempre_ltl::interrupt::{self, Interrupt, Interrupted};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;
use std::time::Instant;

thread_local! {
    /// The message of a panic, while panics of this thread are captured.
    static CAPTURED: RefCell<Option<String>> = const { RefCell::new(None) };
}

static CAPTURE: Once = Once::new();

/// Does the work, unless it takes too long; a panic is a crash, and is not shown otherwise.
pub(crate) fn guarded<T>(limits: &Limits, work: impl FnOnce() -> T) -> Result<T, Failure> {
    CAPTURE.call_once(|| {
        let shown = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !capture(panic) {
                shown(panic);
            }
        }));
    });
    let outer = CAPTURED.replace(Some(String::new()));
    let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
    // The interrupted work is dropped, and the caller does not use its remains.
    let outcome =
        catch_unwind(AssertUnwindSafe(|| interrupt::run(&Interrupt::default(), deadline, work)));
    let said = CAPTURED.replace(outer).unwrap_or_default();
    match outcome {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(Interrupted)) => {
            let limit = limits.time.unwrap_or_default().as_secs_f64();
            Err(Failure::new(FailureKind::Time, format!("took more than {limit} s")))
        }
        Err(_) => Err(Failure::new(FailureKind::Crash, format!("panicked: {said}"))),
    }
}

/// Stores the message of a panic if this thread captures panics; false otherwise.
fn capture(panic: &PanicHookInfo<'_>) -> bool {
    CAPTURED.with_borrow_mut(|captured| {
        let Some(said) = captured else { return false };
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("for no given reason");
        *said = match panic.location() {
            Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
            None => message.to_owned(),
        };
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn panics_are_crashes() {
        let failure = guarded(&Limits::default(), || panic!("no way")).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Crash);
        assert!(failure.message.starts_with("panicked: no way ("), "{}", failure.message);
        assert_eq!(guarded(&Limits::default(), || 3), Ok(3));
    }

    #[test]
    fn endless_work_ends() {
        let limits = Limits { time: Some(Duration::from_millis(5)), memory: None };
        let endless = || -> () {
            loop {
                interrupt::poll();
            }
        };
        assert_eq!(guarded(&limits, endless).unwrap_err().kind, FailureKind::Time);
    }
}
