//! Simplification in formulas per second, at each level, and negation normal form for comparison.
//!
//! `cargo bench -p sempre-ltl --bench simplify`; an item is one formula. An iteration goes through
//! a whole set with one simplifier, made for it and dropped at its end, so that what formulas of a
//! set have in common is simplified once. The sets: `literature` and `random` are the pattern sets
//! of these names; `generated` are 813 random formulas of tree size 15 to 25 over 4 propositions;
//! `file` are the formulas of the file that the environment variable SEMPRE_FORMULAS names, one
//! per line, if it is set.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sempre_ltl::generate::patterns::PatternSet;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::rewrite::simplify::{Level, Simplifier};
use sempre_ltl::{Formula, rewrite};
use std::env::var_os;
use std::fs::read_to_string;

fn main() {
    divan::main();
}

fn sets() -> Vec<&'static str> {
    let mut sets = vec!["literature", "random", "generated"];
    sets.extend(var_os("SEMPRE_FORMULAS").map(|_| "file"));
    sets
}

fn formulas(set: &str) -> Vec<Formula> {
    match set {
        "generated" => {
            let stream = RandomFormulas::over_numbered(4).sizes(15..=25).seed(0).generate();
            let formulas = stream.expect("there are formulas of these sizes").take(813);
            formulas.map(|formula| formula.expect("the stream has no end")).collect()
        }
        "file" => {
            let path = var_os("SEMPRE_FORMULAS").expect("the set exists only with the variable");
            let text = read_to_string(&path).expect("SEMPRE_FORMULAS names a file");
            let formulas = text.lines().map(|line| {
                line.parse().unwrap_or_else(|error| panic!("{path:?}, `{line}`: {error}"))
            });
            formulas.collect()
        }
        _ => PatternSet::by_name(set).expect("the set has a name").formulas().collect(),
    }
}

/// Of the negations, as most formulas of these sets are in normal form already.
#[divan::bench(args = sets())]
fn nnf(bencher: Bencher, set: &str) {
    let formulas: Vec<Formula> = formulas(set).iter().map(Formula::not).collect();
    bencher.counter(ItemsCount::new(formulas.len())).bench(|| {
        for formula in &formulas {
            black_box(rewrite::nnf(formula));
        }
    });
}

fn simplify(bencher: Bencher, set: &str, level: Level) {
    let formulas = formulas(set);
    bencher.counter(ItemsCount::new(formulas.len())).bench(|| {
        let mut simplifier = Simplifier::new(level);
        for formula in &formulas {
            black_box(simplifier.simplify(formula));
        }
    });
}

#[divan::bench(args = sets())]
fn simplify_1_basic(bencher: Bencher, set: &str) {
    simplify(bencher, set, Level::Basic);
}

#[divan::bench(args = sets())]
fn simplify_2_pure(bencher: Bencher, set: &str) {
    simplify(bencher, set, Level::Pure);
}

#[divan::bench(args = sets())]
fn simplify_3_implication(bencher: Bencher, set: &str) {
    simplify(bencher, set, Level::Implication);
}
