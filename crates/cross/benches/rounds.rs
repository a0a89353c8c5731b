//! Rounds with all tests, on our own methods: formulas as in H. Tauriainen's report (five
//! propositions, sizes 5 to 12, all operators) and structures of 50 states.
//!
//! The throughput that is shown counts formulas.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_automata::Automaton;
use sempre_cross::{Failure, Limits, Participant, Session, Tests, Tool};
use sempre_ltl::Formula;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};
use sempre_translate::{Method as Way, Translator, alternating, classic, tableau};

fn main() {
    divan::main();
}

type Construction = fn(&Formula) -> Automaton;

/// The constructions as they are.
const CONSTRUCTIONS: [(&str, Construction); 3] = [
    ("tableau", tableau::translate),
    ("alternating", alternating::translate),
    ("classic", classic::translate),
];

/// From end to end.
const TRANSLATORS: [(&str, Construction); 3] = [
    ("tableau", |formula| Translator::new().method(Way::Tableau).translate(formula)),
    ("alternating", |formula| Translator::new().method(Way::Alternating).translate(formula)),
    ("classic", |formula| Translator::new().method(Way::Classic).translate(formula)),
];

struct Method(Construction);

impl Tool for Method {
    fn translate(&self, formula: &Formula, _: &Limits) -> Result<Automaton, Failure> {
        Ok((self.0)(formula))
    }
}

fn participants(constructions: &[(&str, Construction)]) -> Vec<Participant> {
    constructions.iter().map(|&(name, it)| Participant::new(name, Method(it))).collect()
}

/// Formulas of all sizes of the report, in turn.
fn formulas(count: usize) -> Vec<Formula> {
    let streams = (5..=12).map(|size| {
        let priorities = Priorities::report(OperatorSet::Op2, size)?;
        let random = RandomFormulas::over_numbered(5).size(size).priorities(priorities);
        random.seed(size as u64).generate()
    });
    let streams: Result<Vec<_>, sempre_ltl::Error> = streams.collect();
    let mut streams = streams.expect("the report has these sizes");
    let mut formulas = vec![];
    while formulas.len() < count {
        let next = streams.iter_mut().filter_map(Iterator::next);
        formulas.extend(next.map(|formula| formula.expect("the priorities allow all sizes")));
    }
    formulas
}

fn rounds(bencher: Bencher<'_, '_>, constructions: &[(&str, Construction)], tests: Tests) {
    let session = Session::new(participants(constructions)).tests(tests);
    let formulas = formulas(200);
    bencher.counter(ItemsCount::new(formulas.len())).bench_local(|| {
        for (number, formula) in (1..).zip(&formulas) {
            let round = session.round(number, formula);
            assert!(round.findings.is_empty(), "{}", round.findings[0]);
        }
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn three_translators(bencher: Bencher<'_, '_>) {
    rounds(bencher, &TRANSLATORS, Tests::default());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn three_constructions(bencher: Bencher<'_, '_>) {
    rounds(bencher, &CONSTRUCTIONS, Tests::default());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn three_constructions_without_universality(bencher: Bencher<'_, '_>) {
    rounds(bencher, &CONSTRUCTIONS, Tests { universality: false, ..Tests::default() });
}
