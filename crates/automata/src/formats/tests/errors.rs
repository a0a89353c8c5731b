//! Bad input: a clear error at the right position, for any declared sizes.

use super::{read, written};
use crate::formats::{Format, Reader};
use crate::{Alphabet, Automaton, Marks, Named, StateId};

/// The first error of a text.
fn error(text: &str) -> String {
    match Reader::new(text.as_bytes()).find_map(Result::err) {
        Some(error) => error.to_string(),
        None => panic!("no error in {text}"),
    }
}

fn check(table: &[(&str, &str)]) {
    for (text, wanted) in table {
        assert_eq!(error(text), *wanted, "for {text}");
    }
}

#[test]
fn errors_of_never_claims() {
    check(&[
        ("never", "1:6: unexpected end of the never claim, expected `{` or a name"),
        ("never x", "1:8: unexpected end of the never claim, expected `{`"),
        (
            "never {\n}",
            "2:1: unexpected `}`, expected a label, `if`, `do`, `skip`, `false` or another expression",
        ),
        (
            "never { skip",
            "1:13: unexpected end of the never claim, expected a label, `if`, `do`, `skip`, `false` or another expression",
        ),
        ("never { a: if fi }", "1:15: unexpected `fi`, expected `::`"),
        ("never { do\n :: p -> goto x\n}", "3:1: unexpected `}`, expected `::` or `od`"),
        ("never { if :: p -> goto od }", "1:28: unexpected `}`, expected `::` or `fi`"),
        ("never { if :: p -> jump x fi }", "1:20: unexpected `jump`, expected `goto`"),
        ("never { do :: p -> x od }", "1:20: unexpected `x`, expected `goto` or `break`"),
        (
            "never { do :: p -> skip od }",
            "1:20: a second step in one option, expected `goto` or `break`",
        ),
        ("never { if :: -> goto a fi }", "1:15: unexpected `-`, expected a guard or `atomic`"),
        ("never { if :: p -> goto ; fi }", "1:25: unexpected `;`, expected a label"),
        (
            "never { a:\nif :: p -> goto b fi }",
            "2:17: there is no label `b`, expected a label of the claim",
        ),
        ("never { a: skip; b: skip; a: skip }", "1:27: the label `a` occurs twice"),
        (
            "never { /* é */ if :: (p && ) -> goto a fi }",
            "1:29: unexpected `)`, expected a formula",
        ),
        (
            "never { if :: (p\n&& q r) -> goto a fi }",
            "2:6: unexpected `r`, expected a logical operator",
        ),
        (
            "never { if :: ([] p) -> goto a fi }",
            "1:15: the guard has temporal operators, expected a Boolean formula",
        ),
        (
            "never { do :: atomic { p -> assert(!q) } od }",
            "1:35: the assertion is not the negation of the guard, expected `(!(p))`",
        ),
        ("never { do :: atomic { p } od }", "1:26: unexpected `}`, expected `->`"),
        ("never { do :: atomic { p -> goto x } od }", "1:29: unexpected `goto`, expected `assert`"),
        (
            "never { ((p)) ⊢> x }",
            "1:15: unknown operator `⊢`, expected a binary operator or the end of the formula",
        ),
        ("never { \"p\\é }", "1:9: unterminated quoted proposition, expected a closing `\"`"),
        ("never { \"p }", "1:9: unterminated quoted proposition, expected a closing `\"`"),
    ]);
}

