//! Converts automata to the form that an emptiness check needs.

use super::Job;
use crate::emptiness::{Check, Property};
use crate::graph::MAX_MARKS;
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::placement::{self, Expectation};
use sempre_automata::{Automaton, GeneralizedBuchi, convert};
use sempre_check::Deadlock;
use sempre_check::Unsupported;
use sempre_testing::ChangeGraph;
use std::borrow::Cow;

/// Returns an error if the emptiness check does not suit the automaton.
pub(super) fn objection(
    check: Check,
    property: &Property,
    is_total: bool,
) -> Result<(), Unsupported> {
    if check == Check::Terminal && !is_total {
        let text = "the check for terminal automata needs systems whose states all have \
                    successors: deadlocks must stutter";
        return Err(Unsupported(text.to_owned()));
    }
    match check.objection(property) {
        None => Ok(()),
        Some(reason) => {
            Err(Unsupported(format!("this emptiness check is not applicable: {reason}")))
        }
    }
}

/// Converts the automaton to a form that suits the emptiness check.
pub(super) fn prepare(
    negation: &Automaton,
    job: Job<'_>,
) -> Result<(Automaton, Property, Check), Unsupported> {
    let is_total = job.deadlock() == Deadlock::Stutter;
    let negation = &*with_few_marks(Cow::Borrowed(negation));
    let property = Property::new(negation);
    let Some(check) = job.options.emptiness else {
        let check = Check::best_for(&property, is_total);
        return Ok((negation.clone(), property, check));
    };
    if objection(check, &property, is_total).is_ok() {
        return Ok((negation.clone(), property, check));
    }
    let generalized = convert::to_generalized_buchi(negation);
    let automaton = match check {
        // Whole products are the expensive ones.
        Check::SchwoonEsparza | Check::Spin | Check::Hpy | Check::Restricted => {
            placement::place(&generalized, Expectation::Holds)
        }
        _ => with_few_marks(Cow::Owned(generalized.into_automaton())).into_owned(),
    };
    let property = Property::new(&automaton);
    objection(check, &property, is_total)?;
    Ok((automaton, property, check))
}

/// An automaton with Büchi acceptance on states.
fn degeneralized(generalized: &GeneralizedBuchi<'_>) -> Automaton {
    Degeneralizer::default().state_based(generalized)
}

/// The automaton with generalized Büchi acceptance and few marks.
pub(super) fn with_generalized_marks(automaton: &Automaton) -> Automaton {
    with_few_marks(Cow::Owned(convert::to_generalized_buchi(automaton).into_automaton()))
        .into_owned()
}

/// Returns the automaton, with fewer marks if products cannot represent them.
fn with_few_marks(automaton: Cow<'_, Automaton>) -> Cow<'_, Automaton> {
    match automaton.acceptance().marks() <= MAX_MARKS {
        true => automaton,
        false => Cow::Owned(degeneralized(&convert::to_generalized_buchi(&automaton))),
    }
}

/// As above, for an automaton over changes. Testing automata with livelock acceptance have few
/// marks.
pub(super) fn changes_with_few_marks(
    graph: &ChangeGraph,
) -> Result<Cow<'_, ChangeGraph>, Unsupported> {
    if graph.automaton().acceptance().marks() <= MAX_MARKS {
        return Ok(Cow::Borrowed(graph));
    }
    let graph = ChangeGraph::of_differences(&degeneralized(&convert::to_generalized_buchi(
        &graph.differences(),
    )));
    graph.map(Cow::Owned).map_err(|error| Unsupported(error.to_string()))
}
