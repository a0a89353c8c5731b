//! Whole checks of properties that hold, by each of the emptiness checks that fit, and on two
//! threads; and the plain exploration of the same states, to which they are to be compared.
//!
//! `cargo bench -p sempre-explicit --bench check`; an item is one transition of the model. The
//! ratio of a check's median to that of `plain` is what the product costs.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_automata::Automaton;
use sempre_explicit::emptiness::Check;
use sempre_explicit::explore::{Limits, breadth_first};
use sempre_explicit::store::{Arena, Store};
use sempre_explicit::{Options, Verdict, check};
use sempre_ltl::Formula;
use sempre_models::{Fault, Model, System, Task, generate};
use sempre_translate::Translator;
use std::fmt;

fn main() {
    divan::main();
}

/// Families, numbers, and formulas that hold: safety, recurrence, and neither of them.
const PAIRS: [(&str, u32, &str); 10] = [
    ("kanban", 4, r#"G "work_1 + bad_1 <= 4""#),
    ("kanban", 4, r#"(F G "work_1 == 0") | (G F "work_1 >= 1")"#),
    ("philosophers", 8, "G !(eats_0 & eats_1)"),
    ("philosophers", 8, r#"(F G "eats_0 == 0") | (G F "eats_0 == 1")"#),
    ("peterson", 3, "G !(critical_0 & critical_1)"),
    ("round-robin", 12, "G F turn_0"),
    ("counter", 14, "G F one_13"),
    ("ring", 5, r#"G "got_free_0 + written_0 <= 1""#),
    ("dekker", 10, "G !(critical_0 & critical_1)"),
    ("fms", 3, r#"G "raw_1 <= 3""#),
];

/// What is measured.
#[derive(Clone, Copy)]
enum Work {
    Plain,
    Check(&'static str, Check),
    Threads(usize),
}

/// A measurement of one of the pairs.
struct Case {
    pair: (&'static str, u32, &'static str),
    work: Work,
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (family, number, formula) = self.pair;
        write!(out, "{family} {number}, {formula}: ")?;
        match self.work {
            Work::Plain => out.write_str("plain"),
            Work::Check(name, _) => out.write_str(name),
            Work::Threads(threads) => write!(out, "{threads} threads"),
        }
    }
}

fn negation(formula: &str) -> Automaton {
    let formula: Formula = formula.parse().expect("a formula");
    Translator::new().translate(&Formula::not(formula))
}

/// All pairs with all that can be measured; checks that do not fit the strength are left out.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for pair in PAIRS {
        let property = sempre_explicit::emptiness::Property::new(&negation(pair.2));
        cases.push(Case { pair, work: Work::Plain });
        for (name, check) in Check::ALL {
            let needs_strength = matches!(check, Check::Weak | Check::Terminal);
            if !needs_strength || check.objection(&property).is_none() {
                cases.push(Case { pair, work: Work::Check(name, check) });
            }
        }
        if Check::Weak.objection(&property).is_none() {
            cases.push(Case { pair, work: Work::Threads(2) });
        }
    }
    cases
}

/// Does the work, and returns the number of transitions.
fn run<S: System>(system: &S, negation: &Automaton, work: Work) -> u64 {
    let limits = Limits::default();
    let options = match work {
        Work::Plain => {
            let mut store = Arena::new(system.words());
            let found = breadth_first(system, &mut store, &limits, |_| ());
            return found.expect("no faults").counts.transitions;
        }
        Work::Check(_, check) => Options { emptiness: Some(check), ..Options::default() },
        Work::Threads(threads) => Options { threads, ..Options::default() },
    };
    let outcome = check::<S, Arena>(system, negation, &options, &limits, &|_| ());
    let outcome = outcome.expect("an answer");
    assert!(matches!(outcome.verdict, Verdict::Holds), "the properties of the bench hold");
    outcome.transitions
}

struct Measure<'a, 'b, 'c> {
    bencher: Option<Bencher<'a, 'b>>,
    case: &'c Case,
}

impl Task for Measure<'_, '_, '_> {
    type Output = ();

    fn run<S: System>(&mut self, system: &S) -> Result<(), Fault> {
        let negation = negation(self.case.pair.2);
        let transitions = run(system, &negation, self.case.work);
        let bencher = self.bencher.take().expect("the models of the bench do not overflow");
        bencher
            .counter(ItemsCount::new(transitions))
            .bench_local(|| run(divan::black_box(system), &negation, self.case.work));
        Ok(())
    }
}

#[divan::bench(args = cases(), sample_count = 5, sample_size = 1)]
fn whole(bencher: Bencher<'_, '_>, case: &Case) {
    let (family, number, _) = case.pair;
    let net = generate::family(family).and_then(|family| family.net(number)).expect("a family");
    let mut measure = Measure { bencher: Some(bencher), case };
    Model::Net(net).run(&mut measure).expect("no faults");
}
