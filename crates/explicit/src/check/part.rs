//! Checks one automaton: the product, its search, and the counterexample.

use super::prepare::{changes_with_few_marks, objection, prepare};
use super::steps::check_steps;
use super::{Job, SearchOrder};
use crate::emptiness::testing::{self, Livelocks, Locations, Passes, passes};
use crate::emptiness::{Check, Property, Roots};
use crate::explore;
use crate::graph::{Effort, Lasso};
use crate::parallel;
use crate::product::{Product, Stop};
use crate::shortest::shortest;
use crate::state_space::StateSpace;
use crate::store::Store;
use sempre_automata::{Automaton, Condition};
use sempre_check::{
    AutomatonSize, CheckError, Cost, Counterexample, Deadlock, Evidence, Failure, Limits, Outcome,
    Provenance, Unknown, Unsupported, Verdict,
};
use sempre_models::{Fault, System};
use sempre_testing::{Kind, Negation, OnDemand};

/// The result of a search.
struct Search {
    found: Result<Option<Lasso>, Stop>,
    algorithm: &'static str,
    threads: usize,
    states: u64,
    transitions: u64,
    effort: Effort,
    bytes: usize,
}

pub(super) fn check_part<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Negation,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let needs_passes = match negation {
        Negation::Livelocks(_, passes) => *passes != Passes::ONE,
        Negation::OnDemand(testing) => testing.kind() == Kind::Ta,
        _ => false,
    };
    if job.options.passes.is_some() && !needs_passes {
        let text =
            "two passes are for testing automata with livelock acceptance: use --automaton ta";
        return Err(Unsupported(text.to_owned()).into());
    }
    match negation {
        Negation::Valuations(negation) if job.question.is_about_steps() => {
            check_steps::<T>(negation, job)
        }
        _ if job.question.is_about_steps() => {
            job.question.require_states("a testing automaton")?;
            unreachable!("it is about steps")
        }
        Negation::Valuations(negation) => check_whole(space, negation, job),
        Negation::OnDemand(testing) => check_on_demand(space, testing, job),
        _ => check_changes(space, negation, job),
    }
}

/// Checks a system against an automaton over changes.
fn check_changes<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Negation,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let livelocks = match negation {
        Negation::Livelocks(testing, passes) => Some((Livelocks::new(testing), *passes)),
        _ => None,
    };
    let graph = match &livelocks {
        Some((livelocks, _)) => livelocks.graph(),
        None => negation.changes().unwrap_or_else(|| unreachable!("the automaton reads changes")),
    };
    let graph = &*changes_with_few_marks(graph)?;
    let automaton = graph.automaton();
    let propositions = job.propositions(automaton);
    let mut product = Product::of_changes(
        space,
        graph,
        &propositions,
        job.deadlock(),
        job.limits(),
        job.control.progress,
    );
    let mut effort = Effort::default();
    let (found, algorithm) = match &livelocks {
        Some((livelocks, passes)) => {
            refuse_emptiness(job)?;
            let (passes, algorithm) = passes_of(*passes, job);
            let found = testing::search(&mut product, livelocks.locations(), passes, &mut effort);
            (found, algorithm)
        }
        None => {
            let property = Property::new(automaton);
            let is_total = job.deadlock() == Deadlock::Stutter;
            let best = || Check::best_for(&property, is_total);
            let check = job.options.emptiness.unwrap_or_else(best);
            objection(check, &property, is_total)?;
            (check.run(&mut product, &property, &mut effort), check.algorithm())
        }
    };
    let found = shortened(&mut product, automaton.acceptance().condition(), job, found);
    let search = Search {
        found,
        algorithm,
        threads: 1,
        states: product.states(),
        transitions: product.transitions(),
        effort,
        bytes: product.bytes(),
    };
    outcome(&product, search, automaton.state_count(), job)
}

fn refuse_emptiness(job: Job<'_>) -> Result<(), Unsupported> {
    if job.options.emptiness.is_none() {
        return Ok(());
    }
    let text = "testing automata with livelock acceptance have their own emptiness check";
    Err(Unsupported(text.to_owned()))
}

/// Returns the passes of a search, and their name: the requested ones, or those that suffice.
fn passes_of(sufficient: Passes, job: Job<'_>) -> (Passes, &'static str) {
    match job.options.passes {
        _ if sufficient == Passes::ONE => (Passes::ONE, "one-pass"),
        Some(passes) => (passes, passes::name(passes).unwrap_or("two-pass")),
        None => (sufficient, "two-pass"),
    }
}

/// Checks a system against a testing automaton that is built for the valuations that occur.
fn check_on_demand<T: Store>(
    space: &mut StateSpace<'_, T>,
    testing: &OnDemand,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let propositions = job.propositions(testing.automaton());
    let (limits, progress) = (job.limits(), job.control.progress);
    let mut product =
        Product::on_demand(space, testing, &propositions, job.deadlock(), limits, progress);
    let mut effort = Effort::default();
    let acceptance = testing.acceptance();
    let (found, algorithm) = match testing.kind() {
        Kind::Tgta => {
            let property = Property::of_classes(acceptance.clone());
            let is_total = job.deadlock() == Deadlock::Stutter;
            let best = Check::Couvreur { roots: Roots::Compressed, known_first: true };
            let check = job.options.emptiness.unwrap_or(best);
            objection(check, &property, is_total)?;
            (check.run(&mut product, &property, &mut effort), check.algorithm())
        }
        kind => {
            refuse_emptiness(job)?;
            let sufficient = if kind == Kind::Ta { Passes::BEST } else { Passes::ONE };
            let (passes, algorithm) = passes_of(sufficient, job);
            let locations = Locations::of_classes();
            (testing::search(&mut product, &locations, passes, &mut effort), algorithm)
        }
    };
    let found = shortened(&mut product, acceptance.condition(), job, found);
    let search = Search {
        found,
        algorithm,
        threads: 1,
        states: product.states(),
        transitions: product.transitions(),
        effort,
        bytes: product.bytes(),
    };
    outcome(&product, search, product.automaton_states(), job)
}

