//! Checks of formulas about steps, and of fair runs only.

use super::Job;
use super::part::path_to_fault;
use super::prepare::{prepare, with_generalized_marks};
use crate::emptiness::{Check, Property, Roots};
use crate::graph::Effort;
use crate::product::Stop;
use crate::steps::{FairMarks, Search, StepGraph, StepProduct};
use crate::store::Store;
use sempre_automata::Automaton;
use sempre_check::{
    AutomatonSize, CheckError, Cost, Counterexample, Evidence, FairnessKind, Outcome, Provenance,
    Unknown, Unsupported, Verdict,
};
use sempre_models::proposition::Propositions;

/// The result of a search, and its cost.
struct Finding {
    found: Result<Option<Counterexample>, Stop>,
    algorithm: &'static str,
    /// The number of states of the automaton.
    states: usize,
    cost: Cost,
}

/// Checks a system against an automaton whose letters may be about steps.
pub(super) fn check_steps<T: Store>(
    negation: &Automaton,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let finding = match job.options.emptiness {
        None if !job.options.shortest => check_by_components::<T>(negation, job),
        check => check_as_graph::<T>(negation, check, job)?,
    };
    let system = job.question.system();
    let (verdict, run) = match finding.found {
        Ok(None) => (Verdict::Holds, None),
        Ok(Some(run)) => (Verdict::Violated, Some(run)),
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
            algorithms: vec![finding.algorithm],
            automaton: Some(AutomatonSize { kind: job.kind(), states: finding.states }),
            fairness: job.question.fairness(),
            threads: 1,
            ..Provenance::default()
        },
        cost: finding.cost,
    })
}

/// Searches with sets of components of the model, of any number.
fn check_by_components<T: Store>(negation: &Automaton, job: Job<'_>) -> Finding {
    let automaton = with_generalized_marks(negation);
    let propositions = job.propositions(&automaton);
    let mut search = Search::new(product::<T>(&automaton, &propositions, &job));
    let found = search.run();
    let cost = cost(search.product(), search.product().nodes(), search.product().followed());
    Finding { found, algorithm: "steps", states: automaton.state_count(), cost }
}

/// Searches by an emptiness check, with marks for fairness.
fn check_as_graph<T: Store>(
    negation: &Automaton,
    check: Option<Check>,
    job: Job<'_>,
) -> Result<Finding, CheckError> {
    let fairness = job.question.fairness();
    let kind = fairness.map(|fairness| fairness.kind);
    let (automaton, property, check) = match kind {
        None => prepare(negation, job)?,
        Some(kind) => {
            let automaton = with_generalized_marks(negation);
            let property = Property::new(&automaton);
            let check = check.unwrap_or(match kind {
                FairnessKind::Weak => {
                    Check::Couvreur { roots: Roots::Compressed, known_first: true }
                }
                FairnessKind::Strong => Check::Generic,
            });
            (automaton, property, check)
        }
    };
    let marks = FairMarks::new(&automaton, kind);
    let acceptance = marks.acceptance(&automaton);
    let property = match fairness {
        None => property,
        Some(fairness) => {
            let property = property.with_acceptance(acceptance.clone());
            // Fairness also matters to cycles of weak and terminal automata.
            let by_strength = matches!(check, Check::Weak | Check::Terminal);
            let reason = match by_strength {
                true => Some("the strength of the automaton does not decide which cycles are fair"),
                false => check.objection(&property),
            };
            if let Some(reason) = reason {
                let check = check.name();
                let text = format!(
                    "--emptiness {check} cannot be combined with fairness ({fairness}): {reason}"
                );
                return Err(Unsupported(text).into());
            }
            property
        }
    };
    let propositions = job.propositions(&automaton);
    let mut graph = StepGraph::new(product::<T>(&automaton, &propositions, &job), marks);
    let mut effort = Effort::default();
    let found = check.run(&mut graph, &property, &mut effort).and_then(|lasso| match lasso {
        None => Ok(None),
        Some(lasso) if job.options.shortest && !lasso.cycle.is_empty() => {
            graph.shortest_run(&acceptance, &lasso).map(Some)
        }
        Some(lasso) => graph.run(&lasso).map(Some),
    });
    if graph.has_too_many_components() && found.is_err() {
        let (option, most) = match job.options.emptiness {
            Some(check) => (format!("--emptiness {}", check.name()), marks.components()),
            None => ("--shortest".to_owned(), marks.components()),
        };
        let text = format!(
            "{option} has marks for at most {most} components that runs are fair to here, and the \
             model has more: without it there may be any number"
        );
        return Err(Unsupported(text).into());
    }
    let cost = cost(graph.product(), effort.nodes, effort.edges);
    let states = automaton.state_count();
    Ok(Finding { found, algorithm: check.algorithm(), states, cost })
}

fn product<'p, T: Store>(
    automaton: &'p Automaton,
    propositions: &'p Propositions,
    job: &'p Job<'p>,
) -> StepProduct<'p, T> {
    StepProduct::new(
        &**job.question.system(),
        automaton,
        propositions,
        job.deadlock(),
        job.question.fairness(),
        job.limits(),
        job.control.progress,
    )
}

fn cost<T: Store>(product: &StepProduct<'_, T>, stored: u64, visited: u64) -> Cost {
    Cost {
        states: Some(product.states().into()),
        transitions: Some(product.transitions()),
        stored: Some(stored),
        visited: Some(visited),
        bytes: product.bytes(),
        ..Cost::default()
    }
}
