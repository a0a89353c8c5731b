//! Round trips: a written automaton is read back unchanged.

use super::{accepts, read, shown, words, written};
use crate::arbitrary::{Size, automaton_with};
use crate::formats::Format;
use crate::{Alphabet, Automaton, Condition, Named, StateId};
use proptest::prelude::*;
use std::sync::Arc;

/// Names that need quoting in some syntax.
const NAMES: [&str; 4] = ["p2", "a b", "x > 3", "t"];

/// Automata with this acceptance over names that need quoting, with at most one initial state.
fn automaton(acceptance: Named) -> impl Strategy<Value = Automaton> {
    let acceptance = acceptance.acceptance();
    let size = Size { marks: acceptance.marks(), ..Size::default() };
    let alphabet = Arc::new(Alphabet::new(NAMES).expect("names differ"));
    automaton_with(alphabet, Just(acceptance), size).prop_map(|automaton| {
        let mut builder = automaton.edit();
        let first = automaton.initial().first().copied();
        builder.clear_initial();
        first.map(|state| builder.initial(state));
        builder.build()
    })
}

/// Copies the marks of the first edge of each state to all of its edges.
fn state_based(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    builder.retain_edges(|source, edge| {
        edge.marks = automaton.edges_from(source)[0].marks.clone();
        true
    });
    builder.build()
}

/// Panics unless the automata are equal up to the order and number of propositions, and the
/// renumbering `places` of states.
fn same(first: &Automaton, second: &Automaton, places: &[usize]) {
    let texts = |automaton: &Automaton, place: &dyn Fn(StateId) -> usize| {
        let alphabet = first.alphabet();
        let mut edges: Vec<String> = vec![];
        let own = automaton.alphabet();
        let props = own.props().iter().map(|prop| alphabet.index_of(prop).expect("known"));
        let props: Vec<usize> = props.collect();
        for state in automaton.states() {
            for edge in automaton.edges_from(state) {
                let label = alphabet.to_formula(own.translate(edge.label, alphabet, &props));
                let (source, target) = (place(state), place(edge.target));
                edges.push(format!("{source:3} {label} {target} {}", edge.marks));
            }
        }
        edges.sort_by_key(|edge| edge[..3].to_owned());
        edges
    };
    let moved = |state: StateId| places[state.index()];
    assert_eq!(texts(first, &moved), texts(second, &|state| state.index()));
    assert_eq!(first.state_count(), second.state_count());
    let initial: Vec<usize> = first.initial().iter().map(|s| moved(*s)).collect();
    assert_eq!(initial, second.initial().iter().map(|s| s.index()).collect::<Vec<_>>());
}

proptest! {
    #[test]
    fn lbtt(automaton in (0..3u32).prop_flat_map(|n| automaton(Named::GeneralizedBuchi(n)))) {
        for automaton in [state_based(&automaton), automaton] {
            let text = written(&automaton, Format::Lbtt).expect("can be written");
            let again = read(&text);
            prop_assert_eq!(again.acceptance(), automaton.acceptance());
            if automaton.initial().is_empty() {
                prop_assert_eq!(again.state_count(), 0);
            } else {
                let places: Vec<usize> = (0..automaton.state_count()).collect();
                same(&automaton, &again, &places);
            }
        }
    }

    #[test]
    fn never(automaton in automaton(Named::Buchi)) {
        let automaton = state_based(&automaton);
        let text = written(&automaton, Format::Never).expect("can be written");
        let again = read(&text);
        match automaton.initial() {
            [] => prop_assert_eq!(shown(&again), "initial [0]"),
            [initial] => {
                // The initial state comes first, and a sink that accepts everything last.
                let sink = automaton.states().rev().find(|state| {
                    let edges = automaton.edges_from(*state);
                    state != initial && edges.len() == 1 && edges[0].target == *state
                        && edges[0].label == automaton.alphabet().tt()
                        && !edges[0].marks.is_empty()
                });
                let rank = |state: &StateId| (Some(*state) == sink, state != initial, *state);
                let mut order: Vec<StateId> = automaton.states().collect();
                order.sort_by_key(rank);
                let mut places = vec![0; order.len()];
                for (place, state) in order.into_iter().enumerate() {
                    places[state.index()] = place;
                }
                same(&automaton, &again, &places);
            }
            _ => unreachable!("at most one initial state"),
        }
    }

    /// Automata that can be written in both formats have the same language in both.
    #[test]
    fn languages(automaton in small()) {
        let automaton = state_based(&automaton);
        for format in [Format::Never, Format::Lbtt] {
            let Ok(text) = written(&automaton, format) else { continue };
            let again = read(&text);
            for word in words(automaton.alphabet().props()) {
                prop_assert_eq!(accepts(&again, &word), accepts(&automaton, &word), "{}", text);
            }
        }
    }

    /// JSON has the same contents as the automaton.
    #[test]
    fn json(automaton in crate::arbitrary::automaton()) {
        let text = written(&automaton, Format::Json).expect("can be written");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let list = |key: &str| json[key].as_array().expect("a list").clone();
        let number = |value: &serde_json::Value| value.as_u64().expect("a number") as usize;
        let mut builder = Automaton::builder(
            Alphabet::new(list("propositions").iter().map(|p| p.as_str().expect("a name")))
                .expect("names differ"),
        );
        builder.acceptance(automaton.acceptance().clone());
        let condition = automaton.acceptance().condition().to_string();
        prop_assert_eq!(json["acceptance"]["condition"].as_str(), Some(condition.as_str()));
        builder.add_states(list("states").len());
        for state in list("initial") {
            builder.initial(StateId::new(number(&state)));
        }
        for edge in list("edges") {
            let formula = edge["label"].as_str().expect("a formula").parse().expect("a formula");
            let label = builder.alphabet().from_formula(&formula).expect("a label");
            let marks = edge["marks"].as_array().expect("marks").iter();
            builder.edge(
                StateId::new(number(&edge["source"])),
                label,
                marks.map(|mark| number(mark) as u32).collect(),
                StateId::new(number(&edge["target"])),
            );
        }
        prop_assert_eq!(builder.build(), automaton);
    }
}

