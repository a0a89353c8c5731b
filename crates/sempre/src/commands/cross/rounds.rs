//! Runs rounds concurrently, and reports them in order.

use super::formulas::Source;
use crate::input::{BadLines, Failure};
use crate::output::Output;
use anyhow::Result;
use sempre::cross::{Round, Session};
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
type Done = (usize, thread::Result<Round>);

/// Runs the rounds of all formulas, and passes them to `report` in order until that breaks.
pub(super) fn perform(
    session: &Session,
    threads: usize,
    source: &Source<'_>,
    out: &mut Output,
    report: impl FnMut(Round, &mut Output) -> Result<ControlFlow<()>>,
) -> Result<BadLines> {
    let (jobs, queue) = mpsc::channel::<Job>();
    let queue = &Mutex::new(queue);
    thread::scope(|scope| {
        // Dropped at the end of the scope in every case, which ends the threads.
        let jobs = jobs;
        let (done, results) = mpsc::channel::<Done>();
        for _ in 0..threads {
            let done = done.clone();
            scope.spawn(move || work(session, queue, &done));
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

fn work(session: &Session, queue: &Mutex<Receiver<Job>>, done: &Sender<Done>) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((place, number, formula)) = job else { return };
        // A panic is forwarded to the thread that waits for the round.
        let round = catch_unwind(AssertUnwindSafe(|| session.round(number, &formula)));
        if done.send((place, round)).is_err() {
            return;
        }
    }
}

/// The rounds in progress.
struct Line<R> {
    results: Receiver<Done>,
    /// Finished rounds that wait for earlier ones.
    early: BTreeMap<usize, Round>,
    sent: usize,
    reported: usize,
    report: R,
}

impl<R: FnMut(Round, &mut Output) -> Result<ControlFlow<()>>> Line<R> {
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
