//! Explores with the symbolic engine.

use super::report::{Report, SymbolicCounts, VariableRange};
use super::{Explore, Work};
use crate::symbolic::{manager, quiet};
use crate::trace::Trace;
use anyhow::{Result, anyhow};
use sempre::diagrams::{Exhausted, Strategy};
use sempre::explicit::explore::Reason;
use sempre::ltl::interrupt;
use sempre::models::proposition::Propositions;
use sempre::models::{Fault, System};
use sempre::symbolic::Space;
use std::sync::Arc;

impl Explore {
    /// Returns an error if an option needs the explicit engine.
    pub(super) fn refuse_for_symbolic(&self) -> Result<()> {
        let asked = [
            (self.sccs, "--sccs"),
            (self.format.is_some(), "--format"),
            (self.threads.is_some(), "--threads"),
            (self.limits.states.is_some(), "--states"),
            (self.search != super::Order::default(), "--search"),
            (self.store != super::StoreOption::default(), "--store"),
        ];
        match asked.iter().find(|(is_asked, _)| *is_asked) {
            Some((_, option)) => Err(anyhow!("{option} cannot be combined with --engine symbolic")),
            None => Ok(()),
        }
    }
}

impl Work<'_> {
    /// Explores symbolically. An overflow is an error.
    pub(super) fn explore_symbolically(
        &mut self,
        system: &Arc<dyn System>,
    ) -> Result<Result<Report>, Fault> {
        let propositions = match self.propositions(&**system) {
            Ok(propositions) => propositions,
            Err(error) => return Ok(Err(error)),
        };
        let order = match self.options.order.order.resolve(&**system) {
            Ok(order) => order,
            Err(error) => return Ok(Err(error)),
        };
        let manager = manager(self.limits.bytes);
        let raised = self.limits.interrupt.clone().unwrap_or_default();
        let result = interrupt::run(&raised, self.limits.deadline, || {
            manager.attempt(|| {
                let space = Space::find(&manager, system, &order, Strategy::Saturation)?;
                self.report(&space, propositions.as_ref())
            })
        });
        quiet();
        let reason = match result {
            Ok(Ok(result)) => return Ok(Ok(result?)),
            Ok(Err(Exhausted)) => Reason::Memory,
            Err(_) if raised.is_raised() => Reason::Interrupt,
            Err(_) => Reason::Time,
        };
        Ok(Ok(Report { incomplete: Some(reason), ..Report::default() }))
    }

    fn report(
        &self,
        space: &Space<'_>,
        propositions: Option<&Propositions>,
    ) -> Result<Report, Fault> {
        let system = space.encoding.system();
        let target = match propositions {
            Some(propositions) => Some(space.satisfying(propositions, 0)?),
            None if self.options.deadlock => Some(space.deadlocks().clone()),
            None => None,
        };
        if let Some(target) = target {
            let path = space.path(&target)?;
            return Ok(Report {
                path: path.map(|path| Trace::new(&**system, &path)),
                ..Report::default()
            });
        }
        let bounds = self.options.bounds.then(|| {
            let mut bounds: Vec<(u32, VariableRange)> = (space.ranges().into_iter())
                .map(|(variable, (least, greatest))| {
                    let name = system.names().variable_name(variable);
                    (variable.0, VariableRange { variable: name, least, greatest })
                })
                .collect();
            bounds.sort_by_key(|(variable, _)| *variable);
            bounds.into_iter().map(|(_, range)| range).collect()
        });
        Ok(Report {
            symbolic: Some(SymbolicCounts {
                states: space.count(),
                deadlocks: space.deadlocks().count(),
                nodes: space.reached.nodes(),
                peak_nodes: space.reached.manager().usage().peak_nodes,
            }),
            bounds,
            ..Report::default()
        })
    }
}
