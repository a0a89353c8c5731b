//! Compares the evaluators with the definition, with each other, and with the laws of LTL.

use super::{holds, positions, restricted};
use crate::{Formula, Op, Prop, Word, arbitrary};
use proptest::prelude::*;

/// The definition literally: quantifiers over the positions of the unrolled word. Two rounds of the
/// cycle visit every suffix after every suffix.
fn naive(f: &Formula, word: &Word, i: usize) -> bool {
    let i = word.position(i);
    let far = i + 2 * word.len();
    let sub = |k: usize, j: usize| naive(&f.children()[k], word, j);
    match f.op() {
        Op::True => true,
        Op::False => false,
        Op::Prop => word.letter(i).any(|prop| Some(prop) == f.as_prop()),
        Op::Not => !sub(0, i),
        Op::And => f.children().iter().all(|child| naive(child, word, i)),
        Op::Or => f.children().iter().any(|child| naive(child, word, i)),
        Op::Implies => !sub(0, i) || sub(1, i),
        Op::Iff => sub(0, i) == sub(1, i),
        Op::Xor => sub(0, i) != sub(1, i),
        Op::Next => sub(0, i + 1),
        Op::Finally => (i..far).any(|j| sub(0, j)),
        Op::Globally => (i..far).all(|j| sub(0, j)),
        Op::StrictFinally => (i + 1..far).any(|j| sub(0, j)),
        Op::StrictGlobally => (i + 1..far).all(|j| sub(0, j)),
        Op::Until => (i..far).any(|j| sub(1, j) && (i..j).all(|k| sub(0, k))),
        Op::WeakUntil => {
            (i..far).any(|j| sub(1, j) && (i..j).all(|k| sub(0, k))) || (i..far).all(|k| sub(0, k))
        }
        Op::Release => (i..far).all(|j| sub(1, j) || (i..j).any(|k| sub(0, k))),
        Op::StrongRelease => (i..far).any(|j| sub(0, j) && (i..=j).all(|k| sub(1, k))),
    }
}

/// Returns the positions where a formula holds, by all evaluators but the naive one.
fn agreed(f: &Formula, word: &Word) -> Vec<bool> {
    let table = restricted::results(f, word);
    let bits = positions(f, word);
    let values: Vec<bool> = (0..word.len()).map(|i| table.value(f, i).unwrap()).collect();
    assert_eq!(
        (0..word.len()).map(|i| bits.contains(i)).collect::<Vec<_>>(),
        values,
        "{f} on {word}"
    );
    assert_eq!(bits.count(), values.iter().filter(|&&value| value).count());
    values
}

