//! Model checking: does a system have a run that the automaton of a property's negation accepts?

use crate::counterexample::{Counterexample, Move, Rejected};
use crate::emptiness::testing::{self, Passes};
use crate::emptiness::{Check, Property};
use crate::explore::{self, Failure, Limits, Path, Progress, Reason};
use crate::graph::{Effort, Lasso, MOST_MARKS};
use crate::negation::{AutomatonKind, Negation};
use crate::parallel;
use crate::product::{Deadlock, Product, Stop};
use crate::shortest::shortest;
use crate::state_space::StateSpace;
use crate::store::Store;
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::{Automaton, convert};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Prop};
use sempre_models::proposition::Propositions;
use sempre_models::{Error, Fault, System};
use sempre_testing::ChangeGraph;
use std::borrow::Cow;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

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
pub fn verify<S: System, T: Store>(
    space: &mut StateSpace<'_, S, T>,
    formula: &Formula,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let system = space.system();
    // Unknown names are errors even if simplification would drop them.
    Propositions::compile(system, formula.props().iter().map(Prop::name))?;
    let interrupt = limits.interrupt.clone().unwrap_or_default();
    let negation =
        interrupt::run(&interrupt, limits.deadline, || Negation::of(formula, options.automaton));
    let Ok(negation) = negation else {
        let reason = if interrupt.is_raised() { Reason::Interrupt } else { Reason::Time };
        return Ok(Outcome { verdict: Verdict::Unknown(reason), ..Outcome::default() });
    };
    let negation = negation.map_err(|error| Error::new(error.to_string()))?;
    let outcome = check_against(space, &negation, options, limits, progress)?;
    if let Verdict::Violated(run) = &outcome.verdict {
        run.judge(system, formula, options.deadlock)?;
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
pub fn check<S: System, T: Store>(
    space: &mut StateSpace<'_, S, T>,
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
pub fn check_against<S: System, T: Store>(
    space: &mut StateSpace<'_, S, T>,
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
        return way_to_deadlock::<S, T>(space.system(), limits, outcome);
    }
    Ok(outcome)
}

/// Checks the automaton as a whole, or its parts side by side.
fn check_parts<S: System, T: Store>(
    space: &mut StateSpace<'_, S, T>,
    negation: &Negation,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let parts = match options.decompose {
        true => negation.parts(),
        false => vec![negation.clone()],
    };
    if let [whole] = &*parts {
        return check_part(space, whole, options, limits, progress);
    }
    // Every part has a limit of its own that all others can end.
    let ended = Interrupt::default();
    let inner = Limits { interrupt: Some(ended.clone()), ..limits.clone() };
    let system = space.system();
    let is_interrupted = || limits.interrupt.as_ref().is_some_and(Interrupt::is_raised);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for (number, part) in parts.iter().enumerate() {
            let (sender, inner) = (sender.clone(), &inner);
            scope.spawn(move || {
                let mut space = StateSpace::<S, T>::new(system);
                let outcome = check_part(&mut space, part, options, inner, progress);
                // The receiver waits for all parts.
                let _ = sender.send((number, outcome));
            });
        }
        drop(sender);
        let mut outcomes: Vec<Option<Result<Outcome, Refusal>>> = vec![None; parts.len()];
        loop {
            match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok((number, outcome)) => {
                    if !matches!(&outcome, Ok(Outcome { verdict: Verdict::Holds, .. })) {
                        ended.raise();
                    }
                    outcomes[number] = Some(outcome);
                }
                Err(RecvTimeoutError::Timeout) if is_interrupted() => ended.raise(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        combine(outcomes.into_iter().flatten().collect())
    })
}

/// The answer for all parts together: a violation counts most, then whatever hindered a part.
fn combine(outcomes: Vec<Result<Outcome, Refusal>>) -> Result<Outcome, Refusal> {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Holds => 0,
        // Another part has ended this one, for a better reason.
        Verdict::Unknown(Reason::Interrupt) => 1,
        Verdict::Unknown(_) => 2,
        Verdict::Violated(_) => 4,
    };
    let mut sum = Outcome::default();
    let mut refusal = None;
    for outcome in outcomes {
        let part = match outcome {
            Ok(part) => part,
            Err(error) => {
                refusal.get_or_insert(error);
                continue;
            }
        };
        if !sum.engine.is_empty() {
            sum.engine.push('+');
        }
        sum.engine.push_str(&part.engine);
        sum.states += part.states;
        sum.transitions += part.transitions;
        sum.effort.nodes += part.effort.nodes;
        sum.effort.edges += part.effort.edges;
        sum.effort.depth = sum.effort.depth.max(part.effort.depth);
        sum.bytes += part.bytes;
        if rank(&part.verdict) > rank(&sum.verdict) {
            sum.verdict = part.verdict;
        }
    }
    match (refusal, &sum.verdict) {
        (Some(error), Verdict::Holds | Verdict::Unknown(_)) => Err(error),
        _ => Ok(sum),
    }
}

fn check_part<S: System, T: Store>(
    space: &mut StateSpace<'_, S, T>,
    negation: &Negation,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    match negation {
        Negation::Valuations(negation) => check_whole(space, negation, options, limits, progress),
        _ => check_changes(space, negation, options, limits, progress),
    }
}

/// Checks a system against an automaton over changes.
fn check_changes<S: System, T: Store>(
    space: &mut StateSpace<'_, S, T>,
    negation: &Negation,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let system = space.system();
    let graph = negation.changes().unwrap_or_else(|| unreachable!("it reads changes"));
    let graph = &*changes_with_few_marks(graph)?;
    let automaton = graph.automaton();
    let propositions =
        Propositions::compile(system, automaton.alphabet().props().iter().map(Prop::name))?;
    let mut product =
        Product::of_changes(space, graph, &propositions, options.deadlock, limits, progress);
    let mut effort = Effort::default();
    let (found, engine) = match negation {
        Negation::Livelocks(livelocks, passes) => {
            if options.emptiness.is_some() {
                let text =
                    "testing automata with livelock acceptance have their own emptiness check";
                return Err(Error::new(text).into());
            }
            let found = testing::search(&mut product, livelocks, *passes, &mut effort);
            (found, if *passes == Passes::ONE { "sta".to_owned() } else { "ta".to_owned() })
        }
        _ => {
            let property = Property::new(automaton);
            let is_total = options.deadlock == Deadlock::Stutter;
            let best = || Check::best_for(&property, is_total);
            let check = options.emptiness.unwrap_or_else(best);
            if let Some(reason) = objection(check, &property, is_total) {
                return Err(reason.into());
            }
            let partly =
                if matches!(negation, Negation::PartlyChanges(_)) { "partly " } else { "" };
            let engine = format!("{partly}tgta {}", name(check));
            (check.run(&mut product, &property, &mut effort), engine)
        }
    };
    let found = shortened(&mut product, automaton, options, found);
    Ok(Outcome {
        verdict: verdict(system, &product, found, limits)?,
        engine,
        states: product.states(),
        transitions: product.transitions(),
        effort,
        bytes: product.bytes(),
    })
}

/// The name of an emptiness check.
fn name(check: Check) -> &'static str {
    Check::ALL.iter().find(|(_, other)| *other == check).map_or("", |(name, _)| name)
}

