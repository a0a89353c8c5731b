//! A run that violates a property, its bad state, and the proof that it violates the property.

use crate::trace::RunTrace;
use anyhow::{Result, anyhow};
use sempre::check::{Counterexample, Outcome, Property};
use sempre::ltl::semantics::proof::{self, Proof};
use sempre::ltl::syntax::Notation;
use sempre::ltl::{Prop, Word};
use std::io::{self, Write};

/// A counterexample as it is shown.
pub(super) struct Finding {
    /// The run as people read it.
    pub(super) trace: RunTrace,
    /// The word of the run, if it has a cycle.
    pub(super) word: Option<Word>,
    /// The proof that the word violates the formula, if it is asked for.
    proof: Option<Proof>,
}

impl Finding {
    /// The counterexample of an outcome, if there is one.
    pub(super) fn of(
        outcome: &Outcome,
        property: &Property,
        explain: bool,
    ) -> Result<Option<Self>> {
        let Some(run) = outcome.counterexample() else { return Ok(None) };
        Finding::new(outcome, run, property, explain).map(Some)
    }

    /// A run of the system of the outcome.
    pub(super) fn new(
        outcome: &Outcome,
        run: &Counterexample,
        property: &Property,
        explain: bool,
    ) -> Result<Self> {
        let system = &*outcome.system;
        let word = run.word(system, property)?;
        let mut trace = RunTrace::new(system, run);
        trace.bad_state = run.steps_to_bad_state(system, property)?;
        let proof = match (&word, property.formula()) {
            (Some(word), Some(formula)) if explain => {
                let proof = proof::explain(formula, word);
                proof::check(&proof, formula, word).map_err(|error| anyhow!("{error:?}"))?;
                Some(proof)
            }
            _ => None,
        };
        Ok(Finding { trace, word, proof })
    }

    /// Writes the run; with a proof, the reason as well.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(proof) = &self.proof else { return self.trace.write(out) };
        let observed = proof.observed();
        let trace = self.explained(proof);
        let matters = |position: usize| observed.get(&position).map(|props| literals(props));
        trace.write_with(out, matters)?;
        self.write_proof(out)
    }

    /// Writes the reason alone.
    pub(super) fn write_proof(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(proof) = &self.proof else { return Ok(()) };
        writeln!(out, "why: numbers after `at` are those of steps, 0 is the initial state")?;
        proof.arguments().iter().try_for_each(|line| writeln!(out, "  {line}"))
    }

    /// The run to its bad state only if the proof needs no later one.
    pub(super) fn explained(&self, proof: &Proof) -> RunTrace {
        let mut trace = self.trace.clone();
        let last = proof.observed().keys().next_back().copied().unwrap_or(0);
        let positions = self.word.as_ref().map_or(0, Word::len);
        if trace.bad_state.is_some_and(|steps| last > steps || steps >= positions) {
            trace.bad_state = None;
        }
        trace
    }
}

/// The propositions that matter in a state, as literals.
fn literals(props: &[(Prop, bool)]) -> String {
    let literal = |(prop, holds): &(Prop, bool)| {
        format!("{}{}", if *holds { "" } else { "!" }, Notation::Spot.prop(prop))
    };
    format!("matters: {}", props.iter().map(literal).collect::<Vec<_>>().join(", "))
}
