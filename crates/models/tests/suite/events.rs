//! Events one by one against all successors together, and against states that differ where an
//! event does not look.

use sempre_models::layout::Field;
use sempre_models::{
    ActionId, Attempt, Events, Extent, Fault, Model, PartialState, Successors, System, VariableId,
    generate, languages,
};
use std::collections::HashSet;

/// Committed states, channels with and without capacity, arrays, processes that meet.
const DVE: &str = "
byte turn = 0; byte box[3]; byte lost = 0;
channel {byte} wire[2];
channel {byte, byte} hand[0];
process P {
    byte i = 0;
    state a, b, c;
    commit b;
    init a;
    trans
        a -> b { guard turn < 3; effect i = (i + 1) % 3, box[i] = turn; },
        a -> a { effect turn = (turn + 1) % 4; },
        b -> c { sync wire!i; },
        b -> a { guard box[i] > 1; effect turn = 0; },
        c -> a { sync hand!{i, turn}; effect turn = (turn + 1) % 4; };
}
process Q {
    byte x, y;
    state r, s;
    init r;
    trans
        r -> s { sync wire?x; effect lost = lost ^ x; },
        s -> r { sync hand?{x, y}; },
        s -> r { guard x == 2; effect x = 0, y = 0; };
}
process R {
    byte z;
    state u;
    init u;
    trans u -> u { guard z < 2 and P.a; sync hand?{z, box[z]}; };
}
system async;
";

#[derive(Default)]
struct Compare {
    most: usize,
    /// The numbers of tried and of fired events.
    done: usize,
}

impl Compare {
    /// The successor by an event, if there is one, from what it asks for one variable after the
    /// other; nothing if it cannot be tried.
    fn attempt(
        &mut self,
        system: &dyn System,
        event: usize,
        state: &[u32],
    ) -> Option<Vec<Box<[u32]>>> {
        let events = system.events().unwrap();
        let raw = |field: Field| (field.get(state) - field.least()) as u32;
        let conditions = events.conditions(event);
        let is_possible = (conditions.iter())
            .all(|condition| condition.among.binary_search(&raw(condition.field)).is_ok());
        let footprint = events.footprint(event);
        let mut known: Vec<Field> = Vec::new();
        loop {
            let mut partial = PartialState::new(system.words());
            known.iter().for_each(|field| partial.know(*field, raw(*field)));
            match events.try_fire(event, &mut partial) {
                Attempt::Unsupported => return None,
                Attempt::Needs(field) => {
                    assert!(footprint.touches(field) && !known.contains(&field));
                    known.push(field);
                }
                Attempt::Disabled => return Some(vec![]),
                Attempt::Fault => panic!("event {event} has a meaning"),
                Attempt::Done => {
                    self.done += 1;
                    let mut after = state.to_vec();
                    for variable in 0..system.names().variable_count() as u32 {
                        let field = events.field(VariableId(variable)).unwrap();
                        if let Some(raw) = partial.written(field) {
                            field.set(&mut after, i64::from(raw) + field.least());
                        }
                    }
                    return Some(is_possible.then_some(after.into()).into_iter().collect());
                }
            }
        }
    }

    /// Compares on the states of a model, as many as there are or as wanted, and returns their
    /// number.
    fn run(&mut self, model: &Model) -> Result<usize, Fault> {
        model.run(Extent::Whole, |system| self.compare(&**system))
    }

