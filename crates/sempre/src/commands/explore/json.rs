//! An exploration as programs read it: `docs/explore.schema.json` describes it.

use super::report::Report;
use crate::limits;
use crate::schema::{VERSION, described};
use crate::trace::Trace;
use crate::unreached::{NeverOccurs, never_occur};
use num_bigint::BigUint;
use sempre::check::Reason;
use sempre::explicit::explore::Bound;
use sempre::explorer::Aggregate;
use std::collections::BTreeMap;

described! {
    /// An exploration, the output of `sempre explore --json`. Fields that were not asked for, or that
    /// the engine does not count, are null.
    pub(super) struct Exploration {
        /// The version of this format.
        version: u32,
        /// True if all states were explored.
        complete: bool,
        /// Why not: states, numbers, memory, time, interrupt, found, fault or assertion.
        reason: Option<&'static str>,
        /// The same reason in words, for people; null if a path was found.
        message: Option<String>,
        /// The number of initial states.
        initial: Option<u64>,
        /// The number of states; null if it is 2^64 or more.
        states: Option<u64>,
        /// The number of states in decimal digits, however large.
        states_text: Option<String>,
        /// The number of transitions.
        transitions: Option<u64>,
        /// The number of states without successors; null if it is 2^64 or more.
        deadlocks: Option<u64>,
        /// The number of states without successors in decimal digits, however large.
        deadlocks_text: Option<String>,
        /// The depth of the search.
        depth: Option<u64>,
        /// The number of strongly connected components.
        components: Option<u64>,
        /// The number of states of the largest component.
        largest_component: Option<u64>,
        /// The least and the greatest value of each variable.
        bounds: Option<BTreeMap<String, ValueBounds>>,
        /// The transitions that never occur.
        never_occur: Option<Vec<NeverOccurs>>,
        /// The locations that are never reached, as propositions.
        never_reached: Option<Vec<String>>,
        /// Whether the state that was asked for was found.
        found: Option<bool>,
        /// The path to the state that was asked for, or to a fault of the model.
        path: Option<Trace>,
        /// The number of aggregates of an observation graph.
        aggregates: Option<usize>,
        /// The number of edges between aggregates.
        edges: Option<usize>,
        /// The number of aggregates with a state without successors.
        dead: Option<usize>,
        /// The number of aggregates with a circuit.
        live: Option<usize>,
        /// The number of nodes of the diagram of all states.
        nodes: Option<usize>,
        /// The greatest number of nodes of decision diagrams.
        peak_nodes: Option<usize>,
        /// The time that the exploration took.
        seconds: f64,
        /// The memory of the states, in bytes.
        store_bytes: Option<usize>,
        /// The greatest memory of the process, in bytes.
        peak_bytes: u64,
    }
}

described! {
    /// The bounds of a variable.
    pub(super) struct ValueBounds {
        /// The least value.
        least: i64,
        /// The greatest value.
        greatest: i64,
    }
}

impl Exploration {
    pub(super) fn new(report: &Report<'_>) -> Self {
        let explored = report.explored;
        let (counts, sets) = (explored.counts.as_ref(), explored.sets.as_ref());
        let observation = explored.observation.as_ref();
        let number =
            |counted: Option<&BigUint>| counted.and_then(|count| u64::try_from(count).ok());
        let states = sets.map(|sets| &sets.states);
        let deadlocks = sets.map(|sets| &sets.deadlocks);
        let text = |counted: Option<u64>, set: Option<&BigUint>| {
            counted.map(|count| count.to_string()).or_else(|| set.map(ToString::to_string))
        };
        let aggregates = |is: fn(&Aggregate) -> bool| {
            observation.map(|graph| graph.aggregates.iter().filter(|one| is(one)).count())
        };
        let components = explored.components.filter(|_| explored.incomplete.is_none());
        let reason = match (&report.fault, explored.incomplete, &report.path) {
            (Some(_), ..) if report.is_assertion => Some("assertion"),
            (Some(_), ..) => Some("fault"),
            (None, Some(reason), _) => Some(reason.name()),
            (None, None, Some(_)) => Some("found"),
            (None, None, None) => None,
        };
        let message = report.fault.clone();
        Exploration {
            version: VERSION,
            complete: reason.is_none(),
            reason,
            message: message.or_else(|| explored.incomplete.as_ref().map(Reason::to_string)),
            initial: counts.map(|counts| counts.initial),
            states: counts.map(|counts| counts.states).or_else(|| number(states)),
            states_text: text(counts.map(|counts| counts.states), states),
            transitions: counts.map(|counts| counts.transitions),
            deadlocks: counts.map(|counts| counts.deadlocks).or_else(|| number(deadlocks)),
            deadlocks_text: text(counts.map(|counts| counts.deadlocks), deadlocks),
            depth: counts.map(|counts| counts.depth),
            components: components.map(|components| components.count),
            largest_component: components.map(|components| components.largest),
            bounds: report.bounds().map(|bounds| {
                let bound = |Bound { least, greatest }| ValueBounds { least, greatest };
                bounds.into_iter().map(|(name, found)| (name, bound(found))).collect()
            }),
            never_occur: explored.unreached.as_ref().map(never_occur),
            never_reached: explored.unreached.as_ref().map(|found| found.locations.clone()),
            found: report.wants_path().then(|| report.path.is_some() && report.fault.is_none()),
            path: report.path.clone(),
            aggregates: observation.map(|graph| graph.aggregates.len()),
            edges: observation.map(|graph| graph.edges.len()),
            dead: aggregates(|one| one.is_dead),
            live: aggregates(|one| one.is_live),
            nodes: sets.map(|sets| sets.nodes),
            peak_nodes: (sets.map(|sets| sets.peak_nodes))
                .or_else(|| observation.map(|graph| graph.peak_nodes)),
            seconds: report.time.as_secs_f64(),
            store_bytes: counts.map(|_| explored.bytes),
            peak_bytes: limits::peak().unwrap_or(explored.bytes as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn the_schema_in_the_documents_is_that_of_the_types() {
        schema::keep::<Exploration>("explore", "sempre explore --json");
    }
}
