//! Compares sets and events with sets of vectors and loops over them. Nodes are collected
//! constantly here, also during operations.

use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use crate::{Access, Event, EventId, Group, Manager, Options, Set, Strategy as Search};

const ARITY: u32 = 4;
const VALUES: u32 = 4;

type Plain = BTreeSet<Vec<u32>>;

fn tuples() -> impl Strategy<Value = Plain> {
    btree_set(vec(0..VALUES, ARITY as usize), 0..40)
}

fn set(manager: &Manager<'static>, plain: &Plain) -> Set<'static> {
    let values: Vec<u32> = plain.iter().flatten().copied().collect();
    manager.tuples(ARITY, &values)
}

fn plain(set: &Set<'_>) -> Plain {
    set.iter().collect()
}

/// A simple description of an event.
#[derive(Clone, Debug)]
enum Change {
    /// (level, least, most, added)
    Rules(Vec<(u32, u32, u32, i64)>),
    /// (level, required value, new value)
    Sets(Vec<(u32, u32, u32)>),
    /// The variable at the first level becomes that at the second plus a number, modulo VALUES, or
    /// does not change.
    Copies(u32, u32, u32),
    /// The levels with their accesses, rows of pairs of values, and a further level with its
    /// allowed values. Only some values of each row are used.
    Relation(Vec<(u32, Access)>, Vec<[u32; 2 * ARITY as usize]>, Option<(u32, Vec<u32>)>),
}

fn relation() -> impl Strategy<Value = Change> {
    let access = prop_oneof![Just(Access::Read), Just(Access::Write), Just(Access::Change)];
    let roles = vec(proptest::option::of(access), ARITY as usize - 1);
    let rows = vec(proptest::array::uniform8(0..VALUES), 0..6);
    let among = proptest::option::of(btree_set(0..VALUES, 0..4));
    (roles, rows, among, 1..=ARITY).prop_map(|(roles, rows, among, free)| {
        let levels = (1..=ARITY).rev().filter(|level| *level != free);
        let levels = levels.zip(roles).filter_map(|(level, access)| Some((level, access?)));
        let mut levels: Vec<(u32, Access)> = levels.collect();
        if levels.is_empty() {
            levels.push((if free == 1 { 2 } else { 1 }, Access::Change));
        }
        Change::Relation(levels, rows, among.map(|among| (free, among.into_iter().collect())))
    })
}

fn change() -> impl Strategy<Value = Change> {
    let level = 1..=ARITY;
    prop_oneof![
        vec((level.clone(), 0..2_u32, 1..VALUES, -1..=1_i64), 1..4).prop_map(Change::Rules),
        vec((level.clone(), 0..VALUES, 0..VALUES), 1..3).prop_map(Change::Sets),
        (level.clone(), level, 0..VALUES).prop_map(|(to, from, add)| Change::Copies(to, from, add)),
        relation(),
    ]
}

fn position(level: u32) -> usize {
    (ARITY - level) as usize
}

impl Change {
    fn event(&self) -> Event<'static> {
        match self {
            Change::Rules(rules) => {
                rules.iter().fold(Event::new(), |event, &(level, least, most, added)| {
                    // Values must stay few for the sets of vectors.
                    let event = event.guard(level, least..=most.min(VALUES - 2));
                    event.add(level, added)
                })
            }
            Change::Sets(sets) => {
                sets.iter().fold(Event::new(), |event, &(level, asked, value)| {
                    event.guard(level, asked..=asked).set(level, value)
                })
            }
            Change::Relation(levels, rows, among) => {
                let values = rows.iter().flat_map(|row| {
                    levels.iter().flat_map(|&(level, access)| {
                        let pair = &row[2 * position(level)..][..2];
                        match access {
                            Access::Read => &pair[..1],
                            Access::Write => &pair[1..],
                            Access::Change => pair,
                        }
                    })
                });
                let event = Event::relation(levels.clone(), values.copied().collect::<Vec<_>>());
                (among.iter()).fold(event, |event, (level, among)| event.among(*level, &among[..]))
            }
            &Change::Copies(to, from, add) if to == from => {
                Event::table([to], move |values, give| {
                    give(&[(values[0] + add) % VALUES]);
                    give(values);
                })
            }
            &Change::Copies(to, from, add) => {
                let (high, low) = (to.max(from), to.min(from));
                Event::table([high, low], move |values, give| {
                    let (source, target) = if to == high { (1, 0) } else { (0, 1) };
                    let mut after = values.to_vec();
                    after[target] = (values[source] + add) % VALUES;
                    give(&after);
                    give(values);
                })
            }
        }
    }

    fn successors(&self, state: &[u32]) -> Vec<Vec<u32>> {
        match self {
            Change::Rules(rules) => {
                let enabled = rules.iter().all(|&(level, least, most, _)| {
                    (least..=most.min(VALUES - 2)).contains(&state[position(level)])
                });
                let mut after: Vec<i64> = state.iter().map(|&value| value.into()).collect();
                for &(level, _, _, added) in rules {
                    after[position(level)] += added;
                }
                let after: Option<Vec<u32>> =
                    after.into_iter().map(|value| value.try_into().ok()).collect();
                after.filter(|_| enabled).into_iter().collect()
            }
            Change::Sets(sets) => {
                let enabled = sets.iter().all(|&(level, asked, _)| state[position(level)] == asked);
                let mut after = state.to_vec();
                for &(level, _, value) in sets {
                    after[position(level)] = value;
                }
                enabled.then_some(after).into_iter().collect()
            }
            Change::Relation(levels, rows, among) => {
                let fits = |row: &&[u32; 8]| {
                    levels.iter().all(|&(level, access)| {
                        let before = state[position(level)];
                        access == Access::Write || row[2 * position(level)] == before
                    })
                };
                let is_among =
                    (among.iter()).all(|(level, among)| among.contains(&state[position(*level)]));
                let fitting = rows.iter().filter(|_| is_among).filter(fits);
                let after = |row: &[u32; 8]| {
                    let mut after = state.to_vec();
                    for &(level, access) in levels {
                        if access != Access::Read {
                            after[position(level)] = row[2 * position(level) + 1];
                        }
                    }
                    after
                };
                fitting.map(after).collect()
            }
            &Change::Copies(to, from, add) => {
                let mut after = state.to_vec();
                after[position(to)] = (state[position(from)] + add) % VALUES;
                vec![after, state.to_vec()]
            }
        }
    }
}

