use super::*;
use crate::arbitrary;
use crate::membership::accepts;
use proptest::prelude::*;

proptest! {
    #[test]
    fn the_product_accepts_what_both_accept(
        left in arbitrary::automaton(),
        right in arbitrary::automaton(),
        words in prop::collection::vec(sempre_ltl::arbitrary::word(3), 8),
    ) {
        let (product, swapped) = (intersection(&left, &right), intersection(&right, &left));
        for word in &words {
            let wanted = accepts(&left, word) && accepts(&right, word);
            prop_assert_eq!(accepts(&product, word), wanted, "{}", word);
            prop_assert_eq!(accepts(&swapped, word), wanted, "{}", word);
        }
        if let Some(word) = common_word(&left, &right) {
            prop_assert!(accepts(&left, &word) && accepts(&right, &word));
            prop_assert!(!emptiness::is_empty(&product));
        } else {
            prop_assert!(emptiness::is_empty(&product));
        }
    }

    #[test]
    fn visiting_and_building_are_the_same(
        left in arbitrary::automaton(),
        right in arbitrary::automaton(),
    ) {
        let product = Product::intersection(&left, &right);
        let built = product.automaton();
        let condition = product.acceptance().condition();
        let lasso = emptiness::shortest_accepting_lasso(&product, condition);
        let run = emptiness::shortest_accepting_run(&built);
        prop_assert_eq!(lasso.as_ref().map(Lasso::len), run.map(|run| run.len()));
        if let Some(lasso) = lasso {
            let (l, r) = product.runs(&lasso).unwrap();
            l.check(&left).unwrap();
            r.check(&right).unwrap();
            prop_assert!(accepts(&built, &product.word(&lasso)));
        }
        let named = product.named_automaton();
        prop_assert_eq!(&named, &built);
        let start = product.initial().next();
        let wanted = start.map(|pair| format!("{},{}", pair.left(), pair.right()));
        let name = named.initial().first().and_then(|state| named.state_name(*state));
        prop_assert_eq!(name.map(str::to_owned), wanted);
    }

    #[test]
    fn the_union_product_accepts_what_one_accepts(
        left in arbitrary::automaton(),
        right in arbitrary::automaton(),
        words in prop::collection::vec(sempre_ltl::arbitrary::word(3), 8),
    ) {
        let complete = left.is_complete() && right.is_complete();
        prop_assert_eq!(union(&left, &right).is_ok(), complete);
        let (left, right) = (completed(&left), completed(&right));
        let product = union(&left, &right).unwrap();
        for word in &words {
            let wanted = accepts(&left, word) || accepts(&right, word);
            prop_assert_eq!(accepts(&product, word), wanted, "{}", word);
        }
    }
}

/// Adds an edge to a sink for every missing letter; the language may change.
fn completed(automaton: &Automaton) -> Automaton {
    let alphabet = automaton.alphabet();
    let mut builder = automaton.edit();
    let sink = builder.add_state();
    builder.initial(sink);
    builder.edge(sink, alphabet.tt(), Marks::EMPTY, sink);
    for state in automaton.states() {
        let read = automaton
            .edges_from(state)
            .iter()
            .fold(alphabet.ff(), |label, edge| alphabet.or(label, edge.label));
        builder.edge(state, alphabet.not(read), Marks::EMPTY, sink);
    }
    builder.build()
}

/// Alphabets with as many propositions, in another order, need their labels translated.
#[test]
fn operands_may_order_their_propositions_differently() {
    let implies = |props: [&str; 2]| {
        let alphabet = Arc::new(Alphabet::new(props).unwrap());
        let label = alphabet.from_formula(&"a & !b".parse().unwrap()).unwrap();
        let mut builder = Automaton::builder(alphabet.clone());
        let state = builder.add_state();
        builder.initial(state).edge(state, label, Marks::EMPTY, state);
        builder.build()
    };
    let (left, right) = (implies(["a", "b"]), implies(["b", "a"]));
    for product in [intersection(&left, &right), intersection(&right, &left)] {
        assert!(accepts(&product, &"cycle{a & !b}".parse().unwrap()));
        assert!(!accepts(&product, &"cycle{!a & b}".parse().unwrap()));
    }
}
