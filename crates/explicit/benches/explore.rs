//! Exploration of models with each of the stores, and with a set of vectors to compare with.
//!
//! `cargo bench -p sempre-explicit --bench explore`; an item is one transition. The ratios of the
//! medians are those of the speeds.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_explicit::explore::{Limits, breadth_first, components, parallel};
use sempre_explicit::store::{Arena, Store, Tree};
use sempre_models::{Fault, Model, System, Task, dve, generate};
use std::collections::HashSet;
use std::marker::PhantomData;
use std::num::NonZeroUsize;

fn main() {
    divan::main();
}

/// The models: families of nets with a number, and mutual exclusion of processes in DVE.
const MODELS: [(&str, u32); 4] =
    [("kanban", 4), ("kanban", 5), ("philosophers", 8), ("filter lock", 4)];

/// Peterson's algorithm for several processes: who wants to enter passes a filter per competitor,
/// in each of which the last one to come waits.
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
    Model::Dve(dve::parse(&text).expect("a model"))
}

fn model(name: &str, number: u32) -> Model {
    match name {
        "filter lock" => filter_lock(number),
        name => Model::Net(
            generate::family(name).and_then(|family| family.net(number)).expect("a family"),
        ),
    }
}

/// An exploration that returns the number of transitions.
trait Explore: Sync {
    fn explore<S: System>(&self, system: &S) -> u64;
}

/// Measures an exploration of the model.
struct Measure<'a, 'b, E> {
    bencher: Option<Bencher<'a, 'b>>,
    explore: E,
}

impl<E: Explore> Task for Measure<'_, '_, E> {
    type Output = ();

    fn run<S: System>(&mut self, system: &S) -> Result<(), Fault> {
        let transitions = self.explore.explore(system);
        let bencher = self.bencher.take().expect("the models of the bench do not overflow");
        bencher
            .counter(ItemsCount::new(transitions))
            .bench_local(|| self.explore.explore(divan::black_box(system)));
        Ok(())
    }
}

fn measure(bencher: Bencher<'_, '_>, (name, number): (&str, u32), explore: impl Explore) {
    let mut task = Measure { bencher: Some(bencher), explore };
    model(name, number).run(&mut task).expect("no faults");
}

/// Breadth-first, into a store.
struct BreadthFirst<T>(PhantomData<fn() -> T>);

impl<T: Store> Explore for BreadthFirst<T> {
    fn explore<S: System>(&self, system: &S) -> u64 {
        let mut store = T::new(system.words());
        let found = breadth_first(system, &mut store, &Limits::default(), |_| ());
        found.expect("no faults").counts.transitions
    }
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn arena(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, BreadthFirst::<Arena>(PhantomData));
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn tree(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, BreadthFirst::<Tree>(PhantomData));
}

/// On two threads.
struct Parallel;

impl Explore for Parallel {
    fn explore<S: System>(&self, system: &S) -> u64 {
        let threads = NonZeroUsize::new(2).expect("not zero");
        let found = parallel::<_, Arena>(system, threads, &Limits::default(), |_| ());
        found.expect("no faults").0.counts.transitions
    }
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn arena_on_two_threads(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, Parallel);
}

struct StrongComponents;

impl Explore for StrongComponents {
    fn explore<S: System>(&self, system: &S) -> u64 {
        let mut store = Arena::new(system.words());
        let found = components(system, &mut store, &Limits::default(), |_| ());
        found.expect("no faults").exploration.counts.transitions
    }
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn strong_components(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, StrongComponents);
}

/// What one would write without a store.
struct SetOfVectors;

impl Explore for SetOfVectors {
    fn explore<S: System>(&self, system: &S) -> u64 {
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
    }
}

#[divan::bench(args = MODELS, sample_count = 3)]
fn set_of_vectors(bencher: Bencher<'_, '_>, model: (&str, u32)) {
    measure(bencher, model, SetOfVectors);
}