/// Small automata, with acceptance that at least one format supports.
fn small() -> impl Strategy<Value = Automaton> {
    let names = [Named::All, Named::Buchi, Named::GeneralizedBuchi(2), Named::None];
    let alphabet = Arc::new(Alphabet::new(["a", "b"]).expect("names differ"));
    prop::sample::select(names.to_vec()).prop_flat_map(move |name| {
        let acceptance = name.acceptance();
        let size = Size { states: 3, props: 2, marks: acceptance.marks(), degree: 2 };
        automaton_with(alphabet.clone(), Just(acceptance), size)
    })
}

#[test]
fn written_never_claim() {
    let mut builder = Automaton::builder(Alphabet::new(["p", "x > 3"]).expect("names differ"));
    builder.acceptance(Named::Buchi.acceptance()).name("G */ F\np");
    builder.add_states(4);
    builder.initial(StateId::new(1));
    let alphabet = builder.alphabet().clone();
    let (p, x) = (alphabet.prop(0), alphabet.not(alphabet.prop(1)));
    let both = alphabet.and(p, x);
    let mut edge = |source: usize, label, accepting: bool, target: usize| {
        let marks = accepting.then_some(0).into_iter().collect();
        builder.edge(StateId::new(source), label, marks, StateId::new(target));
    };
    edge(0, alphabet.tt(), true, 0);
    edge(1, both, false, 0);
    edge(1, p, false, 2);
    edge(2, x, true, 1);
    edge(2, p, true, 3);
    insta::assert_snapshot!(written(&builder.build(), Format::Never).expect("a claim"), @r"
    never { /* G * / F p */
    T0_init:
      if
      :: (p && !(x > 3)) -> goto accept_all
      :: (p) -> goto accept_S2
      fi;
    accept_S2:
      if
      :: (!(x > 3)) -> goto T0_init
      :: (p) -> goto T0_S3
      fi;
    T0_S3:
      false;
    accept_all:
      skip
    }
    ");
}

#[test]
fn conditions_have_names_in_json() {
    let mut builder = Automaton::builder(Alphabet::new(["a", "U"]).expect("names differ"));
    builder.acceptance(Named::Rabin(1).acceptance()).name("\"quoted\"");
    let state = builder.add_state();
    builder.initial(state).state_name(state, "é");
    let label = builder.alphabet().prop(1);
    builder.edge(state, label, [1].into_iter().collect(), state);
    insta::assert_snapshot!(written(&builder.build(), Format::Json).expect("JSON"), @r#"{"name":"\"quoted\"","propositions":["a","U"],"acceptance":{"marks":2,"condition":"Fin(0) & Inf(1)","name":"Rabin 1"},"initial":[0],"states":[{"name":"é"}],"edges":[{"source":0,"target":0,"label":"\"U\"","marks":[1]}]}"#);

    let unnamed = Condition::or([Condition::Inf(1), Condition::Inf(0)]);
    let mut builder = Automaton::builder(Alphabet::new(["a"; 0]).expect("no names"));
    builder.acceptance(crate::Acceptance::new(2, unnamed));
    insta::assert_snapshot!(written(&builder.build(), Format::Json).expect("JSON"), @r#"{"name":null,"propositions":[],"acceptance":{"marks":2,"condition":"Inf(1) | Inf(0)","name":null},"initial":[],"states":[],"edges":[]}"#);
}
