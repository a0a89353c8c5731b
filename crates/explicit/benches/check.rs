//! Measures checks of properties that hold: each applicable emptiness check, and two threads,
//! against a plain exploration of the same states.
//!
//! `cargo bench -p sempre-explicit --bench check [-- FAMILY [CHECK]]` prints the shortest of
//! several runs for ten pairs of a model and a formula: the time, states and transitions per
//! second, and three ratios. The first ratio compares with the plain exploration in the same order,
//! depth-first or breadth-first: the overhead of the check. The second is the first per followed
//! edge: the overhead of the product where a state occurs with several states of the automaton, or
//! where an inner search revisits it. The third compares with the plain breadth-first exploration,
//! which is faster than the depth-first one because it uses caches better.
//!
//! On an idle machine, with all pairs in one process, the default search took 1.19 times as long as
//! the plain exploration in the same order for kanban with `G …`, 1.16 for philosophers, 1.22 for
//! peterson, 1.23 for ring, 1.09 for dekker and 1.19 for fms: there the product has one node per
//! state. Depth-first searches of the same products took 0.95 to 1.25 times as long (1.15 to 1.47
//! times the breadth-first one). The other four pairs have several nodes for many states, and
//! follow up to four times as many edges as there are transitions. The default search took 1.46
//! times as long for kanban, 1.46 for philosophers, 1.33 for round-robin and 1.42 for counter; all
//! checks took 1.33 to 1.63 times (1.34 to 1.82 times the breadth-first one), and 0.36 to 0.83
//! times per edge. Philosophers alone took 1.64 to 1.76 times: memory that is new to the process
//! costs more.

use sempre_check::{Control, Deadlock, Question, Verdict};
use sempre_explicit::emptiness::{Check, Property};
use sempre_explicit::explore::{Limits, breadth_first, depth_first};
use sempre_explicit::store::{Arena, Store};
use sempre_explicit::{Options, SearchOrder, StateSpace, check};
use sempre_ltl::Formula;
use sempre_models::{Extent, Fault, Model, System, generate};
use sempre_testing::Negation;
use sempre_translate::Translator;
use std::sync::Arc;
use std::time::Instant;

/// Families, parameters, and formulas that hold: safety, recurrence, and neither.
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

/// The number of measurements of each kind of work, interleaved so that other load affects all
/// alike.
const ROUNDS: usize = 15;

/// The duration of one measurement, in seconds.
const LONG_ENOUGH: f64 = 0.05;

/// The measured work.
#[derive(Clone, Copy)]
enum Work {
    BreadthFirst,
    DepthFirst,
    Check(Check),
    Threads(usize),
}

impl Work {
    fn is_plain(self) -> bool {
        matches!(self, Work::BreadthFirst | Work::DepthFirst)
    }

    fn is_depth_first(self) -> bool {
        !matches!(self, Work::BreadthFirst | Work::Check(Check::Terminal) | Work::Threads(_))
    }
}

fn main() {
    let mut wanted = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let (family, work) = (wanted.next(), wanted.next());
    for pair in PAIRS {
        if family.as_ref().is_some_and(|family| family != pair.0) {
            continue;
        }
        let net = generate::family(pair.0).and_then(|family| family.net(pair.1));
        let table = Table { formula: pair.2, work: work.as_deref() };
        println!("{} {}, {}", pair.0, pair.1, pair.2);
        let model = Model::from(net.expect("a family"));
        model.run(Extent::Whole, |system| table.run(system)).expect("no faults");
    }
}

/// Measures all applicable kinds of work for a formula, or the named one.
struct Table<'a> {
    formula: &'static str,
    work: Option<&'a str>,
}

