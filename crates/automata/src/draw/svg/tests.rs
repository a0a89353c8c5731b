use super::*;
use crate::{Alphabet, Marks, Named};
use proptest::prelude::*;
use quick_xml::events::Event;

/// Random automata whose names and propositions have characters that are special in XML or the
/// layout.
fn automata() -> impl Strategy<Value = Automaton> {
    let edges = prop::collection::vec((0usize..14, 0u32..16, 0u64..8, 0usize..14), 0..40);
    let names = prop::collection::vec(prop::option::of("\\PC{0,12}"), 14);
    (edges, names, prop::collection::vec(0usize..14, 0..3), any::<bool>()).prop_map(
        |(edges, names, initial, named)| {
            let props = ["a", "<b> & \"c\"", "long_proposition", "Ω"];
            let mut builder = Automaton::builder(Alphabet::new(props).unwrap());
            builder
                .acceptance(Named::GeneralizedBuchi(3).acceptance())
                .name("a < b & \u{1}\n\"c\"");
            builder.add_states(14);
            initial.into_iter().for_each(|state| {
                builder.initial(StateId::new(state));
            });
            for (source, valuations, marks, target) in edges {
                let alphabet = builder.alphabet();
                let cube = |i: usize| (i, valuations >> i & 1 == 1);
                let (l, r) = ([cube(0), cube(1)], [cube(2), cube(3)]);
                let label = alphabet.or(alphabet.from_cube(&l), alphabet.from_cube(&r));
                let (source, target) = (StateId::new(source), StateId::new(target));
                builder.edge(source, label, Marks::from_bits(marks), target);
            }
            for (state, name) in names.into_iter().enumerate().filter(|_| named) {
                if let Some(name) = name {
                    builder.state_name(StateId::new(state), name);
                }
            }
            builder.build()
        },
    )
}

/// Returns the number of elements; fails if the document is not well-formed.
fn elements(document: &str) -> Result<usize, String> {
    let mut reader = quick_xml::Reader::from_str(document);
    reader.config_mut().check_end_names = true;
    let (mut count, mut depth) = (0, 0);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) => {
                element.attributes().try_for_each(|a| a.map(drop)).map_err(|e| e.to_string())?;
                count += 1;
                depth += 1;
            }
            Event::Empty(element) => {
                element.attributes().try_for_each(|a| a.map(drop)).map_err(|e| e.to_string())?;
                count += 1;
            }
            Event::End(_) => depth -= 1,
            Event::Eof if depth == 0 => return Ok(count),
            Event::Eof => return Err("elements are left open".into()),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn documents_are_well_formed(automaton in automata(), max in prop::option::of(0usize..14)) {
        let options =
            SvgOptions { components: true, max_states: max, ..SvgOptions::default() };
        let document = svg(&automaton, &options).unwrap();
        let count = elements(&document);
        prop_assert!(count.as_ref().is_ok_and(|count| *count > 3), "{:?}", count);
        prop_assert!(!document.contains("NaN") && !document.contains("inf"));
        prop_assert!(!document.chars().any(|c| c.is_control() && c != '\n'));
        prop_assert_eq!(svg(&automaton, &options).unwrap(), document);
    }

    #[test]
    fn labels_and_states_are_apart(automaton in automata()) {
        let view = View::new(&automaton, true, None, None);
        let picture = picture(&view).unwrap();
        prop_assert_eq!(picture.shapes.len(), 14);
        let labels: Vec<_> = picture.labels.iter().map(|(placed, _)| placed.bounds()).collect();
        let shapes: Vec<_> = picture.shapes.iter().map(Shape::bounds).collect();
        for (place, label) in labels.iter().enumerate() {
            let state = shapes.iter().find(|shape| shape.overlaps(label));
            prop_assert!(state.is_none(), "{:?} {:?}", label, state);
            let other = labels[..place].iter().find(|other| other.overlaps(label));
            prop_assert!(other.is_none(), "{:?} {:?}", label, other);
        }
        for (place, shape) in shapes.iter().enumerate() {
            prop_assert!(!shapes[..place].iter().any(|other| other.overlaps(shape)));
        }
    }

    #[test]
    fn arrows_touch_their_states(automaton in automata()) {
        let view = View::new(&automaton, true, None, None);
        let picture = picture(&view).unwrap();
        for (arrow, ends) in &picture.arrows {
            if let Some((from, to)) = ends {
                let touches = |shape: &Shape, point: Point, room: f64| {
                    // The distance from the straight line in the middle of the shape.
                    let dx = ((point.x - shape.centre.x).abs() - shape.straight).max(0.0);
                    let distance = dx.hypot(point.y - shape.centre.y);
                    (distance - shape.radius).abs() < room
                };
                prop_assert!(touches(&picture.shapes[*from], arrow.start, 0.01));
                prop_assert!(touches(&picture.shapes[*to], arrow.tip, 0.01));
            }
        }
    }
}

/// Builds a pseudo-random graph with five edges per state.
fn large(states: usize) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.add_states(states);
    builder.initial(StateId::new(0));
    let a = builder.alphabet().prop(0);
    let mut random = 1u64;
    for edge in 0..5 * states {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let target = (random >> 33) as usize % states;
        builder.edge(StateId::new(edge / 5), a, Marks::EMPTY, StateId::new(target));
    }
    builder.build()
}

#[test]
fn large_automata_are_drawn() {
    let document = svg(&large(2_000), &SvgOptions::default()).unwrap();
    assert!(elements(&document).unwrap() > 20_000);
}

#[test]
fn too_large_automata_are_refused() {
    let automaton = large(2_001);
    let error = svg(&automaton, &SvgOptions::default()).unwrap_err();
    insta::assert_snapshot!(error, @"the automaton is too large to be drawn as SVG: 2001 states and 10005 edges, but at most 2000 and 10000 can be drawn; use DOT, or show fewer states");
    let options = SvgOptions { max_states: Some(30), ..SvgOptions::default() };
    assert!(svg(&automaton, &options).unwrap().contains("30 of 2001 states shown"));
}

/// A long line with an edge from every state to the start: the sum of lengths is quadratic.
#[test]
fn too_long_edges_are_refused() {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    let first = builder.add_states(2_000);
    builder.initial(first);
    let a = builder.alphabet().prop(0);
    for state in 1..2_000 {
        builder.edge(StateId::new(state - 1), a, Marks::EMPTY, StateId::new(state));
        builder.edge(StateId::new(state), a, Marks::EMPTY, first);
    }
    let error = svg(&builder.build(), &SvgOptions::default()).unwrap_err();
    insta::assert_snapshot!(error, @"the automaton has too many long edges to be drawn as SVG: use DOT, or show fewer states");
}
