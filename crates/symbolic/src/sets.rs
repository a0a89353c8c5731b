//! Checks several formulas on one system, whose states are computed once.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sempre_automata::decompose::Part;
use sempre_check::{
    AutomatonSize, CheckError, Control, Deadlock, Engine, Evidence, Failure, Limits, Outcome,
    Question, Reason, Unknown, Unsupported, Verdict, check_concurrently, combine_parts,
};
use sempre_diagrams::{Manager, Strategy};
use sempre_ltl::interrupt;
use sempre_models::{Fault, System};
use sempre_testing::Negation;

use crate::attempt::attempt;
use crate::check::{MEMORY, Options};
use crate::encoding::Order;
use crate::space::Space;

/// A system, and the set of its states once it is computed.
pub struct Sets {
    system: Arc<dyn System>,
    manager: Manager<'static>,
    /// The limit of the memory of diagrams.
    bytes: usize,
    /// The options of the search for all states, and its result.
    search: Option<(Order, Strategy, Search)>,
}

/// The result of the search for all states.
enum Search {
    Found(Box<Space<'static>>),
    /// The system has a fault in a state.
    Fault(Fault),
    /// The time limit was reached after this duration.
    TooLong(Duration),
    /// The memory limit was reached.
    TooLarge,
}

impl Sets {
    /// Makes sets of a system without computing states. `bytes` limits the memory of diagrams.
    pub fn new(system: &Arc<dyn System>, bytes: Option<usize>) -> Self {
        let memory = bytes.unwrap_or(MEMORY);
        let poll = Rc::new(|_: &_| interrupt::poll_now());
        let manager = Manager::new(sempre_diagrams::Options { memory, poll: Some(poll) });
        Sets { system: Arc::clone(system), manager, bytes: memory, search: None }
    }

    /// Returns the system.
    pub fn system(&self) -> &Arc<dyn System> {
        &self.system
    }

    /// Answers a question about the system under the limits, except that on memory. If an earlier
    /// search for the states ran out of time, and this question has no more time, it returns
    /// immediately.
    ///
    /// # Errors
    /// If the model has a fault, or the requested fixpoint or steps do not suit the automaton.
    pub fn check(
        &mut self,
        question: &Question,
        options: &Options,
        control: &Control<'_>,
    ) -> Result<Outcome, CheckError> {
        let kind = options.automaton()?;
        let limits = &control.limits;
        let negation = || question.negation(kind.to_split(options.decompose), control);
        let mut outcome = match options.decompose {
            None => self.check_one(question, negation, options, control)?,
            Some(way) => {
                let parts = negation().and_then(|negation| {
                    let parts = limits.run(|| negation.parts(way))?;
                    Ok(parts.map_err(|error| Unsupported(error.to_string()))?)
                });
                match parts {
                    Ok(parts) => self.check_parts(question, &parts, options, control)?,
                    Err(error) => return error.or_unknown(question, NAME),
                }
            }
        };
        if question.deadlock() == Deadlock::Report && outcome.verdict == Verdict::Holds {
            self.manager.tidy();
            self.prepare(options, limits);
            self.search_deadlock(question, limits, &mut outcome)?;
        }
        Ok(outcome)
    }

