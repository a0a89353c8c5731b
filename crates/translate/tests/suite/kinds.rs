//! Every kind of automaton, by every method, has the right language.

use proptest::prelude::*;
use sempre_automata::{Named, membership};
use sempre_ltl::{Formula, Op, Word, arbitrary, semantics};
use sempre_translate::{Kind, Method, Translator};

const SAFETY: [Op; 7] =
    [Op::Prop, Op::True, Op::Next, Op::Globally, Op::WeakUntil, Op::And, Op::Or];

fn automaton(kind: Kind, formula: &str) -> sempre_automata::Automaton {
    Translator::new().kind(kind).translate(&formula.parse().unwrap())
}

#[test]
fn acceptance_is_that_of_the_kind() {
    let both = "GFa & GFb & (c U d)";
    assert!(automaton(Kind::Tgba, both).acceptance().marks() >= 2);
    let tba = automaton(Kind::Tba, both);
    assert_eq!(*tba.acceptance(), Named::Buchi.acceptance());
    assert!(!tba.is_state_based());
    let ba = automaton(Kind::Ba, both);
    assert_eq!(*ba.acceptance(), Named::Buchi.acceptance());
    assert!(ba.is_state_based());
    let gba = automaton(Kind::Gba, both);
    assert!(gba.is_state_based() && gba.acceptance().marks() >= 2);
    assert_eq!(*automaton(Kind::Monitor, both).acceptance(), Named::All.acceptance());
    assert_eq!(
        *automaton(Kind::CoBuchi, "FGa | (b U c)").acceptance(),
        Named::CoBuchi.acceptance()
    );
    // A recurrence is not a persistence.
    assert_eq!(*automaton(Kind::CoBuchi, "GFa").acceptance(), Named::Buchi.acceptance());
}

#[test]
fn weak_and_terminal_automata_where_the_property_allows_it() {
    for (formula, weak, terminal) in [
        ("a U (b & Xc)", true, true),
        ("G(a -> Xb)", true, false),
        ("Ga | Fb", true, false),
        ("F(a & XGb)", true, false),
        ("GFa", false, false),
    ] {
        for (kind, wanted) in [(Kind::Weak, weak), (Kind::Terminal, terminal)] {
            assert_eq!(kind.includes(&automaton(kind, formula)), wanted, "{kind} {formula}");
        }
    }
}

#[test]
fn monitors_reject_when_nothing_can_help() {
    let monitor = automaton(Kind::Monitor, "G(a -> X b) & GFc");
    assert!(monitor.is_deterministic() && monitor.state_count() == 2);
    let accepts = |word: &str| membership::accepts(&monitor, &word.parse::<Word>().unwrap());
    assert!(accepts("cycle{a&b}"), "c may still come");
    assert!(!accepts("a; cycle{c}"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn the_language_is_that_of_the_formula(
        formula in arbitrary::formula(9),
        words in prop::collection::vec(arbitrary::word(3), 6),
        method in prop::sample::select(Method::ALL.to_vec()),
    ) {
        // Atoms are exponential in the size of the formula.
        prop_assume!(method != Method::Atoms || formula.size() <= 6);
        for kind in Kind::ALL {
            let automaton = Translator::new().method(method).kind(kind).translate(&formula);
            for word in &words {
                let accepted = membership::accepts(&automaton, word);
                let holds = semantics::holds(&formula, word);
                // A monitor accepts more words, but none with a bad prefix.
                let right = if kind == Kind::Monitor { accepted || !holds } else { accepted == holds };
                prop_assert!(right, "{} by {} to {} on {}", formula, method, kind, word);
            }
        }
    }

    #[test]
    fn monitors_of_safety_formulas_are_exact(
        formula in arbitrary::formula_with(9, &SAFETY),
        word in arbitrary::word(3),
    ) {
        let formula = Formula::globally(formula);
        let monitor = Translator::new().kind(Kind::Monitor).translate(&formula);
        prop_assert_eq!(membership::accepts(&monitor, &word), semantics::holds(&formula, &word));
    }
}
