//! Dying as Unix tools do: of a closed pipe, and of a signal once there is nothing half-written.
//!
//! A search that can tell what it knows so far is not cut off by an interrupt from the keyboard: the
//! first one asks it to end, and when it has told what it knows, the process dies of the signal as
//! it would have without; a shell sees the exit code 130. A second one kills it on the spot.

#[cfg(unix)]
mod unix {
    use sempre::ltl::interrupt::Interrupt;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::io;
    use std::path::PathBuf;
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::Duration;

    /// How much later than the search itself the work around it is ended, so that a search has the
    /// time to tell what it has counted.
    const GRACE: Duration = Duration::from_secs(1);

    /// Ends the process the way a program ends that never heard of `SIGPIPE`.
    pub(crate) fn die_of_closed_pipe() -> ! {
        die_of(SIGPIPE)
    }

    /// Ends the process the way an interrupt from the keyboard does.
    pub(crate) fn die_of_interrupt() -> ! {
        die_of(SIGINT)
    }

    fn die_of(signal: i32) -> ! {
        // Comes back only if the signal is blocked.
        let _ = emulate_default_handler(signal);
        std::process::exit(128 + signal)
    }

    /// What is to be done before the process dies of a signal.
    struct Wishes {
        /// True once a thread waits for signals.
        heard: bool,
        /// Files that must not outlive the process.
        doomed: Vec<PathBuf>,
        /// What else has to be done.
        last_acts: Vec<fn()>,
        /// A search that an interrupt ends gently.
        search: Option<Gently>,
    }

    static WISHES: Mutex<Wishes> = Mutex::new(Wishes {
        heard: false,
        doomed: Vec::new(),
        last_acts: Vec::new(),
        search: None,
    });

    fn wishes() -> MutexGuard<'static, Wishes> {
        WISHES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl Wishes {
        /// Has signals heard from now on.
        fn hear(&mut self) -> io::Result<()> {
            if self.heard {
                return Ok(());
            }
            let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
            let serve = move || {
                for signal in signals.forever() {
                    let wishes = wishes();
                    if signal == SIGINT && wishes.search.as_ref().is_some_and(Gently::ask) {
                        continue;
                    }
                    for path in &wishes.doomed {
                        let _ = std::fs::remove_file(path);
                    }
                    for act in &wishes.last_acts {
                        act();
                    }
                    let _ = emulate_default_handler(signal);
                }
            };
            std::thread::Builder::new().name("signals".into()).spawn(serve)?;
            self.heard = true;
            Ok(())
        }
    }

    /// Creates a file by `create` and has it removed when the process is interrupted, terminated or
    /// hung up on; the process still ends by that signal.
    ///
    /// The file comes into being under the lock that the signal thread takes, so that no moment is
    /// left in which a signal finds a file it does not know of.
    pub(crate) fn create_doomed<T>(
        create: impl FnOnce() -> io::Result<(T, PathBuf)>,
    ) -> io::Result<T> {
        let mut wishes = wishes();
        wishes.hear()?;
        let (file, name) = create()?;
        wishes.doomed.push(name);
        Ok(file)
    }

    /// How a search is asked to end.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Gently {
        /// Raised at once: for what can tell how far it has got.
        pub(crate) soon: Interrupt,
        /// Raised a little later: for everything else.
        pub(crate) late: Interrupt,
    }

    impl Gently {
        /// Does the work; an interrupt from the keyboard does not kill the process meanwhile, but
        /// asks the work to end.
        ///
        /// # Errors
        /// If the system does not let signals be caught.
        pub(crate) fn run<T>(work: impl FnOnce(&Gently) -> T) -> io::Result<T> {
            let gently = Gently::default();
            {
                let mut wishes = wishes();
                wishes.hear()?;
                wishes.search = Some(gently.clone());
            }
            let result = work(&gently);
            wishes().search = None;
            Ok(result)
        }

        /// Asks the work to end; false if it has been asked before.
        fn ask(&self) -> bool {
            if self.soon.is_raised() {
                return false;
            }
            self.soon.raise();
            let late = self.late.clone();
            let wait = move || {
                std::thread::sleep(GRACE);
                late.raise();
            };
            // Without the thread, the next interrupt will do.
            let _ = std::thread::Builder::new().name("grace".into()).spawn(wait);
            true
        }
    }

    /// Does not return while a signal is ending the process: the thread that serves it holds the
    /// lock until the end, and what it stops must not be taken for the end of the work.
    pub(crate) fn settle() {
        drop(wishes());
    }

    /// Has the function called before a signal ends the process.
    pub(crate) fn before_death(function: fn()) -> io::Result<()> {
        let mut wishes = wishes();
        wishes.hear()?;
        wishes.last_acts.push(function);
        Ok(())
    }
}

#[cfg(unix)]
pub(crate) use unix::{
    Gently, before_death, create_doomed, die_of_closed_pipe, die_of_interrupt, settle,
};

#[cfg(not(unix))]
mod elsewhere {
    use sempre::ltl::interrupt::Interrupt;
    use std::io;
    use std::path::PathBuf;

    /// Ends the process quietly: nobody is left to read what it would say.
    pub(crate) fn die_of_closed_pipe() -> ! {
        std::process::exit(0)
    }

    /// Ends the process as an interrupt from the keyboard does on other systems.
    pub(crate) fn die_of_interrupt() -> ! {
        std::process::exit(130)
    }

    /// Creates a file by `create`; there are no signals to remove it on.
    pub(crate) fn create_doomed<T>(
        create: impl FnOnce() -> io::Result<(T, PathBuf)>,
    ) -> io::Result<T> {
        create().map(|(file, _)| file)
    }

    /// There are no signals to wait for.
    pub(crate) fn settle() {}

    /// There are no signals to call anything on.
    pub(crate) fn before_death(_: fn()) -> io::Result<()> {
        Ok(())
    }

    /// How a search is asked to end: there are no signals that would ask.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Gently {
        /// For what can tell how far it has got.
        pub(crate) soon: Interrupt,
        /// For everything else.
        pub(crate) late: Interrupt,
    }

    impl Gently {
        /// Does the work.
        pub(crate) fn run<T>(work: impl FnOnce(&Gently) -> T) -> io::Result<T> {
            Ok(work(&Gently::default()))
        }
    }
}

#[cfg(not(unix))]
pub(crate) use elsewhere::{
    Gently, before_death, create_doomed, die_of_closed_pipe, die_of_interrupt, settle,
};
