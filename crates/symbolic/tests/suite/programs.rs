//! Compares programs whose events become relations with the explicit engine: the same states and
//! deadlocks, and faults exactly if a reachable state has one.

use crate::nets::read;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sempre_check::{Control, Deadlock, Engine, Limits, Question, Verdict};
use sempre_diagrams::{Manager, Strategy as Search};
use sempre_explicit::ExplicitEngine;
use sempre_explicit::explore::breadth_first;
use sempre_explicit::store::{Arena, Store};
use sempre_ltl::Formula;
use sempre_models::{Extent, Fault, System};
use sempre_symbolic::{Order, Sets, Space};
use std::sync::Arc;

/// Counts states by both engines; `None` if the program has a fault.
fn count(text: &str) -> Option<u64> {
    let count = |system: &Arc<dyn System>| {
        let mut store = Arena::new(system.words());
        let expected = breadth_first(&**system, &mut store, &Limits::default(), |_| ());
        for strategy in [Search::Saturation, Search::Chaining] {
            let manager = Manager::new(sempre_diagrams::Options::default());
            let space = Space::find(&manager, system, &Order::Best, strategy);
            match (&expected, space) {
                (Ok(found), Ok(space)) => {
                    assert_eq!(space.count(), found.counts.states.into(), "{strategy:?}");
                    assert_eq!(space.deadlocks().count(), found.counts.deadlocks.into());
                }
                (Err(_), Err(Fault::Undefined { message, .. } | Fault::Assertion { message })) => {
                    assert!(!message.is_empty());
                }
                (Err(failure), _) => {
                    panic!("a fault of the explicit engine only: {}", failure.fault)
                }
                (_, Err(fault)) => panic!("a fault of the symbolic engine only: {fault}"),
            }
        }
        Ok(expected.ok().map(|found| found.counts.states))
    };
    read("dve", text).run(Extent::Whole, count).unwrap()
}

#[test]
fn only_faults_of_reachable_states_count() {
    // The overapproximation has i = 2 and y = 0 together with any location.
    let program = |guard: &str| {
        format!(
            "byte a[2]; byte i = 0; byte y = 1;
            process P {{ state p, q, r; init p;
              trans p -> q {{ effect i = 2, y = 0; }},
                    q -> r {{ effect i = i - 1, y = y + 1; }},
                    r -> p {{ guard {guard}; effect a[i] = (a[i] + 1) / y; }}; }}
            system async;"
        )
    };
    // The element runs through all its values, with three locations for each, after the first
    // state.
    assert_eq!(count(&program("i == 1")), Some(3 * 256 + 1));
    let late = program("i == 1").replace("i = i - 1", "i = i - 0");
    assert_eq!(count(&late), Some(3));
    assert_eq!(count(&late.replace("i == 1", "i == 2")), None);
}

#[test]
fn guards_must_be_defined_even_without_a_sender() {
    let program = |sender: &str| {
        format!(
            "byte x; byte y = 1; channel {{byte}} k[0];
            process P {{ state p, q; init p; trans p -> q {{ effect y = 0; }}; }}
            process Q {{ state p; init p; trans p -> p {{ guard x / y > 0; sync k?x; }}; }}
            {sender}
            system async;"
        )
    };
    let sender = "process R { state p, q; init p; trans q -> p { sync k!x; }; }";
    assert_eq!(count(&program(sender)), None);
    assert_eq!(count(&program(sender).replace("y = 0", "y = 2")), Some(2));
    // Where no process sends at all, nothing is received.
    assert_eq!(count(&program("")), Some(2));
}

#[test]
fn assertions_are_checked() {
    let program = |most: u32| {
        format!(
            "byte x;
            process P {{ state p; init p; assert p: x < 3;
              trans p -> p {{ guard x < {most}; effect x = x + 1; }}; }}
            system async;"
        )
    };
    assert_eq!(count(&program(2)), Some(3));
    assert_eq!(count(&program(3)), None);
}

