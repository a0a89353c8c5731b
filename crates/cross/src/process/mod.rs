//! Runs a program under limits.
//!
//! A program has its own process group, which is killed as a whole: at the time limit, when too
//! much is written, and when the program has ended but a child has not. The system limits its
//! address space (Linux only). The size of its output file is polled, and one thread reads the
//! pipes.

mod running;

pub(crate) use running::Folder;
pub use running::end_all;

use crate::Limits;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The maximal number of bytes that a program may write to standard output or to a file.
pub(crate) const LARGEST_OUTPUT: u64 = 64 << 20;

/// The maximal number of stored bytes of standard error, from the end.
const KEPT_ERRORS: usize = 4 << 10;

/// A command to run.
pub(crate) struct Job {
    /// The program and its arguments.
    pub(crate) words: Vec<OsString>,
    /// The file for standard input; empty input by default.
    pub(crate) stdin: Option<PathBuf>,
    /// The file for standard output; captured by default.
    pub(crate) stdout: Option<PathBuf>,
    /// A file that it may write to, up to the size limit.
    pub(crate) output: PathBuf,
}

/// The exit status and the output of a program.
pub(crate) struct Outcome {
    pub(crate) end: End,
    /// The standard output.
    pub(crate) output: Vec<u8>,
    /// The end of its standard error.
    pub(crate) errors: Vec<u8>,
    /// The largest observed address space.
    pub(crate) memory: u64,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By exiting with this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// At the time limit.
    Time,
    /// At the output limit.
    Output,
}

/// Runs a program without input until it ends or exceeds a limit. Returns its end and its standard
/// output.
///
/// # Errors
/// If it cannot be started or watched.
pub fn run_program(
    words: impl IntoIterator<Item = impl Into<OsString>>,
    limits: &Limits,
) -> io::Result<(End, Vec<u8>)> {
    let words = words.into_iter().map(Into::into).collect();
    let job = Job { words, stdin: None, stdout: None, output: PathBuf::new() };
    job.run(limits).map(|outcome| (outcome.end, outcome.output))
}

impl Job {
    /// Runs the program until it ends or exceeds a limit.
    ///
    /// # Errors
    /// If it cannot be started or watched.
    pub(crate) fn run(&self, limits: &Limits) -> io::Result<Outcome> {
        let [program, arguments @ ..] = &*self.words else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no program"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stderr(Stdio::piped());
        match &self.stdin {
            Some(path) => command.stdin(File::open(path)?),
            None => command.stdin(Stdio::null()),
        };
        match &self.stdout {
            Some(path) => command.stdout(File::create(path)?),
            None => command.stdout(Stdio::piped()),
        };
        watch::run(&mut command, &self.output, limits)
    }
}

#[cfg(unix)]
mod watch {
    use super::running::Group;
    use super::{End, KEPT_ERRORS, LARGEST_OUTPUT, Outcome};
    use crate::Limits;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    use std::io::{self, Read};
    use std::os::fd::AsFd;
    use std::os::unix::process::ExitStatusExt;
    use std::path::Path;
    use std::process::{Child, ChildStderr, ChildStdout, Command};
    use std::thread;
    use std::time::{Duration, Instant};

    /// The interval at which a silent program is polled.
    const TICK: Duration = Duration::from_millis(20);

    /// The time to wait for the rest of the pipes if other processes hold them open.
    const GRACE: Duration = Duration::from_millis(200);

    pub(super) fn run(
        command: &mut Command,
        output: &Path,
        limits: &Limits,
    ) -> io::Result<Outcome> {
        let start = Instant::now();
        let deadline = limits.time.and_then(|time| start.checked_add(time));
        let mut group = Group::spawn(command)?;
        let child = group.child();
        let mut limited = limit(child, limits)?;
        let mut pipes = Pipes {
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            output: vec![],
            errors: vec![],
        };
        let mut memory = 0;
        let mut last_look = start;
        // The child is only reaped after its end, which frees its process id.
        let stopped = loop {
            if pipes.output.len() as u64 > LARGEST_OUTPUT {
                break Some(End::Output);
            }
            let now = Instant::now();
            let left = deadline.map_or(TICK, |end| end.saturating_duration_since(now));
            if left.is_zero() {
                break Some(End::Time);
            }
            if now.saturating_duration_since(last_look) >= TICK {
                last_look = now;
                if std::fs::metadata(output).is_ok_and(|data| data.len() > LARGEST_OUTPUT) {
                    break Some(End::Output);
                }
                if limits.memory.is_some() {
                    memory = memory.max(address_space(child));
                    limited = limited || limit_group(child, limits)?;
                }
            }
            if pipes.are_closed() {
                if has_ended(child)? {
                    break None;
                }
                // Programs end right after they close their pipes, or run for long.
                thread::sleep(left.min(Duration::from_micros(100)));
                if has_ended(child)? {
                    break None;
                }
                thread::sleep(left.min(TICK / 4));
            } else if !pipes.read(left.min(TICK))? && has_ended(child)? {
                break None;
            }
        };
        let status = group.end()?;
        let until = Instant::now() + GRACE;
        while stopped.is_none() && !pipes.are_closed() && Instant::now() < until {
            pipes.read(TICK)?;
        }
        let end = stopped.unwrap_or_else(|| match (status.code(), status.signal()) {
            (Some(code), _) => End::Exit(code),
            (None, signal) => End::Signal(signal.unwrap_or(0)),
        });
        Ok(Outcome { end, output: pipes.output, errors: pipes.errors, memory })
    }

