//! Measures the exploration of models with each store, and with a set of vectors for comparison.
//!
//! `cargo bench -p sempre-explicit --bench explore`; an item is one transition. The ratios of the
//! medians are the ratios of the speeds.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_explicit::explore::{Limits, breadth_first, components, parallel};
use sempre_explicit::store::{Arena, Store, Tree};
use sempre_models::{Extent, Model, Successors, System, dve, generate};
use std::collections::HashSet;
use std::num::NonZeroUsize;

fn main() {
    divan::main();
}

/// The models: families of nets with a parameter, and mutual exclusion of processes in DVE.
const MODELS: [(&str, u32); 4] =
    [("kanban", 4), ("kanban", 5), ("philosophers", 8), ("filter lock", 4)];

/// Peterson's algorithm for several processes: a process passes one filter per competitor; in each
/// filter the last one to arrive waits.
fn filter_lock(processes: u32) -> Model {
    let mut text = format!("byte level[{processes}]; byte last[{processes}];\n");
    for me in 0..processes {
        text += &format!(
            "process P{me} {{
                byte filter = 0; byte other = 0;
                state idle, pass, wait, critical;
                init idle;
                trans
                    idle -> pass {{ effect filter = 1; }},
                    pass -> wait {{
                        guard filter < {processes};
                        effect level[{me}] = filter, last[filter] = {me}, other = 0;
                    }},
                    pass -> critical {{ guard filter == {processes}; }},
                    wait -> wait {{
                        guard other < {processes} && (other == {me} || level[other] < filter);
                        effect other = other + 1;
                    }},
                    wait -> pass {{
                        guard other == {processes} || last[filter] != {me};
                        effect filter = filter + 1;
                    }},
                    critical -> idle {{ effect level[{me}] = 0; }};
            }}\n"
        );
    }
    text += "system async;";
    Model::from(dve::parse(&text).expect("a model"))
}

fn model(name: &str, number: u32) -> Model {
    match name {
        "filter lock" => filter_lock(number),
        name => Model::from(
            generate::family(name).and_then(|family| family.net(number)).expect("a family"),
        ),
    }
}

/// Measures an exploration of the model, which returns the number of transitions.
fn measure(
    bencher: Bencher<'_, '_>,
    (name, number): (&str, u32),
    explore: impl Fn(&dyn System) -> u64,
) {
    let model = model(name, number);
    // The models of the bench do not overflow.
    let systems = model.systems(Extent::Whole).expect("no faults");
    let system = &**systems.current();
    bencher
        .counter(ItemsCount::new(explore(system)))
        .bench_local(|| explore(divan::black_box(system)));
}

/// Explores breadth-first into a store.
fn into<T: Store>(system: &dyn System) -> u64 {
    let mut store = T::new(system.words());
    let found = breadth_first(system, &mut store, &Limits::default(), |_| ());
    found.expect("no faults").counts.transitions
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn arena(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, into::<Arena>);
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn tree(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, into::<Tree>);
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn arena_on_two_threads(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    let threads = NonZeroUsize::new(2).expect("not zero");
    measure(bencher, model, |system| {
        let found = parallel::<Arena>(system, threads, &Limits::default(), |_| ());
        found.expect("no faults").0.counts.transitions
    });
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn strong_components(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, |system| {
        let mut store = Arena::new(system.words());
        let found = components(system, &mut store, &Limits::default(), |_| ());
        found.expect("no faults").exploration.counts.transitions
    });
}

/// Explores with standard containers, without a store.
#[divan::bench(args = MODELS, sample_count = 3)]
fn set_of_vectors(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, |system| {
        let mut expander = system.expander();
        let mut successors = Successors::new(system.words());
        let mut states: Vec<Vec<u32>> =
            system.initial().expect("no faults").into_iter().map(Vec::from).collect();
        let mut known: HashSet<Vec<u32>> = states.iter().cloned().collect();
        let mut transitions = 0;
        while let Some(state) = states.pop() {
            successors.clear();
            expander.expand(&state, &mut successors).expect("no faults");
            for (_, successor) in successors.iter() {
                transitions += 1;
                if !known.contains(successor) {
                    known.insert(successor.to_vec());
                    states.push(successor.to_vec());
                }
            }
        }
        transitions
    });
}
