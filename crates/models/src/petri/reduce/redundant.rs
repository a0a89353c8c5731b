//! Removes redundant parts without changing any run: places that never disable anything, and
//! transitions that can never happen or do what others do.

use super::draft::{Draft, Step, weight};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// The limit on steps with the same effect for which each is compared to each.
const MAX_COMPARED: usize = 64;

/// Removes redundant places and steps; true if there were any.
pub(super) fn remove(draft: &mut Draft<'_>) -> bool {
    let dead = dead_steps(draft);
    let is_removed = !dead.is_empty();
    dead.into_iter().for_each(|step| draft.remove_step(step));
    let repeated = repeated_steps(draft);
    let is_removed = is_removed | !repeated.is_empty();
    repeated.into_iter().for_each(|step| draft.remove_step(step));
    let idle = undemanding_places(draft);
    let is_removed = is_removed | !idle.is_empty();
    idle.into_iter().for_each(|place| draft.remove_place(place));
    let implied = implied_places(draft);
    let is_removed = is_removed | !implied.is_empty();
    implied.into_iter().for_each(|place| draft.remove_place(place));
    is_removed
}

/// Steps that need more tokens than there can be.
fn dead_steps(draft: &Draft<'_>) -> Vec<u32> {
    let mut most: FxHashMap<u32, Option<u32>> = FxHashMap::default();
    let mut dead = Vec::new();
    for (number, step) in draft.alive() {
        interrupt::poll();
        if step.is_observed {
            continue;
        }
        let mut lacks_tokens = |(place, needed): &(u32, u32)| {
            let most = *most.entry(*place).or_insert_with(|| {
                let mut producers = draft.producers(*place).into_iter().map(|p| draft.step(p));
                let grows = producers
                    .any(|step| weight(&step.outputs, *place) > weight(&step.inputs, *place));
                if grows { draft.bound(*place) } else { Some(draft.initial(*place)) }
            });
            most.is_some_and(|most| *needed > most)
        };
        let is_inhibited =
            |(place, threshold): &(u32, u32)| weight(&step.inputs, *place) >= *threshold;
        if step.inputs.iter().any(&mut lacks_tokens) || step.inhibitors.iter().any(is_inhibited) {
            dead.push(number);
        }
    }
    dead
}

/// Steps that change what another one does, and are enabled only when that is.
fn repeated_steps(draft: &Draft<'_>) -> Vec<u32> {
    let mut by_effect: FxHashMap<Vec<(u32, i64)>, Vec<u32>> = FxHashMap::default();
    for (number, step) in draft.alive() {
        interrupt::poll();
        by_effect.entry(step.effect()).or_default().push(number);
    }
    let mut repeated = Vec::new();
    for group in by_effect.into_values() {
        let mut kept: Vec<u32> = Vec::new();
        for number in group.into_iter().take(MAX_COMPARED) {
            interrupt::poll();
            let step = draft.step(number);
            // A step that somebody sees happen cannot stand for another one.
            let stands_for = |other: &u32| {
                let other = draft.step(*other);
                !other.is_fired && demands_less(other, step)
            };
            if !step.is_observed && kept.iter().any(stands_for) {
                repeated.push(number);
                continue;
            }
            let (demanding, others): (Vec<u32>, Vec<u32>) = kept.into_iter().partition(|other| {
                let other = draft.step(*other);
                !step.is_fired && !other.is_observed && demands_less(step, other)
            });
            repeated.extend(demanding);
            kept = others;
            kept.push(number);
        }
    }
    repeated.sort_unstable();
    repeated
}

/// True if one step is enabled wherever the other is.
fn demands_less(step: &Step, other: &Step) -> bool {
    step.inputs.iter().all(|(place, needed)| *needed <= weight(&other.inputs, *place))
        && step.inhibitors.iter().all(|(place, threshold)| {
            let found = other.inhibitors.binary_search_by_key(place, |arc| arc.0);
            found.is_ok_and(|found| other.inhibitors[found].1 <= *threshold)
        })
}

/// Unobserved places that never disable a transition.
fn undemanding_places(draft: &Draft<'_>) -> Vec<u32> {
    let never_lacks = |place: &u32| {
        interrupt::poll();
        !draft.is_visible(*place)
            && draft.consumers(*place).into_iter().all(|number| {
                let step = draft.step(number);
                let needed = weight(&step.inputs, *place);
                needed <= weight(&step.outputs, *place) && needed <= draft.initial(*place)
            })
    };
    draft.places().filter(never_lacks).collect()
}

/// Places that nobody looks at, and that change as another one does which disables all that they
/// disable.
fn implied_places(draft: &Draft<'_>) -> Vec<u32> {
    let mut columns: FxHashMap<u32, Vec<(u32, i64)>> = FxHashMap::default();
    for (number, step) in draft.alive() {
        interrupt::poll();
        for (place, plus) in step.effect() {
            columns.entry(place).or_default().push((number, plus));
        }
    }
    let mut by_column: FxHashMap<Vec<(u32, i64)>, Vec<u32>> = FxHashMap::default();
    for place in draft.places() {
        if let Some(column) = columns.remove(&place) {
            by_column.entry(column).or_default().push(place);
        }
    }
    let mut implied = Vec::new();
    for mut group in by_column.into_values().filter(|group| group.len() > 1) {
        // Places that are looked at stay, and may imply others.
        group.sort_by_key(|place| (!draft.is_visible(*place), draft.initial(*place), *place));
        group.truncate(MAX_COMPARED);
        let mut kept: Vec<u32> = Vec::new();
        for place in group {
            interrupt::poll();
            let is_implied = !draft.is_visible(place)
                && kept.iter().any(|other| disables_more(draft, *other, place));
            match is_implied {
                true => implied.push(place),
                false => kept.push(place),
            }
        }
    }
    implied.sort_unstable();
    implied
}

/// True if the other place always has enough tokens when this one has. Both change in the same way.
fn disables_more(draft: &Draft<'_>, place: u32, other: u32) -> bool {
    let more = i64::from(draft.initial(other)) - i64::from(draft.initial(place));
    draft.consumers(other).into_iter().all(|number| {
        let step = draft.step(number);
        let (here, there) = (weight(&step.inputs, place), weight(&step.inputs, other));
        i64::from(there) - i64::from(here) <= more
    })
}
