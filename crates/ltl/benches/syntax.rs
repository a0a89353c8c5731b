//! Parsing and printing, in megabytes of text per second.
//!
//! The corpus is the same in every run and on every machine: 1000 formulas of about 30 nodes over
//! 10 propositions, drawn with a linear congruential generator, one per line.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use sempre_ltl::{Arity, Formula, Notation, Op, Syntax, syntax};

fn main() {
    divan::main();
}

/// Numerical Recipes' linear congruential generator; its high bits are good enough here.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn formula(&mut self, size: u64) -> Formula {
        const INNER: [Op; 13] = [
            Op::Not,
            Op::Next,
            Op::Finally,
            Op::Globally,
            Op::Implies,
            Op::Iff,
            Op::Xor,
            Op::Until,
            Op::Release,
            Op::WeakUntil,
            Op::StrongRelease,
            Op::And,
            Op::Or,
        ];
        if size <= 1 {
            return Formula::prop(format!("p{}", self.below(10)));
        }
        let op = INNER[self.below(13) as usize];
        if op.arity() == Arity::Unary || size == 2 {
            let op = if op.arity() == Arity::Unary { op } else { Op::Not };
            return Formula::new(op, [self.formula(size - 1)]);
        }
        let left = 1 + self.below(size - 2);
        Formula::new(op, [self.formula(left), self.formula(size - 1 - left)])
    }
}

fn corpus() -> Vec<Formula> {
    let mut random = Random(2026);
    (0..1000).map(|_| random.formula(30)).collect()
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

/// Every formula is new, and dropped at once: this includes the hash-consing.
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
