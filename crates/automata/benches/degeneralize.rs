//! Degeneralization of random generalized Büchi automata of 10 to 10^4 states.
//!
//! `cargo bench -p sempre-automata --bench degeneralize`; an item is one edge of the input. The
//! example `degeneralize` prints the sizes of results by options.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_automata::{Alphabet, Automaton, Degeneralizer, GeneralizedBuchi, Named, StateId};
use sempre_ltl::generate::Rng;

fn main() {
    divan::main();
}

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Three random edges for each state, each mark on a third of them.
fn random(states: usize, marks: u32) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a", "b"]).expect("distinct names"));
    builder.acceptance(Named::GeneralizedBuchi(marks).acceptance());
    builder.add_states(states);
    builder.initial(StateId::new(0));
    let mut rng = Rng::new(1);
    for edge in 0..3 * states {
        let label = builder.alphabet().prop(edge % 2);
        let on = (0..marks).filter(|_| rng.chance(1.0 / 3.0)).collect();
        builder.edge(StateId::new(edge / 3), label, on, StateId::new(rng.index(states)));
    }
    builder.build()
}

fn bench(
    bencher: Bencher<'_, '_>,
    states: usize,
    marks: u32,
    run: impl Fn(&Automaton) -> Automaton + Sync,
) {
    let automaton = random(states, marks);
    let items = ItemsCount::new(automaton.edge_count());
    bencher.counter(items).bench(|| run(divan::black_box(&automaton)));
}

#[divan::bench(args = SIZES)]
fn plain_to_states_3_marks(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, 3, |automaton| {
        Degeneralizer::plain().state_based(&GeneralizedBuchi::from(automaton))
    });
}

#[divan::bench(args = SIZES)]
fn default_to_states_3_marks(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, 3, |automaton| {
        Degeneralizer::default().state_based(&GeneralizedBuchi::from(automaton))
    });
}

#[divan::bench(args = SIZES)]
fn default_to_edges_3_marks(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, 3, |automaton| {
        Degeneralizer::default().transition_based(&GeneralizedBuchi::from(automaton))
    });
}

#[divan::bench(args = SIZES)]
fn default_to_states_6_marks(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, 6, |automaton| {
        Degeneralizer::default().state_based(&GeneralizedBuchi::from(automaton))
    });
}
