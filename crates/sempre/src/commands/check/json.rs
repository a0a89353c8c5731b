//! The answer for a property as programs read it: `docs/check.schema.json` describes it.

use super::another::OtherRun;
use super::answer::Answer;
use super::vacuity::{Examined, VacuousPart, WitnessRun};
use crate::limits;
use crate::output::Output;
use crate::schema::{VERSION, described};
use crate::trace::{RunTrace, Trace};
use crate::unreached::{NeverOccurs, never_occur};
use sempre::check::{Failure, Outcome, Unknown, Verdict};
use sempre::explorer::Unreached;
use sempre::models::Fault;
use std::io;

described! {
    /// The answer for one property, a line of the output of `sempre check --json`.
    pub(super) struct CheckAnswer {
        /// The version of this format.
        version: u32,
        /// The name of the property; its formula if it has none.
        property: String,
        /// The formula.
        formula: String,
        /// holds, violated or unknown.
        verdict: &'static str,
        /// The reason of an unknown verdict: states, numbers, memory, time, interrupt, unbounded,
        /// fault or loading; of a violation without a run: assertion.
        reason: Option<&'static str>,
        /// The same reason in words, for people.
        message: Option<String>,
        /// The meaning of states without successors: stutter, ignore or report.
        deadlocks: &'static str,
        /// The time that the check took.
        seconds: f64,
        /// Whether a property that holds does so vacuously: none, vacuous or not tested.
        vacuity: Option<&'static str>,
        /// The parts that do not matter, the largest ones.
        vacuous: Vec<VacuousPart>,
        /// With --witness: runs on which the parts matter.
        witnesses: Vec<WitnessRun>,
        /// The run that violates the property.
        counterexample: Option<RunTrace>,
        /// With --another: further runs that violate the property.
        others: Vec<OtherRun>,
        /// The path to a fault of the model.
        path: Option<Trace>,
        /// With --unreached: the transitions that never occur; null if not all states are known.
        never_occur: Option<Vec<NeverOccurs>>,
        /// With --unreached: the locations that are never reached, as propositions; null if not all
        /// states are known.
        never_reached: Option<Vec<String>>,
        /// The engine that answered.
        engine: Option<&'static str>,
        /// Its algorithms, one for each part of the automaton.
        algorithms: Vec<&'static str>,
        /// Why it was this engine: only, first or neither.
        choice: Option<&'static str>,
        /// The engine that was started as well.
        other_engine: Option<&'static str>,
        /// The number of threads of the search.
        threads: Option<usize>,
        /// The automaton of the negated property.
        automaton: Option<AutomatonShape>,
        /// The fairness that was assumed, such as weak:process; null if none.
        fairness: Option<String>,
        /// The net that was checked instead of the given one.
        reduction: Option<NetShape>,
        /// The number of states; null if it is 2^64 or more.
        states: Option<u64>,
        /// The number of states in decimal digits, however large.
        states_text: Option<String>,
        /// The number of transitions.
        transitions: Option<u64>,
        /// The number of states of the product that were stored.
        product_states: Option<u64>,
        /// The number of transitions of the product that were followed.
        product_transitions: Option<u64>,
        /// The number of aggregates of a hybrid engine.
        aggregates: Option<u64>,
        /// The number of edges between aggregates.
        aggregate_edges: Option<u64>,
        /// The greatest number of nodes of decision diagrams.
        peak_nodes: Option<usize>,
        /// The memory of the state space, in bytes.
        store_bytes: Option<usize>,
        /// The greatest memory of the process, in bytes.
        peak_bytes: Option<u64>,
    }
}

described! {
    /// An automaton.
    pub(super) struct AutomatonShape {
        /// Its kind.
        kind: &'static str,
        /// The number of its states.
        states: usize,
    }
}

described! {
    /// A net.
    pub(super) struct NetShape {
        /// The number of its places.
        places: usize,
        /// The number of its transitions.
        transitions: usize,
    }
}

