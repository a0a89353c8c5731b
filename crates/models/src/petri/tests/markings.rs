//! Bounds, and recognising unbounded nets.

use super::super::bounds::{Bounds, invariants};
use super::super::unbounded::pump;
use super::super::{Net, text};
use super::{fired, nets, reachable};
use proptest::prelude::*;

/// Is the net unbounded? By the tree of Karp and Miller, without inhibitor arcs; nothing if the
/// tree is too large.
fn is_unbounded(net: &Net) -> Option<bool> {
    let initial: Vec<u32> = net.places().map(|place| net.initial(place)).collect();
    let mut paths = vec![vec![initial]];
    for _ in 0..3000 {
        let Some(path) = paths.pop() else { return Some(false) };
        for transition in net.transitions() {
            let Some(next) = fired(net, transition, path.last().unwrap()) else { continue };
            let covers = |before: &Vec<u32>| before.iter().zip(&next).all(|(a, b)| a <= b);
            if path.contains(&next) {
                continue;
            }
            if path.iter().any(covers) {
                return Some(true);
            }
            let mut longer = path.clone();
            longer.push(next);
            paths.push(longer);
        }
    }
    None
}

proptest! {
    #[test]
    fn bounds_hold(net in nets(1)) {
        let bounds = Bounds::of(&net);
        for marking in reachable(&net, 300).0 {
            for (place, tokens) in net.places().zip(&marking) {
                prop_assert!(bounds.of_place(place).is_none_or(|bound| bound >= *tokens));
            }
        }
    }

    #[test]
    fn invariants_hold(net in nets(1)) {
        let markings = reachable(&net, 300).0;
        for weights in invariants(&net) {
            let sum = |marking: &[u32]| -> i64 {
                weights.iter().map(|(place, weight)| weight * i64::from(marking[place.0 as usize])).sum()
            };
            for marking in &markings {
                prop_assert_eq!(sum(marking), sum(&markings[0]), "with {:?}", weights);
            }
        }
    }

    #[test]
    fn pumps_are_proofs(net in nets(1)) {
        let bounds = Bounds::of(&net);
        if let Some(pump) = pump(&net, &bounds, 300_000) {
            prop_assert!(pump.is_valid(&net));
            prop_assert!(!pump.places(&net).is_empty());
            prop_assert!(pump.places(&net).iter().all(|place| bounds.of_place(*place).is_none()));
            prop_assert!(!reachable(&net, 1000).1, "{}", pump.describe(&net));
            // The sequence can be repeated.
            let mut marking: Vec<u32> = net.places().map(|place| net.initial(place)).collect();
            for transition in pump.prefix.iter().chain(pump.cycle.repeat(5).iter()) {
                marking = fired(&net, *transition, &marking).unwrap();
            }
        }
    }

    #[test]
    fn unbounded_nets_are_recognised(net in nets(0)) {
        if let Some(is_unbounded) = is_unbounded(&net) {
            let found = pump(&net, &Bounds::of(&net), 3_000_000);
            prop_assert_eq!(found.is_some(), is_unbounded);
        }
    }
}

#[test]
fn conservative_nets_have_exact_bounds() {
    let net = text::parse("pl a (3)  pl b (1)  tr ab a*2 -> b  tr ba b -> a*2  tr loss b -> ");
    let net = net.unwrap();
    let bounds = Bounds::of(&net);
    let of = |name| bounds.of_place(net.place(name).unwrap());
    assert_eq!((of("a"), of("b")), (Some(5), Some(2)));
    assert!(bounds.is_complete());
}

#[test]
fn an_inhibitor_on_a_place_that_grows_ends_the_growth() {
    let bounded = text::parse("pl p (1)  tr t p?1 q?-3 -> q").unwrap();
    assert_eq!(pump(&bounded, &Bounds::of(&bounded), 1_000_000), None);
    let unbounded = text::parse("pl p (1)  tr t p?1 r?-3 -> q").unwrap();
    let found = pump(&unbounded, &Bounds::of(&unbounded), 1_000_000).unwrap();
    assert_eq!(
        found.describe(&unbounded),
        "the net is unbounded: `t` can be repeated for ever, and adds tokens to `q` each time"
    );
}

/// Unmarked parts cost nothing: a thread of twelve steps that leaves a token each time around
/// is found in a large net, at a cost that does not suffice to look at all of it a dozen times.
#[test]
fn a_pump_in_a_large_net_is_found() {
    let mut net = String::from("pl p0 (1)\n");
    for step in 0..12 {
        let log = if step == 11 { " log" } else { "" };
        net += &format!("tr step{step} p{step} -> p{}{log}\n", (step + 1) % 12);
    }
    for other in 0..2000 {
        net += &format!("tr other{other} q{other} -> q{} log\n", (other + 1) % 2000);
    }
    let net = text::parse(&net).unwrap();
    let found = pump(&net, &Bounds::of(&net), 20_000).unwrap();
    assert_eq!((found.prefix.len(), found.cycle.len()), (0, 12));
    assert!(found.is_valid(&net));
}

/// Two processes that share a resource: each is in one of two places, and the resource is free or
/// with one of them.
#[test]
fn invariants_are_found() {
    let net = "pl a1 (1)  pl b1 (1)  pl free (1) \
               tr get_a a1 free -> a2  tr put_a a2 -> a1 free \
               tr get_b b1 free -> b2  tr put_b b2 -> b1 free";
    let net = text::parse(net).unwrap();
    let names = |weights: Vec<(_, i64)>| {
        assert!(weights.iter().all(|(_, weight)| *weight == 1));
        weights.iter().map(|(place, _)| net.place_name(*place).to_owned()).collect::<Vec<_>>()
    };
    let mut found: Vec<_> = invariants(&net).into_iter().map(names).collect();
    found.iter_mut().for_each(|names| names.sort());
    found.sort();
    assert_eq!(found, [vec!["a1", "a2"], vec!["a2", "b2", "free"], vec!["b1", "b2"]]);
}
