//! Ends the process as Unix tools do: by `SIGPIPE` on a closed pipe, and on other signals without
//! leaving partly written files.
//!
//! An interrupt from the keyboard does not kill a search that can report partial results. The first
//! one asks it to stop; after the report the process ends by the signal, with exit code 130 in a
//! shell. A second one kills the process immediately.

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

    /// The time in which a search can report its counts before all other work is interrupted.
    const GRACE: Duration = Duration::from_secs(1);

    /// Ends the process by `SIGPIPE`, as if the signal were not handled.
    pub(crate) fn die_of_closed_pipe() -> ! {
        die_of(SIGPIPE)
    }

    /// Ends the process as an interrupt from the keyboard does.
    pub(crate) fn die_of_interrupt() -> ! {
        die_of(SIGINT)
    }

    fn die_of(signal: i32) -> ! {
        // Returns only if the signal is blocked.
        let _ = emulate_default_handler(signal);
        std::process::exit(128 + signal)
    }

    /// The actions to take before the process ends by a signal.
    struct Handlers {
        /// True once a thread waits for signals.
        is_listening: bool,
        /// Files to remove.
        temporary_files: Vec<PathBuf>,
        /// Other functions to call.
        functions: Vec<fn()>,
        /// The search that an interrupt asks to stop.
        search: Option<GracefulStop>,
    }

    static HANDLERS: Mutex<Handlers> = Mutex::new(Handlers {
        is_listening: false,
        temporary_files: Vec::new(),
        functions: Vec::new(),
        search: None,
    });

    fn handlers() -> MutexGuard<'static, Handlers> {
        HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl Handlers {
        /// Starts the thread that waits for signals.
        fn listen(&mut self) -> io::Result<()> {
            if self.is_listening {
                return Ok(());
            }
            let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
            let serve = move || {
                for signal in signals.forever() {
                    let handlers = handlers();
                    if signal == SIGINT && handlers.search.as_ref().is_some_and(GracefulStop::ask) {
                        continue;
                    }
                    for path in &handlers.temporary_files {
                        let _ = std::fs::remove_file(path);
                    }
                    for function in &handlers.functions {
                        function();
                    }
                    let _ = emulate_default_handler(signal);
                }
            };
            std::thread::Builder::new().name("signals".into()).spawn(serve)?;
            self.is_listening = true;
            Ok(())
        }
    }

    /// Creates a file with `create`, and removes it if SIGINT, SIGTERM or SIGHUP ends the process;
    /// the process still ends by that signal.
    ///
    /// Creates the file under the lock of the signal thread, so that every signal finds the file
    /// registered.
    pub(crate) fn create_temporary<T>(
        create: impl FnOnce() -> io::Result<(T, PathBuf)>,
    ) -> io::Result<T> {
        let mut handlers = handlers();
        handlers.listen()?;
        let (file, name) = create()?;
        handlers.temporary_files.push(name);
        Ok(file)
    }

    /// Removes the temporary files, before the process ends by itself.
    pub(crate) fn remove_temporary_files() {
        for path in &handlers().temporary_files {
            let _ = std::fs::remove_file(path);
        }
    }

    /// The two interrupts of a search.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct GracefulStop {
        /// Raised immediately: for a search, which then reports its counts.
        pub(crate) search: Interrupt,
        /// Raised after a delay: for all other work.
        pub(crate) rest: Interrupt,
    }

    impl GracefulStop {
        /// Runs the work. During it, an interrupt from the keyboard asks the work to stop and does
        /// not kill the process.
        ///
        /// # Errors
        /// If the system does not allow signals to be caught.
        pub(crate) fn run<T>(work: impl FnOnce(&GracefulStop) -> T) -> io::Result<T> {
            let stop = GracefulStop::default();
            {
                let mut handlers = handlers();
                handlers.listen()?;
                handlers.search = Some(stop.clone());
            }
            let result = work(&stop);
            handlers().search = None;
            Ok(result)
        }

        /// Asks the work to stop; false if it was already asked.
        fn ask(&self) -> bool {
            if self.search.is_raised() {
                return false;
            }
            self.search.raise();
            let rest = self.rest.clone();
            let wait = move || {
                std::thread::sleep(GRACE);
                rest.raise();
            };
            // If the thread cannot start, the next interrupt kills the process.
            let _ = std::thread::Builder::new().name("grace".into()).spawn(wait);
            true
        }
    }

    /// Blocks while a signal is ending the process. The thread of the signal holds the lock until
    /// the end; work that it stops must not be reported as finished.
    pub(crate) fn settle() {
        drop(handlers());
    }

    /// Registers a function to call before a signal ends the process.
    pub(crate) fn before_death(function: fn()) -> io::Result<()> {
        let mut handlers = handlers();
        handlers.listen()?;
        handlers.functions.push(function);
        Ok(())
    }
}

#[cfg(unix)]
pub(crate) use unix::{
    GracefulStop, before_death, create_temporary, die_of_closed_pipe, die_of_interrupt,
    remove_temporary_files, settle,
};

#[cfg(not(unix))]
mod elsewhere {
    use sempre::ltl::interrupt::Interrupt;
    use std::io;
    use std::path::PathBuf;

    /// Ends the process without a message, since nothing reads the output.
    pub(crate) fn die_of_closed_pipe() -> ! {
        std::process::exit(0)
    }

    /// Ends the process with the exit code of an interrupt.
    pub(crate) fn die_of_interrupt() -> ! {
        std::process::exit(130)
    }

    /// Creates a file with `create`; this system has no signals.
    pub(crate) fn create_temporary<T>(
        create: impl FnOnce() -> io::Result<(T, PathBuf)>,
    ) -> io::Result<T> {
        create().map(|(file, _)| file)
    }

    /// Does nothing: this system has no signals, and no list of temporary files is kept.
    pub(crate) fn remove_temporary_files() {}

    /// Does nothing: this system has no signals.
    pub(crate) fn settle() {}

    /// Does nothing: this system has no signals.
    pub(crate) fn before_death(_: fn()) -> io::Result<()> {
        Ok(())
    }

    /// The two interrupts of a search, which are never raised on this system.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct GracefulStop {
        /// For a search, which then reports its counts.
        pub(crate) search: Interrupt,
        /// For all other work.
        pub(crate) rest: Interrupt,
    }

    impl GracefulStop {
        /// Runs the work.
        pub(crate) fn run<T>(work: impl FnOnce(&GracefulStop) -> T) -> io::Result<T> {
            Ok(work(&GracefulStop::default()))
        }
    }
}

#[cfg(not(unix))]
pub(crate) use elsewhere::{
    GracefulStop, before_death, create_temporary, die_of_closed_pipe, die_of_interrupt,
    remove_temporary_files, settle,
};