fn image(changes: &[Change], states: &Plain) -> Plain {
    (changes.iter())
        .flat_map(|change| states.iter().flat_map(|state| change.successors(state)))
        .collect()
}

fn reach(changes: &[Change], from: &Plain, within: Option<&Plain>) -> Plain {
    let inside = |state: &Vec<u32>| within.is_none_or(|within| within.contains(state));
    let mut reached: Plain = from.iter().filter(|state| inside(state)).cloned().collect();
    loop {
        let next: Plain = image(changes, &reached).into_iter().filter(inside).collect();
        if next.is_subset(&reached) {
            return reached;
        }
        reached.extend(next);
    }
}

fn group(manager: &Manager<'static>, changes: &[Change]) -> Group<'static> {
    let events: Vec<EventId<'_>> =
        changes.iter().map(|change| manager.event(&change.event())).collect();
    manager.group(&events)
}

fn manager() -> Manager<'static> {
    Manager::new(Options::default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn operators_are_those_of_sets(a in tuples(), b in tuples()) {
        let manager = manager();
        let (x, y) = (set(&manager, &a), set(&manager, &b));
        prop_assert_eq!(plain(&(&x | &y)), &a | &b);
        prop_assert_eq!(plain(&(&x & &y)), &a & &b);
        prop_assert_eq!(plain(&(&x - &y)), &a - &b);
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
        prop_assert_eq!(x.count(), a.len().into());
        prop_assert_eq!(x.pick(), a.first().cloned());
        prop_assert!(a.iter().all(|tuple| x.contains(tuple)));
        prop_assert!(b.iter().all(|tuple| x.contains(tuple) == a.contains(tuple)));
    }

    #[test]
    fn parts_are_those_of_tuples(a in tuples(), high in 2..=ARITY, parity in 0..2_u32) {
        let manager = manager();
        let x = set(&manager, &a);
        let levels = [high, 1];
        let part = |tuple: &Vec<u32>| vec![tuple[position(high)], tuple[position(1)]];
        prop_assert_eq!(plain(&x.project(&levels)), a.iter().map(part).collect::<Plain>());
        let good = |part: &[u32]| (part[0] + part[1]) % 2 == parity;
        let expected: Plain = a.iter().filter(|tuple| good(&part(tuple))).cloned().collect();
        prop_assert_eq!(plain(&x.filter(&levels, good)), expected);
        for value in 0..VALUES {
            let rest = x.below(value);
            let expected: Plain = (a.iter())
                .filter(|tuple| tuple[0] == value)
                .map(|tuple| tuple[1..].to_vec())
                .collect();
            prop_assert_eq!(plain(&rest), expected);
            prop_assert!(rest.under(value).is_subset(&x));
        }
        let ranges = (0..ARITY as usize)
            .map(|i| {
                let values = || a.iter().map(|tuple| tuple[i]);
                Some((values().min()?, values().max()?))
            })
            .collect::<Option<Vec<_>>>();
        prop_assert_eq!(x.ranges(), ranges);
    }

    #[test]
    fn sums_are_those_of_values(
        a in tuples(),
        factors in vec(-3..4_i64, ARITY as usize),
        skipped in 0..=ARITY,
        (low, high) in (-12..12_i64, -12..12_i64),
    ) {
        let manager = manager();
        let x = set(&manager, &a);
        let factors: Vec<(u32, i64)> =
            (1..=ARITY).rev().zip(factors).filter(|(level, _)| *level != skipped).collect();
        let sum = |tuple: &Vec<u32>| -> i64 {
            let values = factors.iter().map(|(level, _)| i64::from(tuple[position(*level)]));
            values.zip(&factors).map(|(value, (_, factor))| value * factor).sum()
        };
        let expected = a.iter().filter(|tuple| (low..=high).contains(&sum(tuple)));
        prop_assert_eq!(plain(&x.with_sum(&factors, low..=high)), expected.cloned().collect::<Plain>());
    }

    #[test]
    fn images_are_those_of_states(change in change(), a in tuples(), b in tuples()) {
        let manager = manager();
        let (x, y) = (set(&manager, &a), set(&manager, &b));
        let event = manager.event(&change.event());
        let after = |state: &Vec<u32>| change.successors(state);
        prop_assert_eq!(plain(&event.image(&x)), a.iter().flat_map(after).collect::<Plain>());
        let into = a.iter().filter(|state| after(state).iter().any(|next| b.contains(next)));
        prop_assert_eq!(plain(&event.preimage(&y, &x)), into.cloned().collect::<Plain>());
        let enabled = a.iter().filter(|state| !after(state).is_empty());
        prop_assert_eq!(plain(&event.enabled(&x)), enabled.cloned().collect::<Plain>());
        let changed = event.changed();
        for state in &a {
            for next in after(state) {
                let differs = |level: &u32| state[position(*level)] != next[position(*level)];
                prop_assert!((1..=ARITY).filter(differs).all(|level| changed.contains(&level)));
            }
        }
    }

    /// From states with an allowed value, restricted events do what leads to allowed values.
    #[test]
    fn restricted_events_lead_to_allowed_values(
        change in change(),
        a in tuples(),
        level in 1..=ARITY,
        allowed in vec(any::<bool>(), VALUES as usize),
    ) {
        let manager = manager();
        let is_allowed = |state: &Vec<u32>| {
            allowed.get(state[position(level)] as usize).copied().unwrap_or(false)
        };
        let a: Plain = a.into_iter().filter(is_allowed).collect();
        let event = change.event();
        match event.landing(level, &allowed) {
            None => prop_assert!(matches!(change, Change::Copies(..))),
            Some(parts) => {
                let x = set(&manager, &a);
                let images = parts.iter().map(|part| plain(&manager.event(part).image(&x)));
                let expected = a.iter().flat_map(|state| change.successors(state));
                let expected: Plain = expected.filter(is_allowed).collect();
                prop_assert_eq!(images.flatten().collect::<Plain>(), expected);
            }
        }
    }

    #[test]
    fn images_of_groups_are_those_of_all_events(
        changes in vec(change(), 0..6),
        a in tuples(),
        b in tuples(),
    ) {
        let manager = manager();
        let (x, y) = (set(&manager, &a), set(&manager, &b));
        let group = group(&manager, &changes);
        prop_assert_eq!(plain(&group.image(&x)), image(&changes, &a));
        let leads_into = |state: &&Vec<u32>| {
            changes.iter().any(|change| change.successors(state).iter().any(|next| b.contains(next)))
        };
        let into = a.iter().filter(leads_into);
        prop_assert_eq!(plain(&group.preimage(&y, &x)), into.cloned().collect::<Plain>());
    }

    #[test]
    fn all_strategies_reach_the_same(
        changes in vec(change(), 1..6),
        a in btree_set(vec(0..VALUES, ARITY as usize), 1..4),
        within in tuples(),
    ) {
        let manager = manager();
        let (x, inside) = (set(&manager, &a), set(&manager, &within));
        let group = group(&manager, &changes);
        let expected = reach(&changes, &a, None);
        let dead: Plain = (expected.iter())
            .filter(|state| changes.iter().all(|change| change.successors(state).is_empty()))
            .cloned()
            .collect();
        for strategy in Search::ALL {
            let reached = group.reach(&x, strategy);
            prop_assert_eq!(&plain(&reached), &expected, "{:?}", strategy);
            prop_assert_eq!(plain(&group.deadlocks(&reached)), dead.clone());
        }
        // Inside a part of the reachable states, and from all of them.
        let some = &group.reach(&x, Search::Saturation) & &inside;
        let expected = reach(&changes, &within, Some(&plain(&(&some | &inside))));
        for strategy in Search::ALL {
            let reached = group.reach_within(&inside, &(&some | &inside), strategy);
            prop_assert_eq!(&plain(&reached), &expected, "{:?}", strategy);
        }
        let from: Plain = within.iter().take(1).cloned().collect();
        let expected = reach(&changes, &from, Some(&within));
        for strategy in Search::ALL {
            let reached = group.reach_within(&set(&manager, &from), &inside, strategy);
            prop_assert_eq!(&plain(&reached), &expected, "{:?}", strategy);
        }
    }
}

#[test]
fn a_reachable_part_can_be_saturated_with_fewer_events() {
    let manager = manager();
    let up = manager.event(&Event::new().guard(2, 0..=8).add(2, 1));
    let move_down = manager.event(&Event::new().guard(2, 1..=9).add(2, -1).add(1, 1));
    let start = manager.tuple(&[0, 0]);
    let some = manager.group([&up]).reach(&start, Search::Saturation);
    assert_eq!(some.count(), 10_u32.into());
    let within = manager.tuples(2, &[0, 0, 1, 0, 2, 0, 0, 1, 1, 1]);
    let all = manager.group([&up, &move_down]);
    let reached = all.reach_within(&start, &within, Search::Saturation);
    assert_eq!(reached, within);
}

#[test]
fn events_compose() {
    let manager = manager();
    let event = Event::new().guard(1, 2..=5).add(1, -2).add(2, 1).guard(1, 0..=4);
    assert_eq!(event.support(), [2, 1]);
    let event = manager.event(&event);
    let states = manager.tuples(2, &[0, 1, 0, 2, 0, 4, 0, 5]);
    assert_eq!(plain(&event.image(&states)), Plain::from([vec![1, 0], vec![1, 2]]));
    // A value that is set and then decreased below zero disables the event.
    let never = manager.event(&Event::new().guard(1, 1..=9).set(1, 1).add(1, -2));
    assert!(never.image(&states).is_empty());
    let nothing = manager.event(&Event::new());
    assert_eq!(nothing.image(&states), states);
}

#[test]
fn memory_has_a_limit_and_a_manager_survives_it() {
    let manager = Manager::new(Options { memory: 400_000, poll: None });
    let small = manager.tuple(&[1, 2, 3]);
    // Random tuples share no nodes.
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as u32
    };
    let result = manager.attempt(|| {
        let mut all = manager.empty(3);
        loop {
            all |= manager.tuple(&[draw(), draw(), draw()]);
        }
    });
    assert_eq!(result.map(|never: std::convert::Infallible| never), Err(crate::Exhausted));
    assert!(small.contains(&[1, 2, 3]));
    manager.collect();
    assert_eq!(manager.usage().nodes, 3);
    let peak = manager.usage().peak_bytes;
    assert!(400_000 < peak && peak < 800_000, "{peak}");
}

