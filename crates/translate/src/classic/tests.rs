use super::*;
use proptest::prelude::*;
use sempre_automata::membership;
use sempre_ltl::{arbitrary, semantics};

fn sizes(formula: &str) -> (usize, usize, u32) {
    let automaton = translate(&formula.parse().unwrap());
    (automaton.state_count(), automaton.edge_count(), automaton.acceptance().marks())
}

#[test]
fn small_formulas_have_the_textbook_automata() {
    assert_eq!(sizes("1"), (3, 3, 0));
    assert_eq!(sizes("0"), (1, 0, 0));
    assert_eq!(sizes("p"), (3, 3, 0));
    assert_eq!(sizes("p & !p"), (1, 0, 0));
    // The example of the paper.
    assert_eq!(sizes("p U q"), (4, 6, 1));
    assert_eq!(sizes("G p"), (2, 2, 0));
    assert_eq!(sizes("G F p"), (3, 6, 1));
}

#[test]
fn names_say_what_is_left_to_satisfy() {
    let automaton = translate_as(&"p U X q".parse().unwrap(), Variant::Gpvw, true);
    let names: Vec<_> = automaton.states().map(|s| automaton.state_name(s).unwrap()).collect();
    assert_eq!(names, ["p U Xq", "p U Xq", "q", "1", "1"]);
}

#[test]
fn deep_formulas_need_no_stack() {
    let deep = (0..20_000).fold(Formula::prop("a"), |f, _| Formula::next(f));
    assert_eq!(translate(&deep).state_count(), 20_003);
}

#[test]
fn what_is_fulfilled_by_true_is_accepted() {
    // A node must record true, so that F true counts as fulfilled.
    let automaton = translate(&"G F 1".parse().unwrap());
    assert!(membership::accepts(&automaton, &"cycle{1}".parse().unwrap()));
}

#[test]
fn improved_variants_are_smaller() {
    let sizes = |variant| {
        let automaton = translate_as(&"p U (q U r) & F(p | !p)".parse().unwrap(), variant, false);
        automaton.state_count()
    };
    let [plain, plus, last] = [Variant::Gpvw, Variant::GpvwPlus, Variant::Ltl2aut].map(sizes);
    assert!(last < plus && plus < plain, "{last} {plus} {plain}");
}

proptest! {
    #[test]
    fn the_language_is_that_of_the_formula(
        variant in prop::sample::select(vec![Variant::Gpvw, Variant::GpvwPlus, Variant::Ltl2aut]),
        f in arbitrary::formula(12),
        words in prop::collection::vec(arbitrary::word(4), 8),
    ) {
        let automaton = translate_as(&f, variant, false);
        prop_assert!(automaton.is_state_based());
        for word in words {
            prop_assert_eq!(
                membership::accepts(&automaton, &word),
                semantics::holds(&f, &word),
                "{} on {}", f, word
            );
        }
    }
}
