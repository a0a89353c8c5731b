//! Compares compiled models with the plain interpreter.

use crate::dve::{DveSystem, PlainDve, parse};
use crate::expression::Program;
use crate::plain::{Plain, Step};
use crate::proposition::{PlainPropositions, Propositions};
use crate::system::{Actions, Names, Scope, Successors, System, VariableId};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn unpack(system: &DveSystem, state: &[u32]) -> Vec<i64> {
    let variables = (0..system.variable_count() as u32).map(VariableId);
    variables.map(|variable| system.value(state, variable)).collect()
}

/// The participants of a step, in any order.
fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers
}

/// Propositions about the random models below.
const PROPOSITIONS: [&str; 12] = [
    "deadlock",
    "P.s1 -> g = 1",
    "P = s0",
    "Q@s2 | R.s1",
    "a[1] + 2 * P.b[0] - h < 3",
    "t[1] = -1 ^ k = 2",
    "d = 0 <-> true",
    "d > 0 & d[0].0 != 1",
    "fireable(P)",
    "fireable('P: s0 -> s1', Q)",
    "!(h / 2 = m * g % 3)",
    "P.x = true",
];

/// Walks through the states of the model, at most that many, and compares the successors of each
/// with those of the plain interpreter; returns how many states and transitions there are.
fn compare(text: &str, most: usize) -> (usize, usize) {
    let dve = parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let system = DveSystem::new(&dve);
    let names = NamedActions::new(&system);
    let mut expander = system.expander();
    let mut buffer = Successors::new(system.words());
    let mut states = system.initial().unwrap();
    let plain = PlainDve::new(&dve);
    let variables = (0..system.variable_count() as u32).map(VariableId);
    let variables: Vec<String> = variables.map(|one| system.variable_name(one)).collect();
    assert_eq!(variables, plain.variables(), "{text}");
    assert_eq!(vec![unpack(&system, &states[0])], plain.initial(), "{text}");
    // Of the propositions those with a meaning: the same ones.
    let compiled = |text: &&&str| Propositions::compile(&system, [**text]).is_ok();
    let known: Vec<&str> = PROPOSITIONS.iter().filter(compiled).copied().collect();
    let propositions = Propositions::compile(&system, known.iter().copied()).unwrap();
    let plain_propositions = PlainPropositions::new(&plain, known.iter().copied());
    let plain_propositions = plain_propositions.unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut known: BTreeSet<Box<[u32]>> = states.iter().cloned().collect();
    let (mut next, mut transitions) = (0, 0);
    while next < states.len() {
        let state = states[next].clone();
        next += 1;
        buffer.clear();
        let outcome = expander.expand(&state, &mut buffer);
        assert!(buffer.actions().iter().all(|action| !system.action_name(*action).is_empty()));
        let successors: Vec<Box<[u32]>> = buffer.iter().map(|(_, state)| state.into()).collect();
        let mut expected: Vec<(Vec<u32>, Vec<u32>, Vec<i64>)> = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        let walked = plain.successors(&unpack(&system, &state), &mut |step, next| {
            steps.push(step.clone());
            let [processes, transitions] = [&step.processes, &step.transitions].map(|n| n.to_vec());
            expected.push((sorted(processes), sorted(transitions), next.to_vec()));
        });
        let context = || format!("{:?} in\n{text}", unpack(&system, &state));
        assert_eq!(outcome.is_err(), walked.is_err(), "{outcome:?} after {}", context());
        if walked.is_err() {
            continue;
        }
        let valuation = propositions.valuation(&mut *expander, &state).ok();
        let plain_valuation = plain_propositions.holding(&unpack(&system, &state), &steps).ok();
        assert_eq!(valuation, plain_valuation, "{known:?} after {}", context());
        names.check(&state, &buffer);
        transitions += successors.len();
        let mut found: Vec<_> = (buffer.iter())
            .map(|(action, successor)| {
                let [processes, transitions] =
                    [system.processes_of(action), system.transitions_of(action)];
                (sorted(processes), sorted(transitions), unpack(&system, successor))
            })
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "after {}", context());
        for successor in successors {
            if states.len() < most && known.insert(successor.clone()) {
                states.push(successor);
            }
        }
    }
    (states.len(), transitions)
}

/// The names of actions, with where they can happen and which actions they stand for.
struct NamedActions<'s> {
    system: &'s DveSystem,
    names: Vec<(String, Program, Actions)>,
}

