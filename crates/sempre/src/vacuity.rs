//! Vacuity: whether each part of a property that holds matters, and runs that show that it does.
//!
//! To test whether an occurrence of a subformula matters, it is replaced by the [hardest
//! constant](crate::ltl::rewrite::strengthen()) (Kupferman and Vardi, 2003). It does not matter if
//! the model satisfies this stronger formula, too. A run that violates the stronger formula
//! satisfies the property and is a witness that the occurrence matters. Costs one check for each
//! occurrence of a proposition; most are violated early.

use crate::check::{CheckError, Control, Counterexample, Limits, Outcome, Verdict};
use crate::checker::Checker;
use crate::ltl::rewrite::{Occurrence, occurrences, simplify::simplify, strengthen};
use crate::ltl::semantics::holds;
use crate::ltl::{Formula, Op, Word, interrupt};

/// The largest formula that is examined.
const LARGEST: u64 = 100;

/// The greatest number of states of one check.
const MAX_STATES: u64 = 200_000;

/// The bound on the translation of one formula, in units of [`interrupt::within`].
const TRANSLATION: u64 = 1 << 12;

/// The default bound on the steps of an examination.
pub const STEPS: u64 = 1_000_000;

/// The result of an examination.
#[derive(Clone, Debug, Default)]
pub struct Vacuity {
    /// The largest occurrences that do not matter.
    pub vacuous: Vec<Vacuous>,
    /// Runs that show that the others matter.
    pub witnesses: Vec<Witness>,
    /// The occurrences of propositions that were not tested, since the bound was reached.
    pub untested: Vec<Occurrence>,
}

/// An occurrence that does not matter.
#[derive(Clone, Debug)]
pub struct Vacuous {
    /// Where it occurs.
    pub occurrence: Occurrence,
    /// The stronger formula that holds as well, simplified.
    pub stronger: Formula,
    /// The formula that is never true, if that is the reason: the left side of an implication.
    pub never: Option<Formula>,
}

/// A run that satisfies a property and violates it when some occurrences are replaced.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The outcome of the check of the stronger formula; its counterexample is the run.
    pub outcome: Outcome,
    /// The occurrences of propositions that matter on this run.
    pub occurrences: Vec<Occurrence>,
}

impl Witness {
    /// Returns the run.
    pub fn run(&self) -> Option<&Counterexample> {
        self.outcome.counterexample()
    }
}

/// An examination under way.
struct Examination<'a, 'c> {
    checker: &'a mut Checker,
    control: &'a Control<'c>,
    formula: &'a Formula,
    steps: u64,
}

/// Examines a formula that holds, within a bound on the steps of all checks together.
///
/// # Errors
/// As for [`Checker::check_formula`].
pub fn examine(
    checker: &mut Checker,
    formula: &Formula,
    control: &Control<'_>,
    steps: u64,
) -> Result<Vacuity, CheckError> {
    let mut vacuity = Vacuity::default();
    if formula.size() > LARGEST {
        vacuity.untested.push(Occurrence::default());
        return Ok(vacuity);
    }
    let all = occurrences(formula);
    let mut examination = Examination { checker, control, formula, steps };
    let is_leaf = |occurrence: &&Occurrence| occurrence.of(formula).as_prop().is_some();
    let mut vacuous: Vec<Occurrence> = Vec::new();
    for leaf in all.iter().filter(is_leaf) {
        if vacuity.witnesses.iter().any(|witness| witness.occurrences.contains(leaf)) {
            continue;
        }
        let strong = strengthen(formula, leaf);
        match examination.check(&strong)? {
            Some(outcome) if outcome.verdict == Verdict::Holds => vacuous.push(leaf.clone()),
            Some(outcome) if outcome.verdict == Verdict::Violated => {
                vacuity.witnesses.extend(examination.witness(outcome, leaf, &all)?);
            }
            _ => vacuity.untested.push(leaf.clone()),
        }
    }
    // The outermost come first. An occurrence is tested if nothing inside it is known to matter.
    let mut largest: Vec<Occurrence> = Vec::new();
    for occurrence in &all {
        let inside: Vec<_> =
            all.iter().filter(is_leaf).filter(|leaf| occurrence.contains(leaf)).collect();
        let is_candidate = !inside.is_empty()
            && inside.iter().all(|leaf| vacuous.contains(leaf))
            && !largest.iter().any(|larger| larger.contains(occurrence));
        if !is_candidate {
            continue;
        }
        let stronger = strengthen(formula, occurrence);
        let is_vacuous = vacuous.contains(occurrence)
            || examination.check(&stronger)?.is_some_and(|o| o.verdict == Verdict::Holds);
        if is_vacuous {
            largest.push(occurrence.clone());
            let never = examination.never(occurrence)?;
            let (occurrence, stronger) = (occurrence.clone(), simplify(&stronger));
            vacuity.vacuous.push(Vacuous { occurrence, stronger, never });
        }
    }
    Ok(vacuity)
}

impl Examination<'_, '_> {
    /// Checks a formula; `None` if the bound was reached.
    fn check(&mut self, formula: &Formula) -> Result<Option<Outcome>, CheckError> {
        if self.steps == 0 {
            return Ok(None);
        }
        let outer = &self.control.limits;
        let states = Some(outer.states.map_or(MAX_STATES, |states| states.min(MAX_STATES)));
        let control = self.control.with(Limits { states, ..outer.clone() });
        let checked =
            interrupt::within(TRANSLATION, || self.checker.check_formula(formula, &control));
        let Ok(outcome) = checked else {
            // The interrupted work is lost.
            self.checker.forget();
            return Ok(None);
        };
        let outcome = outcome?;
        let steps = outcome.cost.visited.unwrap_or(self.steps);
        self.steps = self.steps.saturating_sub(steps.max(1));
        Ok(Some(outcome))
    }

    /// Makes a witness of the run that violates a stronger formula: it must satisfy the property.
    fn witness(
        &self,
        outcome: Outcome,
        leaf: &Occurrence,
        all: &[Occurrence],
    ) -> Result<Option<Witness>, CheckError> {
        let Some(run) = outcome.counterexample() else { return Ok(None) };
        let Some(word) = run.word(&*outcome.system, self.formula)? else { return Ok(None) };
        if !holds(self.formula, &word) {
            // A run that ends in a deadlock violates every formula when deadlocks are reported.
            return Ok(None);
        }
        let matters = |occurrence: &&Occurrence, word: &Word| {
            occurrence.of(self.formula).as_prop().is_some()
                && !holds(&strengthen(self.formula, occurrence), word)
        };
        let mut occurrences: Vec<_> =
            all.iter().filter(|occurrence| matters(occurrence, &word)).cloned().collect();
        if !occurrences.contains(leaf) {
            return Ok(None);
        }
        occurrences.sort();
        Ok(Some(Witness { outcome, occurrences }))
    }

    /// Returns the left side of the innermost implication that has the occurrence on its right
    /// side, if that left side is never true.
    fn never(&mut self, occurrence: &Occurrence) -> Result<Option<Formula>, CheckError> {
        let mut here = occurrence.clone();
        while let Some((around, operand)) = here.parent() {
            let node = around.of(self.formula);
            if node.op() == Op::Implies && operand == 1 {
                let left = node.children()[0].clone();
                let never = Formula::globally(Formula::not(left.clone()));
                let is_never =
                    self.check(&never)?.is_some_and(|outcome| outcome.verdict == Verdict::Holds);
                return Ok(is_never.then_some(left));
            }
            here = around;
        }
        Ok(None)
    }
}