#[test]
fn errors_of_lbtt() {
    check(&[
        ("1", "1:2: unexpected end of the input, expected the number of acceptance sets"),
        (
            "1 x",
            "1:3: unexpected `x`, expected the number of acceptance sets, perhaps with `s` or `t`",
        ),
        (
            "1 99999999999999999999",
            "1:3: the number 99999999999999999999 is too large, expected the number of acceptance \
             sets, perhaps with `s` or `t`, at most 1024",
        ),
        ("1 0\n", "1:4: unexpected end of the input, expected the number of a state"),
        ("1 0 -1", "1:5: unexpected `-1`, expected the number of a state"),
        ("1 0\n0 2", "2:3: unexpected `2`, expected 1 if the state is initial, else 0"),
        ("1 0\n0 1 0 -1", "2:5: set 0 is one more than the 0 announced, expected -1"),
        ("1 2\n0 1 5 6 7 -1", "2:9: set 7 is one more than the 2 announced, expected -1"),
        (
            "1 1\n0 1 x",
            "2:5: unexpected `x`, expected the number of an acceptance set, or -1 after the last",
        ),
        (
            "1 0\n0 1 -1\n3 t\n-1",
            "3:1: there is no state 3, expected the number of a state of the automaton",
        ),
        (
            "2 0\n0 1 -1\n-1\n0 0 -1",
            "4:1: state 0 occurs twice, expected the number of another state",
        ),
        ("1 0\n0 1 -1\n0", "3:2: unexpected end of the input, expected a guard"),
        (
            "1 0\n0 1 -1\n0 & p0\n",
            "3:7: unexpected end of the input, expected the rest of the guard",
        ),
        (
            "1 0\n0 1 -1\n0 & p0\n ) -1",
            "4:2: unknown operator `)`, expected an operator or a proposition",
        ),
        (
            "1 0\n0 1 -1\n0 | p0 X p1 -1",
            "3:3: the guard has temporal operators, expected a Boolean formula",
        ),
        ("1 0\n0 1 -1\n0 \"p -1", "3:3: unterminated quoted proposition, expected a closing `\"`"),
        (
            "1 0\n0 1 -1\n0 p0 p1 -1",
            "3:6: unexpected `p1`, expected the number of a successor, or -1 after the last",
        ),
        (
            "1 0\n0 1 -1 0 t",
            "2:11: unexpected end of the input, expected the number of a successor, or -1 after the last",
        ),
    ]);
}

#[test]
fn errors_of_dstar() {
    let header = "DRA v2 explicit\nStates: 2\nAcceptance-Pairs: 1\nStart: 0\nAP: 1 \"a\"\n---\n";
    let with = |rest: &str| error(&format!("{header}{rest}"));
    check(&[
        ("DRA v1 explicit", "1:5: unexpected `v1`, expected `v2`"),
        ("DSA v2", "1:7: unexpected end of the input, expected `explicit`"),
        (
            "DRA v2 explicit\nNodes: 3",
            "2:1: unexpected `Nodes:`, expected `Comment:`, `States:`, `Acceptance-Pairs:`, \
             `Start:`, `AP:` or `---`",
        ),
        ("DRA v2 explicit\n---", "2:1: incomplete header, expected `States:` before"),
        ("DRA v2 explicit States: 1 States: 1", "1:35: `States:` occurs twice in the header"),
        (
            "DRA v2 explicit States: 99999999999 ---",
            "1:25: the number 99999999999 is too large, expected the number of states, at most \
             4294967294",
        ),
        (
            "DRA v2 explicit Acceptance-Pairs: 513",
            "1:35: the number 513 is too large, expected the number of pairs, at most 512",
        ),
        (
            "DRA v2 explicit AP: 21",
            "1:21: the number 21 is too large, expected the number of propositions, at most 20",
        ),
        ("DRA v2 explicit AP: 1 a", "1:23: unexpected `a`, expected a proposition in quotes"),
        (
            "DRA v2 explicit AP: 1 \"a\nb\"",
            "1:23: unterminated string `\\\"a`, expected a closing `\"`",
        ),
        ("DRA v2 explicit AP: 2 \"é\" \"é\"", "1:27: the proposition \"é\" occurs twice"),
        (
            "DRA v2 explicit States: 1 Acceptance-Pairs: 0 AP: 0 Start: 1 ---",
            "1:60: there is no state 1, expected a number from 0 to 0",
        ),
    ]);
    assert_eq!(with(""), "6:4: unexpected end of the input, expected `State:`");
    assert_eq!(
        with("State: 2"),
        "7:8: the number 2 is too large, expected the number of a state, at most 1"
    );
    assert_eq!(with("State: 0\n0\n"), "8:1: unexpected `0`, expected `Acc-Sig:`");
    assert_eq!(
        with("State: 0\nAcc-Sig: +1"),
        "8:10: there is no pair 1, expected one of the 1 pairs announced"
    );
    assert_eq!(
        with("State: 0\nAcc-Sig: +x"),
        "8:10: unexpected `+x`, expected `+i`, `-i` or the number of a successor"
    );
    assert_eq!(
        with("State: 0\nAcc-Sig: +0\n1\nState:"),
        "10:1: unexpected `State:`, expected the number of a successor"
    );
    assert_eq!(
        with("State: 0\nAcc-Sig: 0 0\nState: 0"),
        "9:8: state 0 occurs twice, expected the number of another state"
    );
    assert_eq!(
        with("State: 0\nAcc-Sig: 0 0\nState: 1\nAcc-Sig: 0"),
        "10:11: unexpected end of the input, expected the number of a successor"
    );
}