impl<'s> NamedActions<'s> {
    fn new(system: &'s DveSystem) -> Self {
        let compiled = |name: String| {
            let program = Program::new(&system.fireable(&name).unwrap());
            let actions = system.fired(&name).unwrap();
            (name, program, actions)
        };
        NamedActions { system, names: system.action_names().into_iter().map(compiled).collect() }
    }

    /// A name is fireable exactly if one of its actions happens, and all say where they come from.
    fn check(&self, state: &[u32], successors: &Successors) {
        let system = self.system;
        for (name, fireable, fired) in &self.names {
            let happens = successors.actions().iter().any(|action| fired.contains(*action));
            assert_eq!(fireable.holds(state), Ok(happens), "{name} in {:?}", unpack(system, state));
        }
        let mut actions = successors.actions().to_vec();
        actions.sort_unstable();
        actions.dedup();
        for action in actions {
            let origins = system.origins(action);
            assert!(!origins.is_empty() && origins.iter().all(|origin| origin.line.is_some()));
            for process in system.processes_of(action) {
                let name = &system.processes()[process as usize];
                let (_, _, fired) = self.names.iter().find(|(known, ..)| known == name).unwrap();
                assert!(fired.contains(action));
                assert!(origins.iter().any(|origin| origin.process.as_ref() == Some(name)));
            }
        }
    }
}

/// One feature each, with the number of states and transitions as counted by hand.
#[test]
fn features() {
    let models = [
        // A byte wraps around.
        (
            "byte x = 254; process P { state a; init a; trans a -> a { effect x = x + 1; }; }",
            256,
            256,
        ),
        // An integer wraps around, and bounds its walk by a guard.
        (
            "int x = 32766; process P { state a; init a;
             trans a -> a { guard x > 0; effect x = x + 1; }; }",
            3,
            2,
        ),
        // Effects happen one after the other.
        (
            "byte x = 1, y = 2; process P { state a, b; init a;
             trans a -> b { effect x = y, y = x; }, b -> a { guard x == 2 and y == 2; }; }",
            3,
            3,
        ),
        // A source that is left out is that of the transition before.
        ("process P { state a, b; init a; trans a -> b {}, -> a {}; }", 2, 2),
        // Two processes meet; the value is sent before anything changes.
        (
            "channel c; byte g;
             process S { byte x = 3; state a, b; init a;
               trans a -> b { sync c!x + 1; effect x = 7, g = g + 2; }; }
             process R { byte y; state a, b, bad; init a;
               trans a -> b { sync c?y; effect g = g * 5 + 1; },
                     b -> bad { guard y != 4 or S->x != 7 or g != 3; }; }",
            2,
            1,
        ),
        // Nobody meets itself.
        (
            "channel c; process P { state a, b; init a; trans a -> b {sync c!;}, a -> b {sync c?;}; }",
            1,
            0,
        ),
        // A channel with a capacity keeps messages in their order.
        (
            "channel {byte, int} c[2];
             process S { state a, b, e; init a;
               trans a -> b { sync c!{1, -1}; }, b -> e { sync c!{2, -2}; }; }
             process R { byte x; int y; state a, b, e, bad; init a;
               trans a -> b { sync c?{x, y}; }, b -> e { sync c?{x, y}; },
                     b -> bad { guard x != 1 or y != -1; }, e -> bad { guard x * y != -4; }; }",
            6,
            6,
        ),
        // From committed locations first.
        (
            "process P { state a, b; commit a; init a; trans a -> b {}; }
             process Q { state a, b; init a; trans a -> b {}; }",
            3,
            2,
        ),
        // Conditions about the state of another process.
        (
            "process P { state a, b; init a; trans a -> b { guard Q.b; }; }
             process Q { state a, b; init a; trans a -> b { guard not P.b imply P.a; }; }",
            3,
            2,
        ),
        // Constants, also as lengths.
        (
            "const byte n = 3; byte a[n] = {n, n - 1}; const int t[2] = {4, -4}; byte i;
             process P { state s, e; init s;
               trans s -> s { guard i < n; effect a[i] = a[i] + t[i % 2], i = i + 1; },
                     s -> e { guard a[0] == 7 and a[1] == 254 and a[2] == 4; }; }",
            5,
            4,
        ),
        // A channel of a process holds what the process sends to itself; others do not see it.
        (
            "channel c; process P { channel {byte} c[2]; byte x; state a, b, e; init a;
               trans a -> b { sync c!3; }, b -> e { sync c?x; }; }
             process Q { channel c; state a, b; init a; trans a -> b { sync c?; }; }
             process R { state a, b; init a; trans a -> b { sync c!; }; }",
            3,
            2,
        ),
        // Probabilities are choices.
        ("process P { state a, b, c; init a; trans a => { b:1, c:3 }; }", 3, 2),
    ];
    for (text, states, transitions) in models {
        let text = format!("{text} system async;");
        assert_eq!(compare(&text, 1000), (states, transitions), "{text}");
    }
}