    /// Checks the parts concurrently, the last one with these sets and each other one with its own:
    /// diagrams stay on their thread.
    fn check_parts(
        &mut self,
        question: &Question,
        parts: &[(Part, Negation)],
        options: &Options,
        control: &Control<'_>,
    ) -> Result<Outcome, CheckError> {
        let options_for = |part: Part| match part {
            Part::Strong => options.clone(),
            Part::Terminal | Part::Weak => Options { fixpoint: None, ..options.clone() },
        };
        let (system, bytes) = (self.system.clone(), self.bytes);
        let check = |sets: &mut Sets, part, negation: &Negation, control: &Control<'_>| {
            let negation = || Ok(Arc::new(negation.clone()));
            sets.check_one(question, negation, &options_for(part), control)
        };
        let there = |part, negation: &Negation, control: &Control<'_>| {
            check(&mut Sets::new(&system, Some(bytes)), part, negation, control)
        };
        let here =
            |part, negation: &Negation, control: &Control<'_>| check(self, part, negation, control);
        combine_parts(question, NAME, check_concurrently(parts, control, there, here))
    }

    /// Searches for a run to a deadlock.
    fn search_deadlock(
        &mut self,
        question: &Question,
        limits: &Limits,
        outcome: &mut Outcome,
    ) -> Result<(), CheckError> {
        let Some((.., Search::Found(space))) = &self.search else {
            let reason = limits.expired().unwrap_or(Reason::Time);
            outcome.verdict = Verdict::Unknown(Unknown::Limit(reason));
            return Ok(());
        };
        match attempt(&self.manager, limits, || space.run_to_deadlock(question)) {
            Ok(None) => {}
            Ok(Some(run)) => {
                outcome.verdict = Verdict::Violated;
                outcome.evidence = Some(Evidence::Run(run));
            }
            Err(CheckError::Limit(reason)) => {
                outcome.verdict = Verdict::Unknown(Unknown::Limit(reason));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Checks one automaton, which is requested after the states are computed.
    fn check_one(
        &mut self,
        question: &Question,
        negation: impl FnOnce() -> Result<Arc<Negation>, CheckError>,
        options: &Options,
        control: &Control<'_>,
    ) -> Result<Outcome, CheckError> {
        let limits = &control.limits;
        self.manager.tidy();
        self.prepare(options, limits);
        let mut outcome = Outcome::unknown(question, NAME, Unknown::Limit(Reason::Time));
        let stopped = |outcome: &mut Outcome, reason, algorithm| {
            outcome.verdict = Verdict::Unknown(Unknown::Limit(reason));
            outcome.provenance.algorithms = vec![algorithm];
        };
        match &self.search {
            Some((.., Search::Found(space))) => {
                let found = negation().and_then(|negation| {
                    let states = negation.automaton().state_count();
                    let kind = options.automaton()?.name();
                    outcome.provenance.automaton = Some(AutomatonSize { kind, states });
                    attempt(&self.manager, limits, || space.violation(question, &negation, options))
                });
                match found {
                    Ok((run, fixpoint)) => {
                        outcome.verdict = match &run {
                            Some(_) => Verdict::Violated,
                            None => Verdict::Holds,
                        };
                        outcome.evidence = run.map(Evidence::Run);
                        outcome.provenance.algorithms = vec![fixpoint];
                    }
                    Err(CheckError::Limit(reason)) => stopped(&mut outcome, reason, "fixpoint"),
                    Err(error) => return Err(error),
                }
                outcome.cost.states = Some(space.count());
            }
            Some((.., Search::Fault(fault))) => return Err(fault.clone().into()),
            Some((.., Search::TooLarge)) => stopped(&mut outcome, Reason::Memory, "reachability"),
            Some((.., Search::TooLong(_))) | None => {
                let reason = limits.expired().unwrap_or(Reason::Time);
                stopped(&mut outcome, reason, "reachability");
            }
        }
        outcome.provenance.threads = 1;
        let usage = self.manager.usage();
        (outcome.cost.bytes, outcome.cost.peak_nodes) = (usage.peak_bytes, Some(usage.peak_nodes));
        Ok(outcome)
    }

    /// True if the states of the system are computed.
    pub(crate) fn are_found(&self) -> bool {
        matches!(self.search, Some((.., Search::Found(_))))
    }

    /// Computes the states of the system, unless the result of that is known.
    pub(crate) fn prepare(&mut self, options: &Options, limits: &Limits) {
        let deadline = limits.deadline;
        let strategy = options.strategy();
        let start = Instant::now();
        if let Some((order, by, search)) = &self.search
            && (order, *by) == (&options.order, strategy)
        {
            let is_worth_a_trial = match search {
                Search::TooLong(spent) => deadline.is_none_or(|end| end - start > *spent),
                _ => false,
            };
            if !is_worth_a_trial {
                return;
            }
        }
        let find = || Space::find(&self.manager, &self.system, &options.order, strategy);
        let search = match attempt(&self.manager, limits, find) {
            Ok(space) => Search::Found(Box::new(space)),
            Err(CheckError::Fault(Failure { fault, .. })) => Search::Fault(fault),
            Err(CheckError::Limit(Reason::Memory)) => Search::TooLarge,
            Err(CheckError::Limit(Reason::Interrupt)) => return,
            Err(_) => Search::TooLong(start.elapsed()),
        };
        self.search = Some((options.order.clone(), strategy, search));
    }
}

/// The name in options and output.
const NAME: &str = "symbolic";

/// The symbolic engine: fixpoints on sets of states.
#[derive(Default)]
pub struct SymbolicEngine {
    options: Options,
    sets: Option<Sets>,
}

impl SymbolicEngine {
    /// Makes an engine that reuses the set of all states for later questions.
    pub fn new(options: Options) -> Self {
        SymbolicEngine { options, sets: None }
    }

    /// Checks that symbolic methods can answer the question: the system needs events.
    ///
    /// # Errors
    /// The reason if they cannot.
    pub fn supports(question: &Question) -> Result<(), Unsupported> {
        question.require_states("the symbolic engine")?;
        match question.system().events() {
            Some(_) => Ok(()),
            None => Err(Unsupported("the symbolic engine needs a system with events".to_owned())),
        }
    }

    /// Returns the sets of the system of a question.
    fn sets(&mut self, question: &Question, limits: &Limits) -> &mut Sets {
        let system = question.system();
        let of_system = |sets: &Sets| Arc::ptr_eq(&sets.system, system);
        let known = self.sets.take().filter(of_system);
        // Each part has diagrams of its own.
        let bytes = match self.options.decompose {
            None => limits.bytes,
            Some(_) => Some(limits.bytes.unwrap_or(MEMORY) / Part::ALL.len()),
        };
        self.sets.insert(known.unwrap_or_else(|| Sets::new(system, bytes)))
    }
}

impl Engine for SymbolicEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        SymbolicEngine::supports(question)
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        SymbolicEngine::supports(question)?;
        let options = self.options.clone();
        self.sets(question, &control.limits).check(question, &options, control)
    }

    fn prepare(&mut self, question: &Question, control: &Control<'_>) {
        let options = self.options.clone();
        self.sets(question, &control.limits).prepare(&options, &control.limits);
    }

    fn is_prepared(&self, question: &Question) -> bool {
        let is_found =
            |sets: &Sets| Arc::ptr_eq(&sets.system, question.system()) && sets.are_found();
        self.sets.as_ref().is_some_and(is_found)
    }
}
