//! Successors of DVE models, without a store.
//!
//! `cargo bench -p sempre-models --bench dve`; an item is one transition.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sempre_models::dve::{DveSystem, parse};
use sempre_models::{Successors, System};
use std::collections::HashSet;

fn main() {
    divan::main();
}

/// States of a breadth-first search, and the number of their transitions.
fn sample(system: &DveSystem) -> (Vec<Box<[u32]>>, usize) {
    let mut expander = system.expander();
    let mut buffer = Successors::new(system.words());
    let mut states = system.initial().expect("an initial state");
    let mut known: HashSet<Box<[u32]>> = states.iter().cloned().collect();
    let (mut next, mut transitions) = (0, 0);
    while next < states.len() && next < 20_000 {
        let state = states[next].clone();
        next += 1;
        buffer.clear();
        expander.expand(&state, &mut buffer).expect("no fault");
        for (_, successor) in buffer.iter() {
            transitions += 1;
            if known.insert(successor.into()) {
                states.push(successor.into());
            }
        }
    }
    states.truncate(next);
    (states, transitions)
}

/// Processes that pass through levels, of which each holds one of them back; they scan the others
/// by an index.
fn filter_lock() -> String {
    let mut text = "byte level[4]; byte last[4];\n".to_string();
    for me in 0..4 {
        text += &format!(
            "process P{me} {{ byte l, k; state idle, enter, scan, critical; init idle;
             trans idle -> enter {{ effect l = 1; }},
               enter -> scan {{ guard l < 4; effect level[{me}] = l, last[l] = {me}, k = 0; }},
               scan -> scan {{ guard k < 4 && (k == {me} || level[k] < l); effect k = k + 1; }},
               scan -> enter {{ guard last[l] != {me} || k == 4; effect l = l + 1, k = 0; }},
               enter -> critical {{ guard l == 4; }},
               critical -> idle {{ effect level[{me}] = 0, l = 0; }}; }}\n"
        );
    }
    text + "system async;"
}

/// Philosophers with forks that are numbers.
fn philosophers() -> String {
    let mut text = "byte fork[9];\n".to_string();
    for me in 0..9 {
        let other = (me + 1) % 9;
        text += &format!(
            "process Phil{me} {{ state think, left, eat, right; init think;
             trans think -> left {{ guard fork[{me}] == 0; effect fork[{me}] = 1; }},
               left -> eat {{ guard fork[{other}] == 0; effect fork[{other}] = 1; }},
               eat -> right {{ effect fork[{me}] = 0; }},
               right -> think {{ effect fork[{other}] = 0; }}; }}\n"
        );
    }
    text + "system async;"
}

/// Clients that meet a server, which keeps their orders in an array.
fn orders() -> String {
    let mut text = "channel ask, tell; byte queue[6], length;\n".to_string();
    for me in 0..6 {
        text += &format!(
            "process Client{me} {{ byte got; state idle, waits, busy; init idle;
             trans idle -> waits {{ sync ask!{me}; }},
               waits -> busy {{ guard queue[0] == {me} and length > 0; sync tell?got; }},
               busy -> idle {{ effect got = 0; }}; }}\n"
        );
    }
    text += "process Server { byte who; state open, store; init open;
        trans open -> store { guard length < 6; sync ask?who; },
          store -> open { effect queue[length] = who, length = length + 1, who = 0; },
          open -> open { guard length > 0; sync tell!length * 2;
            effect queue[0] = queue[1], queue[1] = queue[2], queue[2] = queue[3],
                   queue[3] = queue[4], queue[4] = queue[5], queue[5] = 0, length = length - 1; }; }
        system async;";
    text
}

/// Processes that pass pairs of numbers through channels that keep three of them.
fn pipeline() -> String {
    let mut text = "channel {byte, int} pipe0[3], pipe1[3], pipe2[3], pipe3[3];\n".to_string();
    text += "process Source { byte n; state s; init s;
        trans s -> s { sync pipe0!{n, n * 100}; effect n = (n + 1) % 5; }; }\n";
    for stage in 0..3 {
        text += &format!(
            "process Stage{stage} {{ byte n; int v; state empty, full; init empty;
             trans empty -> full {{ sync pipe{stage}?{{n, v}}; }},
               full -> empty {{ sync pipe{}!{{n, v - 1}}; effect n = 0, v = 0; }}; }}\n",
            stage + 1
        );
    }
    text += "process Sink { byte n; int v; state s; init s; trans s -> s { sync pipe3?{n, v}; }; }
        system async;";
    text
}

#[divan::bench(args = ["filter lock", "philosophers", "orders", "pipeline"])]
fn successors(bencher: Bencher<'_, '_>, name: &str) {
    let text = match name {
        "filter lock" => filter_lock(),
        "philosophers" => philosophers(),
        "orders" => orders(),
        _ => pipeline(),
    };
    let system = DveSystem::new(&parse(&text).expect("a model"));
    let (states, transitions) = sample(&system);
    let mut expander = system.expander();
    let mut buffer = Successors::new(system.words());
    bencher.counter(ItemsCount::new(transitions)).bench_local(|| {
        for state in &states {
            buffer.clear();
            expander.expand(state, &mut buffer).expect("no fault");
            for (action, successor) in buffer.iter() {
                black_box((action, successor[0]));
            }
        }
    });
}

/// Reading and compiling, per byte of the text.
#[divan::bench]
fn reading(bencher: Bencher<'_, '_>) {
    let text = filter_lock();
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| DveSystem::new(&parse(black_box(&text)).expect("a model")));
}
