//! Formulas to automata: each construction separately, and complete translations at each effort.

use divan::Bencher;
use sempre_ltl::{Formula, simplify};
use sempre_translate::{Effort, Kind, Translator, tableau};

fn main() {
    divan::main();
}

const FORMULAS: [&str; 6] = [
    "G(request -> F grant)",
    "GFa & GFb & GFc",
    "a U (b & X(c & F(d & XF(e & XFf))))",
    "G(a | (c R (b | c | X((!c U (d & Fe)) | (c R !d)))))",
    "(GFa -> GFb) & (GFc -> GFd)",
    "(p0 <-> Xp1) U (p2 xor G(p3 W p0))",
];

fn formulas() -> Vec<Formula> {
    FORMULAS.iter().map(|text| simplify(&text.parse().expect("a formula"))).collect()
}

#[divan::bench]
fn tableau_alone(bencher: Bencher<'_, '_>) {
    let formulas = formulas();
    bencher.bench(|| formulas.iter().map(tableau::translate).collect::<Vec<_>>());
}

#[divan::bench(args = Effort::ALL)]
fn small(bencher: Bencher<'_, '_>, effort: Effort) {
    let formulas = formulas();
    bencher.bench(|| {
        let mut translator = Translator::new().effort(effort);
        formulas.iter().map(|formula| translator.translate(formula)).collect::<Vec<_>>()
    });
}

#[divan::bench]
fn state_based(bencher: Bencher<'_, '_>) {
    let formulas = formulas();
    bencher.bench(|| {
        let mut translator = Translator::new().kind(Kind::Ba);
        formulas.iter().map(|formula| translator.translate(formula)).collect::<Vec<_>>()
    });
}
