//! The parts of the model that no run uses, besides the verdicts.

use super::{Check, Loaded};
use crate::Exit;
use crate::report::note;
use crate::signals::GracefulStop;
use crate::unreached;
use anyhow::{Result, anyhow};
use sempre::check::{Control, Reason};
use sempre::explorer::{ExploreSettings, Explorer, Goal, Unreached};
use sempre::ltl::interrupt;
use std::io::{self, Write};
use std::time::Instant;

/// The result of the exploration.
pub(super) struct Parts {
    /// The parts, or why they are not known.
    found: Result<Unreached, String>,
    is_interrupted: bool,
}

impl Check {
    /// Explores all states, if that is asked for.
    pub(super) fn unreached(&self, checker: Option<&Loaded>) -> Result<Option<Parts>> {
        let Some(loaded) = checker.filter(|_| self.unreached) else { return Ok(None) };
        let settings = ExploreSettings {
            store: self.search.store,
            states: self.limits.states,
            ..ExploreSettings::default()
        };
        let explorer = Explorer::new(loaded.checker.model().clone()).with(settings);
        let goal = Goal::Count { components: false, bounds: false, unreached: true };
        let explored = GracefulStop::run(|stop| {
            let control = Control::new(self.limits.from(Instant::now(), stop.search.clone()));
            interrupt::run(&stop.rest, None, || explorer.explore(&goal, &control))
        })?;
        let unknown = |text: String, is_interrupted| Parts { found: Err(text), is_interrupted };
        let Ok(explored) = explored else {
            return Ok(Some(unknown(Reason::Interrupt.to_string(), true)));
        };
        let explored = explored.map_err(|error| anyhow!(error))?;
        Ok(Some(match (explored.unreached, explored.incomplete, explored.failure) {
            (Some(found), ..) => Parts { found: Ok(found), is_interrupted: false },
            (None, Some(reason), _) => unknown(reason.to_string(), reason == Reason::Interrupt),
            (None, None, Some(failure)) => {
                unknown(failure.describe(explored.system.names()), false)
            }
            (None, None, None) => unknown("the states were not explored".to_owned(), false),
        }))
    }
}

impl Parts {
    /// The parts, if they are known.
    pub(super) fn found(&self) -> Option<&Unreached> {
        self.found.as_ref().ok()
    }

    /// The exit code: 1 if no run uses some part, 2 if that is not known.
    pub(super) fn exit(&self) -> Exit {
        match &self.found {
            Ok(found) if found.is_empty() => Exit::Success,
            Ok(_) => Exit::Violated,
            Err(_) if self.is_interrupted => Exit::Interrupted,
            Err(_) => Exit::Error,
        }
    }

    /// Says why the parts are not known, if they are not.
    pub(super) fn remark(&self) {
        if let Err(reason) = &self.found {
            note(&format!("--unreached found nothing: {reason}"));
        }
    }

    /// Writes the parts.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.found {
            Ok(found) => unreached::write(found, out),
            Err(_) => Ok(()),
        }
    }
}
