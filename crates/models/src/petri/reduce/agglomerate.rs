//! Agglomeration: a place disappears because each step that marks it is joined with each that
//! unmarks it.
//!
//! The place is empty at first, is not observed, and all its arcs have the same weight; no step both
//! takes tokens from it and adds some. There are two cases.
//!
//! - Afterwards (post-agglomeration): the steps that unmark it need nothing else, and change nothing
//!   that is observed. So they may as well happen immediately: more tokens disable nothing, since
//!   no inhibitor arc looks at them. If they never happen in a run that is infinite, they might have.
//! - Beforehand (pre-agglomeration): the steps that mark it do nothing else, take tokens that nobody
//!   else takes, and change nothing that is observed. So they may as well wait for those that
//!   unmark it; where those never come, they need not happen. Infinitely many of them need
//!   infinitely many other steps for their tokens, so an infinite run remains infinite.

use super::draft::{Arcs, Draft, Step, weight};
use sempre_ltl::interrupt;

/// The limit on the transitions of a step; longer steps are not joined any further.
const MAX_PARTS: usize = 1000;

/// Joins steps at all places where that is possible; true if there was one.
pub(super) fn join(draft: &mut Draft<'_>) -> bool {
    let mut joined = false;
    for place in draft.places() {
        interrupt::poll();
        joined |= join_at(draft, place);
    }
    joined
}

fn join_at(draft: &mut Draft<'_>, place: u32) -> bool {
    if draft.is_visible(place) || draft.initial(place) > 0 {
        return false;
    }
    let (before, after) = (draft.producers(place), draft.consumers(place));
    let (fewer, more) = (before.len() + after.len(), before.len().saturating_mul(after.len()));
    if before.is_empty() || after.is_empty() || !draft.has_room(fewer, more) {
        return false;
    }
    let tokens = weight(&draft.step(before[0]).outputs, place);
    let fits = |number: &u32, is_before: bool| {
        let step = draft.step(*number);
        let (added, taken) = (weight(&step.outputs, place), weight(&step.inputs, place));
        !step.is_observed
            && step.parts.len() <= MAX_PARTS
            && (added, taken) == if is_before { (tokens, 0) } else { (0, tokens) }
    };
    if !before.iter().all(|step| fits(step, true)) || !after.iter().all(|step| fits(step, false)) {
        return false;
    }
    if !can_follow_at_once(draft, &after) && !can_wait(draft, &before) {
        return false;
    }
    let mut steps = Vec::with_capacity(more);
    for first in &before {
        for second in &after {
            match joined(draft.step(*first), draft.step(*second), place) {
                Some(step) => steps.push(step),
                None => return false,
            }
        }
    }
    before.into_iter().chain(after).for_each(|step| draft.remove_step(step));
    draft.remove_place(place);
    steps.into_iter().for_each(|step| draft.add(step));
    true
}

/// True if these steps, which take tokens from the place, need nothing else and change nothing
/// that is looked at.
fn can_follow_at_once(draft: &Draft<'_>, after: &[u32]) -> bool {
    after.iter().all(|number| {
        let Step { inputs, outputs, inhibitors, .. } = draft.step(*number);
        inputs.len() == 1
            && inhibitors.is_empty()
            && outputs.iter().all(|(place, _)| !draft.is_visible(*place))
    })
}

/// True if these steps, which add tokens to the place, have no other effect, and no other step
/// takes or reads the tokens that they take.
fn can_wait(draft: &Draft<'_>, before: &[u32]) -> bool {
    before.iter().all(|number| {
        let Step { inputs, outputs, inhibitors, .. } = draft.step(*number);
        outputs.len() == 1
            && inhibitors.is_empty()
            && !inputs.is_empty()
            && inputs.iter().all(|(place, _)| {
                !draft.is_visible(*place) && draft.is_only_consumer(*number, *place)
            })
    })
}

/// Joins one step with another that takes the tokens which the first one added to this place;
/// `None` if weights become too large.
///
/// Either the first step adds nothing else or the second one takes nothing else, so that the
/// second needs no token of the first but those.
fn joined(first: &Step, second: &Step, place: u32) -> Option<Step> {
    let mut inhibitors = first.inhibitors.clone();
    inhibitors.extend(&second.inhibitors);
    inhibitors.sort_unstable();
    Some(Step {
        inputs: sum(&first.inputs, &second.inputs, place)?,
        outputs: sum(&first.outputs, &second.outputs, place)?,
        inhibitors,
        is_observed: false,
        is_fired: false,
        parts: [&*first.parts, &*second.parts].concat(),
    })
}

/// The arcs of both without those of a place.
fn sum(left: &[(u32, u32)], right: &[(u32, u32)], place: u32) -> Option<Arcs> {
    let mut sum: Arcs = left.iter().chain(right).copied().filter(|arc| arc.0 != place).collect();
    sum.sort_unstable_by_key(|arc| arc.0);
    let mut arcs: Arcs = Vec::with_capacity(sum.len());
    for (place, weight) in sum {
        match arcs.last_mut() {
            Some((last, total)) if *last == place => *total = total.checked_add(weight)?,
            _ => arcs.push((place, weight)),
        }
    }
    Some(arcs)
}
