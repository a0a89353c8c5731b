//! The token game on packed markings, and work that is done again with more bits.

use super::super::bounds::Bounds;
use super::super::{Net, NetSystem, PlaceId, text};
use super::{fired, nets, reachable};
use crate::expression::Program;
use crate::plain::tests::compare;
use crate::{ActionId, Extent, Fault, Meaning, Model, Scope, Successors, System};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn packed(system: &NetSystem, marking: &[u32]) -> Vec<u32> {
    let mut state = vec![0; system.words()];
    for (place, tokens) in system.net().places().zip(marking) {
        system.field(place).set(&mut state, i64::from(*tokens));
    }
    state
}

fn fits(system: &NetSystem, marking: &[u32]) -> bool {
    let net = system.net();
    net.places().zip(marking).all(|(p, tokens)| i64::from(*tokens) <= system.field(p).greatest())
}

proptest! {
    /// The plain interpreter plays the same game.
    #[test]
    fn plain_markings_play_the_token_game(net in nets(2)) {
        let fireable = net.transitions().next().map(|_| "fireable(t0)");
        let texts = ["p0 > 1", "deadlock & 2 * p0 < 7", "p0 / 2 = 1 | p0 = true"];
        let texts: Vec<&str> = texts.into_iter().chain(fireable).collect();
        compare(&Model::from(net), &texts, 60);
    }

    /// In each reachable marking the same transitions lead to the same markings.
    #[test]
    fn packed_markings_play_the_token_game(net in nets(2), bits in 1u32..7, prove in any::<bool>()) {
        let bounds = if prove { Bounds::of(&net) } else { Bounds::none(&net) };
        let system = NetSystem::new(net.clone(), &bounds, bits);
        let mut expander = system.expander();
        for marking in reachable(&net, 200).0 {
            if !fits(&system, &marking) {
                continue;
            }
            let state = packed(&system, &marking);
            prop_assert_eq!(&system.marking(&state), &marking);
            let expected: BTreeMap<ActionId, Vec<u32>> = net
                .transitions()
                .filter_map(|t| Some((ActionId(t.0), fired(&net, t, &marking)?)))
                .collect();
            prop_assert_eq!(expander.is_deadlock(&state), Ok(expected.is_empty()));
            let mut successors = Successors::new(system.words());
            let expanded = expander.expand(&state, &mut successors);
            let found: BTreeMap<ActionId, Vec<u32>> =
                successors.iter().map(|(action, next)| (action, system.marking(next))).collect();
            match expanded {
                Ok(()) => prop_assert_eq!(&found, &expected),
                Err(Fault::Overflow(place)) => {
                    let greatest = system.field(PlaceId(place.0)).greatest();
                    let tokens = |next: &Vec<u32>| i64::from(next[place.0 as usize]);
                    prop_assert!(expected.values().any(|next| tokens(next) > greatest));
                    prop_assert!(found.iter().all(|(action, next)| expected[action] == *next));
                }
                Err(other) => prop_assert!(false, "{}", other),
            }
            for transition in net.transitions() {
                let fireable = system.fireable(net.transition_name(transition)).unwrap();
                let fireable = Program::new(&fireable).holds(&state).unwrap();
                prop_assert_eq!(fireable, expected.contains_key(&ActionId(transition.0)));
            }
        }
    }
}

/// Counts markings, and how often that was begun.
#[derive(Default)]
struct Count {
    runs: usize,
    most: Option<usize>,
}

impl Count {
    fn of(&mut self, net: &Net) -> Result<usize, Fault> {
        Model::from(net.clone()).run(Extent::Whole, |system| self.run(&**system))
    }

    fn run(&mut self, system: &dyn System) -> Result<usize, Fault> {
        self.runs += 1;
        let mut todo = system.initial()?;
        let mut seen: std::collections::HashSet<Box<[u32]>> = todo.iter().cloned().collect();
        while let Some(state) = todo.pop() {
            for (_, next) in system.successors(&state)?.iter() {
                if seen.insert(next.into()) {
                    todo.push(next.into());
                }
            }
            if self.most.is_some_and(|most| seen.len() > most) {
                break;
            }
        }
        Ok(seen.len())
    }
}

fn count(net: &Net) -> Result<usize, Fault> {
    Count::default().of(net)
}