impl Table<'_> {
    fn run(&self, system: &Arc<dyn System>) -> Result<(), Fault> {
        let formula: Formula = self.formula.parse().expect("a formula");
        let question = Question::new(system.clone(), &formula, Deadlock::Stutter);
        let question = question.expect("propositions of the model");
        let negation = Translator::new().translate(&Formula::not(formula));
        let property = Property::new(&negation);
        let negation = Negation::from(negation);
        let mut works =
            vec![("breadth-first", Work::BreadthFirst), ("depth-first", Work::DepthFirst)];
        for (name, check) in Check::ALL {
            let needs_strength = matches!(check, Check::Weak | Check::Terminal);
            if !needs_strength || check.objection(&property).is_none() {
                works.push((name, Work::Check(check)));
            }
        }
        if Check::Weak.objection(&property).is_none() {
            works.push(("2 threads", Work::Threads(2)));
        }
        let is_wanted = |name: &str| self.work.is_none_or(|wanted| wanted == name);
        works.retain(|(name, work)| work.is_plain() || is_wanted(name));
        let counted = run(&question, &negation, Work::BreadthFirst);
        let (states, transitions) = (counted.states as f64, counted.edges as f64);
        println!("  {states} states, {transitions} transitions");
        let mut shortest = vec![(f64::INFINITY, 0); works.len()];
        for _ in 0..ROUNDS {
            for ((_, work), shortest) in works.iter().zip(&mut shortest) {
                let (seconds, edges) = measure(&question, &negation, *work);
                *shortest = (seconds.min(shortest.0), edges);
            }
        }
        for ((name, work), (seconds, edges)) in works.iter().zip(&shortest) {
            let ratio = seconds / shortest[usize::from(work.is_depth_first())].0;
            println!(
                "  {name:<20} {:>9.2} ms {:>7.2} M states/s {:>7.2} M transitions/s {ratio:>6.2} x \
                 {:>6.2} x per edge {:>6.2} x breadth-first",
                1e3 * seconds,
                1e-6 * states / seconds,
                1e-6 * transitions / seconds,
                ratio * transitions / *edges as f64,
                seconds / shortest[0].0,
            );
        }
        Ok(())
    }
}

/// Returns the average time of as many runs as one measurement needs, and the number of followed
/// edges.
fn measure(question: &Question, negation: &Negation, work: Work) -> (f64, u64) {
    let (begin, mut count) = (Instant::now(), 0);
    loop {
        let WorkCounts { edges, .. } = run(question, negation, work);
        count += 1;
        let time = begin.elapsed().as_secs_f64();
        if time >= LONG_ENOUGH {
            return (time / f64::from(count), edges);
        }
    }
}

/// The counts of some work: states of the system, and edges of the product or the system.
struct WorkCounts {
    states: u64,
    edges: u64,
}

/// Runs the work.
fn run(question: &Question, negation: &Negation, work: Work) -> WorkCounts {
    let system = &**question.system();
    let limits = Limits::default();
    let mut store = Arena::new(system.words());
    let options = match work {
        Work::BreadthFirst | Work::DepthFirst => {
            let found = match work {
                Work::BreadthFirst => breadth_first(system, &mut store, &limits, |_| ()),
                _ => depth_first(system, &mut store, &limits, |_| ()),
            };
            let counts = found.expect("no faults").counts;
            return WorkCounts { states: counts.states, edges: counts.transitions };
        }
        Work::Check(check) => Options { emptiness: Some(check), ..Options::default() },
        Work::Threads(threads) => {
            Options { order: SearchOrder::on_threads(threads), ..Options::default() }
        }
    };
    let mut space = StateSpace::<Arena>::for_one_property(system);
    let control = Control::new(limits);
    let outcome = check(&mut space, question, negation, &options, &control).expect("an answer");
    assert_eq!(outcome.verdict, Verdict::Holds, "the properties of the bench hold");
    let states = outcome.cost.states.and_then(|states| states.try_into().ok());
    let edges = outcome.cost.visited;
    WorkCounts { states: states.unwrap_or_default(), edges: edges.unwrap_or_default() }
}
