//! Exploration of nets with each of the stores, and with a set of vectors to compare with.
//!
//! `cargo bench -p sempre-explicit --bench explore`; an item is one transition. The ratios of the
//! medians are those of the speeds.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_explicit::explore::{Limits, breadth_first, components, parallel};
use sempre_explicit::store::{Arena, Store, Tree};
use sempre_models::petri::bounds::Bounds;
use sempre_models::petri::{Net, NetSystem};
use sempre_models::{System, generate};
use std::collections::HashSet;
use std::num::NonZeroUsize;

fn main() {
    divan::main();
}

/// Nets, and the numbers of their transitions between markings.
const NETS: [(&str, u32); 3] = [("kanban", 4), ("kanban", 5), ("philosophers", 8)];

fn net(name: &str, number: u32) -> Net {
    generate::family(name).and_then(|family| family.net(number)).expect("a family")
}

/// Measures an exploration, which returns the number of transitions.
fn bench(
    bencher: Bencher<'_, '_>,
    (name, number): (&str, u32),
    explore: impl Fn(&NetSystem<'_>) -> u64 + Sync,
) {
    let net = net(name, number);
    let system = NetSystem::new(&net, &Bounds::of(&net), 4);
    let transitions = explore(&system);
    bencher.counter(ItemsCount::new(transitions)).bench(|| explore(divan::black_box(&system)));
}

fn search<T: Store>(system: &NetSystem<'_>) -> u64 {
    let mut store = T::new(system.words());
    breadth_first(system, &mut store, &Limits::default(), |_| ())
        .expect("no faults")
        .counts
        .transitions
}

#[divan::bench(args = NETS, sample_count = 3)]
fn arena(bencher: Bencher<'_, '_>, net: (&str, u32)) {
    bench(bencher, net, search::<Arena>);
}

#[divan::bench(args = NETS, sample_count = 3)]
fn tree(bencher: Bencher<'_, '_>, net: (&str, u32)) {
    bench(bencher, net, search::<Tree>);
}

#[divan::bench(args = NETS, sample_count = 3)]
fn arena_on_two_threads(bencher: Bencher<'_, '_>, net: (&str, u32)) {
    let threads = NonZeroUsize::new(2).expect("not zero");
    bench(bencher, net, |system| {
        let outcome = parallel::<_, Arena>(system, threads, &Limits::default(), |_| ());
        outcome.expect("no faults").0.counts.transitions
    });
}

#[divan::bench(args = NETS, sample_count = 3)]
fn strong_components(bencher: Bencher<'_, '_>, net: (&str, u32)) {
    bench(bencher, net, |system| {
        let mut store = Arena::new(system.words());
        let found = components(system, &mut store, &Limits::default(), |_| ());
        found.expect("no faults").exploration.counts.transitions
    });
}

/// What one would write without a store.
#[divan::bench(args = NETS, sample_count = 3)]
fn set_of_vectors(bencher: Bencher<'_, '_>, net: (&str, u32)) {
    bench(bencher, net, |system| {
        let mut scratch = system.scratch();
        let mut states: Vec<Vec<u32>> =
            system.initial().expect("no faults").into_iter().map(Vec::from).collect();
        let mut known: HashSet<Vec<u32>> = states.iter().cloned().collect();
        let mut transitions = 0;
        while let Some(state) = states.pop() {
            let outcome = system.successors(&state, &mut scratch, |_, successor| {
                transitions += 1;
                if !known.contains(successor) {
                    known.insert(successor.to_vec());
                    states.push(successor.to_vec());
                }
            });
            outcome.expect("no faults");
        }
        transitions
    });
}
