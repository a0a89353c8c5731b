//! Model checking: does a system have a run that the automaton of a property's negation accepts?

mod part;
mod parts;
mod prepare;

use crate::counterexample::{Counterexample, Move, Rejected};
use crate::emptiness::Check;
use crate::explore::{self, Failure, Limits, Path, Progress, Reason};
use crate::graph::Effort;
use crate::negation::{AutomatonKind, Negation};
use crate::product::Deadlock;
use crate::state_space::StateSpace;
use crate::store::Store;
use parts::check_parts;
use sempre_automata::Automaton;
use sempre_ltl::{Formula, Prop, interrupt};
use sempre_models::proposition::Propositions;
use sempre_models::{Error, System};

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
    /// What states without successors mean.
    pub deadlock: Deadlock,
    /// Look for a counterexample that is as short as the automaton allows.
    pub shortest: bool,
    /// On how many threads: more than one are of use if the automaton is terminal or weak, and no
    /// emptiness check is asked for. 0 is the same as 1.
    pub threads: usize,
}

/// The answer.
#[derive(Clone, Debug, Default)]
pub enum Verdict {
    /// No run of the system violates the property.
    #[default]
    Holds,
    /// This run does.
    Violated(Counterexample),
    /// A limit was reached before the answer was known.
    Unknown(Reason),
}

/// The answer, and what it has cost.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The checks that were used, one for each part of the automaton.
    pub engine: String,
    /// The states of the system that were reached; if there are several checks, the sum.
    pub states: u64,
    /// The transitions of the system that leave the states that were expanded.
    pub transitions: u64,
    /// What the searches in the product have cost.
    pub effort: Effort,
    /// The memory that was in use at the end.
    pub bytes: usize,
}

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refusal {
    /// The model or a proposition has a fault.
    #[error("{0}")]
    Fault(Failure),
    /// A proposition has no meaning in the model, or the emptiness check does not fit.
    #[error("{0}")]
    Error(#[from] Error),
    /// What a search has found is no run of the system.
    #[error("{0}")]
    Rejected(#[from] Rejected),
}

/// Checks a system against a formula: translates its negation, [checks](check()) the automaton, and
/// judges the counterexample, if there is one.
///
/// # Errors
/// As for [`check()`]; and if what was found turns out not to be a counterexample.
pub fn verify<T: Store>(
    space: &mut StateSpace<'_, T>,
    formula: &Formula,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    // Unknown names are errors even if simplification would drop them.
    Propositions::compile(space.system().names(), formula.props().iter().map(Prop::name))?;
    match negate(formula, options, limits)? {
        Ok(negation) => verify_against(space, formula, &negation, options, limits, progress),
        Err(reason) => Ok(Outcome::unknown(reason)),
    }
}

impl Outcome {
    /// The outcome when a limit was reached before a search began.
    pub(crate) fn unknown(reason: Reason) -> Self {
        Outcome { verdict: Verdict::Unknown(reason), ..Outcome::default() }
    }
}

/// The automaton of the negation of a formula, or the limit that ended its construction.
pub(crate) fn negate(
    formula: &Formula,
    options: &Options,
    limits: &Limits,
) -> Result<Result<Negation, Reason>, Refusal> {
    let negation = within(limits, || Negation::of(formula, options.automaton));
    let negation = negation.map(|negation| negation.map_err(|e| Error::new(e.to_string())));
    Ok(match negation {
        Ok(negation) => Ok(negation?),
        Err(reason) => Err(reason),
    })
}

/// Does some work before or after a search, or tells which limit has ended it.
pub(crate) fn within<R>(limits: &Limits, work: impl FnOnce() -> R) -> Result<R, Reason> {
    let interrupt = limits.interrupt.clone().unwrap_or_default();
    let done = interrupt::run(&interrupt, limits.deadline, work);
    done.map_err(|_| if interrupt.is_raised() { Reason::Interrupt } else { Reason::Time })
}

/// Checks a system against the automaton of the negation of a formula, and judges the
/// counterexample, if there is one.
pub(crate) fn verify_against<T: Store>(
    space: &mut StateSpace<'_, T>,
    formula: &Formula,
    negation: &Negation,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let mut outcome = check_against(space, negation, options, limits, progress)?;
    if let Verdict::Violated(run) = &mut outcome.verdict {
        run.judge(space.system(), formula, options.deadlock)?;
        if options.shortest {
            // What was found will do if there is no time to make it shorter.
            let folded = || run.clone().folded(space.system(), formula, options.deadlock);
            if let Ok(folded) = within(limits, folded) {
                *run = folded;
            }
        }
    }
    Ok(outcome)
}

/// The greatest state space, in bytes, that is kept from one property to the next if memory is not
/// limited.
const MOST_KEPT: usize = 4 << 30;

/// Checks a system against the automaton of the negation of a property.
///
/// What earlier checks have found out about the state space is used, and what this one finds out is
/// added; that is forgotten when it is more than half of the memory that may be used. Limits are
/// those of this check alone: if one is reached that it might have kept without what others have
/// left behind, it begins again without.
///
/// # Errors
/// If the model has a fault, a proposition of the automaton has no meaning in it, or the emptiness
/// check that is asked for does not fit the automaton.
pub fn check<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Automaton,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let negation = Negation::Valuations(negation.clone());
    check_against(space, &negation, options, limits, progress)
}

/// Checks a system against an automaton of the negation of a property, of any kind. See
/// [`check()`].
///
/// # Errors
/// As for [`check()`].
pub fn check_against<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Negation,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    if space.bytes() > limits.bytes.map_or(MOST_KEPT, |most| most / 2) {
        space.clear();
    }
    let is_new = space.states() == 0;
    let mut outcome = check_parts(space, negation, options, limits, progress)?;
    let of_space = [Reason::States, Reason::Memory, Reason::Numbers];
    if matches!(outcome.verdict, Verdict::Unknown(reason) if !is_new && of_space.contains(&reason))
    {
        space.clear();
        outcome = check_parts(space, negation, options, limits, progress)?;
    }
    if options.deadlock == Deadlock::Report && matches!(outcome.verdict, Verdict::Holds) {
        return way_to_deadlock::<T>(space.system(), limits, outcome);
    }
    Ok(outcome)
}

/// Looks for the shortest run to a state without successors, when nothing else violates the
/// property.
fn way_to_deadlock<T: Store>(
    system: &dyn System,
    limits: &Limits,
    mut outcome: Outcome,
) -> Result<Outcome, Refusal> {
    let mut store = T::new(system.words());
    let answer = explore::shortest_path_to_deadlock(system, &mut store, limits, |_| ())
        .map_err(Refusal::Fault)?;
    let exploration = answer.exploration;
    outcome.states = outcome.states.max(exploration.counts.states);
    outcome.transitions = outcome.transitions.max(exploration.counts.transitions);
    outcome.bytes = outcome.bytes.max(exploration.bytes);
    outcome.verdict = match (answer.path, exploration.incomplete) {
        (Some(Path { initial, steps }), _) => {
            let moves = steps.into_iter();
            let moves = moves.map(|step| Move { action: Some(step.action), state: step.state });
            Verdict::Violated(Counterexample { initial, prefix: moves.collect(), cycle: vec![] })
        }
        (None, Some(reason)) => Verdict::Unknown(reason),
        (None, None) => Verdict::Holds,
    };
    Ok(outcome)
}