/// Checks a system against an automaton over valuations, on one thread or several.
fn check_whole<S: System, T: Store>(
    space: &mut StateSpace<'_, S, T>,
    negation: &Automaton,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let system = space.system();
    let (automaton, property, check) = prepare(negation, options)?;
    let names = automaton.alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(system, names)?;
    let name = name(check);
    if options.threads > 1 && options.emptiness.is_none() && parallel::fits(check, &automaton) {
        let search = parallel::Search {
            system,
            automaton: &automaton,
            propositions: &propositions,
            deadlock: options.deadlock,
            property: &property,
            is_terminal: check == Check::Terminal,
        };
        let engine = format!("{name}×{}", options.threads);
        return check_in_parallel::<S, T>(&search, engine, options, limits, progress);
    }
    let mut product =
        Product::new(space, &automaton, &propositions, options.deadlock, limits, progress);
    let mut effort = Effort::default();
    let found = check.run(&mut product, &property, &mut effort);
    let found = shortened(&mut product, &automaton, options, found);
    Ok(Outcome {
        verdict: verdict(system, &product, found, limits)?,
        engine: name.to_owned(),
        states: product.states(),
        transitions: product.transitions(),
        effort,
        bytes: product.bytes(),
    })
}

/// A fault in a state, with a shortest path to it.
fn way_to_fault<S: System, T: Store>(
    system: &S,
    limits: &Limits,
    fault: Fault,
    state: &[u32],
) -> Failure {
    if matches!(fault, Fault::Overflow(_)) || state.is_empty() {
        return fault.into();
    }
    let mut store = T::new(system.words());
    let goal = |found: &[u32]| Ok(*found == *state);
    match explore::shortest_path(system, &mut store, limits, |_| (), goal) {
        Ok(answer) => Failure { fault, path: answer.path },
        // There is a fault nearer to the initial states.
        Err(failure) => failure,
    }
}

/// The verdict after a search, with the run that it has found.
fn verdict<S: System, T: Store>(
    system: &S,
    product: &Product<'_, '_, S, T>,
    found: Result<Option<Lasso>, Stop>,
    limits: &Limits,
) -> Result<Verdict, Refusal> {
    let states = |nodes: &[u32]| nodes.iter().map(|node| product.state(*node)).collect::<Vec<_>>();
    match found {
        Ok(None) => Ok(Verdict::Holds),
        Ok(Some(Lasso { prefix, cycle })) => {
            let run = Counterexample::through(system, &states(&prefix), &states(&cycle))?;
            Ok(Verdict::Violated(run))
        }
        Err(Stop::Limit(reason)) => Ok(Verdict::Unknown(reason)),
        Err(Stop::Fault(fault, state)) => {
            Err(Refusal::Fault(way_to_fault::<S, T>(system, limits, fault, &state)))
        }
    }
}