#[test]
#[should_panic(expected = "different managers")]
fn managers_do_not_mix() {
    let _ = manager().tuple(&[1]) | manager().tuple(&[1]);
}

#[test]
#[should_panic(expected = "different lengths")]
fn lengths_do_not_mix() {
    let manager = manager();
    let _ = manager.tuple(&[1]) | manager.tuple(&[1, 2]);
}

#[test]
fn many_levels_need_no_deep_stack() {
    let manager = manager();
    let levels = 5000;
    let start = manager.tuple(&vec![0; levels as usize]);
    // A variable can increase while the one above it has not: all but the top one can, bottom
    // first.
    let events: Vec<EventId<'_>> = (1..levels)
        .map(|level| Event::new().guard(level + 1, 0..=0).guard(level, 0..=0).set(level, 1))
        .map(|event| manager.event(&event))
        .collect();
    let reached = manager.group(&events).reach(&start, Search::Saturation);
    assert_eq!(reached.nodes(), levels as usize);
    assert_eq!(reached.count(), num_bigint::BigUint::from(2_u32).pow(levels - 1));
}

#[test]
fn drawings_name_levels_and_values() {
    let manager = manager();
    let set = manager.tuples(2, &[0, 1, 2, 1, 3, 5]);
    let dot = set.to_dot(|level| format!("x{level}"));
    assert_eq!(dot.matches("label=\"x2\"").count(), 1);
    assert_eq!(dot.matches("label=\"x1\"").count(), 2);
    assert_eq!(dot.matches("->").count(), 5);
}

#[test]
fn what_takes_too_many_steps_is_given_up() {
    let manager = Manager::new(Options::default());
    let events: Vec<_> = (1..=8)
        .map(|level| manager.event(&Event::new().guard(level, 0..=30).add(level, 1)))
        .collect();
    let group = manager.group(&events);
    let start = manager.tuple(&[0; 8]);
    let reach = || group.reach(&start, Search::BreadthFirst);
    assert!(manager.within(2000, reach).is_none());
    let all = manager.within(u64::MAX, reach).expect("no limit");
    assert_eq!(all, reach());
    assert_eq!(all.count(), 32_u64.pow(8).into());
}
