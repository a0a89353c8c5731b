//! Kripke structures against the texts they are read from.

use super::*;
use crate::plain::tests::compare;
use crate::proposition::Propositions;
use crate::system::{Names, System, VariableId};
use proptest::prelude::*;

/// Everything that a structure says, in words.
fn described(kripke: &Kripke) -> Vec<String> {
    let initial: Vec<_> = kripke.initial_states().map(|state| kripke.state_name(state)).collect();
    let state = |state| {
        let propositions = kripke.propositions().iter().enumerate();
        let holding = propositions.filter(|(number, _)| kripke.holds(state, *number));
        let holding: Vec<&str> = holding.map(|(_, name)| name.as_str()).collect();
        let successors = kripke.edges_from(state).map(|state| kripke.state_name(state));
        let successors: Vec<&str> = successors.collect();
        format!("{} {holding:?} {successors:?}", kripke.state_name(state))
    };
    [format!("{initial:?}")].into_iter().chain(kripke.states().map(state)).collect()
}

const LIGHT: &str = "\
# A traffic light that may fail.
init red;
state red: stop -> both;
state both: stop 'get ready' -> green off green;  // to green once
state green -> red off;
state off: dark;
";

#[test]
fn the_text_format_is_read() {
    let light = text::parse(LIGHT).unwrap();
    let texts = ["stop", "off", "state = red", "both != state", "fireable('to off')", "deadlock"];
    assert_eq!(compare(&crate::Model::from(light.clone()), &texts, 10), 4);
    let expected = [
        r#"["red"]"#,
        r#"red ["stop"] ["both"]"#,
        r#"both ["stop", "get ready"] ["green", "off"]"#,
        r#"green [] ["red", "off"]"#,
        r#"off ["dark"] []"#,
    ];
    assert_eq!(described(&light), expected);
}

#[test]
fn hoa_is_read() {
    let text = r#"HOA: v1 States: 3 Start: 0 AP: 2 "a" "b" acc-name: all Acceptance: 0 t
        properties: state-labels
        --BODY-- State: [0&!1] 0 "start" 1 2 State: [!0&!1] 1 0 State: [0&1] 2 "end" --END--"#;
    let kripke = hoa::parse(text).unwrap();
    let expected = [
        r#"["start"]"#,
        r#"start ["a"] ["1", "end"]"#,
        r#"1 [] ["start"]"#,
        r#"end ["a", "b"] []"#,
    ];
    assert_eq!(described(&kripke), expected);

    // The same with labels on edges, where the dead state has no label.
    let text = r#"HOA: v1 States: 2 Start: 0 Start: 1 AP: 1 "a" Acceptance: 1 Inf(0)
        --BODY-- State: 0 {0} [0] 1 [0] 0 State: 1 [!0] 1 --END--"#;
    let expected = [r#"["0", "1"]"#, r#"0 ["a"] ["1", "0"]"#, r#"1 [] ["1"]"#];
    assert_eq!(described(&hoa::parse(text).unwrap()), expected);
}

#[test]
fn what_is_no_structure_is_refused_with_a_reason() {
    let refused = |text: &str| {
        let error = text::parse(text).unwrap_err();
        let place = error.span().map_or("", |span| &text[span]);
        (error.to_string(), place.to_owned())
    };
    let hoa = |body: &str| {
        let head = r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 0 t --BODY--"#;
        let text = format!("{head}\n{body}\n--END--");
        let error = hoa::parse(&text).unwrap_err();
        let place = error.span().map_or("", |span| &text[span]).to_owned();
        (error.to_string(), place)
    };
    insta::assert_debug_snapshot!([
        refused(""),
        refused("state a -> b"),
        refused("state a -> b;"),
        refused("init state_a; state stat_a;"),
        refused("init a; state a: p q -> a; state a;"),
        refused("init a; state a; end;"),
        refused("init a; state : p;"),
        refused("init a; state a => a;"),
        refused("init a; state 'a;"),
        hoa("State: [0] 0 0 State: [0&1] 1 1"),
        hoa("State: [0&1 | !0&!1] 0 0"),
        hoa("State: [f] 0 0"),
        hoa("State: [0&1] 0 0 1"),
        hoa("State: 0 [0&1] 0 [0&!1] 1"),
        hoa("State: [0&1] 0 0&1 State: [0&1] 1"),
        hoa("State: [0&2] 0 0"),
    ]);
}

#[test]
fn propositions_and_names_of_states_hold_where_they_should() {
    let light = text::parse(LIGHT).unwrap();
    let texts = ["stop", "green", "stop && !'get ready'", "deadlock"];
    let propositions = Propositions::compile(&light, texts).unwrap();
    let mut expander = light.expander();
    let valuations: Vec<u64> =
        (0..4).map(|state| propositions.valuation(&mut *expander, &[state]).unwrap()).collect();
    assert_eq!(valuations, [0b0101, 0b0001, 0b0010, 0b1000]);
    assert_eq!(light.value_text(&[1], VariableId(0)), "both");
    assert_eq!(light.variable_name(VariableId(2)), "get ready");
    assert_eq!(light.value(&[1], VariableId(2)), 1);
}

proptest! {
    /// Structures are read as they were written.
    #[test]
    fn structures_survive_the_text_format(
        names in prop::collection::btree_set(".{0,6}", 1..6),
        propositions in prop::collection::btree_set(".{0,4}", 0..4),
        labels in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..9),
        edges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..12),
        initial in prop::collection::vec(any::<prop::sample::Index>(), 1..3),
    ) {
        let mut builder = KripkeBuilder::default();
        let states: Vec<_> = names.iter().map(|name| builder.state(name)).collect();
        let propositions: Vec<_> =
            propositions.iter().map(|name| builder.proposition(name)).collect();
        for (state, proposition) in &labels {
            if !propositions.is_empty() {
                builder.label(*state.get(&states), *proposition.get(&propositions));
            }
        }
        for (source, target) in &edges {
            builder.edge(*source.get(&states), *target.get(&states));
        }
        initial.iter().for_each(|state| builder.initial(*state.get(&states)));
        let kripke = builder.build().unwrap();
        let text = text::write(&kripke);
        let mut before = described(&kripke);
        let mut after = described(&text::parse(&text).unwrap());
        // States are numbered in the order in which they are mentioned.
        before.sort();
        after.sort();
        prop_assert_eq!(before, after, "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(init|state|a|b|->|:|;|'|\"|#|\n| ){0,20}|.{0,40}") {
        if let Err(error) = text::parse(&text)
            && let Some(span) = error.span()
        {
            prop_assert!(text.get(span).is_some());
        }
    }
}
