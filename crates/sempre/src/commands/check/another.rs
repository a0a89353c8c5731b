//! Further runs that violate a property.

use super::Check;
use super::answer::Answer;
use super::finding::Finding;
use crate::schema::described;
use crate::signals::GracefulStop;
use crate::trace::RunTrace;
use anyhow::Result;
use sempre::another::{Difference, another};
use sempre::check::Control;
use sempre::ltl::{Formula, interrupt};
use sempre::prelude::Checker;
use std::io::{self, Write};
use std::time::Instant;

/// A further run, as it is shown.
pub(super) struct Other {
    finding: Finding,
    pub(super) run: OtherRun,
}

described! {
    /// A further run that violates the property, and how it differs from earlier ones.
    pub(super) struct OtherRun {
        /// The action of an earlier run that it does not take.
        without: Option<String>,
        /// The conjunct that it violates, if that is the difference.
        violates: Option<String>,
        /// The conjunct that it satisfies and that the first run violates.
        satisfies: Option<String>,
        /// True if the propositions of the formula change as on an earlier run, up to stuttering.
        repeats_word: bool,
        /// The run.
        run: RunTrace,
    }
}

impl Check {
    /// Looks for further runs; those found within the limits.
    pub(super) fn others(
        &self,
        checker: &Checker,
        formula: &Formula,
        answer: &Answer,
        count: usize,
        start: Instant,
    ) -> Result<Vec<Other>> {
        let Ok(outcome) = &answer.outcome else { return Ok(Vec::new()) };
        let found = GracefulStop::run(|stop| {
            let control = Control::new(self.limits.from(start, stop.search.clone()));
            let work = || another(checker, formula, outcome, count, &control);
            interrupt::run(&stop.rest, None, work)
        })?;
        let Ok(found) = found else { return Ok(Vec::new()) };
        let mut others = Vec::new();
        let property = formula.clone().into();
        for further in found? {
            let finding = Finding::new(&further.outcome, &further.run, &property, self.explain)?;
            let (without, violates, satisfies) = match &further.difference {
                Difference::Without(action) => (Some(action.clone()), None, None),
                Difference::Conjunct { violated, satisfied } => {
                    (None, Some(violated.to_string()), Some(satisfied.to_string()))
                }
                Difference::Word => (None, None, None),
            };
            let (repeats_word, run) = (further.repeats_word, finding.trace.clone());
            let run = OtherRun { without, violates, satisfies, repeats_word, run };
            others.push(Other { finding, run });
        }
        Ok(others)
    }
}

impl Other {
    /// Writes how the run differs, and the run.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let OtherRun { without, violates, satisfies, .. } = &self.run;
        match (without, violates, satisfies) {
            (Some(action), ..) => writeln!(out, "another run, without {action}")?,
            (None, Some(violated), Some(satisfied)) => {
                writeln!(out, "another run, which violates {violated} and satisfies {satisfied}")?;
            }
            _ => writeln!(out, "another run, on which the propositions change in another way")?,
        }
        self.finding.write(out)
    }
}