fn formula(text: &str) -> Formula {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn word(text: &str) -> Word {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

proptest! {
    #[test]
    fn evaluators_agree_with_the_definition(
        f in arbitrary::formula(8),
        word in arbitrary::word(3),
    ) {
        let values = agreed(&f, &word);
        prop_assert_eq!(holds(&f, &word), values[0]);
        prop_assert_eq!(restricted::holds(&f, &word), values[0]);
        for (i, value) in values.iter().enumerate() {
            prop_assert_eq!(naive(&f, &word, i), *value, "{} at {} of {}", &f, i, &word);
        }
    }

    #[test]
    fn evaluators_agree_on_large_formulas(
        f in arbitrary::formula(80),
        word in arbitrary::word(40),
    ) {
        agreed(&f, &word);
    }

    #[test]
    fn values_depend_on_the_infinite_word_only(
        f in arbitrary::formula(20),
        word in arbitrary::word(5),
        i in 0..12usize,
    ) {
        let bits = positions(&f, &word);
        let later = i + word.len();
        prop_assert_eq!(bits.contains(i), holds(&f, &word.suffix(i)));
        prop_assert_eq!(bits.contains(0), holds(&f, &word.reduced()));
        prop_assert_eq!(bits.contains(later), bits.contains(later + word.cycle_len()));
        prop_assert_eq!(bits.contains(0), holds(&f, &word.with_props(f.props())));
    }

    /// Each pair of formulas is equivalent for all f and g.
    #[test]
    fn laws(f in arbitrary::formula(10), g in arbitrary::formula(10), word in arbitrary::word(6)) {
        let named = |text: &str| {
            crate::transform(&formula(text), |sub| match sub.as_prop().map(Prop::name) {
                Some("f") => f.clone(),
                Some("g") => g.clone(),
                _ => sub,
            })
        };
        for (left, right) in [
            // Expansion.
            ("f U g", "g | (f & X(f U g))"),
            ("f R g", "g & (f | X(f R g))"),
            ("f W g", "g | (f & X(f W g))"),
            ("f M g", "g & (f | X(f M g))"),
            ("F f", "f | X F f"),
            ("G f", "f & X G f"),
            ("Fs f", "X F f"),
            ("Gs f", "X G f"),
            // Duality.
            ("!(f U g)", "!f R !g"),
            ("!(f R g)", "!f U !g"),
            ("!(f W g)", "!f M !g"),
            ("!(f M g)", "!f W !g"),
            ("!F f", "G !f"),
            ("!Fs f", "Gs !f"),
            ("!X f", "X !f"),
            ("!(f & g)", "!f | !g"),
            ("!(f -> g)", "f & !g"),
            ("!(f <-> g)", "f xor g"),
            // Abbreviations.
            ("F f", "1 U f"),
            ("G f", "0 R f"),
            ("f W g", "(f U g) | G f"),
            ("f M g", "(f R g) & F f"),
            ("f R g", "g W (f & g)"),
            ("f -> g", "!f | g"),
            ("f <-> g", "(f -> g) & (g -> f)"),
        ] {
            let [l, r] = [left, right].map(|text| positions(&named(text), &word));
            prop_assert_eq!(l, r, "{} and {}", left, right);
        }
    }
}

#[test]
fn vectors_of_every_length_and_loops_at_every_place() {
    let formulas: Vec<Formula> = [
        "a U b",
        "a W b",
        "a R b",
        "a M b",
        "F a",
        "G b",
        "Fs a",
        "Gs b",
        "X a",
        "!X a",
        "a xor X b",
        "G(a -> F b)",
        "(a U b) R (b M a)",
        "a <-> X a",
        "G(a | X a)",
        "(a W X b) U (Gs a | b)",
    ]
    .map(formula)
    .into();
    // Sparse and dense letters, so that some chains cross several words of 64 bits.
    let mut state: u64 = 1;
    let mut random = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for len in [1, 2, 3, 63, 64, 65, 127, 128, 129, 192] {
        for prefix in 0..len {
            let thin = random() % 100;
            let thick = random() % 100;
            let word = Word::from_fn(["a", "b"], prefix, len - prefix, |_, prop| {
                if prop == 0 { random() % 100 > thin } else { random() % 100 < thick }
            })
            .unwrap();
            for f in &formulas {
                agreed(f, &word);
            }
        }
    }
}

#[test]
fn chains_through_all_words_of_a_vector() {
    let (until, weak) = (formula("a U b"), formula("a W b"));
    for len in [63, 64, 65, 128, 200] {
        for prefix in [0, 1, len / 2, len - 1] {
            let everywhere = |b: Option<usize>| {
                Word::from_fn(["a", "b"], prefix, len - prefix, |i, prop| prop == 0 || Some(i) == b)
                    .unwrap()
            };
            assert_eq!(agreed(&until, &everywhere(None)), vec![false; len]);
            assert_eq!(agreed(&weak, &everywhere(None)), vec![true; len]);
            for b in 0..len {
                let expected: Vec<bool> = (0..len).map(|i| i <= b || b >= prefix).collect();
                assert_eq!(agreed(&until, &everywhere(Some(b))), expected);
            }
        }
    }
}

#[test]
fn examples_of_the_literature() {
    // Tauriainen's report: example 2, and the word that exposed an error in SPIN 3.4.1.
    assert!(holds(&formula("G F p2"), &word("cycle{p1; p1; p1&p2}")));
    assert!(!holds(&formula("G F p2"), &word("p1; cycle{!p1}")));
    for text in
        ["G G (p4 & (p2 U (!!p3 & F p4)))", "G (p4 & (p2 U (p3 & F p4)))", "G (p4 & (p2 U p3))"]
    {
        assert_eq!(agreed(&formula(text), &word("cycle{p3&p4}")), [true]);
        assert_eq!(agreed(&formula(text), &word("p4; cycle{p3&p4}")), [false, true]);
    }
    for (text, expected) in [
        ("G F 1", true),
        ("F G 0", false),
        ("1 U p", true),
        ("0 R p", false),
        ("p U 0", false),
        ("X 1", true),
        ("X 0", false),
        ("!(p <-> X p)", true),
        ("(p U q) <-> !(!p R !q)", true),
        ("G(p -> X !p) & G(!p -> X p)", true),
        ("(q R p) & (q U p)", false),
        ("1", true),
        ("0", false),
        ("unknown", false),
    ] {
        assert_eq!(agreed(&formula(text), &word("cycle{p; !p}"))[0], expected, "{text}");
        assert_eq!(naive(&formula(text), &word("cycle{p; !p}"), 0), expected, "{text}");
    }
}

#[test]
fn formulas_nested_very_deep() {
    let deep = |op: fn(Formula) -> Formula| {
        let mut f = Formula::prop("a");
        while f.depth() < 100_000 {
            f = op(f);
        }
        f
    };
    let long = Word::from_fn(["a", "b"], 1_000, 9_000, |i, k| i % (k + 3) == 0).unwrap();
    // X^100000 looks at position 100000, where the cycle of 9000 is at 1000.
    assert!(!holds(&deep(Formula::next), &long));
    assert!(holds(&deep(Formula::not), &long));
    assert!(holds(&deep(|f| Formula::globally(Formula::finally(f))), &long));
    let short = word("b; a; cycle{b; a&b}");
    for f in [
        deep(|f| Formula::until("b", Formula::next(f))),
        deep(|f| Formula::release(f, "b")),
        deep(|f| Formula::not(Formula::strict_finally(f) & "b")),
    ] {
        agreed(&f, &short);
    }
}
