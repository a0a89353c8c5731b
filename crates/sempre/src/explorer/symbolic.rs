//! Explorations by sets of states.

use super::{ExploreSettings, Explored, Goal, Job, SetCounts, manager};
use crate::check::{CheckError, Control};
use crate::explicit::explore::Bound;
use crate::models::etf::Etf;
use crate::models::{Fault, System};
use crate::symbolic::{self, Encoding, Space, attempt};
use std::sync::Arc;

pub(super) fn explore(job: &Job<'_>) -> Result<Explored, CheckError> {
    let (proposition, manager) = (job.proposition()?, manager(job.control));
    let options = &job.settings.symbolic;
    attempt(&manager, &job.control.limits, || -> Result<_, Fault> {
        let space = Space::find(&manager, job.system, &options.order, options.strategy())?;
        let target = match &proposition {
            Some(proposition) => Some(space.satisfying(proposition, 0)?),
            None if *job.goal == Goal::Deadlock => Some(space.deadlocks().clone()),
            None => None,
        };
        let explored = Explored::of(job.system);
        match target {
            Some(target) => Ok(Explored { path: space.path(&target)?, ..explored }),
            None => Ok(Explored {
                sets: Some(SetCounts {
                    states: space.count(),
                    deadlocks: space.deadlocks().count(),
                    nodes: space.reached.nodes(),
                    peak_nodes: manager.usage().peak_nodes,
                }),
                bounds: bounds(job, &space),
                ..explored
            }),
        }
    })
}

fn bounds(job: &Job<'_>, space: &Space<'_>) -> Option<Vec<(crate::models::VariableId, Bound)>> {
    let Goal::Count { bounds: true, .. } = job.goal else { return None };
    let ranges = space.ranges().into_iter();
    let mut bounds: Vec<_> =
        ranges.map(|(variable, (least, greatest))| (variable, Bound { least, greatest })).collect();
    bounds.sort_by_key(|(variable, _)| *variable);
    Some(bounds)
}

pub(super) fn tabulate(
    system: &Arc<dyn System>,
    settings: &ExploreSettings,
    control: &Control<'_>,
) -> Result<Etf, CheckError> {
    let (manager, options) = (manager(control), &settings.symbolic);
    attempt(&manager, &control.limits, || -> Result<_, Fault> {
        let encoding = Encoding::new(&manager, system, &options.order)?;
        symbolic::tabulate(&Space::new(encoding, options.strategy())?)
    })
}
