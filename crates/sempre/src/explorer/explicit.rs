//! Explorations state by state.

use super::{ComponentCounts, Explored, Goal, Job, Unreached};
use crate::check::CheckError;
use crate::explicit::StoreKind;
use crate::explicit::explore::{self, Answer, Exploration, Failure};
use crate::explicit::store::{Arena, Store, Tree};
use crate::models::VariableId;
use crate::models::proposition::Propositions;
use std::num::NonZeroUsize;

/// The number of states of a graph if there is no limit.
const FEW_STATES: u64 = 200;

pub(super) fn explore(job: &Job<'_>) -> Result<Explored, CheckError> {
    if *job.goal == Goal::Graph {
        return graph(job);
    }
    match job.settings.store {
        StoreKind::Arena => search::<Arena>(job),
        StoreKind::Tree => search::<Tree>(job),
    }
}

fn graph(job: &Job<'_>) -> Result<Explored, CheckError> {
    let limit = job.control.limits.states.unwrap_or(FEW_STATES);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let graph = explore::graph(&**job.system, limit)?;
    let incomplete = graph.incomplete;
    Ok(Explored { graph: Some(graph), incomplete, ..Explored::of(job.system) })
}

fn search<T: Store>(job: &Job<'_>) -> Result<Explored, CheckError> {
    let (system, limits) = (&**job.system, &job.control.limits);
    let progress = |progress: &_| (job.control.progress)(progress);
    let mut store = T::new(system.words());
    let found = match (job.proposition()?, job.goal) {
        (Some(proposition), _) => find(job, &mut store, &proposition)?,
        (None, Goal::Deadlock) => {
            explore::shortest_path_to_deadlock(system, &mut store, limits, progress)?
        }
        (None, goal) => {
            let Goal::Count { components, bounds, unreached } = *goal else {
                unreachable!("other goals are treated above")
            };
            let (explored, stores) = count(job, store, components, bounds)?;
            let mut found = None;
            if unreached && explored.incomplete.is_none() {
                found = Some(Unreached::find(system, &job.model.describe(), &stores)?);
            }
            return Ok(Explored { unreached: found, ..explored });
        }
    };
    Ok(Explored { path: found.path, ..explored(job, &found.exploration) })
}

fn find<T: Store>(
    job: &Job<'_>,
    store: &mut T,
    proposition: &Propositions,
) -> Result<Answer, Failure> {
    let system = &**job.system;
    let mut expander = system.expander();
    let goal = |state: &[u32]| Ok(proposition.valuation(&mut *expander, state)? == 1);
    let progress = |progress: &_| (job.control.progress)(progress);
    explore::shortest_path(system, store, &job.control.limits, progress, goal)
}

fn count<T: Store>(
    job: &Job<'_>,
    mut store: T,
    components: bool,
    bounds: bool,
) -> Result<(Explored, Vec<T>), Failure> {
    let (system, limits) = (&**job.system, &job.control.limits);
    let progress = |progress: &_| (job.control.progress)(progress);
    let mut counted = None;
    let exploration: Exploration;
    let stores: Vec<T>;
    let threads = NonZeroUsize::new(job.settings.threads).filter(|threads| threads.get() > 1);
    if components {
        let found = explore::components(system, &mut store, limits, progress)?;
        counted = Some(ComponentCounts { count: found.count, largest: found.largest });
        (exploration, stores) = (found.exploration, vec![store]);
    } else if let Some(threads) = threads {
        (exploration, stores) = explore::parallel(system, threads, limits, progress)?;
    } else {
        exploration = match job.settings.depth_first {
            true => explore::depth_first(system, &mut store, limits, progress)?,
            false => explore::breadth_first(system, &mut store, limits, progress)?,
        };
        stores = vec![store];
    }
    let bounds = bounds.then(|| {
        let bounds = explore::bounds(system, &stores).into_iter().enumerate();
        bounds.map(|(number, bound)| (VariableId(number as u32), bound)).collect()
    });
    Ok((Explored { components: counted, bounds, ..explored(job, &exploration) }, stores))
}

fn explored(job: &Job<'_>, exploration: &Exploration) -> Explored {
    Explored {
        counts: Some(exploration.counts),
        incomplete: exploration.incomplete,
        bytes: exploration.bytes,
        ..Explored::of(job.system)
    }
}