/// All processes step simultaneously; the numbers are counted by hand.
#[test]
fn joint_steps() {
    let models = [
        // Counters of 2 and of 3 meet again after 6 steps.
        (
            "process P { state a, b; init a; trans a -> b {}, b -> a {}; }
             process Q { state a, b, c; init a; trans a -> b {}, b -> c {}, c -> a {}; }",
            6,
            6,
        ),
        // Both read what was there before: the values are exchanged, for ever.
        (
            "byte x = 1, y = 2;
             process P { state a; init a; trans a -> a { effect x = y; }; }
             process Q { state a; init a; trans a -> a { effect y = x; }; }",
            2,
            2,
        ),
        // 2 times 3 choices, then a process has none: six steps, to as many deadlocks.
        (
            "process P { state a, b, c; init a; trans a -> b {}, a -> c {}; }
             process Q { byte x; state a; init a; trans a -> a { effect x = 1; },
               a -> a { effect x = 2; }, a -> a { effect x = 3; }; }",
            7,
            6,
        ),
        // The guards are about the state before; effects of one process come one after the other.
        (
            "byte x;
             process P { byte z; state a; init a; trans a -> a { guard x < 3; effect x = x + 1, z = x; }; }
             process Q { byte y; state a; init a; trans a -> a { guard P->z == x; effect y = x; }; }",
            4,
            3,
        ),
        // Neither channels nor committed states make a difference.
        (
            "channel c; process P { state a, b; init a; commit a; trans a -> b { sync c!; }; }
             process Q { state a, b; init a; trans a -> b {}; }",
            2,
            1,
        ),
    ];
    for (text, states, transitions) in models {
        let text = format!("{text} system sync;");
        assert_eq!(compare(&text, 1000), (states, transitions), "{text}");
    }
}

/// `or` and `and` bind alike, unlike elsewhere.
#[test]
fn precedence() {
    let cases = [
        ("1 or 1 and 0", 0),
        ("0 and 0 or 1", 1),
        ("0 imply 0 imply 0", 0),
        ("1 | 2 & 2", 2),
        ("6 & 2 == 2", 0),
        ("1 + 2 * 3", 7),
        ("7 - 2 - 1", 4),
        ("1 << 2 + 1", 8),
        ("3 > 2 == 1", 1),
        ("not 0 + 1", 2),
        ("-3 % 2", 65535),
        ("~0 - 1", 65534),
        ("10 / 3 % 2", 1),
        ("5 ^ 1 ^ 1", 5),
        ("3 >= 3 and true", 1),
    ];
    for (term, value) in cases {
        let text = format!(
            "int x; process P {{ state a, b; init a; trans a -> b {{ effect x = {term}; }}; }}
             system async;"
        );
        let system = DveSystem::new(&parse(&text).unwrap());
        let initial = system.initial().unwrap();
        let successors = (&system as &dyn System).successors(&initial[0]).unwrap();
        let found = successors.iter().last().map(|(_, state)| system.value(state, VariableId(0)));
        assert_eq!(found.map(|found| found.rem_euclid(65536)), Some(value), "{term}");
    }
}

/// Constants can be named in propositions, arrays of them too.
#[test]
fn propositions_know_constants() {
    let text = "const byte k = 2; const int t[3] = {4, -4, 7}; byte i = 1;
        process P { const byte own[2] = {5, 6}; state a; init a;
          trans a -> a { effect i = (i + 1) % 3; }; } system async;";
    let system = DveSystem::new(&parse(text).unwrap());
    let initial = &system.initial().unwrap()[0];
    let texts =
        ["t[i] == -4", "t[k] == 7", "t[i + 1] == 7", "P.own[i] == 6", "t[0] == k", "t[k - 2] == 4"];
    let propositions = Propositions::compile(&system, texts).unwrap();
    assert_eq!(propositions.valuation(&mut *system.expander(), initial), Ok(0b101111));
    let said = |text| Propositions::compile(&system, [text]).unwrap_err().to_string();
    assert_eq!(said("t[3] > 0"), "`t` has no element 3, expected an index from 0 to 2");
    assert_eq!(said("t > 0"), "`t` is an array, expected an element, as in `t[0]`");
    assert_eq!(said("k[0] > 0"), "`k` is not an array");
}

