//! Whole checks of properties that hold, by each of the emptiness checks that fit, and on two
//! threads, compared to the plain exploration of the same states.
//!
//! `cargo bench -p sempre-explicit --bench check [-- FAMILY [CHECK]]` prints for each of ten pairs of a model
//! and a formula the shortest of some runs: its time, how many states and transitions of the model
//! that is per second; and two ratios to the plain breadth-first exploration: of the times, and of
//! the times for an edge that is followed. The first one is what the check costs, the second one
//! what the product costs: if a state occurs with several states of the automaton, or an inner search
//! visits it again, there is more to be done than in the plain exploration. The time is that of the
//! processor, where the system tells it; on two threads it is that of the clock.
//!
//! A plain depth-first exploration is measured as well: in that order a processor finds less in its
//! caches, so that all searches but the one for terminal automata suffer more than the plain
//! breadth-first exploration from what else uses the memory. On kanban 4 the plain exploration
//! misses a cache of 512 KiB 2.9 million times breadth-first and 5.3 million times depth-first, and
//! Couvreur's check 6.4 million times.
//!
//! With nothing else running, on one core, the search that is taken unless somebody asks for another
//! took 1.51 times as long as the plain exploration for kanban with `G …`, 1.33 for philosophers,
//! 1.38 for peterson, 1.44 for ring, 1.27 for dekker and 1.40 for fms: there the product has a node for
//! each state. Depth-first searches of the same products took 1.55 to 1.92, 1.66 to 2.37, 1.41 to
//! 1.56, 1.51 to 1.68, 1.33 to 1.43 and 1.40 to 1.69 times as long; of instructions they need 1.13 to
//! 1.50 times as many (`valgrind --tool=cachegrind`, without link-time optimization). The other four
//! pairs need more than one node for many states: 1.6 to 2.6 times as long by the search that is
//! taken, and 0.5 to 1.2 times for an edge that is followed; by others up to 3.2 and 1.4.

use sempre_automata::Automaton;
use sempre_explicit::emptiness::{Check, Property};
use sempre_explicit::explore::{Limits, breadth_first, depth_first};
use sempre_explicit::store::{Arena, Store};
use sempre_explicit::{Options, StateSpace, Verdict, check};
use sempre_ltl::Formula;
use sempre_models::{Fault, Model, System, Task, generate};
use sempre_translate::Translator;
use std::time::{Duration, Instant};

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

/// How many runs there are of each at most, and when no further one is begun, unless there are few.
const RUNS: usize = 9;
const ENOUGH: Duration = Duration::from_millis(2000);

/// How many seconds of work are measured together: processor time is told in steps of some
/// milliseconds.
const LONG_ENOUGH: f64 = 0.1;

/// What is measured.
#[derive(Clone, Copy)]
enum Work {
    BreadthFirst,
    DepthFirst,
    Check(Check),
    Threads(usize),
}

fn main() {
    let mut wanted = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let (family, work) = (wanted.next(), wanted.next());
    for pair in PAIRS {
        if family.as_ref().is_some_and(|family| family != pair.0) {
            continue;
        }
        let net = generate::family(pair.0).and_then(|family| family.net(pair.1));
        let mut table = Table { formula: pair.2, work: work.as_deref() };
        println!("{} {}, {}", pair.0, pair.1, pair.2);
        Model::Net(net.expect("a family")).run(&mut table).expect("no faults");
    }
}

/// Measures everything that fits a formula, or the work with one name.
struct Table<'a> {
    formula: &'static str,
    work: Option<&'a str>,
}

impl Task for Table<'_> {
    type Output = ();

    fn run<S: System>(&mut self, system: &S) -> Result<(), Fault> {
        let formula: Formula = self.formula.parse().expect("a formula");
        let negation = Translator::new().translate(&Formula::not(formula));
        let property = Property::new(&negation);
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
        works.retain(|(name, _)| self.work.is_none_or(|wanted| wanted == *name));
        let counted = run(system, &negation, Work::BreadthFirst);
        let (states, transitions) = (counted.states as f64, counted.edges as f64);
        println!("  {states} states, {transitions} transitions");
        for (name, work) in works {
            let Measured { seconds, edges, ratio } = compare(system, &negation, work);
            println!(
                "  {name:<20} {:>9.2} ms {:>7.2} M states/s {:>7.2} M transitions/s {:>6.2} x \
                 {:>6.2} x per edge",
                1e3 * seconds,
                1e-6 * states / seconds,
                1e-6 * transitions / seconds,
                ratio,
                ratio * transitions / edges as f64
            );
        }
        Ok(())
    }
}

/// What was measured of a kind of work.
struct Measured {
    /// The shortest time of several runs.
    seconds: f64,
    /// The edges that are followed.
    edges: u64,
    /// How much more time than the plain exploration it takes: the median of several runs, each of
    /// which follows one of that, so that what else the machine does disturbs both alike.
    ratio: f64,
}

fn compare<S: System>(system: &S, negation: &Automaton, work: Work) -> Measured {
    let start = Instant::now();
    let (mut shortest, mut edges, mut ratios) = (f64::INFINITY, 0, Vec::new());
    while ratios.len() < RUNS && (ratios.len() < 3 || start.elapsed() < ENOUGH) {
        let (plain, _) = measure(system, negation, Work::BreadthFirst);
        let found = measure(system, negation, work);
        shortest = found.0.min(shortest);
        edges = found.1;
        ratios.push(found.0 / plain);
    }
    ratios.sort_by(f64::total_cmp);
    Measured { seconds: shortest, edges, ratio: ratios[ratios.len() / 2] }
}

/// How long some work takes, on the average of as many runs as are long enough together, and how
/// many edges it follows.
fn measure<S: System>(system: &S, negation: &Automaton, work: Work) -> (f64, u64) {
    let (begin, begin_work, mut count) = (Instant::now(), processor_time(), 0);
    loop {
        let Counted { edges, .. } = run(system, negation, work);
        count += 1;
        let time = match (work, begin_work, processor_time()) {
            (Work::Threads(_), ..) | (_, None, _) | (_, _, None) => begin.elapsed().as_secs_f64(),
            (_, Some(begin), Some(end)) => end - begin,
        };
        if time >= LONG_ENOUGH {
            return (time / f64::from(count), edges);
        }
    }
}

/// How many seconds this thread has had a processor.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| 1e-9 * nanoseconds)
}

/// What some work has met: states of the system, and edges of the product or the system.
struct Counted {
    states: u64,
    edges: u64,
}

/// Does the work.
fn run<S: System>(system: &S, negation: &Automaton, work: Work) -> Counted {
    let limits = Limits::default();
    let mut store = Arena::new(system.words());
    let options = match work {
        Work::BreadthFirst | Work::DepthFirst => {
            let found = match work {
                Work::BreadthFirst => breadth_first(system, &mut store, &limits, |_| ()),
                _ => depth_first(system, &mut store, &limits, |_| ()),
            };
            let counts = found.expect("no faults").counts;
            return Counted { states: counts.states, edges: counts.transitions };
        }
        Work::Check(check) => Options { emptiness: Some(check), ..Options::default() },
        Work::Threads(threads) => Options { threads, ..Options::default() },
    };
    let mut space = StateSpace::<S, Arena>::for_one_property(system);
    let outcome = check(&mut space, negation, &options, &limits, &|_| ()).expect("an answer");
    assert!(matches!(outcome.verdict, Verdict::Holds), "the properties of the bench hold");
    Counted { states: outcome.states, edges: outcome.effort.edges }
}
