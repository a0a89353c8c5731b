//! Ending long work that nobody waits for any more.
//!
//! Translations, reductions and complementations may take exponential time. Their loops call
//! [`poll`], which costs next to nothing; [`run`] runs them and gets control back when
//! the time is over, or when another thread has called [`Interrupt::raise`]. What was under way is
//! dropped, as if it had never been started.
//!
//! An interruption unwinds the stack, without a message and without the panic hook, so that the
//! algorithms in between need no error path of their own. A program compiled to abort on panics
//! cannot be interrupted in this way.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A request to stop, shared between the thread that works and those that may stop it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    is_raised: AtomicBool,
    outer: Option<Interrupt>,
}

impl Interrupt {
    /// Asks the work that runs under this interrupt to stop.
    pub fn raise(&self) {
        self.0.is_raised.store(true, Ordering::Relaxed);
    }

    /// True once [`Interrupt::raise`] has been called, here or on the one it is inside of.
    pub fn is_raised(&self) -> bool {
        let mut request = Some(self);
        while let Some(Interrupt(here)) = request {
            if here.is_raised.load(Ordering::Relaxed) {
                return true;
            }
            request = here.outer.as_ref();
        }
        false
    }

    /// An interrupt for a part of the work: raising it ends that part alone, while raising this
    /// one ends both.
    pub fn inner(&self) -> Interrupt {
        Interrupt(Arc::new(Request { outer: Some(self.clone()), ..Request::default() }))
    }
}

/// Why [`run`] has no result: the time was over, or the interrupt was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The limits of the work that the thread does at the moment.
struct Limits {
    interrupt: Interrupt,
    deadline: Option<Instant>,
}

thread_local! {
    static LIMITS: RefCell<Option<Limits>> = const { RefCell::new(None) };
    /// Calls of [`poll`] until the limits are looked at; never zero while there are none.
    static PATIENCE: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// How many calls of [`poll`] pass between two looks at the clock.
const PATIENCE_BETWEEN_LOOKS: u32 = 64;

/// Runs `work` until it is done, the deadline is over or the interrupt is raised.
///
/// The limits are those of this thread alone, and hold until `work` returns; limits inside limits
/// replace the outer ones for that time.
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
    let limits = Limits { interrupt: interrupt.clone(), deadline };
    let outer = LIMITS.replace(Some(limits));
    let patience = PATIENCE.replace(1);
    // What was under way is dropped, and nothing of it can be seen any more.
    let outcome = catch_unwind(AssertUnwindSafe(work));
    LIMITS.set(outer);
    PATIENCE.set(patience);
    outcome.or_else(|payload| match payload.downcast::<Interrupted>() {
        Ok(interrupted) => Err(*interrupted),
        Err(panic) => resume_unwind(panic),
    })
}

/// Returns, unless this thread works under limits that are over: then it does not.
///
/// To be called once per round of any loop that can be long, and never while a lock is held.
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

/// As [`poll`], but looks at the limits each time: for loops of which every round is long.
pub fn poll_now() {
    look();
}

#[cold]
fn look() {
    let (limited, over) = LIMITS.with_borrow(|limits| match limits {
        None => (false, false),
        Some(Limits { interrupt, deadline }) => {
            (true, interrupt.is_raised() || deadline.is_some_and(|end| Instant::now() >= end))
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
    use std::time::Duration;

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
    #[should_panic(expected = "a bug")]
    fn panics_stay_panics() {
        let _ = run(&Interrupt::default(), None, || panic!("a bug"));
    }
}
