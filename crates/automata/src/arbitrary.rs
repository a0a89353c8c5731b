//! Strategies for property tests, with shrinking: small random automata with any acceptance.
//!
//! Available to other crates' tests with the feature `proptest`.

use crate::{
    Acceptance, Alphabet, AlternatingAutomaton, Automaton, Condition, Label, Marks, StateId,
};
use proptest::prelude::*;
use std::sync::Arc;

/// The maximal size of random automata.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The largest number of states, at least one.
    pub states: usize,
    /// The largest number of propositions (`a`, `b`, `c`, …), at most 6.
    pub props: usize,
    /// The largest number of marks.
    pub marks: u32,
    /// The largest number of edges per state, on average.
    pub degree: usize,
}

impl Default for Size {
    fn default() -> Self {
        Size { states: 6, props: 3, marks: 4, degree: 3 }
    }
}

/// Automata with 1 to 6 states, up to 3 propositions and up to 4 marks, and any condition.
pub fn automaton() -> impl Strategy<Value = Automaton> {
    automaton_of(Size::default())
}

/// Automata of these sizes, with any condition and usually one initial state.
pub fn automaton_of(size: Size) -> impl Strategy<Value = Automaton> {
    (0..=size.props, 0..=size.marks).prop_flat_map(move |(props, marks)| {
        automaton_with(alphabet(props), acceptance(marks), Size { marks, ..size })
    })
}

/// Automata over this alphabet with these conditions, which must have `size.marks` marks. They
/// shrink towards few edges with few letters and marks.
pub fn automaton_with(
    alphabet: impl Into<Arc<Alphabet>>,
    acceptance: impl Strategy<Value = Acceptance>,
    size: Size,
) -> impl Strategy<Value = Automaton> {
    let alphabet = alphabet.into();
    let edges = (1..=size.states.max(1)).prop_flat_map({
        let alphabet = alphabet.clone();
        move |states| {
            let edge = (0..states, label(&alphabet), marks(size.marks), 0..states);
            let edges = prop::collection::vec(edge, 0..=states * size.degree);
            (Just(states), initial(states), edges)
        }
    });
    (acceptance, edges).prop_map(move |(acceptance, (states, initial, edges))| {
        let mut builder = Automaton::builder(alphabet.clone());
        builder.acceptance(acceptance);
        builder.add_states(states);
        for state in initial {
            builder.initial(StateId::new(state));
        }
        for (source, label, marks, target) in edges {
            builder.edge(StateId::new(source), label, marks, StateId::new(target));
        }
        builder.build()
    })
}

/// Alternating automata of these sizes, with up to three targets per edge.
pub fn alternating(size: Size) -> impl Strategy<Value = AlternatingAutomaton> {
    let parts = (0..=size.props, 0..=size.marks, 1..=size.states.max(1)).prop_flat_map(
        move |(props, colours, states)| {
            let alphabet = Arc::new(alphabet(props));
            let targets = || prop::collection::vec(0..states, 1..=3);
            let edge = (0..states, label(&alphabet), marks(colours), targets());
            let edges = prop::collection::vec(edge, 0..=states * size.degree);
            let initial = prop::collection::vec(targets(), 0..=2);
            (Just(alphabet), acceptance(colours), Just(states), initial, edges)
        },
    );
    parts.prop_map(|(alphabet, acceptance, states, initial, edges)| {
        let all = |targets: Vec<usize>| targets.into_iter().map(StateId::new);
        let mut builder = AlternatingAutomaton::builder(alphabet);
        builder.acceptance(acceptance);
        builder.add_states(states);
        for targets in initial {
            builder.initial(all(targets));
        }
        for (source, label, marks, targets) in edges {
            builder.edge(StateId::new(source), label, marks, all(targets));
        }
        builder.build()
    })
}

/// The alphabet of the first `props` letters: `a`, `b`, …
fn alphabet(props: usize) -> Alphabet {
    assert!(props <= 6, "at most six propositions");
    Alphabet::new(["a", "b", "c", "d", "e", "f"].into_iter().take(props))
        .unwrap_or_else(|_| unreachable!("the names differ"))
}

/// Usually one initial state, sometimes none or several.
fn initial(states: usize) -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        6 => (0..states).prop_map(|state| vec![state]),
        1 => prop::collection::vec(0..states, 0..=3),
    ]
}

/// Any Boolean function over an alphabet of at most 6 propositions; shrinks towards false.
pub fn label(alphabet: &Arc<Alphabet>) -> impl Strategy<Value = Label> + use<> {
    let props = alphabet.props().len();
    let alphabet = alphabet.clone();
    (0..=u64::MAX >> (64 - (1 << props))).prop_map(move |table| {
        let letters = (0..1u64 << props).filter(|letter| table >> letter & 1 == 1);
        letters.fold(alphabet.ff(), |sum, letter| {
            let cube: Vec<(usize, bool)> = (0..props).map(|i| (i, letter >> i & 1 == 1)).collect();
            alphabet.or(sum, alphabet.from_cube(&cube))
        })
    })
}

/// Any set of marks below `count`, mostly small.
pub fn marks(count: u32) -> impl Strategy<Value = Marks> {
    let some = prop::collection::vec(0..count.max(1), 0..=2);
    some.prop_map(move |marks| marks.into_iter().filter(|mark| *mark < count).collect())
}

/// Any condition over this number of marks.
pub fn acceptance(marks: u32) -> impl Strategy<Value = Acceptance> {
    condition(marks).prop_map(move |condition| Acceptance::new(marks, condition))
}

fn condition(marks: u32) -> BoxedStrategy<Condition> {
    let constant = prop_oneof![Just(Condition::True), Just(Condition::False)];
    if marks == 0 {
        return constant.boxed();
    }
    let leaf = prop_oneof![
        1 => constant,
        8 => (0..marks).prop_map(Condition::Inf),
        8 => (0..marks).prop_map(Condition::Fin),
    ];
    let operands = |inner| prop::collection::vec(inner, 2..=3);
    let nested = leaf.prop_recursive(3, 8, 3, move |inner| {
        prop_oneof![
            operands(inner.clone()).prop_map(Condition::and),
            operands(inner).prop_map(Condition::or),
        ]
    });
    nested.boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest! {
        #[test]
        fn sizes_are_kept(automaton in automaton()) {
            prop_assert!((1..=6).contains(&automaton.state_count()));
            prop_assert!(automaton.alphabet().props().len() <= 3);
            prop_assert!(automaton.acceptance().marks() <= 4);
            prop_assert!(automaton.edges().iter().all(|e| e.label != automaton.alphabet().ff()));
        }
    }
}