/// Returns whether a formula holds, by both engines; `None` if a proposition is undefined in a
/// state.
fn holds(system: &Arc<dyn System>, formula: &Formula) -> Option<bool> {
    let question = Question::new(system.clone(), formula, Deadlock::Stutter).unwrap();
    let control = Control::default();
    let expected = ExplicitEngine::new(Default::default()).check(&question, &control);
    let expected = expected.ok().map(|outcome| outcome.verdict == Verdict::Holds);
    let found = Sets::new(system, None).check(&question, &Default::default(), &control);
    let found = found.ok().map(|outcome| outcome.verdict == Verdict::Holds);
    assert_eq!(found, expected, "{formula}");
    found
}

#[test]
fn propositions_must_be_defined_only_where_they_are_read() {
    let text = "byte x; byte y = 1;
        process P { state p, q; init p; trans p -> q { effect y = 0; }; }
        system async;";
    let system = read("dve", text).system();
    let holds = |formula: &str| holds(&system, &formula.parse().unwrap());
    assert_eq!(holds(r#"G "y == 0 || x / y == 0""#), Some(true));
    assert_eq!(holds(r#"G "!(y != 0 && x / y != 0)""#), Some(true));
    assert_eq!(holds(r#"G "y != 0 && x / y == 0""#), Some(false));
    assert_eq!(holds(r#"G "x + y <= 1 || x / y == 0""#), Some(true));
    assert_eq!(holds(r#"G "x / y == 0 || y == 0""#), None);
}

/// For two dependent numbers, an overapproximation knows only the ranges.
#[test]
fn programs_with_too_many_values_are_counted_too() {
    let text = "int x = 1; int y = 2;
        process P { state p; init p;
          trans p -> p { effect x = (x * 31 + y * 17 + 1) % 1500, y = (y + x) % 1500; }; }
        system async;";
    assert!(count(text).is_some_and(|states| states > 100));
}

fn transition() -> impl Strategy<Value = String> {
    let places = || select(vec!["p", "q", "r"]);
    let guards = vec![
        "x < 3",
        "y != x",
        "a[i] == 0",
        "a[x % 2] < 2 and y > 0",
        "x / y > 0 or i == 0",
        "not (x == 1 and y == 2 and i == 0)",
        "P.p",
        "Q.q or x == 2",
    ];
    let effects = vec![
        "x = (x + 1) % 5",
        "y = (y + x) % 4",
        "a[i] = x % 3",
        "i = (i + 1) % 2",
        "i = i + 1",
        "x = 0",
        "a[x % 2] = a[i]",
        "x = a[0] + a[1], y = x % 4",
    ];
    let syncs = vec!["", "", "", "sync c!x;", "sync c?y;", "sync k!i;", "sync k?i;"];
    let guard = proptest::option::weighted(0.7, select(guards));
    (places(), places(), guard, select(syncs), vec(select(effects), 0..3)).prop_map(
        |(from, to, guard, sync, effects)| {
            let guard = guard.map_or(String::new(), |guard| format!("guard {guard};"));
            let effects = match effects.is_empty() {
                true => String::new(),
                false => format!("effect {};", effects.join(", ")),
            };
            format!("{from} -> {to} {{ {guard} {sync} {effects} }}")
        },
    )
}

fn process(name: &'static str) -> impl Strategy<Value = String> {
    let commit = select(vec!["", "commit r;"]);
    (vec(transition(), 1..6), commit).prop_map(move |(transitions, commit)| {
        format!(
            "process {name} {{ byte i; state p, q, r; {commit} init p; trans {}; }}",
            transitions.join(",\n")
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn random_programs(p in process("P"), q in process("Q")) {
        let globals = "byte x; byte y = 1; byte a[2]; channel {byte} c[1]; channel {byte} k[0];";
        count(&format!("{globals}\n{p}\n{q}\nsystem async;"));
    }
}
