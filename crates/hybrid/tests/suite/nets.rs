//! Random nets and structures, and their states one by one.

pub(crate) use crate::random_nets::net;
use proptest::prelude::*;
use sempre_models::kripke::{Kripke, KripkeBuilder};
use sempre_models::{Successors, System};
use std::collections::BTreeSet;

/// A structure of a few states over `a`, `b` and `c`, some of which may be initial or dead.
pub(crate) fn structure() -> impl Strategy<Value = Kripke> {
    let states = prop::collection::vec((0..8_u32, prop::collection::vec(0..7_usize, 0..3)), 1..7);
    (states, 1..3_usize).prop_map(|(states, initial)| {
        let mut builder = KripkeBuilder::default();
        for name in ["a", "b", "c"] {
            builder.proposition(name);
        }
        let numbers: Vec<_> =
            (0..states.len()).map(|number| builder.state(format!("s{number}"))).collect();
        for (number, (label, edges)) in states.iter().enumerate() {
            for bit in (0..3).filter(|bit| label >> bit & 1 == 1) {
                builder.label(numbers[number], bit);
            }
            let targets: BTreeSet<usize> = edges.iter().map(|edge| edge % states.len()).collect();
            targets.iter().for_each(|edge| builder.edge(numbers[number], numbers[*edge]));
        }
        numbers.iter().take(initial).for_each(|state| builder.initial(*state));
        builder.build().unwrap()
    })
}

/// All states that can be reached from some, by the expander.
pub(crate) fn reachable(
    system: &dyn System,
    from: impl IntoIterator<Item = Vec<u32>>,
    mut admits: impl FnMut(&[u32], &[u32]) -> bool,
) -> BTreeSet<Vec<u32>> {
    let mut found: BTreeSet<Vec<u32>> = from.into_iter().collect();
    let mut queue: Vec<Vec<u32>> = found.iter().cloned().collect();
    while let Some(state) = queue.pop() {
        for next in successors(system, &state) {
            if admits(&state, &next) && found.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    found
}

/// The different successors of a state.
pub(crate) fn successors(system: &dyn System, state: &[u32]) -> BTreeSet<Vec<u32>> {
    let mut buffer = Successors::new(system.words());
    system.expander().expand(state, &mut buffer).unwrap();
    buffer.iter().map(|(_, next)| next.to_vec()).collect()
}
