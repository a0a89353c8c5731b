//! Reductions: simulation on large automata, and all reductions on small ones.
//!
//! `cargo bench -p sempre-automata --bench reduction`
//!
//! Automata are the same in every run. `sparse` ones have random conjunctions of three literals as
//! labels, so that few states simulate others. `dense` ones have few labels and few marks, so that
//! many pairs of states survive many rounds. Both have three edges per state.

use divan::Bencher;
use sempre_automata::random::RandomAutomata;
use sempre_automata::reduce::{Level, bisimulation, reduce, simulation};
use sempre_automata::{Alphabet, Automaton, Named, StateId};

fn main() {
    divan::main();
}

const SIZES: [(usize, usize); 12] = [
    (10, 2),
    (10, 6),
    (10, 12),
    (100, 2),
    (100, 6),
    (100, 12),
    (1000, 2),
    (1000, 6),
    (1000, 12),
    (10_000, 2),
    (10_000, 6),
    (10_000, 12),
];

/// An automaton with two marks, by a generator of pseudo-random numbers.
fn automaton(states: usize, props: usize, literals: usize, marked: usize) -> Automaton {
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let alphabet = Alphabet::new((0..props).map(|i| format!("p{i}"))).expect("names differ");
    let mut builder = Automaton::builder(alphabet);
    builder.acceptance(Named::GeneralizedBuchi(2).acceptance());
    builder.add_states(states);
    builder.initial(StateId::new(0));
    for source in 0..states {
        for edge in 0..3 {
            let cube: Vec<(usize, bool)> =
                (0..literals.min(props)).map(|_| (random(props), random(2) == 0)).collect();
            let label = builder.alphabet().from_cube(&cube);
            let marks = (0..2).filter(|_| random(marked) == 0).collect();
            // The first edges make every state reachable.
            let target = if edge == 0 { (source + 1) % states } else { random(states) };
            builder.edge(StateId::new(source), label, marks, StateId::new(target));
        }
    }
    builder.build()
}

#[divan::bench(args = SIZES, sample_count = 3, max_time = 5)]
fn direct_simulation_sparse(bencher: Bencher<'_, '_>, (states, props): (usize, usize)) {
    let automaton = automaton(states, props, 3, 4);
    bencher.bench(|| simulation::direct(&automaton));
}

#[divan::bench(args = SIZES, sample_count = 3, max_time = 5)]
fn direct_simulation_dense(bencher: Bencher<'_, '_>, (states, props): (usize, usize)) {
    let automaton = automaton(states, props, 1, 50);
    bencher.bench(|| simulation::direct(&automaton));
}

#[divan::bench(args = SIZES, sample_count = 3, max_time = 5)]
fn bisimulation_sparse(bencher: Bencher<'_, '_>, (states, props): (usize, usize)) {
    let automaton = automaton(states, props, 3, 4);
    bencher.bench(|| bisimulation::quotient(&automaton));
}

/// Returns a hundred automata of each size, similar to those of a translator.
fn small(states: usize) -> Vec<Automaton> {
    let random = RandomAutomata::over(["a", "b", "c"]).expect("names differ").states(states);
    let random = random.density(2.0 / states as f64).acceptance(Named::GeneralizedBuchi(2));
    random.generate().take(100).collect()
}

#[divan::bench(args = [5, 10, 20, 30], consts = [0, 1])]
fn hundred_small<const LEVEL: usize>(bencher: Bencher<'_, '_>, states: usize) {
    let level = [Level::Low, Level::Medium][LEVEL];
    let automata = small(states);
    bencher.bench(|| automata.iter().map(|a| reduce(a, level).state_count()).sum::<usize>());
}
