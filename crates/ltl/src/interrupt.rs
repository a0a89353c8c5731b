//! Time limits for long computations, enforced by unwinding.
//!
//! Translations, reductions and complementations may take exponential time. Their loops call
//! [`poll`], which costs almost nothing. [`run`] returns when the deadline has passed, or when
//! another thread has called [`Interrupt::raise`]. It drops the interrupted work.
//!
//! An interruption unwinds the stack, without a message and without the panic hook, so algorithms
//! need no error path for it. A program compiled to abort on panics cannot be interrupted in this
//! way.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A request to stop, shared between the working thread and those that may stop it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    is_raised: AtomicBool,
    is_waiting: AtomicBool,
    /// The time that was spent in [`waiting`], in nanoseconds.
    waited: AtomicU64,
    outer: Vec<Interrupt>,
}

impl Interrupt {
    /// Requests that the work under this interrupt stops.
    pub fn raise(&self) {
        self.0.is_raised.store(true, Ordering::Relaxed);
    }

    /// True once [`Interrupt::raise`] has been called on this interrupt or an outer one.
    pub fn is_raised(&self) -> bool {
        // The depth is that of nested calls.
        self.0.is_raised.load(Ordering::Relaxed) || self.0.outer.iter().any(Interrupt::is_raised)
    }

    /// True while the work under this interrupt is in [`waiting`].
    pub fn is_waiting(&self) -> bool {
        self.0.is_waiting.load(Ordering::Relaxed)
    }

    /// Returns the time that the work under this interrupt has spent in [`waiting`].
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.0.waited.load(Ordering::Relaxed))
    }

    /// Creates an interrupt for a part of the work. Raising it stops that part; raising `self`
    /// stops both.
    pub fn inner(&self) -> Interrupt {
        Interrupt(Arc::new(Request { outer: vec![self.clone()], ..Request::default() }))
    }
}

impl Interrupt {
    /// Creates an interrupt that is raised when one of both is.
    #[must_use]
    pub fn or(&self, other: &Interrupt) -> Interrupt {
        let outer = vec![self.clone(), other.clone()];
        Interrupt(Arc::new(Request { outer, ..Request::default() }))
    }
}

/// The error of [`run`]: the deadline has passed, or the interrupt was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The limits of a thread, for work that it shares with other threads.
#[derive(Clone, Default)]
pub struct Limits {
    interrupt: Interrupt,
    deadline: Option<Instant>,
    /// How many more times the limits may be looked at.
    looks: Option<u64>,
}

thread_local! {
    static LIMITS: RefCell<Option<Limits>> = const { RefCell::new(None) };
    /// Calls of [`poll`] until the next check of the limits; never zero without limits.
    static PATIENCE: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// The number of calls of [`poll`] between two checks of the clock.
const PATIENCE_BETWEEN_LOOKS: u32 = 64;

/// Runs `work` until it returns, the deadline passes or the interrupt is raised.
///
/// Limits apply to this thread only, until `work` returns; inner limits replace outer ones, but for
/// the budget of [`within`].
///
/// ```
/// use sempre_ltl::interrupt::{self, Interrupt, Interrupted};
/// use std::time::{Duration, Instant};
/// let soon = Instant::now() + Duration::from_millis(5);
/// let endless = interrupt::run(&Interrupt::default(), Some(soon), || loop { interrupt::poll() });
/// assert_eq!(endless, Err::<(), _>(Interrupted));
/// assert_eq!(interrupt::run(&Interrupt::default(), None, || 6 * 7), Ok(42));
/// ```
pub fn run<T>(
    interrupt: &Interrupt,
    deadline: Option<Instant>,
    work: impl FnOnce() -> T,
) -> Result<T, Interrupted> {
    let looks = LIMITS.with_borrow(|outer| outer.as_ref().and_then(|outer| outer.looks));
    limited(Limits { interrupt: interrupt.clone(), deadline, looks }, work)
}

/// Runs `work` until it returns or has called [`poll`] about 64 × `budget` times. The bound depends
/// on the work alone, so that the same work ends in the same way each time. Outer limits stay.
///
/// # Errors
/// If the budget is spent.
///
/// ```
/// use sempre_ltl::interrupt::{self, Interrupted};
/// assert_eq!(interrupt::within(10, || loop { interrupt::poll() }), Err::<(), _>(Interrupted));
/// assert_eq!(interrupt::within(10, || 6 * 7), Ok(42));
/// ```
pub fn within<T>(budget: u64, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    let outer = LIMITS.with_borrow(Clone::clone).unwrap_or_default();
    let looks = Some(outer.looks.map_or(budget, |looks| looks.min(budget)));
    let outcome = limited(Limits { looks, ..outer }, work);
    if outcome.is_err() {
        // An outer limit may be the reason.
        poll_now();
    }
    outcome
}

/// Returns the limits of this thread.
///
/// ```
/// use sempre_ltl::interrupt::{self, Interrupt, Interrupted};
/// let past = std::time::Instant::now();
/// let outcome = interrupt::run(&Interrupt::default(), Some(past), || {
///     let limits = interrupt::limits();
///     let work = || limits.run(|| loop { interrupt::poll() });
///     std::thread::scope(|scope| scope.spawn(work).join()).ok()
/// });
/// assert_eq!(outcome, Ok(Some(Err::<(), _>(Interrupted))));
/// ```
pub fn limits() -> Limits {
    LIMITS.with_borrow(Clone::clone).unwrap_or_default()
}

impl Limits {
    /// Runs work of another thread under these limits.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        limited(self.clone(), work)
    }
}

