//! Writes models as tables and reads them again: the numbers of states, transitions and deadlocks
//! agree, with both engines.

use crate::nets::{self, read};
use proptest::prelude::*;
use sempre_diagrams::{Manager, Strategy as Search};
use sempre_explicit::explore::{Limits, breadth_first};
use sempre_explicit::store::{Arena, Store};
use sempre_models::etf::{self, Etf};
use sempre_models::{Extent, Fault, Model, System, generate};
use sempre_symbolic::{Encoding, Order, Space, tabulate};
use std::sync::Arc;

/// The numbers of states, transitions and deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts(u64, u64, u64);

/// Counts by both engines, and computes tables.
fn work(model: &Model) -> (Counts, Result<Etf, Fault>) {
    let work = |system: &Arc<dyn System>| {
        let mut store = Arena::new(system.words());
        let limits = Limits::default();
        let found = breadth_first(&**system, &mut store, &limits, |_| ());
        let counts = found.map_err(|failure| failure.fault)?.counts;
        let manager = Manager::new(sempre_diagrams::Options::default());
        let encoding = Encoding::new(&manager, system, &Order::Best)?;
        let space = Space::new(encoding, Search::Saturation)?;
        assert_eq!(space.count(), counts.states.into());
        assert_eq!(space.deadlocks().count(), counts.deadlocks.into());
        let counts = Counts(counts.states, counts.transitions, counts.deadlocks);
        match tabulate(&space) {
            Err(fault @ Fault::Overflow(_)) => Err(fault),
            tables => Ok((counts, tables)),
        }
    };
    model.run(Extent::Whole, work).unwrap()
}

fn check(model: &Model) -> Counts {
    let (counts, tables) = work(model);
    let text = etf::write(&tables.unwrap());
    let (found, tables) = work(&read("etf", &text));
    assert_eq!(found, counts, "{text}");
    // Tables of tables are the same.
    let (found, _) = work(&Model::from(tables.unwrap()));
    assert_eq!(found, counts, "{text}");
    counts
}

#[test]
fn families() {
    let philosophers = generate::family("philosophers").unwrap().net(5).unwrap();
    assert_eq!(check(&Model::from(philosophers)), Counts(2164, 9655, 2));
    for family in generate::families() {
        let net = family.net(*family.range().start()).unwrap();
        assert!(check(&Model::from(net)).0 > 1, "{}", family.name());
    }
}

#[test]
fn dve_models() {
    let peterson = include_str!("../../../../models/peterson.dve");
    let counters = include_str!("../../../../models/counters.dve");
    // Negative numbers, arrays, channels, committed states, and two steps to the same state.
    let mixed = "int low = -3; byte box[3]; channel {byte} wire[2];
        process P { byte i = 0; state a, b; commit b; init a;
          trans a -> b { guard low < 1; effect low = low + 1, box[i] = i, i = (i + 1) % 3; },
                a -> a { guard low == 1; effect low = -3; },
                a -> a { guard low == 1; effect low = -3; },
                b -> a { sync wire!i; }; }
        process Q { byte x; state r; init r; trans r -> r { sync wire?x; }; }
        system async;";
    let joint = "byte x;
        process P { state a, b; init a; trans a -> b { guard x < 2; }, a -> b {}, b -> a { effect x = 1 - x; }; }
        process Q { byte y; state c; init c; trans c -> c { effect y = (y + x) % 5; }; }
        system sync;";
    for text in [peterson, counters, mixed, joint] {
        let model = read("dve", text);
        assert!(check(&model).0 > 5);
    }
}

#[test]
fn kripke_structures() {
    let text = include_str!("../../../../models/traffic-light.kripke");
    let model = read("kripke", text);
    assert!(check(&model).0 > 1);
    let two = "init a b; state a -> b; state b;";
    let (_, tables) = work(&read("kripke", two));
    let message = "the model has 2 initial states, tables have one";
    assert_eq!(tables.unwrap_err().to_string(), message);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Nets whose transitions preserve the number of tokens; some take none.
    #[test]
    fn random_nets(net in nets::net()) {
        check(&Model::from(net));
    }
}
