//! Firing transitions of nets: packed markings against the token game on vectors of counts.
//!
//! `cargo bench -p sempre-models --bench petri`; an item is one firing. The groups `packed` and
//! `plain` do the same work, so the ratio of their times is what packing is worth.

use divan::Bencher;
use divan::counter::ItemsCount;
use rustc_hash::FxHashSet;
use sempre_models::petri::{Net, NetSystem, bounds::Bounds};
use sempre_models::{Successors, System, generate};

fn main() {
    divan::main();
}

/// A family of nets, and the number of one of them.
type Family = (&'static str, u32);

const NETS: [Family; 5] =
    [("kanban", 5), ("philosophers", 8), ("fms", 5), ("ring", 6), ("round-robin", 12)];

/// The number of markings of each net.
const MARKINGS: usize = 100_000;

fn net((family, number): Family) -> Net {
    generate::family(family).and_then(|family| family.net(number)).expect("a family of nets")
}

/// Markings in breadth-first order, and the number of transitions
/// they enable.
fn markings(system: &NetSystem) -> (Vec<u32>, usize) {
    let words = system.words();
    let mut expander = system.expander();
    let mut buffer = Successors::new(system.words());
    let mut states = system.initial().expect("an initial marking")[0].to_vec();
    let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::from_iter([states.clone().into()]);
    let mut firings = 0;
    let mut next = 0;
    while next < states.len() && next < MARKINGS * words {
        let state = states[next..next + words].to_vec();
        next += words;
        buffer.clear();
        expander.expand(&state, &mut buffer).expect("counts that fit");
        for (_, successor) in buffer.iter() {
            firings += 1;
            if !seen.contains(successor) {
                seen.insert(successor.into());
                states.extend_from_slice(successor);
            }
        }
    }
    states.truncate(next);
    (states, firings)
}

#[divan::bench(args = NETS)]
fn packed(bencher: Bencher<'_, '_>, family: Family) {
    let net = net(family);
    let system = NetSystem::new(net.clone(), &Bounds::of(&net), 4);
    let (states, firings) = markings(&system);
    let mut expander = system.expander();
    let mut buffer = Successors::new(system.words());
    bencher.counter(ItemsCount::new(firings)).bench_local(|| {
        let mut sum = 0u32;
        for state in states.chunks_exact(system.words()) {
            buffer.clear();
            expander.expand(state, &mut buffer).expect("counts that fit");
            for (_, successor) in buffer.iter() {
                sum = sum.wrapping_add(successor[0]);
            }
        }
        sum
    });
}

#[divan::bench(args = NETS)]
fn plain(bencher: Bencher<'_, '_>, family: Family) {
    let net = net(family);
    let system = NetSystem::new(net.clone(), &Bounds::of(&net), 4);
    let (states, firings) = markings(&system);
    let counts: Vec<Vec<u32>> =
        states.chunks_exact(system.words()).map(|state| system.marking(state)).collect();
    let mut successor = vec![0; net.place_count()];
    bencher.counter(ItemsCount::new(firings)).bench_local(|| {
        let mut sum = 0u32;
        for marking in &counts {
            for transition in net.transitions() {
                let inputs = net.inputs(transition);
                if inputs.iter().all(|(place, weight)| marking[place.0 as usize] >= *weight) {
                    successor.copy_from_slice(marking);
                    inputs.iter().for_each(|(p, weight)| successor[p.0 as usize] -= weight);
                    let outputs = net.outputs(transition);
                    outputs.iter().for_each(|(p, weight)| successor[p.0 as usize] += weight);
                    sum = sum.wrapping_add(successor[0]);
                }
            }
        }
        sum
    });
}
