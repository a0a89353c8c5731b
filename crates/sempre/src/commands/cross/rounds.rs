//! Runs rounds concurrently, and reports them in order.

use super::formulas::Source;
use crate::input::{BadLines, Failure};
use crate::output::Output;
use anyhow::Result;
use sempre::ltl::Formula;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A round to run: its place in the order, its number, its formula.
type Job = (usize, usize, Formula);

/// The result of a round, or its panic.
type Done<T> = (usize, thread::Result<T>);

/// Runs the rounds of all formulas, and passes their results to `report` in order until that breaks.
/// The order of results, and so the report, does not depend on the number of threads.
pub(super) fn perform<T: Send>(
    round: impl Fn(usize, &Formula) -> T + Sync,
    threads: usize,
    source: &Source<'_>,
    out: &mut Output,
    report: impl FnMut(T, &mut Output) -> Result<ControlFlow<()>>,
) -> Result<BadLines> {
    let (jobs, queue) = mpsc::channel::<Job>();
    let (queue, round) = (&Mutex::new(queue), &round);
    thread::scope(|scope| {
        // Dropped at the end of the scope in every case, which ends the threads.
        let jobs = jobs;
        let (done, results) = mpsc::channel::<Done<T>>();
        for _ in 0..threads {
            let done = done.clone();
            scope.spawn(move || work(round, queue, &done));
        }
        drop(done);
        let mut line = Line { results, early: BTreeMap::new(), sent: 0, reported: 0, report };
        let outcome = source.for_each(out, |number, formula, out| {
            // A few queued rounds keep all threads busy.
            while line.sent - line.reported >= 2 * threads {
                if line.next(out)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if jobs.send((line.sent, number, formula)).is_ok() {
                line.sent += 1;
            }
            Ok(ControlFlow::Continue(()))
        });
        drop(jobs);
        let (bad, stopped) = outcome?;
        while !stopped && line.reported < line.sent {
            if line.next(out)?.is_break() {
                break;
            }
        }
        Ok(bad)
    })
}

fn work<T>(
    round: &impl Fn(usize, &Formula) -> T,
    queue: &Mutex<Receiver<Job>>,
    done: &Sender<Done<T>>,
) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((place, number, formula)) = job else { return };
        // A panic is forwarded to the thread that waits for the round.
        let result = catch_unwind(AssertUnwindSafe(|| round(number, &formula)));
        if done.send((place, result)).is_err() {
            return;
        }
    }
}

/// The rounds in progress.
struct Line<T, R> {
    results: Receiver<Done<T>>,
    /// Finished rounds that wait for earlier ones.
    early: BTreeMap<usize, T>,
    sent: usize,
    reported: usize,
    report: R,
}

impl<T, R: FnMut(T, &mut Output) -> Result<ControlFlow<()>>> Line<T, R> {
    /// Waits for the next round in the order, and reports it.
    fn next(&mut self, out: &mut Output) -> Result<ControlFlow<()>, Failure> {
        loop {
            if let Some(round) = self.early.remove(&self.reported) {
                self.reported += 1;
                return Ok((self.report)(round, out)?);
            }
            match self.results.recv() {
                Ok((place, Ok(round))) => drop(self.early.insert(place, round)),
                Ok((_, Err(panic))) => resume_unwind(panic),
                // All threads have ended.
                Err(_) => return Ok(ControlFlow::Break(())),
            }
        }
    }
}
