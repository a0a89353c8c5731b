//! Conversions of acceptance, stuttering, determinization and classes, on random automata.
//!
//! `cargo bench -p sempre-automata --bench acceptance`; an item is one edge of the input.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_automata::random::RandomAutomata;
use sempre_automata::{Automaton, Named, convert, determinize, hierarchy, stutter};

fn main() {
    divan::main();
}

/// A random automaton with about three edges per state.
fn random(states: usize, props: usize, acceptance: Named) -> Automaton {
    RandomAutomata::over((0..props).map(|prop| format!("p{prop}")))
        .expect("the names differ")
        .states(states)
        .density((3.0 / states as f64).min(1.0))
        .acceptance(acceptance)
        .seed(1)
        .generate()
        .next()
        .expect("there is no end of them")
}

/// Measures the work on an automaton.
fn bench<T>(
    bencher: Bencher<'_, '_>,
    automaton: &Automaton,
    work: impl Fn(&Automaton) -> T + Sync,
) {
    bencher
        .counter(ItemsCount::new(automaton.edge_count()))
        .bench(|| work(divan::black_box(automaton)));
}

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

#[divan::bench(args = SIZES)]
fn rabin_to_generalized_buchi(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, &random(states, 3, Named::Rabin(3)), |a| {
        convert::to_generalized_buchi(a).into_automaton()
    });
}

#[divan::bench(args = SIZES)]
fn streett_to_generalized_buchi(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, &random(states, 3, Named::Streett(3)), |a| {
        convert::to_generalized_buchi(a).into_automaton()
    });
}

#[divan::bench(args = SIZES)]
fn simplify_acceptance(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, &random(states, 3, Named::Rabin(8)), convert::simplify_acceptance);
}

#[divan::bench(args = [(100, 2), (100, 6), (100, 12), (1_000, 6), (1_000, 12)])]
fn stutter_closure(bencher: Bencher<'_, '_>, (states, props): (usize, usize)) {
    bench(bencher, &random(states, props, Named::Buchi), stutter::closure);
}

#[divan::bench(args = [4, 6, 8])]
fn determinize_to_parity(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, &random(states, 2, Named::GeneralizedBuchi(2)), determinize::parity);
}

#[divan::bench(args = [4, 6, 8])]
fn classes_of_manna_and_pnueli(bencher: Bencher<'_, '_>, states: usize) {
    bench(bencher, &random(states, 2, Named::Buchi), hierarchy::classes);
}
