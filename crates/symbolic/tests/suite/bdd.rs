//! Compares binary decision diagrams with multi-valued ones: the reachable states and the results
//! of operations.

use crate::nets::{self, read};
use proptest::prelude::*;
use sempre_diagrams::{Manager, Strategy as Search};
use sempre_models::{Extent, Fault, Model, System, generate};
use sempre_symbolic::bdd::BddEncoding;
use sempre_symbolic::{Encoding, Images, Order, States};
use std::sync::Arc;

/// The maximal number of nodes of oxidd.
const NODES: usize = 1 << 16;

/// Compares the reachable states, and returns their number.
fn reach(model: &Model, order: &Order) -> u64 {
    let reach = |system: &Arc<dyn System>| {
        let manager = Manager::new(sempre_diagrams::Options::default());
        let encoding = Encoding::new(&manager, system, order)?;
        let reached = encoding.events.reach(&encoding.initial, Search::Saturation);
        encoding.check(&reached)?;
        let binary = BddEncoding::new(&encoding, NODES)?;
        let chained = binary.by_chaining();
        binary.check()?;
        assert_eq!(chained.count(), reached.count());
        assert!(reached.iter().take(200).all(|tuple| chained.contains(&tuple)));
        // Breadth-first search is slow.
        if reached.count() < 1000_u32.into() {
            assert!(chained == binary.breadth_first());
        }
        assert!(reached == encoding.by_chaining());
        assert!(reached == encoding.breadth_first());
        assert!(binary.peak_nodes() >= chained.nodes());
        Ok(u64::try_from(reached.count()).unwrap())
    };
    model.run(Extent::Whole, reach).unwrap()
}

#[test]
fn families() {
    let count = |name: &str, number: u32, order: Order| {
        let net = generate::family(name).unwrap().net(number).unwrap();
        reach(&Model::from(net), &order)
    };
    assert_eq!(count("philosophers", 4, Order::Best), 466);
    assert_eq!(count("philosophers", 4, Order::Given(Vec::new())), 466);
    assert_eq!(count("kanban", 1, Order::Best), 160);
    for family in generate::families() {
        assert!(count(family.name(), *family.range().start(), Order::Best) > 1);
    }
}

#[test]
fn tables() {
    let models = [
        (include_str!("../../../../models/peterson.dve"), "dve"),
        (include_str!("../../../../models/traffic-light.kripke"), "kripke"),
        (include_str!("../../../../models/crossing.etf"), "etf"),
    ];
    for (text, language) in models {
        assert!(reach(&read(language, text), &Order::Best) > 2);
    }
}

/// Compares operations on two sets of tuples of four numbers below 4.
struct Operate<'a> {
    tuples: [&'a [Vec<u32>]; 2],
}

impl Operate<'_> {
    fn run(&self, system: &Arc<dyn System>) -> Result<(), Fault> {
        let manager = Manager::new(sempre_diagrams::Options::default());
        let encoding = Encoding::new(&manager, system, &Order::Best)?;
        let binary = BddEncoding::new(&encoding, NODES)?;
        let ours = self.tuples.map(|tuples| {
            tuples.iter().fold(manager.empty(4), |all, tuple| all | manager.tuple(tuple))
        });
        let theirs = self.tuples.map(|tuples| {
            let one = tuples.iter().map(|tuple| binary.tuple(tuple));
            one.fold(binary.empty(), |all, tuple| all.union(&tuple))
        });
        let all: Vec<Vec<u32>> =
            (0..256).map(|n| (0..4).map(|i| n >> (2 * i) & 3).collect()).collect();
        let same = |ours: &sempre_diagrams::Set<'_>, theirs: &sempre_symbolic::bdd::BddSet| {
            assert_eq!(States::count(ours), theirs.count());
            assert_eq!(States::is_empty(ours), theirs.is_empty());
            for tuple in &all {
                assert_eq!(States::contains(ours, tuple), theirs.contains(tuple));
            }
        };
        let ([a, b], [x, y]) = (&ours, &theirs);
        same(&a.union(b), &x.union(y));
        same(&a.intersection(b), &x.intersection(y));
        same(&a.difference(b), &x.difference(y));
        assert_eq!(a == b, x == y);
        for event in 0..encoding.event_count() {
            same(&encoding.image(event, a), &binary.image(event, x));
        }
        Ok(())
    }
}

/// At most three tokens on four places, so that every value fits into two bits.
fn tuple() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..4_usize, 0..=3).prop_map(|tokens| {
        let mut tuple = vec![0; 4];
        tokens.iter().for_each(|place| tuple[*place] += 1);
        tuple
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_nets(net in nets::net()) {
        let count = reach(&Model::from(net), &Order::Best);
        prop_assert!(count > 0);
    }

    /// The net moves three tokens around a ring.
    #[test]
    fn operations(
        one in prop::collection::vec(tuple(), 0..12),
        other in prop::collection::vec(tuple(), 0..12),
    ) {
        let ring = "pl a (3)\ntr t a -> b\ntr u b -> c\ntr v c*2 -> d*2\ntr w d c?-2 -> a\n";
        let operate = Operate { tuples: [&one, &other] };
        read("net", ring).run(Extent::Whole, |system| operate.run(system)).unwrap();
    }
}