#[test]
fn announced_sizes_take_no_memory() {
    assert!(error("4294967294 1024t\n0 1\n-1\n").contains("unexpected end of the input"));
    let dstar = "DRA v2 explicit States: 4294967294 Acceptance-Pairs: 512 Start: 0 AP: 0 ---\n\
        State: 4294967293 \"last\" Acc-Sig: +511 4294967293\n";
    assert!(error(dstar).contains("unexpected end of the input"));
    let large_ids = read("1 1 18446744073709551614 1 18446744073709551614 -1 -1");
    assert_eq!((large_ids.state_count(), large_ids.acceptance().marks()), (1, 1));
}

#[test]
fn nesting_has_no_limit() {
    let depth = 100_000;
    let (open, close, not) = ("(".repeat(depth), ")".repeat(depth), "!".repeat(2 * depth));
    let claim = format!("never {{ a: if :: {open}{not}p{close} -> goto a fi }}");
    assert_eq!(read(&claim).edge_count(), 1);
    let lbtt = format!("1 0 0 1 -1 0 {} {}p0 -1", "& p0".repeat(depth), "! ".repeat(depth));
    assert_eq!(read(&lbtt).edge_count(), 1);
    assert!(error(&format!("never {{ a: {open} }}")).contains("expected"));
    assert!(error(&format!("1 0 0 1 -1 0 {}", "& p0 ".repeat(depth))).contains("the rest"));
    assert!(error(&"never {".repeat(depth)).contains("expected"));
}

#[test]
fn too_many_propositions_are_refused() {
    let many: String = (0..2000).map(|i| format!("& p{i} ")).collect();
    assert_eq!(error(&format!("1 0 0 1 -1 0 {many} t -1")), "1:14: more than 1024 propositions");
}

#[test]
fn every_truncation_is_an_error() {
    let texts = [
        "never { /* x */ accept_a : if :: (p) -> goto accept_a fi; b: do :: q -> break od }",
        "2 2st 0 1 0 -1 1 1 -1 & p0 \"x y\" -1 1 0 -1 -1",
        "DSA v2 explicit Comment: \"c\" States: 1 Acceptance-Pairs: 1 Start: 0 AP: 1 \"a\" --- \
         State: 0 \"n\" Acc-Sig: +0 0 0",
    ];
    for text in texts {
        read(text);
        for len in 1..text.len() {
            let results: Vec<_> = Reader::new(&text.as_bytes()[..len]).collect();
            assert!(results.iter().any(Result::is_err), "no error in {}", &text[..len]);
        }
    }
}

fn automaton(acceptance: Named, initial: &[usize], marks: &[u32]) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).expect("an alphabet"));
    builder.acceptance(acceptance.acceptance());
    builder.add_states(2);
    for state in initial {
        builder.initial(StateId::new(*state));
    }
    let a = builder.alphabet().prop(0);
    let not_a = builder.alphabet().not(a);
    builder.edge(StateId::new(0), a, marks.iter().copied().collect(), StateId::new(1));
    builder.edge(StateId::new(0), not_a, Marks::EMPTY, StateId::new(1));
    builder.build()
}

#[test]
fn writers_say_what_a_format_cannot_express() {
    for (automaton, format, message) in [
        (
            automaton(Named::CoBuchi, &[0], &[]),
            Format::Never,
            "never claims have Büchi acceptance only, not Fin(0)",
        ),
        (
            automaton(Named::Buchi, &[0], &[0]),
            Format::Never,
            "never claims have acceptance on states, not on transitions",
        ),
        (
            automaton(Named::Buchi, &[0, 1], &[]),
            Format::Never,
            "never claims have one initial state only, not 2",
        ),
        (
            automaton(Named::Rabin(1), &[0], &[]),
            Format::Lbtt,
            "lbtt's format has generalized Büchi acceptance only, not Fin(0) & Inf(1)",
        ),
        (
            automaton(Named::Buchi, &[0, 1], &[]),
            Format::Lbtt,
            "lbtt's format has one initial state only, not 2",
        ),
        (
            automaton(Named::Buchi, &[0], &[]),
            Format::Dstar,
            "automata cannot be written in ltl2dstar's format",
        ),
    ] {
        assert_eq!(written(&automaton, format), Err(message.to_owned()));
    }
}
