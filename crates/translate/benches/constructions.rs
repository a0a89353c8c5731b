//! The three constructions without post-processing, on random formulas and on scalable families.
//!
//! `cargo bench -p sempre-translate --bench constructions`; an item is one formula.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_automata::Automaton;
use sempre_ltl::generate::family::Family;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::{Formula, simplify};
use sempre_translate::{alternating, classic, tableau};

fn main() {
    divan::main();
}

const METHODS: [usize; 3] = [0, 1, 2];

const CONSTRUCTIONS: [fn(&Formula) -> Automaton; 3] =
    [tableau::translate, alternating::translate, classic::translate];

/// Translates all formulas by the construction with this number.
fn translate(bencher: Bencher<'_, '_>, method: usize, formulas: &[Formula]) {
    let construct = CONSTRUCTIONS[method];
    bencher.counter(ItemsCount::new(formulas.len())).bench_local(|| {
        formulas.iter().map(|formula| construct(formula).edge_count()).sum::<usize>()
    });
}

/// A hundred simplified formulas of 15 nodes; 0 is the tableau, 1 the alternating automata, 2 the
/// classic tableau.
#[divan::bench(args = METHODS)]
fn random(bencher: Bencher<'_, '_>, method: usize) {
    let formulas = RandomFormulas::over(["a", "b", "c"]).size(15).seed(1).generate();
    let formulas = formulas.expect("there are such formulas").take(100);
    let formulas: Vec<Formula> = formulas.flatten().map(|formula| simplify(&formula)).collect();
    translate(bencher, method, &formulas);
}

fn family(bencher: Bencher<'_, '_>, method: usize, name: &str, parameter: u64) {
    let family = Family::by_name(name).expect("a known family");
    let formula = family.formula(parameter).expect("a possible parameter");
    translate(bencher, method, &[formula]);
}

/// `F(a1 & F(a2 & …)) & F(b1 & F(b2 & …))`
#[divan::bench(args = METHODS)]
fn two_chains(bencher: Bencher<'_, '_>, method: usize) {
    family(bencher, method, "ccj-alpha", 6);
}

/// `(F a1 | G a2) & (F a2 | G a3) & …`
#[divan::bench(args = METHODS)]
fn choices(bencher: Bencher<'_, '_>, method: usize) {
    family(bencher, method, "gh-q", 5);
}
