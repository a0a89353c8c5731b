//! Minimization of deterministic weak automata, on the automata of some families of formulas.
//!
//! `cargo bench -p sempre-automata --bench wdba`; the argument is the number of propositions.

use divan::{Bencher, black_box};
use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId, complement, wdba};

fn main() {
    divan::main();
}

/// `F(p0 & X F(p1 & X F(… pn)))`, nondeterministic, with n + 1 states.
fn chain(props: usize) -> Automaton {
    let names = (0..props).map(|i| format!("p{i}"));
    let mut builder = Automaton::builder(Alphabet::new(names).expect("distinct"));
    builder.acceptance(Named::Buchi.acceptance());
    builder.add_states(props + 1);
    builder.initial(StateId::new(0));
    let alphabet = builder.alphabet().clone();
    for state in 0..=props {
        let here = StateId::new(state);
        if state < props {
            builder.edge(here, alphabet.tt(), Marks::EMPTY, here);
            builder.edge(here, alphabet.prop(state), Marks::EMPTY, StateId::new(state + 1));
        } else {
            builder.edge(here, alphabet.tt(), Marks::from_iter([0]), here);
        }
    }
    builder.build()
}

/// `F(p0 & X !p0) | F(p1 & X !p1) | …`: independent chains, whose powerset has 2^n sets.
fn either(props: usize) -> Automaton {
    let names = (0..props).map(|i| format!("p{i}"));
    let mut builder = Automaton::builder(Alphabet::new(names).expect("distinct"));
    builder.acceptance(Named::Buchi.acceptance());
    let alphabet = builder.alphabet().clone();
    let last = builder.add_state();
    builder.edge(last, alphabet.tt(), Marks::from_iter([0]), last);
    for prop in 0..props {
        let (first, second) = (builder.add_state(), builder.add_state());
        let label = alphabet.prop(prop);
        builder.initial(first);
        builder.edge(first, alphabet.tt(), Marks::EMPTY, first);
        builder.edge(first, label, Marks::EMPTY, second);
        builder.edge(second, alphabet.not(label), Marks::EMPTY, last);
    }
    builder.build()
}

#[divan::bench(args = [1, 2, 4, 6, 8])]
fn chain_known(bencher: Bencher<'_, '_>, props: usize) {
    let automaton = chain(props);
    bencher.bench(|| wdba::minimize_obligation(black_box(&automaton)));
}

#[divan::bench(args = [1, 2, 4, 6, 8])]
fn chain_given_complement(bencher: Bencher<'_, '_>, props: usize) {
    let automaton = chain(props);
    let complement = complement::complement(&automaton);
    bencher.bench(|| wdba::minimize_given_complement(black_box(&automaton), &complement));
}

#[divan::bench(args = [1, 2, 4, 6, 8])]
fn chain_alone(bencher: Bencher<'_, '_>, props: usize) {
    let automaton = chain(props);
    bencher.bench(|| wdba::minimize(black_box(&automaton)));
}

#[divan::bench(args = [1, 2, 4, 6])]
fn either_known(bencher: Bencher<'_, '_>, props: usize) {
    let automaton = either(props);
    bencher.bench(|| wdba::minimize_obligation(black_box(&automaton)));
}