/// Searches on several threads. A lasso is made from what they have found on this one.
fn check_in_parallel<S: System, T: Store>(
    search: &parallel::Search<'_, S>,
    engine: String,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    if search.property.is_unsatisfiable() {
        return Ok(Outcome { engine, ..Outcome::default() });
    }
    let mut finding = search.run::<T>(options.threads, limits, progress);
    let bytes = limits.bytes.map(|most| most.saturating_sub(finding.bytes));
    let rest = Limits { bytes, ..limits.clone() };
    let parallel::Search { system, automaton, propositions, deadlock, .. } = *search;
    let mut space = StateSpace::<S, T>::new(system);
    let mut product = Product::new(&mut space, automaton, propositions, deadlock, &rest, progress);
    let found = match finding.is_violated.clone() {
        Ok(false) => Ok(None),
        Ok(true) => parallel::lasso(search, &mut finding, &mut product, &rest).map(|lasso| {
            let condition = automaton.acceptance().condition();
            Some(match options.shortest && !lasso.cycle.is_empty() {
                true => shortest(&mut product, condition, lasso),
                false => lasso,
            })
        }),
        Err(stop) => Err(stop),
    };
    Ok(Outcome {
        verdict: verdict(system, &product, found, limits)?,
        engine,
        states: finding.states,
        transitions: finding.transitions,
        effort: finding.effort,
        bytes: finding.bytes + product.bytes(),
    })
}

/// Looks for the shortest run to a state without successors, when nothing else violates the
/// property.
fn way_to_deadlock<S: System, T: Store>(
    system: &S,
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

/// A shortest lasso instead of what was found, if there is any and that is asked for.
fn shortened<S: System, T: Store>(
    product: &mut Product<'_, '_, S, T>,
    automaton: &Automaton,
    options: &Options,
    found: Result<Option<Lasso>, Stop>,
) -> Result<Option<Lasso>, Stop> {
    match found? {
        // A path without a cycle is as short as can be.
        Some(lasso) if options.shortest && !lasso.cycle.is_empty() => {
            Ok(Some(shortest(product, automaton.acceptance().condition(), lasso)))
        }
        found => Ok(found),
    }
}

/// Why an emptiness check cannot be used, if it cannot.
fn objection(check: Check, property: &Property, is_total: bool) -> Option<Error> {
    if check == Check::Terminal && !is_total {
        return Some(Error::new(
            "the check for terminal automata needs systems whose states all have successors: \
             deadlocks cannot be ignored",
        ));
    }
    let reason = check.objection(property)?;
    Some(Error::new(format!("this emptiness check does not fit: {reason}")))
}

/// The automaton in a form that fits the emptiness check.
fn prepare(negation: &Automaton, options: &Options) -> Result<(Automaton, Property, Check), Error> {
    let is_total = options.deadlock == Deadlock::Stutter;
    let negation = &*with_few_marks(Cow::Borrowed(negation));
    let property = Property::new(negation);
    let Some(check) = options.emptiness else {
        let check = Check::best_for(&property, is_total);
        return Ok((negation.clone(), property, check));
    };
    if objection(check, &property, is_total).is_none() {
        return Ok((negation.clone(), property, check));
    }
    let generalized = convert::to_generalized_buchi(negation);
    let automaton = match check {
        Check::SchwoonEsparza | Check::Spin | Check::Restricted => degeneralized(&generalized),
        _ => with_few_marks(Cow::Owned(generalized)).into_owned(),
    };
    let property = Property::new(&automaton);
    match objection(check, &property, is_total) {
        None => Ok((automaton, property, check)),
        Some(error) => Err(error),
    }
}

/// An automaton with Büchi acceptance on states.
fn degeneralized(generalized: &Automaton) -> Automaton {
    let automaton = Degeneralizer::default().state_based(generalized);
    automaton.expect("generalized Büchi acceptance")
}

/// The automaton itself, unless it has more marks than products can have.
fn with_few_marks(automaton: Cow<'_, Automaton>) -> Cow<'_, Automaton> {
    match automaton.acceptance().marks() <= MOST_MARKS {
        true => automaton,
        false => Cow::Owned(degeneralized(&convert::to_generalized_buchi(&automaton))),
    }
}

/// Likewise for an automaton over changes. That of a testing automaton with livelock acceptance has
/// few.
fn changes_with_few_marks(graph: &ChangeGraph) -> Result<Cow<'_, ChangeGraph>, Error> {
    if graph.automaton().acceptance().marks() <= MOST_MARKS {
        return Ok(Cow::Borrowed(graph));
    }
    let graph = ChangeGraph::of_differences(&degeneralized(&graph.differences()));
    graph.map(Cow::Owned).map_err(|error| Error::new(error.to_string()))
}
