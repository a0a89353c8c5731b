//! The running processes, to be ended with the whole run.
//!
//! Programs have process groups of their own, to be ended with all that they have started; so a
//! signal from the terminal does not reach them. The signal handler calls [`end_all`].

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// Process groups and folders that must not outlive this process.
struct Running {
    /// No more programs are started.
    closed: bool,
    groups: BTreeSet<u32>,
    folders: BTreeSet<PathBuf>,
}

static RUNNING: Mutex<Running> =
    Mutex::new(Running { closed: false, groups: BTreeSet::new(), folders: BTreeSet::new() });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs that participants have started, removes their files, and lets no more be
/// started: for a process that is about to end.
pub fn end_all() {
    let mut running = running();
    running.closed = true;
    for &group in &running.groups {
        end_group(group);
    }
    for folder in &running.folders {
        // It is left behind if it cannot be removed; there is no place to report that.
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Ends a process and all that it has started.
fn end_group(leader: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(leader).ok().and_then(rustix::process::Pid::from_raw) {
        // A group that is gone needs no signal.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = leader;
}

/// A child and its process group; both end when this is dropped.
pub(super) struct Group {
    child: Child,
    waited: bool,
}

impl Group {
    /// Starts a program in its own process group.
    pub(super) fn spawn(command: &mut Command) -> io::Result<Group> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Under the lock, so that the group is always registered.
        let mut running = running();
        if running.closed {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "no more programs are started"));
        }
        let child = command.spawn()?;
        running.groups.insert(child.id());
        Ok(Group { child, waited: false })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Ends the group and waits for the child.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        if !std::mem::replace(&mut self.waited, true) {
            // Until the child is waited for, its number cannot be that of another group.
            let leader = self.child.id();
            end_group(leader);
            running().groups.remove(&leader);
        }
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.waited {
            // Only after an error, which is reported, does nobody ask how the child has ended.
            let _ = self.end();
        }
    }
}

/// A folder for the files of one run, which is removed when this is dropped.
pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    /// A new, empty folder.
    pub(crate) fn new() -> io::Result<Folder> {
        let mut running = running();
        let folder = tempfile::Builder::new().prefix("sempre-").tempdir()?;
        running.folders.insert(folder.path().to_owned());
        Ok(Folder { folder })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        running().folders.remove(self.folder.path());
    }
}
