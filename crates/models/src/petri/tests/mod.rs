//! Random nets: the packed token game, bounds and formats against plain definitions.

mod formats;
mod game;
mod markings;

use super::{Net, NetBuilder, PlaceId, TransitionId};
use proptest::prelude::*;

/// The arcs of a transition: inputs, outputs, inhibitors, each with a place modulo their number.
type Arcs = [Vec<(u32, u32)>; 3];

/// Small nets, with inhibitor arcs if that is wished.
fn nets(inhibitors: usize) -> impl Strategy<Value = Net> {
    let arcs = |most| prop::collection::vec((0u32..100, 1u32..4), 0..=most);
    let transition = (arcs(3), arcs(3), arcs(inhibitors)).prop_map(|(a, b, c)| [a, b, c]);
    let initial = prop::collection::vec(prop_oneof![3 => 0u32..3, 1 => 0u32..40], 1..7);
    (initial, prop::collection::vec(transition, 0..8))
        .prop_map(|(initial, transitions)| build(&initial, &transitions))
}

fn build(initial: &[u32], transitions: &[Arcs]) -> Net {
    let mut builder = NetBuilder::default();
    for (number, tokens) in initial.iter().enumerate() {
        builder.place(format!("p{number}"), *tokens);
    }
    let place = |number: &u32| PlaceId(number % initial.len() as u32);
    for (number, [inputs, outputs, inhibitors]) in transitions.iter().enumerate() {
        let transition = builder.transition(format!("t{number}"));
        for (input, weight) in inputs {
            builder.input(transition, place(input), *weight).unwrap();
        }
        for (output, weight) in outputs {
            builder.output(transition, place(output), *weight).unwrap();
        }
        for (inhibitor, threshold) in inhibitors {
            builder.inhibitor(transition, place(inhibitor), threshold * 2 - 1);
        }
    }
    builder.build().unwrap()
}

/// The marking after a transition, if it is enabled.
fn fired(net: &Net, transition: TransitionId, marking: &[u32]) -> Option<Vec<u32>> {
    let mut next = marking.to_vec();
    for (place, threshold) in net.inhibitors(transition) {
        if marking[place.0 as usize] >= *threshold {
            return None;
        }
    }
    for (place, weight) in net.inputs(transition) {
        let tokens = &mut next[place.0 as usize];
        *tokens = tokens.checked_sub(*weight)?;
    }
    for (place, weight) in net.outputs(transition) {
        next[place.0 as usize] += weight;
    }
    Some(next)
}

/// Markings in the order of a breadth-first search, at most that many, and if there are no more.
fn reachable(net: &Net, most: usize) -> (Vec<Vec<u32>>, bool) {
    let initial: Vec<u32> = net.places().map(|place| net.initial(place)).collect();
    let mut seen = std::collections::HashSet::from([initial.clone()]);
    let mut all = vec![initial];
    let mut next = 0;
    while next < all.len() {
        for transition in net.transitions() {
            if let Some(successor) = fired(net, transition, &all[next])
                && seen.insert(successor.clone())
            {
                if all.len() == most {
                    return (all, false);
                }
                all.push(successor);
            }
        }
        next += 1;
    }
    (all, true)
}