/// The kanban system of Ciardo and Tilgner, from its definition.
fn kanban(n: u32) -> Net {
    let mut net = String::new();
    for cell in 1..=4 {
        net += &format!("pl k{cell} ({n})\n");
        net += &format!("tr back{cell} b{cell} -> m{cell}\n");
        net += &format!("tr redo{cell} m{cell} -> b{cell}\n");
        net += &format!("tr ok{cell} m{cell} -> o{cell}\n");
    }
    net +=
        "tr in k1 -> m1\ntr s o1 k2 k3 -> k1 m2 m3\ntr j o2 o3 k4 -> k2 k3 m4\ntr out o4 -> k4\n";
    text::parse(&net).unwrap()
}

/// Philosophers with seven places each, who take their forks one by one.
fn philosophers(n: u32) -> Net {
    let mut net = String::new();
    for i in 0..n {
        let next = (i + 1) % n;
        net += &format!("pl idle{i} (1)\npl fork{i} (1)\n");
        net += &format!("tr hungry{i} idle{i} -> wl{i} wr{i}\n");
        net += &format!("tr left{i} wl{i} fork{i} -> hl{i}\n");
        net += &format!("tr right{i} wr{i} fork{next} -> hr{i}\n");
        net += &format!("tr eat{i} hl{i} hr{i} -> eat{i}\n");
        net += &format!("tr done{i} eat{i} -> idle{i} fork{i} fork{next}\n");
    }
    text::parse(&net).unwrap()
}

#[test]
fn published_numbers_of_markings() {
    assert_eq!([1, 2, 3].map(|n| count(&kanban(n)).unwrap()), [160, 4600, 58400]);
    let numbers = [2, 3, 4, 5, 6].map(|n| count(&philosophers(n)).unwrap());
    assert_eq!(numbers, [22, 100, 466, 2164, 10054]);
}

#[test]
fn bits_are_added_until_there_are_enough() {
    // Bounded by inhibitor arcs, which the proofs do not see.
    let net = |most: u32| text::parse(&format!("tr t p?-{most} -> p*1")).unwrap();
    for (most, runs) in [(15, 1), (16, 2), (255, 2), (256, 3)] {
        let mut task = Count::default();
        assert_eq!(task.of(&net(most)), Ok(most as usize + 1));
        assert_eq!(task.runs, runs, "{most}");
    }
    let mut task = Count { most: Some(3), ..Count::default() };
    assert_eq!(task.of(&net(u32::MAX)), Ok(4));
    let full = text::parse("pl p (4294967295)  pl q (1)  tr t q -> p").unwrap();
    let message = "the place `p` gets 2^32 tokens or more".to_owned();
    assert_eq!(count(&full), Err(Fault::Undefined { action: None, message }));
}

#[test]
fn unbounded_nets_are_refused() {
    let net = text::parse("pl p (1)  tr a p -> q  tr b q -> p r").unwrap();
    let Err(Fault::Unbounded { prefix, cycle, message }) = count(&net) else { panic!() };
    assert_eq!((prefix, cycle), (vec![], vec![ActionId(0), ActionId(1)]));
    assert_eq!(
        message,
        "the net is unbounded: `a b` can be repeated for ever, and adds tokens to `r` each time"
    );
}

#[test]
fn names_are_places_groups_and_aliases() {
    let mut builder = super::NetBuilder::default();
    let (p, q) = (builder.place("p", 2), builder.place("q", 3));
    builder.place_group("both", vec![p, q]);
    builder.place_alias("other", q);
    let (t, u) = (builder.transition("t"), builder.transition("u"));
    builder.input(t, p, 3).unwrap();
    builder.inhibitor(u, q, 3);
    builder.transition_group("any", vec![t, u]);
    builder.transition_alias("third", t);
    let net = builder.build().unwrap();
    let system = NetSystem::new(net.clone(), &Bounds::of(&net), 4);
    let mut state = system.initial().unwrap().remove(0);
    let value = |name: &str, state: &[u32]| match system.resolve(name) {
        Some(Meaning::Value(value)) => Program::new(&value).evaluate(state).unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!(["p", "q", "both", "other"].map(|name| value(name, &state)), [2, 3, 5, 3]);
    assert_eq!(system.resolve("t"), None);
    let fireable = |name: &str, state: &[u32]| {
        Program::new(&system.fireable(name).unwrap()).holds(state).unwrap()
    };
    assert_eq!(["t", "u", "any", "third"].map(|name| fireable(name, &state)), [false; 4]);
    system.field(q).set(&mut state, 2);
    assert_eq!(["t", "u", "any", "third"].map(|n| fireable(n, &state)), [false, true, true, false]);
    assert_eq!(system.value_names(), ["p", "q", "both", "other"]);
    assert_eq!(system.action_names(), ["t", "u", "any", "third"]);
}
