//! Checks of formulas about steps, and of fair runs only.

use super::Job;
use super::part::path_to_fault;
use super::prepare::with_generalized_marks;
use crate::product::Stop;
use crate::steps::{Search, StepProduct};
use crate::store::Store;
use sempre_automata::Automaton;
use sempre_check::{
    AutomatonKind, AutomatonSize, CheckError, Cost, Evidence, Outcome, Provenance, Unknown,
    Unsupported, Verdict,
};

/// Checks a system against an automaton whose letters may be about steps.
pub(super) fn check_steps<T: Store>(
    negation: &Automaton,
    job: Job<'_>,
) -> Result<Outcome, CheckError> {
    let refused =
        [(job.options.emptiness.is_some(), "--emptiness"), (job.options.shortest, "--shortest")];
    if let Some((_, option)) = refused.iter().find(|(is_used, _)| *is_used) {
        let reason = match job.question.fairness() {
            Some(_) => "fairness",
            None => "`fired(…)`",
        };
        return Err(Unsupported(format!("{option} cannot be combined with {reason}")).into());
    }
    let automaton = with_generalized_marks(negation);
    let propositions = job.propositions(&automaton);
    let system = job.question.system();
    let product = StepProduct::<T>::new(
        &**system,
        &automaton,
        &propositions,
        job.deadlock(),
        job.question.fairness(),
        job.limits(),
        job.control.progress,
    );
    let mut search = Search::new(product);
    let found = search.run();
    let (verdict, run) = match found {
        Ok(None) => (Verdict::Holds, None),
        Ok(Some(run)) => (Verdict::Violated, Some(run)),
        Err(Stop::Limit(reason)) => (Verdict::Unknown(Unknown::Limit(reason)), None),
        Err(Stop::Fault(fault, state)) => {
            return Err(path_to_fault::<T>(&**system, job.limits(), fault, &state).into());
        }
    };
    let kind = match job.options.automaton {
        AutomatonKind::Auto => AutomatonKind::Tgba,
        kind => kind,
    };
    let product = search.product();
    Ok(Outcome {
        verdict,
        evidence: run.map(Evidence::Run),
        system: system.clone(),
        provenance: Provenance {
            engine: "explicit",
            algorithms: vec!["steps"],
            automaton: Some(AutomatonSize { kind, states: automaton.state_count() }),
            fairness: job.question.fairness(),
            threads: 1,
            ..Provenance::default()
        },
        cost: Cost {
            states: Some(product.states().into()),
            transitions: Some(product.transitions()),
            stored: Some(product.nodes()),
            visited: Some(product.followed()),
            bytes: product.bytes(),
            ..Cost::default()
        },
    })
}
