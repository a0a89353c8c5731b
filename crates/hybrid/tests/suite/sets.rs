//! Operations on sets against single states.

use crate::nets::{net, reachable, successors};
use proptest::prelude::*;
use sempre_automata::{Alphabet, Label};
use sempre_check::Deadlock;
use sempre_diagrams::{Manager, Set};
use sempre_hybrid::Observation;
use sempre_models::proposition::Propositions;
use sempre_models::{Extent, Model, System};
use sempre_symbolic::{Encoding, Order};
use std::collections::BTreeSet;
use std::sync::Arc;

type States = BTreeSet<Vec<u32>>;

const TEXTS: [&str; 4] = ["p0 >= 1", "p1 + p2 < p3", "fireable(t0)", "p2 = 1"];

/// The labels that closures are tried with.
fn labels(alphabet: &Alphabet) -> Vec<Label> {
    let [a, b, c, d] = [0, 1, 2, 3].map(|number| alphabet.prop(number));
    vec![
        alphabet.tt(),
        alphabet.ff(),
        a,
        alphabet.not(b),
        alphabet.or(alphabet.and(a, b), c),
        alphabet.minus(d, a),
    ]
}

fn compare(system: &Arc<dyn System>, deadlock: Deadlock, chosen: usize) {
    let manager = Manager::new(sempre_diagrams::Options::default());
    let encoding = Encoding::new(&manager, system, &Order::Best).unwrap();
    let propositions = Propositions::compile(system.names(), TEXTS).unwrap();
    let observation = Observation::new(&encoding, propositions.clone(), deadlock);
    let alphabet = Alphabet::new(TEXTS).unwrap();
    let initial = system.initial().unwrap().into_iter().map(|state| state.to_vec());
    let all = reachable(&**system, initial, |_, _| true);
    // Some of the states, to start from.
    let some: States =
        all.iter().skip(chosen % all.len()).step_by(1 + chosen % 3).cloned().collect();
    let set_of = |states: &States| {
        let tuples = states.iter().map(|state| manager.tuple(&encoding.tuple(state)));
        tuples.fold(observation.none(), |sum, one| sum | one)
    };
    let states_of =
        |set: &Set<'_>| -> States { set.iter().map(|t| encoding.state(&t).to_vec()).collect() };
    let valuation = |state: &[u32]| propositions.valuation(&mut *system.expander(), state).unwrap();
    let is_dead = |state: &[u32]| successors(&**system, state).is_empty();
    let set = set_of(&some);
    let dead: States = some.iter().filter(|state| is_dead(state)).cloned().collect();
    assert_eq!(states_of(&observation.dead(&set)), dead);
    for mask in [0, 1, 2, 5, 7, 8, 9, 15] {
        let classes = observation.classes(&set, mask).unwrap();
        let mut rest = some.clone();
        for (value, part) in &classes {
            let expected: States =
                some.iter().filter(|s| valuation(s) & mask == *value).cloned().collect();
            assert_eq!(states_of(part), expected);
            rest.retain(|state| !expected.contains(state));
            let closed = observation.closure(part, *value, mask).unwrap();
            let expected =
                reachable(&**system, expected, |_, next| valuation(next) & mask == *value);
            assert_eq!(states_of(&closed), expected, "by valuation");
        }
        assert!(rest.is_empty(), "classes cover the set");
    }
    for label in labels(&alphabet) {
        let holds = |state: &[u32]| alphabet.satisfied(label, valuation(state));
        let able: States = some.iter().filter(|state| holds(state)).cloned().collect();
        let found = observation.labelled(&set, &alphabet, label).unwrap();
        assert_eq!(states_of(&found), able);
        let closed = observation.source_closure(&set, &alphabet, label).unwrap();
        let expected = reachable(&**system, some.clone(), |state, _| holds(state));
        assert_eq!(states_of(&closed), expected, "by source");
        let changes =
            |from: &[u32], to: &[u32]| alphabet.satisfied(label, valuation(from) ^ valuation(to));
        let mut image: States = some
            .iter()
            .flat_map(|from| {
                let next = successors(&**system, from).into_iter();
                next.filter(|to| changes(from, to)).collect::<Vec<_>>()
            })
            .collect();
        if deadlock == Deadlock::Stutter && alphabet.satisfied(label, 0) {
            image.extend(dead.iter().cloned());
        }
        let found = observation.change_image(&set, &alphabet, label).unwrap();
        assert_eq!(states_of(&found), image, "by change");
        if alphabet.satisfied(label, 0) {
            let closed = observation.change_closure(&set, &alphabet, label).unwrap();
            let expected = reachable(&**system, some.clone(), changes);
            assert_eq!(states_of(&closed), expected, "closed by change");
        }
    }
    let closed = observation.stuttering_closure(&set).unwrap();
    let expected = reachable(&**system, some.clone(), |f, t| valuation(f) == valuation(t));
    assert_eq!(states_of(&closed), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn sets_are_those_of_single_states(net in net(), chosen in 0..50_usize, ignore: bool) {
        let deadlock = if ignore { Deadlock::Ignore } else { Deadlock::Stutter };
        let model = Model::from(net);
        let compare = |system: &Arc<dyn System>| {
            compare(system, deadlock, chosen);
            Ok(())
        };
        model.run(Extent::Whole, compare).unwrap();
    }
}
