//! The answer for a property as programs read it: `docs/check.schema.json` describes it.

use super::another::OtherRun;
use super::answer::Answer;
use super::certify::CertificateSize;
use super::facts::{FactShape, Facts};
use super::vacuity::{Examined, VacuousPart, WitnessRun};
use crate::limits;
use crate::output::Output;
use crate::schema::{VERSION, described};
use crate::trace::{RunTrace, Trace};
use crate::unreached::{NeverOccurs, never_occur};
use sempre::check::{Failure, Outcome, PartCheck, Unknown, Verdict};
use sempre::explorer::Unreached;
use sempre::models::Fault;
use std::io;

described! {
    /// The answer for one property, a line of the output of `sempre check --json`.
    pub(super) struct CheckAnswer {
        /// The version of this format.
        version: u32,
        /// The name of the property; without a name its formula, or the file of its automaton.
        property: String,
        /// The formula; null if the property is an automaton.
        formula: Option<String>,
        /// holds, violated or unknown.
        verdict: &'static str,
        /// The reason of an unknown verdict: states, numbers, memory, time, interrupt, unbounded,
        /// fault or loading; of a violation without a run: assertion.
        reason: Option<&'static str>,
        /// The same reason in words, for people.
        message: Option<String>,
        /// The evidence for the verdict: run, certificate or none.
        evidence: &'static str,
        /// With --certify: the certificate of a property that holds.
        certificate: Option<CertificateSize>,
        /// With --certify: why there is no certificate of a property that holds.
        no_certificate: Option<String>,
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
        /// With --refine: the facts by which the automaton was refined.
        facts: Vec<FactShape>,
        /// With --refine: valid or unsatisfiable, if the facts alone decide the property.
        sanity: Option<&'static str>,
        /// The fairness that was assumed, such as weak:process; null if none.
        fairness: Option<String>,
        /// With --decompose: the checks of the parts of the automaton, the weakest part first.
        parts: Vec<PartShape>,
        /// The net that was checked instead of the given one.
        reduction: Option<NetShape>,
        /// The number of states; null if it is 2^64 or more.
        states: Option<u64>,
        /// The number of states in decimal digits, however large.
        states_text: Option<String>,
        /// The number of transitions.
        transitions: Option<u64>,
        /// The number of product states that were stored.
        stored: Option<u64>,
        /// The number of product transitions that were visited, counted each time.
        visited: Option<u64>,
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
    /// The check of a part of the automaton.
    pub(super) struct PartShape {
        /// The strength of its accepting components: terminal, weak or strong.
        part: &'static str,
        /// holds, violated, unknown, or stopped by another part.
        result: &'static str,
        /// The algorithm.
        algorithm: &'static str,
        /// The number of states of the automaton.
        automaton: usize,
        /// The number of states that this part reached; null if not counted.
        states: Option<u64>,
        /// The number of transitions of these states.
        transitions: Option<u64>,
        /// The number of product states that were stored.
        stored: Option<u64>,
        /// The number of product transitions that were visited, counted each time.
        visited: Option<u64>,
    }
}

impl PartShape {
    fn new(part: &PartCheck) -> Self {
        PartShape {
            part: part.part.name(),
            result: part.result(),
            algorithm: part.algorithm,
            automaton: part.automaton,
            states: part.states,
            transitions: part.transitions,
            stored: part.stored,
            visited: part.visited,
        }
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
            evidence: evidence(answer),
            certificate: answer.certified.clone().and_then(Result::ok),
            no_certificate: answer.certified.clone().and_then(Result::err),
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
            facts: answer.facts.as_ref().map(Facts::shapes).unwrap_or_default(),
            sanity: answer.facts.as_ref().and_then(Facts::word),
            fairness: None,
            parts: Vec::new(),
            reduction: None,
            states: None,
            states_text: None,
            transitions: None,
            stored: None,
            visited: None,
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
        self.automaton = provenance
            .automaton
            .map(|automaton| AutomatonShape { kind: automaton.kind, states: automaton.states });
        self.fairness = provenance.fairness.map(|fairness| fairness.to_string());
        self.parts = cost.parts.iter().map(PartShape::new).collect();
        self.reduction = provenance
            .reduction
            .map(|net| NetShape { places: net.places, transitions: net.transitions });
        self.states = cost.states.as_ref().and_then(|states| u64::try_from(states).ok());
        self.states_text = cost.states.as_ref().map(ToString::to_string);
        self.transitions = cost.transitions;
        self.stored = cost.stored;
        self.visited = cost.visited;
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

/// The word for the evidence: the path to an assertion that fails is a run as well.
fn evidence(answer: &Answer) -> &'static str {
    let assertion = answer.outcome.as_ref().ok().and_then(Outcome::assertion);
    match (&answer.finding, &answer.certified) {
        (Some(_), _) => "run",
        _ if assertion.is_some_and(|failure| failure.path.is_some()) => "run",
        (None, Some(Ok(_))) => "certificate",
        _ => "none",
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