fn terms() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..5i32).prop_map(|number| number.to_string()),
        prop::sample::select(vec!["g", "h", "x", "k", "b[0]", "a[1]", "t[2]", "P.s1", "Q.s0"])
            .prop_map(String::from),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let ops = vec![
            "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "imply", "&",
            "|", "^", "<<", ">>",
        ];
        prop_oneof![
            (inner.clone(), prop::sample::select(ops), inner.clone())
                .prop_map(|(left, op, right)| format!("({left} {op} {right})")),
            (prop::sample::select(vec!["not ", "-", "~"]), inner.clone())
                .prop_map(|(op, term)| format!("{op}({term})")),
            (prop::sample::select(vec!["a", "b", "t"]), inner)
                .prop_map(|(array, index)| format!("{array}[({index}) & 3]")),
        ]
    })
}

/// Something to assign to; in synchronous models most often a variable of the process, because no
/// two processes may assign the same.
fn targets(synchronous: bool) -> impl Strategy<Value = String> {
    let own = if synchronous { 30 } else { 1 };
    prop_oneof![
        own => prop::sample::select(vec!["x", "b[0]", "b[1]", "b[g & 1]"]).prop_map(String::from),
        4 => prop::sample::select(vec!["g", "h", "x", "m", "a[0]", "b[1]"]).prop_map(String::from),
        1 => terms().prop_map(|index| format!("a[({index}) & 3]")),
    ]
}

fn transitions(synchronous: bool) -> impl Strategy<Value = String> {
    let sync = prop_oneof![
        4 => Just(String::new()),
        1 => terms().prop_map(|term| format!("sync c!{term};")),
        1 => targets(synchronous).prop_map(|target| format!("sync c?{target};")),
        1 => (terms(), terms()).prop_map(|(one, two)| format!("sync d!{{{one}, {two}}};")),
        1 => (targets(synchronous), targets(synchronous)).prop_map(|(one, two)| format!("sync d?{{{one}, {two}}};")),
        1 => terms().prop_map(|term| format!("sync e!{term};")),
        1 => targets(synchronous).prop_map(|target| format!("sync e?{target};")),
    ];
    let effects = prop::collection::vec((targets(synchronous), terms()), 0..4);
    let guard = prop::option::of(terms());
    (0..3, 0..3, guard, sync, effects).prop_map(|(from, to, guard, sync, effects)| {
        let guard = guard.map_or(String::new(), |guard| format!("guard {guard};"));
        let effects: Vec<String> =
            effects.into_iter().map(|(target, term)| format!("{target} = {term}")).collect();
        let effects = match effects.is_empty() {
            true => String::new(),
            false => format!("effect {};", effects.join(", ")),
        };
        format!("s{from} -> s{to} {{ {guard} {sync} {effects} }}")
    })
}

/// Models, with all processes simultaneously or one after the other.
fn models(synchronous: bool) -> impl Strategy<Value = String> {
    let process = (
        prop::collection::vec(transitions(synchronous), 1..6),
        prop::option::weighted(0.2, 0..3),
        prop::option::weighted(0.1, (0..3, terms())),
    );
    prop::collection::vec(process, 2..4).prop_map(move |processes| {
        let capacity = if synchronous { 0 } else { 2 };
        let mut text = format!(
            "byte g = 1, m; int h = -2; byte a[3] = {{1, 2}}; const byte k = 2;
             const int t[3] = {{5, -1, 2}}; channel c; channel {{byte, int}} d[{capacity}];
             channel {{byte}} e[0];\n",
        );
        let names = ["P", "Q", "R"];
        for (name, (transitions, committed, assertion)) in names.iter().zip(processes) {
            let committed = committed.map_or(String::new(), |state| format!("commit s{state};"));
            let assertion = assertion
                .map_or(String::new(), |(state, term)| format!("assert s{state}: {term};"));
            text += &format!(
                "process {name} {{ byte x; int b[2]; state s0, s1, s2; {committed} init s0;
                 {assertion} trans {}; }}\n",
                transitions.join(",\n  ")
            );
        }
        text + if synchronous { "system sync;" } else { "system async;" }
    })
}

proptest! {
    #[test]
    fn compiled_models_do_what_the_text_says(text in models(false)) {
        compare(&text, 60);
    }

    #[test]
    fn compiled_joint_steps_do_what_the_text_says(text in models(true)) {
        compare(&text, 60);
    }

    /// No text makes the reader panic.
    #[test]
    fn any_text_is_read_or_refused(
        text in models(false), at in any::<prop::sample::Index>(), what in "[ -~]{0,3}"
    ) {
        let at = at.index(text.len());
        let _ = parse(&format!("{}{what}{}", &text[..at], &text[at + 1..]));
    }
}
