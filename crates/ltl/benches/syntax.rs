//! Parsing and printing, in megabytes of text per second.
//!
//! The corpus is the same in every run and on every machine: 1000 formulas of 30 nodes over 10
//! propositions, random with a fixed seed.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::{Formula, Notation, Syntax, syntax};

fn main() {
    divan::main();
}

fn corpus() -> Vec<Formula> {
    let stream = RandomFormulas::over_numbered(10).size(30).seed(2026).generate();
    let formulas = stream.expect("there are formulas of this size").take(1000);
    formulas.map(|formula| formula.expect("the stream has no end")).collect()
}

fn bytes(texts: &[String]) -> BytesCount {
    BytesCount::new(texts.iter().map(String::len).sum::<usize>())
}

const SYNTAXES: [(Notation, Syntax); 4] = [
    (Notation::Spot, Syntax::Spot),
    (Notation::Spin, Syntax::Spin),
    (Notation::Lbt, Syntax::Lbt),
    (Notation::Unicode, Syntax::Spot),
];

fn read_all(texts: &[String], syntax: Syntax) {
    for text in texts {
        black_box(syntax::parse(text, syntax).unwrap());
    }
}

/// Every formula is new, and dropped immediately: this includes the hash-consing.
#[divan::bench(args = SYNTAXES)]
fn parse(bencher: Bencher, (notation, syntax): (Notation, Syntax)) {
    let texts: Vec<String> = corpus().iter().map(|f| f.display(notation).to_string()).collect();
    bencher.counter(bytes(&texts)).bench(|| read_all(&texts, syntax));
}

/// The formulas exist already: this is about the parsers.
#[divan::bench(args = SYNTAXES)]
fn parse_again(bencher: Bencher, (notation, syntax): (Notation, Syntax)) {
    let texts: Vec<String> = corpus().iter().map(|f| f.display(notation).to_string()).collect();
    let existing: Vec<_> = texts.iter().map(|text| syntax::parse(text, syntax)).collect();
    bencher.counter(bytes(&texts)).bench(|| read_all(&texts, syntax));
    drop(existing);
}

/// One formula of about a megabyte, with many equal subformulas.
#[divan::bench]
fn parse_long(bencher: Bencher) {
    let part = "G(request -> F(grant U (a | !b))) & X";
    let text = part.repeat(1_000_000 / part.len()) + "c";
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| syntax::parse(black_box(&text), Syntax::Spot).unwrap());
}

#[divan::bench(args = Notation::ALL)]
fn print(bencher: Bencher, notation: Notation) {
    let formulas = corpus();
    let texts: Vec<String> = formulas.iter().map(|f| f.display(notation).to_string()).collect();
    bencher.counter(bytes(&texts)).bench(|| {
        for formula in &formulas {
            black_box(formula.display(notation).to_string());
        }
    });
}
