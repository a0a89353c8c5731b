//! Strengths of components by all methods, and decomposition.
//!
//! `cargo bench -p sempre-automata --bench strength`; an item is one edge.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_automata::decompose::{Part, part};
use sempre_automata::strength::{Strengths, Way, weaken};
use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId};
use sempre_ltl::generate::Rng;

fn main() {
    divan::main();
}

const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// Rings of ten states, each with chords and an edge to the next ring. A third of them has all
/// marks on all edges. In another third every cycle has an edge with all marks. In the last third
/// some cycles have none.
fn rings(states: usize) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a", "b"]).expect("distinct names"));
    builder.acceptance(Named::GeneralizedBuchi(2).acceptance());
    builder.add_states(states);
    builder.initial(StateId::new(0));
    let (a, b) = (builder.alphabet().prop(0), builder.alphabet().prop(1));
    let mut rng = Rng::new(1);
    for state in 0..states {
        let (ring, place) = (state / 10, state % 10);
        let marks = match ring % 3 {
            0 => Marks::all(2),
            _ if place == 9 => Marks::all(2),
            _ => Marks::EMPTY,
        };
        let at = |place: usize| StateId::new(ring * 10 + place);
        builder.edge(at(place), a, marks.clone(), at((place + 1) % 10));
        // Chords lead forwards, so that no cycle avoids the last state; in the third kind, they are
        // self-loops.
        let chord = if ring % 3 == 2 { place } else { place + rng.index(10 - place) };
        if chord != place || ring % 3 == 2 {
            builder.edge(at(place), b, marks, at(chord));
        }
        if place == 0 && state + 10 < states {
            builder.edge(at(0), b, Marks::EMPTY, StateId::new(state + 10));
        }
    }
    builder.build()
}

fn bench<T>(bencher: Bencher<'_, '_>, states: usize, run: impl Fn(&Automaton) -> T + Sync) {
    let automaton = rings(states);
    let items = ItemsCount::new(automaton.edge_count());
    bencher.counter(items).bench(|| run(divan::black_box(&automaton)));
}

#[divan::bench(args = SIZES)]
fn inherent(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, Strengths::of);
}

#[divan::bench(args = SIZES)]
fn cycles(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, |automaton| Strengths::by(automaton, Way::Cycles));
}

#[divan::bench(args = SIZES)]
fn structural(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, |automaton| Strengths::by(automaton, Way::Structural));
}

#[divan::bench(args = SIZES)]
fn syntactic(bencher: Bencher<'_, '_>, states: usize) {
    let formulas = ["G F a", "F G a", "F a"].map(|text| text.parse().expect("a formula"));
    let formula = |state: StateId| Some(sempre_ltl::Formula::clone(&formulas[state.index() % 3]));
    bench(bencher, states, |automaton| Strengths::by_formulas(automaton, formula));
}

#[divan::bench(args = SIZES)]
fn weakening(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, weaken);
}

#[divan::bench(args = SIZES)]
fn decomposition(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, states, |automaton| Part::ALL.map(|which| part(automaton, which)));
}
