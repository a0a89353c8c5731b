//! Automata as properties, read as erroneous and as correct behaviours.

use super::*;
use crate::bad_prefix;
use sempre_automata::{Alphabet, Marks, Named};

/// A complete automaton of the words on which `a` always holds: its second state accepts nothing.
fn always() -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.acceptance(Named::Buchi.acceptance());
    let (good, sink) = (builder.add_state(), builder.add_state());
    let (a, tt) = (builder.alphabet().prop(0), builder.alphabet().tt());
    let not_a = builder.alphabet().not(a);
    builder.initial(good);
    builder.edge(good, a, Marks::all(1), good);
    builder.edge(good, not_a, Marks::EMPTY, sink);
    builder.edge(sink, tt, Marks::EMPTY, sink);
    builder.build()
}

#[test]
fn what_is_accepted_is_erroneous_or_correct() {
    let property = |accepted| AutomatonProperty::new(always(), accepted);
    for (text, is_accepted) in [("cycle{a}", true), ("a; cycle{!a}", false)] {
        let word = text.parse().unwrap();
        assert_eq!(property(Behaviours::Erroneous).is_violated_by(&word), is_accepted);
        assert_eq!(property(Behaviours::Correct).is_violated_by(&word), !is_accepted);
        // The automata of the two sides agree with the membership that decides.
        for accepted in [Behaviours::Erroneous, Behaviours::Correct] {
            let property = property(accepted);
            let is_violated = property.is_violated_by(&word);
            assert_eq!(membership::accepts(property.erroneous().unwrap(), &word), is_violated);
            assert_eq!(membership::accepts(&property.correct(), &word), !is_violated);
        }
    }
}

/// A given automaton may have states from which nothing is correct.
#[test]
fn bad_prefixes_end_where_no_state_accepts() {
    let property = AutomatonProperty::new(always(), Behaviours::Correct);
    let prefix = |text: &str| bad_prefix(&property, &text.parse().unwrap());
    assert_eq!(prefix("a; a; cycle{!a; a}"), Some(3));
    assert_eq!(prefix("cycle{a}"), None);
}
