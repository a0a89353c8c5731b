//! Checks whether the automaton of the negated property accepts a run of the system.

mod engine;
mod part;
mod parts;
mod prepare;
mod steps;

pub use engine::{ExplicitEngine, StoreKind};

use crate::emptiness::Check;
use crate::emptiness::testing::Passes;
use crate::explore;
use crate::state_space::StateSpace;
use crate::store::Store;
use parts::check_parts;
use sempre_automata::Automaton;
use sempre_automata::strength::Way;
use sempre_check::{
    CheckError, Control, Cost, Counterexample, Deadlock, Evidence, Limits, Move, Outcome, Path,
    Question, Reason, Unknown, Verdict,
};
use sempre_models::proposition::Propositions;
use sempre_testing::{AutomatonKind, Negation};

/// The options of a check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The kind of automaton for the negated property.
    pub automaton: AutomatonKind,
    /// The emptiness check; by default chosen by the strength of the automaton. Testing automata
    /// with livelock acceptance have their own.
    pub emptiness: Option<Check>,
    /// The variant of the two-pass check, for testing automata that need it; by default the best.
    pub passes: Option<Passes>,
    /// Split the automaton by the strength of its SCCs, which this method finds, and check the parts
    /// concurrently. The emptiness check is that of the strong part.
    pub decompose: Option<Way>,
    /// Search for a shortest counterexample of the product.
    pub shortest: bool,
    /// The search order, where the automaton allows a choice.
    pub order: SearchOrder,
}

impl Options {
    /// True if an emptiness check is chosen.
    pub fn has_check(&self) -> bool {
        self.emptiness.is_some() || self.passes.is_some()
    }
}

/// The search order of a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// That of the emptiness check.
    #[default]
    ByCheck,
    /// By levels, on several threads, if the automaton is terminal or weak and no emptiness check
    /// is given.
    LevelByLevel {
        /// The number of threads, at least one.
        threads: usize,
    },
}

impl SearchOrder {
    /// Returns the order for a number of threads.
    pub fn on_threads(threads: usize) -> Self {
        match threads {
            0 | 1 => SearchOrder::ByCheck,
            threads => SearchOrder::LevelByLevel { threads },
        }
    }
}

/// The maximal size, in bytes, of a state space that is kept for the next property if memory is not
/// limited.
const MAX_RETAINED_BYTES: usize = 4 << 30;

/// A question with the options and the control of its check.
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

    /// The name of the kind of the automaton.
    fn kind(&self) -> &'static str {
        match self.options.automaton {
            AutomatonKind::Auto => AutomatonKind::Tgba.name(),
            kind => kind.name(),
        }
    }

    fn limits(&self) -> &Limits {
        &self.control.limits
    }
}

/// Answers a question: makes the automaton of the negated property, [checks](check()) the automaton, and judges
/// the counterexample.
///
/// # Errors
/// As for [`check()`]; also if the run is no counterexample.
pub fn verify<T: Store>(
    space: &mut StateSpace<'_, T>,
    question: &Question,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, CheckError> {
    // Only whole automata can be split.
    let negation = match (options.automaton.in_product(), options.decompose) {
        (Some(kind), None) => question.negation(kind, control)?,
        (_, way) => question.negation(options.automaton.to_split(way), control)?,
    };
    let mut outcome = check(space, question, &negation, options, control)?;
    if let Some(Evidence::Run(run)) = &mut outcome.evidence {
        question.judge(run)?;
        if options.shortest {
            // If there is no time to shorten the run, return it as it is.
            let shorten = || run.clone().shorten(|run| question.judge(run).is_ok());
            if let Ok(shorter) = control.limits.run(shorten) {
                *run = shorter;
            }
        }
    }
    Ok(outcome)
}

/// Checks the system of a question against an automaton of the negated property. Does not judge the
/// counterexample.
///
/// Reuses earlier checks in the same state space, and discards them when they take more than half
/// of the memory. Limits apply to this check alone: if it reaches one with states of earlier checks
/// in memory, it restarts without them.
///
/// # Errors
/// If the model has a fault, or the requested emptiness check does not suit the automaton.
///
/// # Panics
/// If the automaton has a proposition that is not in the property.
pub fn check<T: Store>(
    space: &mut StateSpace<'_, T>,
    question: &Question,
    negation: &Negation,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, CheckError> {
    let job = Job { question, options, control };
    if space.bytes() > control.limits.bytes.map_or(MAX_RETAINED_BYTES, |most| most / 2) {
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

/// Searches for a shortest run to a deadlock, if the property is not violated otherwise.
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
