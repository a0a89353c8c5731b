//! Dying as Unix tools do: of a closed pipe, and of a signal once there is nothing half-written.

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::io;
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex, PoisonError};

    /// Ends the process the way a program ends that never heard of `SIGPIPE`.
    pub(crate) fn die_of_closed_pipe() -> ! {
        // Comes back only if the signal is blocked.
        let _ = emulate_default_handler(SIGPIPE);
        std::process::exit(128 + SIGPIPE)
    }

    /// A file that must not outlive the process if a signal ends it.
    #[derive(Clone, Default)]
    pub(crate) struct DoomedFile(Arc<Mutex<Option<PathBuf>>>);

    impl DoomedFile {
        /// Creates the file by `create` and has it removed when the process is interrupted,
        /// terminated or hung up on; the process still ends by that signal.
        ///
        /// The file comes into being under the lock that the signal thread takes, so that no
        /// moment is left in which a signal finds a file it does not know of.
        pub(crate) fn create<T>(
            create: impl FnOnce() -> io::Result<(T, PathBuf)>,
        ) -> io::Result<T> {
            let doomed = DoomedFile::default();
            let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
            let mut path = doomed.0.lock().unwrap_or_else(PoisonError::into_inner);
            let thread = doomed.clone();
            std::thread::Builder::new().name("signals".into()).spawn(move || {
                for signal in signals.forever() {
                    let path = thread.0.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(path) = &*path {
                        let _ = std::fs::remove_file(path);
                    }
                    let _ = emulate_default_handler(signal);
                }
            })?;
            let (file, name) = create()?;
            *path = Some(name);
            Ok(file)
        }
    }
}

#[cfg(unix)]
pub(crate) use unix::{DoomedFile, die_of_closed_pipe};

#[cfg(not(unix))]
mod elsewhere {
    use std::io;
    use std::path::PathBuf;

    /// Ends the process quietly: nobody is left to read what it would say.
    pub(crate) fn die_of_closed_pipe() -> ! {
        std::process::exit(0)
    }

    /// Creates files; there are no signals to remove them on.
    pub(crate) struct DoomedFile;

    impl DoomedFile {
        /// Creates the file by `create`.
        pub(crate) fn create<T>(
            create: impl FnOnce() -> io::Result<(T, PathBuf)>,
        ) -> io::Result<T> {
            create().map(|(file, _)| file)
        }
    }
}

#[cfg(not(unix))]
pub(crate) use elsewhere::{DoomedFile, die_of_closed_pipe};
