//! Automata in a form that an emptiness check accepts.

use super::Options;
use crate::emptiness::{Check, Property};
use crate::graph::MOST_MARKS;
use crate::product::Deadlock;
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::{Automaton, convert};
use sempre_models::Error;
use sempre_testing::ChangeGraph;
use std::borrow::Cow;

/// Why an emptiness check cannot be used, if it cannot.
pub(super) fn objection(check: Check, property: &Property, is_total: bool) -> Option<Error> {
    if check == Check::Terminal && !is_total {
        return Some(Error::new(
            "the check for terminal automata needs systems whose states all have successors: \
             deadlocks must stutter",
        ));
    }
    let reason = check.objection(property)?;
    Some(Error::new(format!("this emptiness check does not fit: {reason}")))
}

/// The automaton in a form that fits the emptiness check.
pub(super) fn prepare(
    negation: &Automaton,
    options: &Options,
) -> Result<(Automaton, Property, Check), Error> {
    let is_total = options.deadlock == Deadlock::Stutter;
    let negation = &*with_few_marks(Cow::Borrowed(negation));
    let property = Property::new(negation);
    let Some(check) = options.emptiness else {
        let check = Check::best_for(&property, is_total);
        return Ok((negation.clone(), property, check));
    };
    if objection(check, &property, is_total).is_none() {
        return Ok((negation.clone(), property, check));
    }
    let generalized = convert::to_generalized_buchi(negation);
    let automaton = match check {
        Check::SchwoonEsparza | Check::Spin | Check::Restricted => degeneralized(&generalized),
        _ => with_few_marks(Cow::Owned(generalized)).into_owned(),
    };
    let property = Property::new(&automaton);
    match objection(check, &property, is_total) {
        None => Ok((automaton, property, check)),
        Some(error) => Err(error),
    }
}

/// An automaton with Büchi acceptance on states.
fn degeneralized(generalized: &Automaton) -> Automaton {
    let automaton = Degeneralizer::default().state_based(generalized);
    automaton.expect("generalized Büchi acceptance")
}

/// The automaton itself, unless it has more marks than products can have.
fn with_few_marks(automaton: Cow<'_, Automaton>) -> Cow<'_, Automaton> {
    match automaton.acceptance().marks() <= MOST_MARKS {
        true => automaton,
        false => Cow::Owned(degeneralized(&convert::to_generalized_buchi(&automaton))),
    }
}

/// Likewise for an automaton over changes. That of a testing automaton with livelock acceptance has
/// few.
pub(super) fn changes_with_few_marks(graph: &ChangeGraph) -> Result<Cow<'_, ChangeGraph>, Error> {
    if graph.automaton().acceptance().marks() <= MOST_MARKS {
        return Ok(Cow::Borrowed(graph));
    }
    let graph = ChangeGraph::of_differences(&degeneralized(&graph.differences()));
    graph.map(Cow::Owned).map_err(|error| Error::new(error.to_string()))
}
