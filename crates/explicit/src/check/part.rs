//! The search in the product with one automaton: the whole one, or a part of it.

use super::prepare::{changes_with_few_marks, objection, prepare};
use super::{Options, Outcome, Refusal, Verdict};
use crate::counterexample::Counterexample;
use crate::emptiness::testing::{self, Passes};
use crate::emptiness::{Check, Property};
use crate::explore::{self, Failure, Limits, Progress};
use crate::graph::{Effort, Lasso};
use crate::negation::Negation;
use crate::parallel;
use crate::product::{Deadlock, Product, Stop};
use crate::shortest::shortest;
use crate::state_space::StateSpace;
use crate::store::Store;
use sempre_automata::Automaton;
use sempre_ltl::Prop;
use sempre_models::proposition::Propositions;
use sempre_models::{Error, Fault, System};

pub(super) fn check_part<T: Store>(
    space: &mut StateSpace<'_, T>,
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
fn check_changes<T: Store>(
    space: &mut StateSpace<'_, T>,
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
        Propositions::compile(system.names(), automaton.alphabet().props().iter().map(Prop::name))?;
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
fn check_whole<T: Store>(
    space: &mut StateSpace<'_, T>,
    negation: &Automaton,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let system = space.system();
    let (automaton, property, check) = prepare(negation, options)?;
    let names = automaton.alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(system.names(), names)?;
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
        return check_in_parallel::<T>(&search, engine, options, limits, progress);
    }
    let mut product =
        Product::new(space, &automaton, &propositions, options.deadlock, limits, progress);
    if property.meets_states_once() {
        product = product.visited_once();
    }
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

/// Searches on several threads. A lasso is made from what they have found on this one.
fn check_in_parallel<T: Store>(
    search: &parallel::Search<'_>,
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
    let mut space = StateSpace::<T>::for_one_property(system);
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

/// The verdict after a search, with the run that it has found.
fn verdict<T: Store>(
    system: &dyn System,
    product: &Product<'_, '_, T>,
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
            Err(Refusal::Fault(way_to_fault::<T>(system, limits, fault, &state)))
        }
    }
}

/// A fault in a state, with a shortest path to it.
fn way_to_fault<T: Store>(
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
        // There is a fault nearer to the initial states.
        Err(failure) => failure,
    }
}

/// A shortest lasso instead of what was found, if there is any and that is asked for.
fn shortened<T: Store>(
    product: &mut Product<'_, '_, T>,
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
