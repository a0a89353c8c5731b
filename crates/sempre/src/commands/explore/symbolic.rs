//! Exploring with sets of states.

use super::report::{Bounded, Counted, Told};
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
    /// An error if something is asked for that sets of states cannot give.
    pub(super) fn refuse_for_symbolic(&self) -> Result<()> {
        let asked = [
            (self.sccs, "--sccs"),
            (self.format.is_some(), "--format"),
            (self.threads.is_some(), "--threads"),
            (self.limits.states.is_some(), "--states"),
            (self.search != super::Order::default(), "--search"),
            (self.store != super::Kept::default(), "--store"),
        ];
        match asked.iter().find(|(is_asked, _)| *is_asked) {
            Some((_, option)) => Err(anyhow!("{option} does not go with --engine symbolic")),
            None => Ok(()),
        }
    }
}

impl Work<'_> {
    /// What sets of states tell. A value that does not fit is no result.
    pub(super) fn by_sets(&mut self, system: &Arc<dyn System>) -> Result<Result<Told>, Fault> {
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
        let told = interrupt::run(&raised, self.limits.deadline, || {
            manager.attempt(|| {
                let space = Space::find(&manager, system, &order, Strategy::Saturation)?;
                self.tell(&space, propositions.as_ref())
            })
        });
        quiet();
        let reason = match told {
            Ok(Ok(told)) => return Ok(Ok(told?)),
            Ok(Err(Exhausted)) => Reason::Memory,
            Err(_) if raised.is_raised() => Reason::Interrupt,
            Err(_) => Reason::Time,
        };
        Ok(Ok(Told { incomplete: Some(reason), ..Told::default() }))
    }

    fn tell(&self, space: &Space<'_>, propositions: Option<&Propositions>) -> Result<Told, Fault> {
        let system = space.encoding.system();
        let target = match propositions {
            Some(propositions) => Some(space.satisfying(propositions, 0)?),
            None if self.options.deadlock => Some(space.dead().clone()),
            None => None,
        };
        if let Some(target) = target {
            let path = space.path(&target)?;
            return Ok(Told {
                path: path.map(|path| Trace::new(&**system, &path)),
                ..Told::default()
            });
        }
        let bounds = self.options.bounds.then(|| {
            let mut bounds: Vec<(u32, Bounded)> = (space.ranges().into_iter())
                .map(|(variable, (least, greatest))| {
                    let name = system.names().variable_name(variable);
                    (variable.0, Bounded { variable: name, least, greatest })
                })
                .collect();
            bounds.sort_by_key(|(variable, _)| *variable);
            bounds.into_iter().map(|(_, bounded)| bounded).collect()
        });
        Ok(Told {
            counted: Some(Counted {
                states: space.count(),
                deadlocks: space.dead().count(),
                nodes: space.reached.nodes(),
                peak_nodes: space.reached.manager().usage().peak_nodes,
            }),
            bounds,
            ..Told::default()
        })
    }
}
