//! Model checking: does a system have a run that the automaton of a property's negation accepts?

mod engine;
mod part;
mod parts;
mod prepare;
mod steps;

pub use engine::{ExplicitEngine, StoreKind};

use crate::emptiness::Check;
use crate::explore;
use crate::state_space::StateSpace;
use crate::store::Store;
use parts::check_parts;
use sempre_automata::Automaton;
use sempre_check::{
    AutomatonKind, CheckError, Control, Cost, Counterexample, Deadlock, Evidence, Limits, Move,
    Negation, Outcome, Path, Question, Reason, Unknown, Verdict,
};
use sempre_models::proposition::Propositions;

/// How a check is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The kind of automaton that a formula is checked with.
    pub automaton: AutomatonKind,
    /// The emptiness check; chosen by the strength of the automaton if there is none. Testing
    /// automata with livelock acceptance have their own.
    pub emptiness: Option<Check>,
    /// Take the automaton apart by the strengths of its components, and check the parts side by
    /// side.
    pub decompose: bool,
    /// Look for a counterexample that is as short as the automaton allows.
    pub shortest: bool,
    /// The order of the search, where the automaton leaves a choice.
    pub order: SearchOrder,
}

/// The order in which a product is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// The order of the emptiness check.
    #[default]
    ByCheck,
    /// Level by level on that many threads, if the automaton is terminal or weak and no emptiness
    /// check is asked for.
    LevelByLevel {
        /// The number of threads, at least one.
        threads: usize,
    },
}

impl SearchOrder {
    /// Returns the order for a number of threads that was asked for.
    pub fn on_threads(threads: usize) -> Self {
        match threads {
            0 | 1 => SearchOrder::ByCheck,
            threads => SearchOrder::LevelByLevel { threads },
        }
    }
}

/// The greatest state space, in bytes, that is kept from one property to the next if memory is not
/// limited.
const MOST_KEPT: usize = 4 << 30;

/// One question, how it is to be answered, and under which control.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    question: &'a Question,
    options: &'a Options,
    control: &'a Control<'a>,
}

impl Job<'_> {
    fn propositions(&self, automaton: &Automaton) -> Propositions {
        self.question.propositions(automaton.alphabet().props())
    }

    fn deadlock(&self) -> Deadlock {
        self.question.deadlock()
    }

    fn limits(&self) -> &Limits {
        &self.control.limits
    }
}

/// Answers a question: translates the negation of its formula, [checks](check()) the automaton, and
/// judges the counterexample, if there is one.
///
/// # Errors
/// As for [`check()`]; and if the run that was found turns out not to be a counterexample.
pub fn verify<T: Store>(
    space: &mut StateSpace<'_, T>,
    question: &Question,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, CheckError> {
    let negation = question.negation(options.automaton, control)?;
    let mut outcome = check(space, question, &negation, options, control)?;
    if let Some(Evidence::Run(run)) = &mut outcome.evidence {
        let (system, formula) = (space.system(), question.formula());
        question.judge(run)?;
        if options.shortest {
            // The run that was found will do if there is no time to make it shorter.
            let folded = || run.clone().folded(system, formula, question.deadlock());
            if let Ok(folded) = control.limits.run(folded) {
                *run = folded;
            }
        }
    }
    Ok(outcome)
}

/// Checks the system of a question against an automaton of the negation of its formula. The
/// counterexample is not judged.
///
/// Earlier checks in the same state space are made use of. The state space is forgotten when it takes
/// more than half of the memory. Limits are those of this check alone: if one is reached that it
/// might have kept without the states of earlier checks, it begins again without them.
///
/// # Errors
/// If the model has a fault, or the emptiness check that is asked for does not fit the automaton.
///
/// # Panics
/// If the automaton has a proposition that the formula has not.
pub fn check<T: Store>(
    space: &mut StateSpace<'_, T>,
    question: &Question,
    negation: &Negation,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, CheckError> {
    let job = Job { question, options, control };
    if space.bytes() > control.limits.bytes.map_or(MOST_KEPT, |most| most / 2) {
        space.clear();
    }
    let is_new = space.states() == 0;
    let mut outcome = check_parts(space, negation, job)?;
    let of_space = [Reason::States, Reason::Memory, Reason::Numbers];
    if let Verdict::Unknown(Unknown::Limit(reason)) = outcome.verdict
        && !is_new
        && of_space.contains(&reason)
    {
        space.clear();
        outcome = check_parts(space, negation, job)?;
    }
    if question.deadlock() == Deadlock::Report && outcome.verdict == Verdict::Holds {
        return path_to_deadlock::<T>(job, outcome);
    }
    Ok(outcome)
}

/// Looks for the shortest run to a state without successors, when nothing else violates the
/// property.
fn path_to_deadlock<T: Store>(job: Job<'_>, mut outcome: Outcome) -> Result<Outcome, CheckError> {
    let system = &**job.question.system();
    let mut store = T::new(system.words());
    let answer = explore::shortest_path_to_deadlock(system, &mut store, job.limits(), |_| ())?;
    let exploration = answer.exploration;
    let Cost { states, transitions, bytes, .. } = &mut outcome.cost;
    *states = states.take().max(Some(exploration.counts.states.into()));
    *transitions = (*transitions).max(Some(exploration.counts.transitions));
    *bytes = (*bytes).max(exploration.bytes);
    match (answer.path, exploration.incomplete) {
        (Some(Path { initial, steps }), _) => {
            let moves = steps.into_iter();
            let moves = moves.map(|step| Move { action: Some(step.action), state: step.state });
            let run = Counterexample { initial, prefix: moves.collect(), cycle: vec![] };
            outcome.verdict = Verdict::Violated;
            outcome.evidence = Some(Evidence::Run(run));
        }
        (None, Some(reason)) => outcome.verdict = Verdict::Unknown(Unknown::Limit(reason)),
        (None, None) => {}
    }
    Ok(outcome)
}
