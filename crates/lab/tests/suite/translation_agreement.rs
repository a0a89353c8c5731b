//! The three constructions agree, bare and with simplification; `sempre-lab agree constructions`
//! tries more formulas.

use proptest::prelude::*;
use sempre_lab::agree::translation::{CONSTRUCTIONS, Construction, TRANSLATORS, disagreement};
use sempre_ltl::arbitrary;
use sempre_ltl::generate::Rng;
use sempre_ltl::{Formula, Op};
use sempre_translate::{Translator, tableau};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn all_constructions_agree(formula in arbitrary::formula(12), seed in any::<u64>()) {
        for constructions in [&CONSTRUCTIONS[..], &TRANSLATORS] {
            let found = disagreement(&formula, constructions, 10, &mut Rng::new(seed));
            prop_assert!(found.is_none(), "{}", found.unwrap());
        }
    }
}

/// A wrong construction: it loses the words of one operand of each disjunction at the root.
fn forgetful(formula: &Formula) -> sempre_automata::Automaton {
    let simple = sempre_ltl::simplify(formula);
    match (simple.op(), simple.children()) {
        (Op::Or, [first, ..]) => tableau::translate(first),
        _ => Translator::new().translate(formula),
    }
}

#[test]
fn words_that_neither_automaton_accepts_are_found() {
    let constructions: [(&str, Construction); 1] = [("forgetful", forgetful)];
    // Without random words: the automata share no word, and each is right about its own word.
    let formula: Formula = "(a & Xb) | (!a & GFb)".parse().unwrap();
    let found = disagreement(&formula, &constructions, 0, &mut Rng::new(1)).unwrap();
    assert_eq!((found.formula, found.accepted), (formula, false));
    let right: [(&str, Construction); 1] = [("tableau", tableau::translate)];
    let formula: Formula = "a U (b | Gc)".parse().unwrap();
    assert_eq!(disagreement(&formula, &right, 0, &mut Rng::new(1)), None);
}
