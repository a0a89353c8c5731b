//! HOA in MB/s: reading and writing a stream of automata of different kinds and sizes.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use sempre_automata::{AnyAutomaton, hoa};
use std::fmt::Write;

fn main() {
    divan::main();
}

/// Reproducible pseudo-random numbers (a linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

/// The kinds of automata that streams consist of.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Typical of translators: few states, full cubes as labels.
    Small,
    /// Thousands of states, marks on states, names.
    Large,
    /// Over 12 propositions: labels are decision diagrams.
    Wide,
    /// Edges without labels.
    Implicit,
}

const MIXED: [Kind; 4] = [Kind::Small, Kind::Large, Kind::Wide, Kind::Implicit];

/// About a megabyte of automata of these kinds.
fn stream(kinds: &[Kind]) -> String {
    let mut numbers = Numbers(1);
    let mut text = String::new();
    let share = 1_000_000 / kinds.len();
    for (place, kind) in kinds.iter().enumerate() {
        while text.len() < (place + 1) * share {
            automaton(&mut text, *kind, &mut numbers);
        }
    }
    text
}

fn automaton(text: &mut String, kind: Kind, numbers: &mut Numbers) {
    let (states, props, edges) = match kind {
        Kind::Small => (2 + numbers.below(12), 3, 4),
        Kind::Large => (5000, 4, 5),
        Kind::Wide => (100, 12, 6),
        Kind::Implicit => (50, 3, 8),
    };
    let names: String = (0..props).map(|prop| format!(" \"p{prop}\"")).collect();
    let _ = writeln!(
        text,
        "HOA: v1\nname: \"an automaton\"\nStates: {states}\nStart: 0\nAP: {props}{names}\n\
         acc-name: generalized-Buchi 2\nAcceptance: 2 Inf(0)&Inf(1)\n\
         properties: trans-labels\n--BODY--"
    );
    for state in 0..states {
        let _ = write!(text, "State: {state}");
        if matches!(kind, Kind::Large) {
            let _ = write!(text, " \"state {state}\" {{{}}}", state % 2);
        }
        text.push('\n');
        for _ in 0..edges {
            if !matches!(kind, Kind::Implicit) {
                let cube: Vec<String> = (0..props)
                    .filter_map(|prop| match numbers.below(3) {
                        0 => None,
                        1 => Some(prop.to_string()),
                        _ => Some(format!("!{prop}")),
                    })
                    .collect();
                let cube = if cube.is_empty() { "t".to_string() } else { cube.join("&") };
                let _ = write!(text, "[{cube}] ");
            }
            let _ = write!(text, "{}", numbers.below(states));
            if !matches!(kind, Kind::Large) && numbers.below(2) == 0 {
                let _ = write!(text, " {{{}}}", numbers.below(2));
            }
            text.push('\n');
        }
    }
    text.push_str("--END--\n");
}

fn automata(text: &str) -> Vec<AnyAutomaton> {
    hoa::Reader::new(text.as_bytes()).collect::<Result<_, _>>().expect("the stream is right")
}

fn bench_read(bencher: Bencher<'_, '_>, kinds: &[Kind]) {
    let text = stream(kinds);
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| hoa::Reader::new(black_box(text.as_bytes())).filter(Result::is_ok).count());
}

fn bench_write(bencher: Bencher<'_, '_>, kinds: &[Kind]) {
    let automata = automata(&stream(kinds));
    let write_all = || {
        let mut out = Vec::with_capacity(1 << 21);
        for automaton in black_box(&automata) {
            hoa::write(&mut out, automaton, &hoa::WriteOptions::default()).expect("memory");
        }
        out
    };
    bencher.counter(BytesCount::new(write_all().len())).bench(write_all);
}

#[divan::bench(args = MIXED)]
fn read(bencher: Bencher<'_, '_>, kind: Kind) {
    bench_read(bencher, &[kind]);
}

#[divan::bench(args = MIXED)]
fn write(bencher: Bencher<'_, '_>, kind: Kind) {
    bench_write(bencher, &[kind]);
}

#[divan::bench]
fn read_mixed(bencher: Bencher<'_, '_>) {
    bench_read(bencher, &MIXED);
}

#[divan::bench]
fn write_mixed(bencher: Bencher<'_, '_>) {
    bench_write(bencher, &MIXED);
}
