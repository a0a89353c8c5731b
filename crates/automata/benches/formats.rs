//! Reading streams of any format and writing, in megabytes of text per second.
//!
//! `cargo bench -p sempre-automata --bench formats`
//!
//! The text is the same in every run: automata of 10 to 10 000 states with four edges each, over
//! four propositions.

use divan::Bencher;
use divan::counter::BytesCount;
use sempre_automata::formats::{self, Format, Reader};
use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId};

fn main() {
    divan::main();
}

const STATES: [usize; 4] = [10, 100, 1000, 10_000];

/// A Büchi automaton with acceptance on states, by a generator of pseudo-random numbers.
fn automaton(states: usize) -> Automaton {
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let alphabet = Alphabet::new(["p0", "p1", "p2", "p3"]).expect("names differ");
    let mut builder = Automaton::builder(alphabet);
    builder.acceptance(Named::Buchi.acceptance());
    builder.add_states(states);
    builder.initial(StateId::new(0));
    for source in 0..states {
        let marks: Marks = (random(4) == 0).then_some(0).into_iter().collect();
        for _ in 0..4 {
            let cube: Vec<(usize, bool)> =
                (0..4).filter(|_| random(2) == 0).map(|prop| (prop, prop % 2 == 0)).collect();
            let label = builder.alphabet().from_cube(&cube);
            let target = StateId::new(random(states));
            builder.edge(StateId::new(source), label, marks.clone(), target);
        }
    }
    builder.build()
}

fn text(states: usize, format: Format) -> Vec<u8> {
    let mut text = vec![];
    formats::write(&automaton(states), format, &mut text).expect("can be written");
    text
}

fn read(bencher: Bencher<'_, '_>, states: usize, format: Format) {
    let text = text(states, format);
    bencher.counter(BytesCount::new(text.len())).bench(|| {
        Reader::new(text.as_slice()).map(|read| read.expect("no error").automaton).last()
    });
}

fn write(bencher: Bencher<'_, '_>, states: usize, format: Format) {
    let automaton = automaton(states);
    bencher.counter(BytesCount::new(text(states, format).len())).bench(|| {
        let mut text = vec![];
        formats::write(&automaton, format, &mut text).map(|()| text)
    });
}

#[divan::bench(args = STATES)]
fn read_hoa(bencher: Bencher<'_, '_>, states: usize) {
    read(bencher, states, Format::Hoa);
}

#[divan::bench(args = STATES)]
fn read_lbtt(bencher: Bencher<'_, '_>, states: usize) {
    read(bencher, states, Format::Lbtt);
}

#[divan::bench(args = STATES)]
fn read_never(bencher: Bencher<'_, '_>, states: usize) {
    read(bencher, states, Format::Never);
}

#[divan::bench(args = STATES)]
fn write_lbtt(bencher: Bencher<'_, '_>, states: usize) {
    write(bencher, states, Format::Lbtt);
}

#[divan::bench(args = STATES)]
fn write_never(bencher: Bencher<'_, '_>, states: usize) {
    write(bencher, states, Format::Never);
}

#[divan::bench(args = STATES)]
fn write_json(bencher: Bencher<'_, '_>, states: usize) {
    write(bencher, states, Format::Json);
}
