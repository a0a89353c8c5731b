//! Whether a property that holds does so vacuously, and runs on which it is exercised.

use super::{Check, Loaded};
use crate::schema::described;
use crate::signals::GracefulStop;
use crate::trace::RunTrace;
use anyhow::Result;
use sempre::check::Control;
use sempre::ltl::Formula;
use sempre::ltl::interrupt;
use sempre::ltl::rewrite::Occurrence;
use sempre::vacuity::{self, Vacuity};
use std::io::{self, Write};
use std::time::Instant;

/// The bound on steps when witnesses are asked for.
const WITNESS_STEPS: u64 = 100_000_000;

/// The result of an examination, with the formula.
pub(super) struct Examined {
    formula: Formula,
    vacuity: Vacuity,
}

described! {
    /// A part of a property that holds vacuously: it does not matter.
    pub(super) struct VacuousPart {
        /// The subformula.
        subformula: String,
        /// The stronger formula that holds as well.
        stronger: String,
        /// The formula that is never true, if that is the reason.
        never: Option<String>,
    }
}

described! {
    /// A run that satisfies the property, and on which parts of it matter.
    pub(super) struct WitnessRun {
        /// The propositions that matter, once for each occurrence.
        subformulas: Vec<String>,
        /// The run.
        run: RunTrace,
    }
}

impl Check {
    /// Examines a formula that holds, as far as the options ask for it.
    pub(super) fn vacuity(
        &self,
        loaded: &mut Loaded,
        formula: &Formula,
        start: Instant,
    ) -> Result<Option<Examined>> {
        if self.no_vacuity {
            return Ok(None);
        }
        let steps = if self.witness { WITNESS_STEPS } else { vacuity::STEPS };
        let side = loaded.side.get_or_insert_with(|| loaded.checker.explicit());
        let examined = GracefulStop::run(|stop| {
            let limits = self.limits.from(start, stop.search.clone());
            let control = Control::new(limits);
            let work = || vacuity::examine(side, formula, &control, steps);
            // The verdict stands whatever becomes of the examination.
            interrupt::run(&stop.rest, None, work).ok().and_then(Result::ok)
        })?;
        if examined.is_none() {
            side.forget();
        }
        Ok(examined.map(|vacuity| Examined { formula: formula.clone(), vacuity }))
    }
}

impl Examined {
    /// The word for programs.
    pub(super) fn word(&self) -> &'static str {
        match (self.vacuity.vacuous.is_empty(), self.vacuity.untested.is_empty()) {
            (false, _) => "vacuous",
            (true, true) => "none",
            (true, false) => "not tested",
        }
    }

    /// Why the property holds vacuously, if it does.
    pub(super) fn remark(&self) -> Option<String> {
        let mut remarks: Vec<String> = Vec::new();
        for part in &self.vacuity.vacuous {
            let remark = match &part.never {
                Some(never) => format!("{never} is never true"),
                None if part.stronger.is_false() => "there is no run that counts".to_owned(),
                None if part.stronger.is_true() => "no word violates the formula".to_owned(),
                None => format!("{} holds too", part.stronger),
            };
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        (!remarks.is_empty()).then(|| remarks.join("; "))
    }

    /// The parts that do not matter.
    pub(super) fn parts(&self) -> Vec<VacuousPart> {
        let part = |part: &vacuity::Vacuous| VacuousPart {
            subformula: part.occurrence.of(&self.formula).to_string(),
            stronger: part.stronger.to_string(),
            never: part.never.as_ref().map(ToString::to_string),
        };
        self.vacuity.vacuous.iter().map(part).collect()
    }

    /// The runs on which parts matter.
    pub(super) fn witnesses(&self) -> Vec<WitnessRun> {
        let of = |witness: &vacuity::Witness| {
            let run = RunTrace::new(&*witness.outcome.system, witness.run()?);
            Some(WitnessRun { subformulas: self.names(&witness.occurrences), run })
        };
        self.vacuity.witnesses.iter().filter_map(of).collect()
    }

    fn names(&self, occurrences: &[Occurrence]) -> Vec<String> {
        occurrences.iter().map(|occurrence| occurrence.of(&self.formula).to_string()).collect()
    }

    /// Writes the runs on which parts matter.
    pub(super) fn write_witnesses(&self, out: &mut impl Write) -> io::Result<()> {
        for WitnessRun { mut subformulas, run } in self.witnesses() {
            subformulas.dedup();
            writeln!(out, "witness: {} matters on this run", subformulas.join(", "))?;
            run.write(out)?;
        }
        for untested in &self.vacuity.untested {
            writeln!(
                out,
                "witness: not found for {} within the limits",
                untested.of(&self.formula)
            )?;
        }
        Ok(())
    }
}