/// Checks a system against an automaton over valuations, in the requested order.
fn check_whole<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Automaton,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let (automaton, property, check) = prepare(negation, job)?;
    let propositions = job.propositions(&automaton);
    if let SearchOrder::LevelByLevel { threads } = job.options.order
        && job.options.emptiness.is_none()
        && parallel::fits(check, &automaton)
    {
        let search = parallel::Search {
            system: space.system(),
            automaton: &automaton,
            propositions: &propositions,
            deadlock: job.deadlock(),
            property: &property,
            is_terminal: check == Check::Terminal,
        };
        return check_by_levels::<T>(&search, check.name(), threads.max(1), job);
    }
    let (limits, progress) = (job.limits(), job.control.progress);
    let mut product =
        Product::new(space, &automaton, &propositions, job.deadlock(), limits, progress);
    if property.visits_states_once() {
        product = product.visited_once();
    }
    let mut effort = Effort::default();
    let found = check.run(&mut product, &property, &mut effort);
    let found = shortened(&mut product, automaton.acceptance().condition(), job, found);
    let search = Search {
        found,
        algorithm: check.algorithm(),
        threads: 1,
        states: product.states(),
        transitions: product.transitions(),
        effort,
        bytes: product.bytes(),
    };
    outcome(&product, search, automaton.state_count(), job)
}

/// Searches by levels on several threads. This thread then computes a lasso from the result.
fn check_by_levels<T: Store>(
    search: &parallel::Search<'_>,
    algorithm: &'static str,
    threads: usize,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let (limits, progress) = (job.limits(), job.control.progress);
    let parallel::Search { system, automaton, propositions, deadlock, .. } = *search;
    let mut space = StateSpace::<T>::for_one_property(system);
    if search.property.is_unsatisfiable() {
        let product = Product::new(&mut space, automaton, propositions, deadlock, limits, progress);
        let search = Search {
            found: Ok(None),
            algorithm,
            threads,
            states: 0,
            transitions: 0,
            effort: Effort::default(),
            bytes: 0,
        };
        return outcome(&product, search, automaton.state_count(), job);
    }
    let mut finding = search.run::<T>(threads, limits, progress);
    let bytes = limits.bytes.map(|most| most.saturating_sub(finding.bytes));
    let rest = Limits { bytes, ..limits.clone() };
    let mut product = Product::new(&mut space, automaton, propositions, deadlock, &rest, progress);
    let found = match finding.is_violated.clone() {
        Ok(false) => Ok(None),
        Ok(true) => parallel::lasso(search, &mut finding, &mut product, &rest).map(|lasso| {
            let condition = automaton.acceptance().condition();
            Some(match job.options.shortest && !lasso.cycle.is_empty() {
                true => shortest(&mut product, condition, lasso),
                false => lasso,
            })
        }),
        Err(stop) => Err(stop),
    };
    let search = Search {
        found,
        algorithm,
        threads,
        states: finding.states,
        transitions: finding.transitions,
        effort: finding.effort,
        bytes: finding.bytes + product.bytes(),
    };
    outcome(&product, search, automaton.state_count(), job)
}

/// Makes the outcome of a search, with its run.
fn outcome<T: Store>(
    product: &Product<'_, '_, T>,
    search: Search,
    states_of_automaton: usize,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let system = job.question.system();
    let states = |nodes: &[u32]| nodes.iter().map(|node| product.state(*node)).collect::<Vec<_>>();
    let (verdict, run) = match search.found {
        Ok(None) => (Verdict::Holds, None),
        Ok(Some(Lasso { prefix, cycle })) => {
            let run = Counterexample::through(&**system, &states(&prefix), &states(&cycle))?;
            (Verdict::Violated, Some(run))
        }
        Err(Stop::Limit(reason)) => (Verdict::Unknown(Unknown::Limit(reason)), None),
        Err(Stop::Fault(fault, state)) => {
            return Err(path_to_fault::<T>(&**system, job.limits(), fault, &state).into());
        }
    };
    Ok(Outcome {
        verdict,
        evidence: run.map(Evidence::Run),
        system: system.clone(),
        provenance: Provenance {
            engine: "explicit",
            algorithms: vec![search.algorithm],
            automaton: Some(AutomatonSize { kind: job.kind(), states: states_of_automaton }),
            threads: search.threads,
            ..Provenance::default()
        },
        cost: Cost {
            states: Some(search.states.into()),
            transitions: Some(search.transitions),
            stored: Some(search.effort.nodes),
            visited: Some(search.effort.edges),
            bytes: search.bytes,
            ..Cost::default()
        },
    })
}

/// A fault in a state, with a shortest path to it.
pub(super) fn path_to_fault<T: Store>(
    system: &dyn System,
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
        // A fault is nearer to the initial states.
        Err(failure) => failure,
    }
}

/// Returns a shortest lasso if requested, else the given one.
fn shortened<T: Store>(
    product: &mut Product<'_, '_, T>,
    condition: &Condition,
    job: Job<'_>,
    found: Result<Option<Lasso>, Stop>,
) -> Result<Option<Lasso>, Stop> {
    match found? {
        // A path without a cycle is already shortest.
        Some(lasso) if job.options.shortest && !lasso.cycle.is_empty() => {
            Ok(Some(shortest(product, condition, lasso)))
        }
        found => Ok(found),
    }
}