impl CheckAnswer {
    pub(super) fn new(answer: &Answer, witness: bool, unreached: Option<&Unreached>) -> Self {
        let verdict = answer.verdict();
        let examined = answer.vacuity.as_ref();
        let tested = examined.map_or("not tested", Examined::word);
        let witnesses = examined.filter(|_| witness).map(Examined::witnesses);
        let (message, path) = answer.reason().unzip();
        let mut object = CheckAnswer {
            version: VERSION,
            property: answer.property.clone(),
            formula: answer.formula.clone(),
            verdict: verdict.name(),
            reason: match &answer.outcome {
                Ok(outcome) if outcome.assertion().is_some() => Some("assertion"),
                _ => reason(&verdict),
            },
            message,
            deadlocks: answer.deadlock.name(),
            seconds: answer.seconds,
            vacuity: (verdict == Verdict::Holds).then_some(tested),
            vacuous: examined.map(Examined::parts).unwrap_or_default(),
            witnesses: witnesses.unwrap_or_default(),
            counterexample: answer.finding.as_ref().map(|finding| finding.trace.clone()),
            others: answer.others.iter().map(|other| other.run.clone()).collect(),
            path: path.flatten(),
            never_occur: unreached.map(never_occur),
            never_reached: unreached.map(|found| found.locations.clone()),
            engine: None,
            algorithms: Vec::new(),
            choice: None,
            other_engine: None,
            threads: None,
            automaton: None,
            fairness: None,
            reduction: None,
            states: None,
            states_text: None,
            transitions: None,
            product_states: None,
            product_transitions: None,
            aggregates: None,
            aggregate_edges: None,
            peak_nodes: None,
            store_bytes: None,
            peak_bytes: None,
        };
        if let Ok(outcome) = &answer.outcome {
            object.add(outcome);
        }
        object
    }

    /// Adds how the verdict was found, and the cost.
    fn add(&mut self, Outcome { provenance, cost, .. }: &Outcome) {
        let (choice, other) = provenance.choice.parts();
        self.engine = Some(provenance.engine);
        self.algorithms.clone_from(&provenance.algorithms);
        (self.choice, self.other_engine) = (Some(choice), other);
        self.threads = Some(provenance.threads);
        self.automaton = provenance.automaton.map(|automaton| AutomatonShape {
            kind: automaton.kind.name(),
            states: automaton.states,
        });
        self.fairness = provenance.fairness.map(|fairness| fairness.to_string());
        self.reduction = provenance
            .reduction
            .map(|net| NetShape { places: net.places, transitions: net.transitions });
        self.states = cost.states.as_ref().and_then(|states| u64::try_from(states).ok());
        self.states_text = cost.states.as_ref().map(ToString::to_string);
        self.transitions = cost.transitions;
        self.product_states = cost.product_states;
        self.product_transitions = cost.product_transitions;
        (self.aggregates, self.aggregate_edges) = (cost.aggregates, cost.aggregate_edges);
        self.peak_nodes = cost.peak_nodes;
        self.store_bytes = Some(cost.bytes);
        self.peak_bytes = Some(limits::peak().unwrap_or(cost.bytes as u64));
    }

    /// Writes the object on a line.
    pub(super) fn write(&self, out: &mut Output) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.end_line()
    }
}

/// The word for the reason of an unknown verdict.
fn reason(verdict: &Verdict) -> Option<&'static str> {
    let Verdict::Unknown(unknown) = verdict else { return None };
    Some(match unknown {
        Unknown::Limit(reason) => reason.name(),
        Unknown::Fault(Failure { fault: Fault::Unbounded { .. }, .. }) => "unbounded",
        Unknown::Fault(_) => "fault",
        Unknown::NotLoaded => "loading",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn the_schema_in_the_documents_is_that_of_the_types() {
        schema::keep::<CheckAnswer>("check", "sempre check --json");
    }
}