    fn compare(&mut self, system: &dyn System) -> Result<usize, Fault> {
        let (events, names) = (system.events().unwrap(), system.names());
        let mut states: Vec<Box<[u32]>> = system.initial()?;
        let mut seen: HashSet<Box<[u32]>> = states.iter().cloned().collect();
        let mut next = 0;
        while next < states.len() && states.len() < self.most {
            let state = states[next].clone();
            let other = states[next * 7 % states.len()].clone();
            next += 1;
            let mut all = found(&system.successors(&state)?);
            let mut one_by_one = Found::new();
            for event in 0..events.event_count() {
                let footprint = events.footprint(event);
                let found = fire(system, events, event, &state)?;
                // Other bits have no influence, and stay unchanged.
                let mixed = footprint.mix(&state, &other);
                let elsewhere = fire(system, events, event, &mixed)?;
                let expected: Found = (found.iter())
                    .map(|(action, state)| (*action, footprint.mix(state, &other)))
                    .collect();
                assert_eq!(elsewhere, expected, "event {event}");
                if let Some(demands) = events.demands(event) {
                    let enabled = demands.iter().all(|demand| {
                        let value = names.value(&state, demand.variable);
                        (demand.least.into()..=demand.greatest.into()).contains(&value)
                    });
                    assert_eq!(enabled, !found.is_empty());
                    for (demand, (_, after)) in demands.iter().zip(&found) {
                        let value = |state: &[u32]| names.value(state, demand.variable);
                        assert_eq!(value(after), value(&state) + demand.added);
                    }
                }
                let attempt = self.attempt(system, event, &state);
                if let Some(attempt) = attempt {
                    let after: Vec<Box<[u32]>> =
                        found.iter().map(|(_, after)| after.clone()).collect();
                    assert_eq!(attempt, after, "event {event}");
                }
                one_by_one.extend(found);
            }
            all.sort();
            one_by_one.sort();
            assert_eq!(all, one_by_one);
            for (_, state) in all {
                if seen.insert(state.clone()) {
                    states.push(state);
                }
            }
        }
        // The fields of the variables make up the state.
        for state in &states {
            let mut copy = vec![0; system.words()];
            for variable in 0..system.names().variable_count() as u32 {
                if let Some(field) = events.field(VariableId(variable)) {
                    field.set(&mut copy, field.get(state));
                }
            }
            assert_eq!(**state, *copy);
        }
        Ok(states.len())
    }
}

type Found = Vec<(ActionId, Box<[u32]>)>;

fn found(successors: &Successors) -> Found {
    successors.iter().map(|(action, state)| (action, state.into())).collect()
}

/// The successors by one event.
fn fire(
    system: &dyn System,
    events: &dyn Events,
    event: usize,
    state: &[u32],
) -> Result<Found, Fault> {
    let mut successors = Successors::new(system.words());
    events.fire(event, state, &mut successors)?;
    Ok(found(&successors))
}

fn read(language: &str, text: &str) -> Model {
    languages::named(language).unwrap().read(text).unwrap()
}

#[test]
fn events_of_dve_models_make_up_their_steps() {
    let mut compare = Compare { most: 3000, ..Compare::default() };
    let model = read("dve", DVE);
    assert!(compare.run(&model).unwrap() > 100);
    assert!(compare.done > 100);
    let joint = "byte x;
        process P { state a, b; init a; trans a -> b { guard x < 2; }, b -> a { effect x = 1 - x; }; }
        process Q { byte y; state c; init c; trans c -> c { effect y = (y + x) % 5; }; }
        system sync;";
    let model = read("dve", joint);
    assert!(compare.run(&model).unwrap() > 5);
}

#[test]
fn events_of_nets_are_their_transitions() {
    let mut compare = Compare { most: 2000, ..Compare::default() };
    for family in generate::families() {
        let net = family.net(*family.range().start() + 1).unwrap();
        assert!(compare.run(&Model::from(net)).unwrap() > 1, "{}", family.name());
    }
    // An overflow is no fault where the transition is not enabled.
    let never = "tr t p q -> p*2\npl p (1)\n";
    let model = read("net", never);
    assert_eq!(compare.run(&model), Ok(1));
    let inhibited = "tr t p?-2 p*1 -> p*2 q\ntr u q -> \npl p (1)\n";
    let model = read("net", inhibited);
    assert!(compare.run(&model).unwrap() > 1);
}

#[test]
fn a_kripke_structure_is_one_event() {
    let text = include_str!("../../../../models/traffic-light.kripke");
    let model = read("kripke", text);
    assert!(Compare { most: 100, ..Compare::default() }.run(&model).unwrap() > 1);
}

#[test]
fn events_of_tables_are_their_sections() {
    let text = include_str!("../../../../models/crossing.etf");
    let model = read("etf", text);
    assert_eq!(Compare { most: 100, ..Compare::default() }.run(&model), Ok(4));
}