fn limited<T>(limits: Limits, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    let outer = LIMITS.replace(Some(limits));
    let patience = PATIENCE.replace(1);
    // The interrupted work is dropped and cannot be observed.
    let outcome = catch_unwind(AssertUnwindSafe(work));
    LIMITS.set(outer);
    PATIENCE.set(patience);
    outcome.or_else(|payload| match payload.downcast::<Interrupted>() {
        Ok(interrupted) => Err(*interrupted),
        Err(panic) => resume_unwind(panic),
    })
}

/// Runs work that waits for another process, such as reading from a pipe. The time does not count
/// for the deadline of this thread's limits.
pub fn waiting<T>(work: impl FnOnce() -> T) -> T {
    let Some(interrupt) = LIMITS.with_borrow(|limits| Some(limits.as_ref()?.interrupt.clone()))
    else {
        return work();
    };
    let start = Instant::now();
    interrupt.0.is_waiting.store(true, Ordering::Relaxed);
    let result = work();
    let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    interrupt.0.waited.fetch_add(nanoseconds, Ordering::Relaxed);
    interrupt.0.is_waiting.store(false, Ordering::Relaxed);
    result
}

/// Unwinds with [`Interrupted`] if a limit of this thread has expired.
///
/// Call it once per round of any loop that can be long, and never while holding a lock.
#[inline]
pub fn poll() {
    let is_over = PATIENCE.with(|patience| {
        patience.set(patience.get() - 1);
        patience.get() == 0
    });
    if is_over {
        look();
    }
}

/// As [`poll`], but checks the limits on every call: for loops with long rounds.
pub fn poll_now() {
    look();
}

#[cold]
fn look() {
    let (limited, over) = LIMITS.with_borrow_mut(|limits| match limits {
        None => (false, false),
        Some(Limits { interrupt, deadline, looks }) => {
            let is_spent = looks.as_mut().is_some_and(|looks| {
                *looks = looks.saturating_sub(1);
                *looks == 0
            });
            let is_late = || deadline.is_some_and(|end| Instant::now() >= end + interrupt.waited());
            (true, is_spent || interrupt.is_raised() || is_late())
        }
    });
    PATIENCE.set(if limited { PATIENCE_BETWEEN_LOOKS } else { u32::MAX });
    if over {
        resume_unwind(Box::new(Interrupted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_without_limits_ends_by_itself() {
        (0..1000).for_each(|_| poll());
        assert_eq!(run(&Interrupt::default(), None, || (0..1000).for_each(|_| poll())), Ok(()));
    }

    #[test]
    fn an_inner_interrupt_is_raised_with_the_outer_one() {
        let outer = Interrupt::default();
        let (first, second) = (outer.inner(), outer.inner().inner());
        first.raise();
        assert!(first.is_raised() && !second.is_raised() && !outer.is_raised());
        assert!(second.or(&first).is_raised() && !second.or(&outer).is_raised());
        outer.raise();
        assert!(second.is_raised());
    }

    #[test]
    fn another_thread_can_stop_the_work() {
        let interrupt = Interrupt::default();
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                run(&interrupt, None, || {
                    loop {
                        poll();
                    }
                })
            });
            interrupt.raise();
            assert_eq!(worker.join().unwrap(), Err::<(), _>(Interrupted));
        });
    }

    #[test]
    fn inner_limits_end_inner_work_only() {
        let outer = run(&Interrupt::default(), None, || {
            let past = Instant::now() - Duration::from_millis(1);
            let inner = run(&Interrupt::default(), Some(past), || {
                loop {
                    poll();
                }
            });
            (0..1000).for_each(|_| poll());
            inner
        });
        assert_eq!(outer, Ok(Err::<(), _>(Interrupted)));
    }

    #[test]
    fn waiting_does_not_count() {
        let interrupt = Interrupt::default();
        let soon = Instant::now() + Duration::from_secs(3600);
        let done = run(&interrupt, Some(soon), || {
            waiting(|| {
                assert!(interrupt.is_waiting());
                std::thread::sleep(Duration::from_millis(2));
            });
            poll_now();
            interrupt.waited()
        });
        assert!(done.unwrap() >= Duration::from_millis(2) && !interrupt.is_waiting());
        assert_eq!(waiting(|| 6 * 7), 42, "without limits");
        // The time is over, but for the time that was waited.
        let past = Instant::now() - Duration::from_millis(1);
        interrupt.0.waited.store(u64::MAX / 2, Ordering::Relaxed);
        assert_eq!(run(&interrupt, Some(past), poll_now), Ok(()));
    }

    #[test]
    fn a_budget_is_counted_in_calls() {
        let count = || {
            let calls = Cell::new(0u64);
            let spent = within(5, || {
                loop {
                    calls.set(calls.get() + 1);
                    poll();
                }
            });
            assert_eq!(spent, Err::<(), _>(Interrupted));
            calls.get()
        };
        let calls = count();
        assert!((64..=5 * 64 + 1).contains(&calls));
        assert_eq!(count(), calls);
        let past = Instant::now() - Duration::from_millis(1);
        let outer = run(&Interrupt::default(), Some(past), || {
            within(1 << 40, || {
                loop {
                    poll()
                }
            })
        });
        assert_eq!(outer, Err::<Result<(), _>, _>(Interrupted));
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn panics_stay_panics() {
        let _ = run(&Interrupt::default(), None, || panic!("a bug"));
    }
}