    /// True if the child has ended; it is not reaped yet.
    fn has_ended(child: &Child) -> io::Result<bool> {
        let Some(pid) = pid(child) else { return Ok(true) };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        Ok(waitid(WaitId::Pid(pid), options)?.is_some())
    }

    fn pid(child: &Child) -> Option<Pid> {
        i32::try_from(child.id()).ok().and_then(Pid::from_raw)
    }

    /// Limits the child, which has just started; true if no other process needs a limit.
    #[cfg(target_os = "linux")]
    fn limit(child: &Child, limits: &Limits) -> io::Result<bool> {
        if let (Some(memory), Some(pid)) = (limits.memory, pid(child)) {
            limit_process(pid, memory)?;
        }
        Ok(limits.memory.is_none())
    }

    /// Limits the processes that the child started before it was limited itself; true if there are
    /// none, and so none can follow.
    #[cfg(target_os = "linux")]
    fn limit_group(child: &Child, limits: &Limits) -> io::Result<bool> {
        let Some(memory) = limits.memory else { return Ok(true) };
        let group = child.id().to_string();
        let mut all = true;
        for entry in std::fs::read_dir("/proc")?.flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.parse::<i32>().ok());
            let Some(pid) = number.and_then(Pid::from_raw) else { continue };
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            // After the name, which may contain any character: the state, the parent, the group.
            let fields = stat.rsplit(')').next().unwrap_or_default();
            if fields.split_whitespace().nth(2) == Some(&*group) {
                all &= limit_process(pid, memory)?;
            }
        }
        Ok(all)
    }

    /// Limits the address space of a process; true if it was limited before.
    #[cfg(target_os = "linux")]
    fn limit_process(pid: Pid, memory: u64) -> io::Result<bool> {
        use rustix::process::{Resource, Rlimit, prlimit};
        let limit = Rlimit { current: Some(memory), maximum: Some(memory) };
        match prlimit(Some(pid), Resource::As, limit) {
            Ok(before) => Ok(before == limit),
            // The process has already ended.
            Err(rustix::io::Errno::SRCH) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn limit(_: &Child, limits: &Limits) -> io::Result<bool> {
        match limits.memory {
            None => Ok(true),
            Some(_) => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "the memory of programs can be limited on Linux only",
            )),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn limit_group(_: &Child, _: &Limits) -> io::Result<bool> {
        Ok(true)
    }

    /// Returns the largest address space of the child, where the system reports it.
    fn address_space(child: &Child) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
        let peak = peak.and_then(|text| text.trim().strip_suffix("kB"));
        peak.and_then(|text| text.trim().parse::<u64>().ok()).unwrap_or(0) << 10
    }

    /// The pipes of a child, until they are closed, and their contents.
    struct Pipes {
        stdout: Option<ChildStdout>,
        stderr: Option<ChildStderr>,
        output: Vec<u8>,
        errors: Vec<u8>,
    }

    impl Pipes {
        fn are_closed(&self) -> bool {
            self.stdout.is_none() && self.stderr.is_none()
        }

        /// Reads the data that arrive within this time; false if none do.
        fn read(&mut self, time: Duration) -> io::Result<bool> {
            let readable = {
                let stdout = self.stdout.as_ref().map(AsFd::as_fd);
                let stderr = self.stderr.as_ref().map(AsFd::as_fd);
                let fds = [stdout, stderr]
                    .map(|fd| fd.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
                let mut open: Vec<PollFd<'_>> = fds.iter().flatten().cloned().collect();
                let timeout = Timespec {
                    tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
                    tv_nsec: i64::from(time.subsec_nanos()),
                };
                match poll(&mut open, Some(&timeout)) {
                    Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(false),
                    other => other?,
                };
                let mut events = open.iter().map(|fd| !fd.revents().is_empty());
                fds.map(|fd| fd.is_some() && events.next().unwrap_or(false))
            };
            let mut buffer = [0; 1 << 14];
            if let ([true, _], Some(pipe)) = (readable, &mut self.stdout) {
                match pipe.read(&mut buffer)? {
                    0 => self.stdout = None,
                    count => self.output.extend_from_slice(&buffer[..count]),
                }
            }
            if let ([_, true], Some(pipe)) = (readable, &mut self.stderr) {
                match pipe.read(&mut buffer)? {
                    0 => self.stderr = None,
                    count => self.errors.extend_from_slice(&buffer[..count]),
                }
                if self.errors.len() > 2 * KEPT_ERRORS {
                    self.errors.drain(..self.errors.len() - KEPT_ERRORS);
                }
            }
            Ok(true)
        }
    }
}

#[cfg(not(unix))]
mod watch {
    use super::Outcome;
    use crate::Limits;
    use std::io;
    use std::path::Path;
    use std::process::Command;

    pub(super) fn run(_: &mut Command, _: &Path, _: &Limits) -> io::Result<Outcome> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "programs are run on Unix only"))
    }
}
