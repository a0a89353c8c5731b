//! Races two engines on one question: the first verdict wins.
//!
//! The faster engine is not known in advance. An explicit search finds violations near the initial
//! states and explores small state spaces faster. For large spaces decision diagrams may take
//! milliseconds, or more memory than the states. The first engine decides most questions in its
//! head start; then the second engine starts on its own thread. Its [preparation](Engine::prepare)
//! continues until the race is dropped, since later questions use it too.

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

/// The head start if the second engine is prepared: it decides sooner then.
const SHORT_HEAD_START: Duration = Duration::from_millis(100);

/// The interval at which the caller's cancellation is polled.
const PATIENCE: Duration = Duration::from_millis(20);

/// Makes the second engine, on its own thread.
type Maker = Box<dyn FnOnce() -> AnyEngine + Send>;

/// Two engines; the second runs on its own thread.
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
    /// `None` before the thread starts and after the last job.
    jobs: Option<Sender<Job>>,
    stop: Interrupt,
    thread: Option<JoinHandle<()>>,
}

/// A question for the second engine.
struct Job {
    question: Question,
    limits: Limits,
    /// Raised when the question is decided.
    waiting: Receiver<()>,
    has_begun: Arc<AtomicBool>,
    has_head_start: bool,
    /// To be raised when it is decided here.
    others: Interrupt,
    answer: Sender<Outcome>,
}

impl Race {
    /// Makes a race. The second engine is created on its own thread, on first use.
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
    /// Sends a job to the thread and starts the thread if needed. Returns false if the thread has
    /// panicked; joining it reports the panic.
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

/// Runs the second engine: waits for the head start of the first one, then checks.
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
        // The first engine reports errors of the model and of the formula as well.
        let control = Control::new(self.limits);
        let Ok(outcome) = engine.check(&self.question, &control) else { return };
        if outcome.verdict.is_decided() {
            self.others.raise();
        }
        // Fails if the caller has stopped waiting, which is harmless.
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
        // The second engine may stop the first one before it has a product, too.
        let mut outcome = match self.first.check(question, &here) {
            Err(error) => error.or_unknown(question, self.first.name())?,
            Ok(outcome) => outcome,
        };
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
