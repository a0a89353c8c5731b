//! Evaluation on words of length 10^4: bit vectors against the restricted checker.
//!
//! `cargo bench -p sempre-ltl --bench semantics`; an item is one subformula at one position.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_ltl::semantics::{self, Evaluator, proof, restricted};
use sempre_ltl::{Formula, Word};

fn main() {
    divan::main();
}

const FORMULAS: [&str; 4] = [
    "G(a -> (b U c)) | (F d & G(c -> X a))",
    "(GFa & GFb & GFc) -> (FGd | GF(a & X(b U (c R d))))",
    "((((a U b) W c) M d) R a) U ((((d R c) M b) W a) U X(a xor b))",
    "G((a & X !a) -> X((b W (c & d)) | Fs(a <-> Gs b))) & ((a R b) M (c U (d & X X a)))",
];

const LENGTH: usize = 10_000;

/// A word with letters as they come from a linear congruential generator.
fn word() -> Word {
    let mut state: u64 = 2;
    Word::from_fn(["a", "b", "c", "d"], LENGTH / 2, LENGTH / 2, |_, _| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state >> 61 != 0
    })
    .expect("the word is well-formed")
}

fn evaluation<T>(
    bencher: Bencher<'_, '_>,
    text: &str,
    evaluate: impl Fn(&Formula, &Word) -> T + Sync,
) {
    let formula: Formula = text.parse().expect("the formula is well-formed");
    let word = word();
    let items = ItemsCount::new(formula.dag_size() * word.len());
    bencher.counter(items).bench(|| evaluate(divan::black_box(&formula), divan::black_box(&word)));
}

#[divan::bench(args = FORMULAS)]
fn bit_vectors(bencher: Bencher<'_, '_>, text: &str) {
    evaluation(bencher, text, semantics::holds);
}

/// The same, but the formula is compiled once.
#[divan::bench(args = FORMULAS)]
fn bit_vectors_compiled(bencher: Bencher<'_, '_>, text: &str) {
    let evaluator = Evaluator::new(&text.parse().expect("the formula is well-formed"));
    evaluation(bencher, text, |_, word| evaluator.holds(word));
}

#[divan::bench(args = FORMULAS)]
fn restricted_checker(bencher: Bencher<'_, '_>, text: &str) {
    evaluation(bencher, text, restricted::holds);
}

#[divan::bench(args = FORMULAS)]
fn proof_found(bencher: Bencher<'_, '_>, text: &str) {
    evaluation(bencher, text, proof::explain);
}

#[divan::bench(args = FORMULAS)]
fn proof_checked(bencher: Bencher<'_, '_>, text: &str) {
    let formula: Formula = text.parse().expect("the formula is well-formed");
    let proof = proof::explain(&formula, &word());
    evaluation(bencher, text, |formula, word| proof::check(&proof, formula, word));
}
