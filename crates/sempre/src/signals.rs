//! Dying as Unix tools do: of a closed pipe, and of a signal once there is nothing half-written.

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::io;
    use std::path::PathBuf;
    use std::sync::{Mutex, PoisonError};

    /// Ends the process the way a program ends that never heard of `SIGPIPE`.
    pub(crate) fn die_of_closed_pipe() -> ! {
        // Comes back only if the signal is blocked.
        let _ = emulate_default_handler(SIGPIPE);
        std::process::exit(128 + SIGPIPE)
    }

    /// What has to be done before a signal ends the process.
    enum LastAct {
        Remove(PathBuf),
        Call(fn()),
    }

    /// Nothing until there is a thread that waits for signals.
    static LAST_ACTS: Mutex<Option<Vec<LastAct>>> = Mutex::new(None);

    /// Has something done when the process is interrupted, terminated or hung up on; the process
    /// still ends by that signal.
    ///
    /// What makes it necessary is created under the lock that the signal thread takes, so that no
    /// moment is left in which a signal finds what it does not know of.
    fn prepare<T>(create: impl FnOnce() -> io::Result<(T, LastAct)>) -> io::Result<T> {
        let mut acts = LAST_ACTS.lock().unwrap_or_else(PoisonError::into_inner);
        if acts.is_none() {
            let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
            std::thread::Builder::new().name("signals".into()).spawn(move || {
                for signal in signals.forever() {
                    let acts = LAST_ACTS.lock().unwrap_or_else(PoisonError::into_inner);
                    for act in acts.iter().flatten() {
                        match act {
                            LastAct::Remove(path) => drop(std::fs::remove_file(path)),
                            LastAct::Call(function) => function(),
                        }
                    }
                    let _ = emulate_default_handler(signal);
                }
            })?;
        }
        let (created, act) = create()?;
        acts.get_or_insert_default().push(act);
        Ok(created)
    }

    /// Creates a file that must not outlive the process if a signal ends it.
    pub(crate) fn doomed_file<T>(
        create: impl FnOnce() -> io::Result<(T, PathBuf)>,
    ) -> io::Result<T> {
        prepare(|| create().map(|(file, path)| (file, LastAct::Remove(path))))
    }

    /// Has the function called before a signal ends the process.
    pub(crate) fn before_death(function: fn()) -> io::Result<()> {
        prepare(|| Ok(((), LastAct::Call(function))))
    }
}

#[cfg(unix)]
pub(crate) use unix::{before_death, die_of_closed_pipe, doomed_file};

#[cfg(not(unix))]
mod elsewhere {
    use std::io;
    use std::path::PathBuf;

    /// Ends the process quietly: nobody is left to read what it would say.
    pub(crate) fn die_of_closed_pipe() -> ! {
        std::process::exit(0)
    }

    /// Creates a file; there are no signals to remove it on.
    pub(crate) fn doomed_file<T>(
        create: impl FnOnce() -> io::Result<(T, PathBuf)>,
    ) -> io::Result<T> {
        create().map(|(file, _)| file)
    }

    /// There are no signals to call anything on.
    pub(crate) fn before_death(_: fn()) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(not(unix))]
pub(crate) use elsewhere::{before_death, die_of_closed_pipe, doomed_file};
