//! Writing a formula and reading it again gives the same formula, in every notation.

#[path = "../../../../fuzz/fuzz_targets/round_trip.rs"]
mod fuzzed;
#[path = "../../../../fuzz/fuzz_targets/word_check.rs"]
mod fuzzed_words;

use proptest::prelude::*;
use sempre_ltl::{Formula, Op, transform};
use std::path::Path;

/// Names that are hard to write in one syntax or another.
const NASTY: [&str; 64] = [
    "",
    " ",
    "a b",
    " a",
    "a ",
    "U",
    "R",
    "V",
    "W",
    "M",
    "B",
    "X",
    "F",
    "G",
    "Fs",
    "Gs",
    "s",
    "xor",
    "true",
    "false",
    "True",
    "FALSE",
    "alse",
    "rue",
    "t",
    "f",
    "i",
    "e",
    "0",
    "1",
    "42",
    "1a",
    "F1",
    "X0",
    "GF",
    "GFa",
    "Foo",
    "G_x",
    "X.y",
    "é",
    "Fé",
    "²",
    "∧",
    "□",
    "\"",
    "\\",
    "a\"b\\",
    "\n",
    "a\r\n\tb",
    "x > 3",
    "(x > 3)",
    "(x) > 3",
    "x>3",
    "-x",
    "x - -y",
    "arr[2] == 1",
    "arr [2]",
    "len(q) < 3",
    "f()",
    "p@label",
    "P[1]:x.y",
    "always",
    "until",
    "!a",
];

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(&NASTY[..]).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[FGXUs01a_.@]{0,5}",
        1 => "[a1(\\[\\]) <>=,.@:+*/-]{0,8}",
    ]
}

/// Formulas built of every operator over such names.
fn formulas() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        6 => names().prop_map(Formula::prop),
        1 => any::<bool>().prop_map(Formula::constant),
    ];
    let inner: Vec<Op> = Op::ALL.into_iter().filter(|op| *op > Op::Prop).collect();
    leaf.prop_recursive(8, 30, 2, move |operand| {
        (prop::sample::select(inner.clone()), operand.clone(), operand).prop_map(
            |(op, left, right)| match op {
                Op::Not | Op::Next | Op::Finally | Op::Globally => Formula::new(op, [left]),
                Op::StrictFinally | Op::StrictGlobally => Formula::new(op, [left]),
                _ => Formula::new(op, [left, right]),
            },
        )
    })
}

/// Texts that look like formulas, few of which are.
fn texts() -> impl Strategy<Value = String> {
    const PIECES: [&str; 58] = [
        "a", "b", "p0", "Fs", "GF", "F", "G", "X", "U", "R", "V", "W", "M", "B", "i", "e", "t",
        "f", "0", "1", "3", "true", "xor", "!", "~", "&", "&&", "|", "||", "^", "->", "<->", "=>",
        "[]", "<>", "()", "(", ")", "(", ")", "[", "]", "..", ":", "$", ",", "F[1..3]", "G[2:]",
        "X[2]", "\"a b\"", "\"", "\\", " ", "□", "∧", "<", "-", "==",
    ];
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..20).prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn formulas_survive(formula in formulas()) {
        fuzzed::check_formula(&formula);
    }

    #[test]
    fn texts_are_read_or_refused(text in texts()) {
        fuzzed::check(&text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        fuzzed::check(&text);
    }
}

#[test]
fn each_nasty_name_survives_below_each_operator() {
    for name in NASTY {
        let a = Formula::prop(name);
        for op in Op::ALL.into_iter().filter(|op| *op > Op::Prop) {
            let operands = match op.arity() {
                sempre_ltl::Arity::Unary => vec![a.clone()],
                _ => vec![a.clone(), Formula::prop("b")],
            };
            let f = Formula::new(op, operands);
            fuzzed::check_formula(&f);
            fuzzed::check_formula(&Formula::globally(&f));
            fuzzed::check_formula(&Formula::strict_finally(f));
        }
    }
}

/// The names in the formula after it was written and read.
#[test]
fn names_are_kept_exactly() {
    for name in NASTY {
        let f = Formula::finally(name);
        let read: Formula = f.to_string().parse().unwrap();
        assert_eq!(read.props()[0].name(), name);
        assert_eq!(transform(&f, |f| f), read);
    }
}

#[test]
fn fuzz_corpora() {
    let corpora = [("parse", fuzzed::check as fn(&str)), ("word", fuzzed_words::check)];
    for (name, check) in corpora {
        let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
        // The corpora are not part of the published package.
        let Ok(entries) = corpora.join(name).read_dir() else { return };
        for entry in entries {
            if let Ok(text) = String::from_utf8(std::fs::read(entry.unwrap().path()).unwrap()) {
                check(&text);
            }
        }
    }
}
