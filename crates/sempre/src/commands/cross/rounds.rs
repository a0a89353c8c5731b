//! Rounds, several at the same time, reported in their order.

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

/// A round that is to be performed: its place in the order, its number, its formula.
type Job = (usize, usize, Formula);

/// A round that has been performed, unless that was not survived.
type Done = (usize, thread::Result<Round>);

/// Performs the rounds of all formulas, and hands them to `report` in their order until that has
/// enough.
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
        // Dropped at the end of this scope, whatever that is, so that threads come to theirs.
        let jobs = jobs;
        let (done, results) = mpsc::channel::<Done>();
        for _ in 0..threads {
            let done = done.clone();
            scope.spawn(move || work(session, queue, &done));
        }
        drop(done);
        let mut line = Line { results, early: BTreeMap::new(), sent: 0, reported: 0, report };
        let outcome = source.for_each(out, |number, formula, out| {
            // A few rounds wait, so that no thread has to.
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
        // A panic is passed on to the thread that waits for the round.
        let round = catch_unwind(AssertUnwindSafe(|| session.round(number, &formula)));
        if done.send((place, round)).is_err() {
            return;
        }
    }
}

/// The rounds that are under way.
struct Line<R> {
    results: Receiver<Done>,
    /// Rounds that have been performed before others that come first.
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
                // There is nobody left to wait for.
                Err(_) => return Ok(ControlFlow::Break(())),
            }
        }
    }
}
