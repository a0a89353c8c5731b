//! Words without their repetitions.

use sempre_automata::{Acceptance, Alphabet, Automaton, Condition, Marks, membership, stutter};

/// Two paths between the same states read the same letter: one with a mark that must not recur, and a
/// longer one without. The shortcut for the longer one is no worse than the other edge.
#[test]
fn marks_that_must_not_recur_cover_no_others() {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.acceptance(Acceptance::new(1, Condition::Fin(0)));
    let states: Vec<_> = (0..3).map(|_| builder.add_state()).collect();
    let a = builder.alphabet().prop(0);
    let not_a = builder.alphabet().not(a);
    builder.initial(states[0]);
    for (source, label, marks, target) in [
        (0, a, Marks::all(1), 2),
        (0, a, Marks::EMPTY, 1),
        (1, a, Marks::EMPTY, 2),
        (2, not_a, Marks::EMPTY, 0),
    ] {
        builder.edge(states[source], label, marks, states[target]);
    }
    let automaton = builder.build();
    let closure = stutter::closure(&automaton);
    for (text, before) in [("cycle{a; a; !a}", true), ("cycle{a; !a}", false)] {
        let word = text.parse().unwrap();
        assert_eq!(membership::accepts(&automaton, &word), before, "{text}");
        assert!(membership::accepts(&closure, &word), "{text}");
    }
}
