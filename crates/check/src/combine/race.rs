//! Two engines on one question: the first verdict wins.
//!
//! Nobody knows in advance which engine will be first: a violation close to the initial states, or a
//! small state space, is found sooner by an explicit search; of a large space decision diagrams may
//! take milliseconds, or more memory than the states would. The first engine has a head start, in
//! which most questions are decided; then the second joins on a thread of its own. Once it has begun
//! to [prepare](Engine::prepare), it goes on until the race is dropped: that serves for the questions
//! to come.

use super::AnyEngine;
use crate::control::{Control, Limits};
use crate::engine::Engine;
use crate::outcome::{CheckError, Outcome, Unsupported};
use crate::provenance::Choice;
use crate::question::Question;
use sempre_ltl::interrupt::Interrupt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The head start of the first engine.
const HEAD_START: Duration = Duration::from_secs(1);

/// The same if the second is prepared: its verdicts are close then.
const SHORT_HEAD_START: Duration = Duration::from_millis(100);

/// The time between two looks whether somebody still waits.
const PATIENCE: Duration = Duration::from_millis(20);

/// Makes the second engine, on its own thread.
type Maker = Box<dyn FnOnce() -> AnyEngine + Send>;

/// Two engines, of which the second runs on a thread of its own.
pub struct Race {
    first: AnyEngine,
    second: Second,
    has_head_start: bool,
}

/// The second engine.
struct Second {
    name: &'static str,
    supports: fn(&Question) -> Result<(), Unsupported>,
    maker: Option<Maker>,
    /// `None` before the thread starts, and when no more jobs will come.
    jobs: Option<Sender<Job>>,
    stop: Interrupt,
    thread: Option<JoinHandle<()>>,
}

/// A question for the second engine.
struct Job {
    question: Question,
    limits: Limits,
    /// Ends when the question is decided.
    waiting: Receiver<()>,
    has_begun: Arc<AtomicBool>,
    has_head_start: bool,
    /// To be raised when it is decided here.
    others: Interrupt,
    answer: Sender<Outcome>,
}

impl Race {
    /// Makes a race. The second engine is made on its own thread, when it is needed first.
    pub fn new(
        first: AnyEngine,
        name: &'static str,
        supports: fn(&Question) -> Result<(), Unsupported>,
        second: impl FnOnce() -> AnyEngine + Send + 'static,
    ) -> Self {
        let (maker, stop): (Option<Maker>, _) = (Some(Box::new(second)), Interrupt::default());
        let second = Second { name, supports, maker, jobs: None, stop, thread: None };
        Race { first, second, has_head_start: true }
    }

    /// The same race, in which both engines start together.
    #[must_use]
    pub fn without_head_start(self) -> Self {
        Race { has_head_start: false, ..self }
    }
}

impl Second {
    /// Hands a job to the thread, which is started if need be. False if the thread is gone: it has
    /// panicked, which is seen when it is joined.
    fn ask(&mut self, job: Job) -> bool {
        if let Some(maker) = self.maker.take() {
            let (jobs, given) = mpsc::channel::<Job>();
            let stop = self.stop.clone();
            self.jobs = Some(jobs);
            self.thread = Some(thread::spawn(move || serve(maker, &given, &stop)));
        }
        self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok())
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        self.stop.raise();
        self.jobs = None;
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
            && !thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

/// The second engine's thread: waits for the head start of the first, then takes part.
fn serve(maker: Maker, jobs: &Receiver<Job>, stop: &Interrupt) {
    let (mut maker, mut engine) = (Some(maker), None);
    for job in jobs {
        let is_prepared =
            engine.as_ref().is_some_and(|engine: &AnyEngine| engine.is_prepared(&job.question));
        let head_start = match (job.has_head_start, is_prepared) {
            (false, _) => Duration::ZERO,
            (true, true) => SHORT_HEAD_START,
            (true, false) => HEAD_START,
        };
        if job.waiting.recv_timeout(head_start) != Err(RecvTimeoutError::Timeout) {
            continue;
        }
        if let Some(maker) = maker.take() {
            engine = Some(maker());
        }
        if let Some(engine) = &mut engine {
            job.run(engine, stop);
        }
    }
}

impl Job {
    fn run(self, engine: &mut AnyEngine, stop: &Interrupt) {
        self.has_begun.store(true, Ordering::Relaxed);
        let until_stopped =
            Limits { bytes: self.limits.bytes, interrupt: Some(stop.clone()), ..Limits::default() };
        engine.prepare(&self.question, &Control::new(until_stopped));
        // The first engine reports the same errors of the model or the formula.
        let control = Control::new(self.limits);
        let Ok(outcome) = engine.check(&self.question, &control) else { return };
        if outcome.verdict.is_decided() {
            self.others.raise();
        }
        // Nobody need be waiting any more.
        let _ = self.answer.send(outcome);
    }
}

impl Engine for Race {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        self.first.supports(question)
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        if (self.second.supports)(question).is_err() {
            return self.first.check(question, control);
        }
        let outer = control.token();
        let (here, there) = (control.divided(2), control.divided(2));
        let (done, waiting) = mpsc::channel();
        let (answer, answered) = mpsc::channel();
        let has_begun = Arc::new(AtomicBool::new(false));
        let is_asked = self.second.ask(Job {
            question: question.clone(),
            limits: there.limits.clone(),
            waiting,
            has_begun: Arc::clone(&has_begun),
            has_head_start: self.has_head_start,
            others: here.token(),
            answer,
        });
        let mut outcome = self.first.check(question, &here)?;
        if is_asked && !outcome.verdict.is_decided() && !outer.is_raised() {
            let deadline = control.limits.deadline;
            loop {
                match answered.recv_timeout(PATIENCE) {
                    Ok(mut second) if second.verdict.is_decided() => {
                        second.provenance.choice = Choice::First { ahead_of: self.first.name() };
                        return Ok(second);
                    }
                    Ok(_) | Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        if deadline.is_some_and(|end| Instant::now() > end) || outer.is_raised() {
                            break;
                        }
                    }
                }
            }
        }
        there.token().raise();
        drop(done);
        if has_begun.load(Ordering::Relaxed) {
            outcome.provenance.choice = match outcome.verdict.is_decided() {
                true => Choice::First { ahead_of: self.second.name },
                false => Choice::Neither { other: self.second.name },
            };
        }
        Ok(outcome)
    }
}
