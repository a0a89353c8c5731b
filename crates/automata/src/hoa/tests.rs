//! Every rule of the format, obeyed and violated.

use super::*;
use crate::arbitrary;
use crate::{AnyAutomaton, Automaton, Condition, Marks, Named, StateId};
use proptest::prelude::*;

fn read(text: &str) -> Automaton {
    match parse(text) {
        Ok(AnyAutomaton::Nondeterministic(automaton)) => automaton,
        other => panic!("{text}: {other:?}"),
    }
}

/// A header over the propositions a and b and with the acceptance sets 0 and 1, in three lines.
const HEAD: &str = "HOA: v1\nStates: 2 Start: 0\nAP: 2 \"a\" \"b\" Acceptance: 2 Inf(0)&Fin(1)\n";

fn with_head(rest: &str) -> String {
    format!("{HEAD}{rest}")
}

#[test]
fn errors_have_exact_places() {
    let head = "HOA: v1\n";
    let end = "--BODY-- --END--";
    for (text, error) in [
        // Headers.
        ("x", "1:1: unexpected `x`, expected `HOA:`"),
        ("HOA: v2", "1:6: version v2 of the format is not supported, expected `v1`"),
        ("HOA: --BODY--", "1:6: unexpected `--BODY--`, expected `v1`"),
        ("HOA: v1", "1:8: the automaton ends too early, expected a header or `--BODY--`"),
        (&format!("{head}{end}"), "2:1: the header Acceptance: is missing, expected `Acceptance:`"),
        (&format!("{head}: x"), "2:1: unexpected `:`, expected a header or `--BODY--`"),
        (&format!("{head}-x: y"), "2:1: unexpected `-x`, expected a header or `--BODY--`"),
        (&format!("{head}foö: x"), "2:1: unexpected `fo`, expected a header or `--BODY--`"),
        (&format!("{head}0x: x"), "2:1: unexpected `0`, expected a header or `--BODY--`"),
        (
            &format!("{head}Foo: 1"),
            "2:1: the header Foo: is not known, but its capital letter makes it mandatory",
        ),
        (&format!("{head}foo: 1\n foo: 2"), "3:2: the header foo: occurs twice"),
        (&format!("{head}States: 1\nStates: 1"), "3:1: the header States: occurs twice"),
        (&format!("{head}x: 1 HOA: v1"), "2:6: the header HOA: occurs twice"),
        (&format!("{head}States: x"), "2:9: unexpected `x`, expected the number of states"),
        (&format!("{head}States: 01"), "2:9: numbers have no leading zeros"),
        (
            &format!("{head}States: 2147483648"),
            "2:9: the number is too large, expected a number below 2^31",
        ),
        (
            &format!("{head}States: 99999999999999999999"),
            "2:9: the number is too large, expected a number below 2^31",
        ),
        (
            &format!("{head}States: 1000000000 Acceptance: 0 t {end}"),
            "2:9: the text is too short to define 1000000000 states",
        ),
        (
            &format!("{head}Start: 1000000000 Acceptance: 0 t {end}"),
            "2:8: the text is too short to define 1000000000 states",
        ),
        (
            &format!("{head}Start: 0&2 States: 2 Acceptance: 0 t {end}"),
            "2:10: there is no state 2, expected a number below 2",
        ),
        (&format!("{head}AP: 2 \"a\" Start: 0"), "2:5: 2 propositions are announced, but 1 named"),
        (
            &format!("{head}AP: 0 \"a\""),
            "2:7: there are more propositions than announced, expected 0 propositions",
        ),
        (&format!("{head}AP: 2 \"a\" \"a\""), "2:11: the proposition \"a\" occurs twice"),
        (
            &format!("{head}AP: 1000000000 \"a\" {end}"),
            "2:5: 1000000000 propositions are announced, but 1 named",
        ),
        (&format!("{head}AP: 1 a"), "2:5: 1 propositions are announced, but 0 named"),
        (&format!("{head}name: x"), "2:7: unexpected `x`, expected a name"),
        (&format!("{head}name: \"x"), "2:7: the string is not closed, expected `\"`"),
        (&format!("{head}/* /* */ x"), "2:1: the comment is not closed, expected `*/`"),
        (&format!("{head}/x"), "2:1: a lone `/`, expected a comment `/* … */`"),
        (&format!("{head}tool: 1"), "2:7: unexpected `1`, expected the name of a tool"),
        (&format!("{head}properties: t"), "2:13: unexpected `t`, expected a property"),
        (&format!("{head}properties: 1"), "2:13: unexpected `1`, expected a header or `--BODY--`"),
        // Aliases.
        (&format!("{head}Alias: a 0"), "2:8: unexpected `a`, expected the name of an alias"),
        (&format!("{head}Alias: @ 0"), "2:8: an alias without a name, expected a name"),
        (
            &format!("{head}AP: 1 \"p\" Acceptance: 0 t Alias: @a 1 {end}"),
            "2:37: proposition 1 is not declared, expected a number below 1",
        ),
        (
            &format!("{head}Acceptance: 0 t Alias: @a @a {end}"),
            "2:27: the alias @a is not defined before it is used",
        ),
        (
            &format!("{head}Acceptance: 0 t Alias: @a @b\nAlias: @b t {end}"),
            "2:27: the alias @b is not defined before it is used",
        ),
        (
            &format!("{head}Acceptance: 0 t Alias: @a t\nAlias: @a f {end}"),
            "3:8: the alias @a is defined twice",
        ),
        (
            &format!("{head}Alias: @a (t\nAlias: @b t"),
            "2:11: the parenthesis is not closed, expected `)`",
        ),
        // Acceptance.
        (
            &format!("{head}Acceptance: 1 Inf(1)"),
            "2:19: acceptance set 1 is not declared, expected a number below 1",
        ),
        (&format!("{head}Acceptance: 0 Inf(0)"), "2:19: acceptance set 0 is not declared"),
        (
            &format!("{head}Acceptance: 1 Foo(0)"),
            "2:15: unexpected `Foo`, expected `Inf`, `Fin`, `t`, `f` or `(`",
        ),
        (
            &format!("{head}Acceptance: 1 !Inf(0)"),
            "2:15: unexpected `!`, expected `Inf`, `Fin`, `t`, `f` or `(`",
        ),
        (&format!("{head}Acceptance: 1 Inf 0"), "2:19: unexpected `0`, expected `(`"),
        (
            &format!("{head}Acceptance: 1 (Inf(0) name: \"x\""),
            "2:15: the parenthesis is not closed, expected `)`",
        ),
        (
            &format!("{head}Acceptance: 1 Inf(0) | --BODY--"),
            "2:24: unexpected `--BODY--`, expected `Inf`, `Fin`, `t`, `f` or `(`",
        ),
        (
            &format!("{head}Acceptance: 2147483647 Inf(0)"),
            "2:13: 2147483647 acceptance sets are too many, expected at most 4096",
        ),
        (&format!("{head}acc-name: 1"), "2:11: unexpected `1`, expected the name of a condition"),
        (
            &format!("{head}acc-name: Buchi Acceptance: 1 Fin(0) {end}"),
            "2:11: the name contradicts the condition Fin(0), expected Inf(0)",
        ),
        (
            &format!("{head}acc-name: Buchi Acceptance: 1 Inf(!0) {end}"),
            "2:11: the name contradicts a condition over complements of sets, expected Inf(0)",
        ),
        (
            &format!("{head}acc-name: Buchi 1 Acceptance: 1 Inf(0) {end}"),
            "2:11: the parameters of Buchi are wrong",
        ),
        (
            &format!("{head}acc-name: parity up odd 1 Acceptance: 1 Inf(0) {end}"),
            "2:11: the parameters of parity are wrong",
        ),
        (
            &format!("{head}acc-name: Rabin 2000000000 Acceptance: 1 Inf(0) {end}"),
            "2:11: Rabin needs 4000000000 acceptance sets, expected a name for 1",
        ),
        // Bodies.
        (&with_head("--BODY-- 0"), "4:10: unexpected `0`, expected `State:` or `--END--`"),
        (
            &with_head("--BODY--\nState: 0"),
            "5:9: the automaton ends too early, expected an edge, `State:` or `--END--`",
        ),
        (&with_head("--BODY-- State: 2"), "4:17: there is no state 2, expected a number below 2"),
        (
            &with_head("--BODY-- State: 0 [t] 2"),
            "4:23: there is no state 2, expected a number below 2",
        ),
        (
            &with_head("--BODY-- State: 0 [t] 1&2"),
            "4:25: there is no state 2, expected a number below 2",
        ),
        (&with_head("--BODY-- State: 0\nState: 0"), "5:8: state 0 is defined twice"),
        (
            &with_head("--BODY-- State: \"x\""),
            "4:17: unexpected a string, expected the number of a state",
        ),
        (
            &with_head("--BODY-- State: 0 {2}"),
            "4:20: acceptance set 2 is not declared, expected a number below 2",
        ),
        (
            &with_head("--BODY-- State: 0 [t] 0 {1 x}"),
            "4:28: unexpected `x`, expected an acceptance set or `}`",
        ),
        (
            &with_head("--BODY-- State: 0 [2] 0"),
            "4:20: proposition 2 is not declared, expected a number below 2",
        ),
        (
            &with_head("--BODY-- State: 0 [@x] 0"),
            "4:20: the alias @x is not defined before it is used",
        ),
        (&with_head("--BODY-- State: 0 [] 0"), "4:20: unexpected `]`, expected a label"),
        (
            &with_head("--BODY-- State: 0 [0 1] 0"),
            "4:22: unexpected `1`, expected an operator or `]`",
        ),
        (&with_head("--BODY-- State: 0 [true] 0"), "4:20: unexpected `true`, expected a label"),
        (
            &with_head("--BODY-- State: 0 [(0] 0"),
            "4:20: the parenthesis is not closed, expected `)`",
        ),
        (
            &with_head("--BODY-- State: 0 [0)] 0"),
            "4:21: unexpected `)`, expected an operator or `]`",
        ),
        (
            &with_head("--BODY-- State: 0 [0&"),
            "4:22: the automaton ends too early, expected a label",
        ),
        (
            &with_head("--BODY-- State: [0] 0 [1] 0"),
            "4:23: the state has a label already, expected an edge without a label",
        ),
        (
            &with_head("--BODY-- State: 0 0 [1] 0"),
            "4:21: the edges before this one have no labels, expected an edge without a label",
        ),
        (
            &with_head("--BODY-- State: 0 [1] 0 0"),
            "4:25: the edges before this one have labels, expected a label",
        ),
        (
            &with_head("--BODY-- State: 0 0 0 0 --END--"),
            "4:17: state 0 has 3 edges without labels, but there are 2^2 letters",
        ),
        (
            &with_head("--BODY-- State: 0 0 0 0 0 0 --END--"),
            "4:27: the state has more edges without labels than the 4 letters",
        ),
        (
            &with_head("--BODY-- State: 0 \"ä\" /* ö */ x"),
            "4:31: unexpected `x`, expected an edge, `State:` or `--END--`",
        ),
        (
            "HOA: v1 Acceptance: 0 t --BODY-- State: 3000000",
            "1:41: the text is too short to define 3000000 states",
        ),
        (
            "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--",
            "1:44: proposition 0 is not declared, expected `t` or `f`, as there are no propositions",
        ),
        // Properties.
        (
            &with_head("properties: x deterministic\n--BODY-- State: 0 [t] 0 [0] 1 --END--"),
            "4:15: the automaton is declared deterministic, but a word may have several runs",
        ),
        (
            &with_head("properties: complete --BODY-- State: 0 [t] 0 --END--"),
            "4:13: the automaton is declared complete, but a state does not read every letter",
        ),
        (
            &with_head("properties: state-acc --BODY-- State: 0 [t] 0 {0} --END--"),
            "4:13: the automaton is declared state-acc, but edges have acceptance sets",
        ),
        (
            &with_head("properties: trans-acc --BODY-- State: 0 {0} [t] 0 --END--"),
            "4:13: the automaton is declared trans-acc, but states have acceptance sets",
        ),
        (
            &with_head("properties: state-labels --BODY-- State: 0 [t] 0 --END--"),
            "4:13: the automaton is declared state-labels, but edges have labels",
        ),
        (
            &with_head("properties: trans-labels --BODY-- State: [t] 0 0 --END--"),
            "4:13: the automaton is declared trans-labels, but states have labels",
        ),
        (
            &with_head("properties: implicit-labels --BODY-- State: 0 [t] 0 --END--"),
            "4:13: the automaton is declared implicit-labels, but labels are written",
        ),
        (
            &with_head("properties: explicit-labels --BODY-- State: 0 0 0 0 0 --END--"),
            "4:13: the automaton is declared explicit-labels, but some edges have no labels",
        ),
        (
            &with_head("properties: univ-branch --BODY-- State: 0 [t] 0 --END--"),
            "4:13: the automaton is declared univ-branch, but there is no conjunction of states",
        ),
        (
            &with_head("properties: no-univ-branch --BODY-- State: 0 [t] 0&1 --END--"),
            "4:13: the automaton is declared no-univ-branch, but there is a conjunction of states",
        ),
    ] {
        match parse(text) {
            Err(found) => assert_eq!(found.to_string(), error, "{text}"),
            Ok(_) => panic!("read, but should be refused: {text}"),
        }
    }
}

#[test]
fn different_texts_mean_the_same() {
    let plain = "--BODY-- State: 0 [!0&!1] 0 {0} [0&!1] 1 {0} [!0&1] 0 {0 1} [0&1] 1 {0} \
                 State: 1 [0] 0 [0] 1 --END--";
    let plain = read(&with_head(plain));
    for text in [
        // Implicit labels, marks of states and edges together, a state label, any order.
        "--BODY-- State: 1 [0] 0 [0] 1 State: 0 {0} 0 1 0 {1} 1 --END--",
        "--BODY-- State: 0 {0} 0 1 0 {1} 1 State: [0] 1 0 1 --END--",
        // Comments between all tokens; no spaces where they are optional.
        "/**/--BODY--/*--END--*/State:/**/1[/*]*/0]0[0]1/*/**/*/State:0{0}0 1 0{1}1--END--/*x*/",
        // Aliases, parentheses, precedence, constants.
        "Alias: @a 0 Alias: @b-c !@a|f Alias: @2 !@b-c&t --BODY-- State: 0 {0} 0 1 0 {1} 1
         State: 1 [((@2))] 0 [!@b-c] 1 --END--",
        "--BODY-- State: 1 [!!0&!(1&!1)|0&1|0&!1] 0 [f|0] 1 [f] 1 [0&!0] 0 State: 0 {0} 0 1 0 {1 1} 1 --END--",
        // `0&0` is not universal branching.
        "properties: no-univ-branch --BODY-- State: 0 {0} 0&0 1 0 {1} 1 State: 1 [0] 0 [0] 1 --END--",
        // Irrelevant details.
        "name: \"x\\\"--END--\\\\\" tool: \"y\" foo--ABORT--: bar _x: \"--END--\" Start: 0 properties: stutter-invariant
         --BODY-- State: 0 \"--END--\" {0} 0 1 0 {1} 1 State: 1 [0] 0 [0] 1 --END--",
    ] {
        assert_eq!(read(&with_head(text)), plain, "{text}");
    }
}

#[test]
fn names_and_headers_are_kept() {
    let automaton = read(&with_head(
        "name: \"x\\\"y\\\\\\z\" tool: \"t\" \"1\" b: t 1 /* c */ \"s\\\"\" w a:
         properties: weak complete weak properties: tight
         --BODY-- State: 0 \"ä\n\" [t] 0 State: 1 [t] 1 --END--",
    ));
    assert_eq!(automaton.name(), Some("x\"y\\z"));
    assert_eq!(automaton.state_name(StateId::new(0)), Some("ä\n"));
    let headers = automaton.headers();
    assert_eq!(headers.tool, Some(("t".to_string(), Some("1".to_string()))));
    assert_eq!(headers.properties, ["weak", "tight"]);
    let others = [("b", "t 1 \"s\\\"\" w"), ("a", "")];
    assert_eq!(headers.others, others.map(|(l, r)| (l.to_string(), r.to_string())));
    let again = read(&to_string(&automaton, &WriteOptions::default()));
    assert_eq!(again.headers(), headers);
    assert_eq!(again.name(), automaton.name());
    assert!(automaton.edit().build().headers().properties.is_empty());
}

#[test]
fn complements_of_sets_get_sets() {
    let text = |condition: &str| {
        format!(
            "HOA: v1 Start: 0 Acceptance: 2 {condition} --BODY-- \
             State: 0 [t] 0 {{0}} [t] 0 [t] 0 {{1}} [t] 0 {{0 1}} --END--"
        )
    };
    let marks = |automaton: &Automaton| {
        automaton.edges().iter().map(|edge| edge.marks.to_string()).collect::<Vec<_>>().join(" ")
    };
    // Only the complement of 0 is used, so mark 0 represents it.
    let flipped = read(&text("Fin(!0)&Inf(1)"));
    assert_eq!(flipped.acceptance().condition().to_string(), "Fin(0) & Inf(1)");
    assert_eq!(flipped.acceptance().marks(), 2);
    assert_eq!(marks(&flipped), "{} {0} {0 1} {1}");
    // Both are used, so the complement is a new set.
    let added = read(&text("Inf(!1)&(Inf(1)|Fin(0))"));
    assert_eq!(added.acceptance().condition().to_string(), "Inf(2) & (Inf(1) | Fin(0))");
    assert_eq!(added.acceptance().marks(), 3);
    assert_eq!(marks(&added), "{0 2} {2} {1} {0 1}");
}

#[test]
fn streams_go_on_after_errors() {
    let good =
        |states: usize| format!("HOA: v1\nStates: {states}\nAcceptance: 0 t\n--BODY--\n--END--\n");
    let summary = |text: &str| -> Vec<String> {
        // Small chunks, which cut tokens everywhere.
        let whole: Vec<_> = Reader::new(text.as_bytes()).collect();
        for size in [1, 2, 7] {
            let cut = std::io::BufReader::with_capacity(size, text.as_bytes());
            assert_eq!(Reader::new(cut).collect::<Vec<_>>(), whole, "{text}");
        }
        let states = |automaton: AnyAutomaton| automaton.alternating().state_count().to_string();
        whole.into_iter().map(|r| r.map_or_else(|e| e.to_string(), states)).collect()
    };
    let expect = |text: &str, expected: &[&str]| assert_eq!(summary(text), expected, "{text}");
    let (one, two) = (good(1), good(2));
    expect("", &[]);
    expect(" /* nothing */\n", &[]);
    expect(&format!("{one}{two}"), &["1", "2"]);
    // All on one line.
    expect(&format!("{one}{two}").replace('\n', " "), &["1", "2"]);
    // Aborted automata are skipped at any point.
    expect(
        &format!("HOA: v1 --ABORT--{one}HOA: v1 States: 1 --BODY-- State:\n--ABORT-- {two}"),
        &["1", "2"],
    );
    // An error within an automaton, garbage, a missing end, unclosed strings and comments.
    let late = "the automaton ends too early, expected";
    expect(
        &format!("HOA: v1\nStates: x\n--END--\n{one}"),
        &["2:9: unexpected `x`, expected the number of states", "1"],
    );
    expect(&format!("rubbish\n{one}"), &["1:1: unexpected `rubbish`, expected `HOA:`", "1"]);
    expect(&format!("{one}1 2 3\n{two}"), &["1", "6:1: unexpected `1`, expected `HOA:`", "2"]);
    expect(
        &format!("HOA: v1\nStates: 1\n{one}"),
        &[&format!("3:1: {late} a header or `--BODY--`"), "1"],
    );
    expect(
        &format!("HOA: v1 name: \"\n{one}{two}"),
        &["1:15: the string is not closed, expected `\"`", "1", "2"],
    );
    expect(
        &format!("HOA: v1 /*\n{one}HOA: v1 /* /*\n{two}"),
        &[
            "1:9: the comment is not closed, expected `*/`",
            "1",
            "7:9: the comment is not closed, expected `*/`",
            "2",
        ],
    );
    // A wrong property is found at the end, so the body is not read again.
    expect(
        &format!(
            "HOA: v1 States: 1 Acceptance: 0 t properties: complete /*\n{one}*/ --BODY-- --END--{two}"
        ),
        &["1:47: the automaton is declared complete, but a state does not read every letter", "2"],
    );
    // Columns continue after an automaton on the same line.
    expect(
        &format!("{}x", one.replace('\n', " ")),
        &["1", "1:52: unexpected `x`, expected `HOA:`"],
    );
}

#[test]
fn errors_of_the_input_stop_the_reader() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no"))
        }
    }
    let mut reader = Reader::new(std::io::BufReader::new(Broken));
    assert!(reader.next().unwrap().unwrap_err().to_string().contains("cannot read"));
    assert!(reader.next().is_none());
}

#[test]
fn strings_must_be_utf8() {
    let error = Reader::new(&b"HOA: v1 name: \"a\xff\""[..]).next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "1:17: the string is not UTF-8");
}

#[test]
fn deep_nesting_does_not_overflow() {
    let deep = 100_000;
    let nested = format!("{}0{}", "!(".repeat(deep), ")".repeat(deep));
    let text = with_head(&format!("Alias: @a {nested}\n--BODY-- State: 0 [{nested}|@a] 1 --END--"));
    let automaton = read(&text);
    assert_eq!(automaton.edges()[0].label, automaton.alphabet().prop(0));
    let right = format!("{}1{}", "0&(1|".repeat(deep), ")".repeat(deep));
    read(&with_head(&format!("--BODY-- State: 0 [{right}] 1 --END--")));
    let parentheses = |count: usize| {
        format!(
            "HOA: v1 Acceptance: 1 {}Inf(0){} --BODY-- --END--",
            "(".repeat(count),
            ")".repeat(count)
        )
    };
    assert_eq!(*read(&parentheses(4096)).acceptance().condition(), Condition::Inf(0));
    assert!(parse(&parentheses(deep)).unwrap_err().to_string().contains("nested too deeply"));
    let alternating = format!(
        "HOA: v1 Acceptance: 1 {}t{} --BODY-- --END--",
        "Inf(0)|Fin(0)&(".repeat(600),
        ")".repeat(600)
    );
    assert!(parse(&alternating).unwrap_err().to_string().contains("nested too deeply"));
}

#[test]
fn a_thousand_colours_are_read_and_written() {
    let named =
        Named::Parity(crate::Parity { kind: crate::ParityKind::Max, odd: true, marks: 1000 });
    let mut builder = Automaton::builder(crate::Alphabet::new([""; 0]).unwrap());
    builder.acceptance(named.acceptance());
    let state = builder.add_state();
    let tt = builder.alphabet().tt();
    builder.initial(state).edge(state, tt, Marks::from_iter([3, 999]), state);
    let automaton = builder.build();
    let text = to_string(&automaton, &WriteOptions::default());
    assert!(text.contains("acc-name: parity max odd 1000\n"), "{text}");
    assert_eq!(read(&text), automaton);
}

#[test]
fn implicit_labels_are_written_for_deterministic_complete_automata() {
    let text = with_head("--BODY-- State: 0 [0] 1 {0} [!0] 0 State: 1 [t] 1 --END--");
    let options = WriteOptions { implicit_labels: true, ..Default::default() };
    let written = to_string(&read(&text), &options);
    assert_eq!(
        written,
        "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 2 Inf(0) & Fin(1)\n\
         properties: trans-labels implicit-labels trans-acc deterministic complete\n--BODY--\n\
         State: 0\n0\n1 {0}\n0\n1 {0}\nState: 1\n1\n1\n1\n1\n--END--\n"
    );
    assert_eq!(to_string(&read(&written), &options), written);
    let incomplete = with_head("--BODY-- State: 0 [0] 1 --END--");
    assert!(to_string(&read(&incomplete), &options).contains("explicit-labels"));
}

#[test]
fn alternating_automata_are_written() {
    let text = "HOA: v1\nname: \"Fa & G(b|Xb)\"\nStates: 2\nStart: 0&1\nStart: 1\nAP: 1 \"a\"\n\
        acc-name: co-Buchi\nAcceptance: 1 Fin(0)\n\
        properties: trans-labels explicit-labels trans-acc univ-branch complete\n--BODY--\n\
        State: 0 \"F\"\n[!0] 0 {0}\n[0] 0&1\nState: 1\n[t] 1\n[t] 0&1 {0}\n--END--\n";
    let automaton = parse(text).unwrap();
    assert!(matches!(automaton, AnyAutomaton::Alternating(_)));
    assert_eq!(to_string(&automaton, &WriteOptions::default()), text);
}

proptest! {
    #[test]
    fn automata_are_read_as_written(automaton in arbitrary::automaton(), on_edges: bool) {
        let marks = if on_edges { MarksOn::Edges } else { MarksOn::StatesIfPossible };
        let text = to_string(&automaton, &WriteOptions { marks, ..Default::default() });
        prop_assert_eq!(parse(&text), Ok(AnyAutomaton::Nondeterministic(automaton)), "{}", text);
    }

    #[test]
    fn alternating_automata_are_read_as_written(
        automaton in arbitrary::alternating(Default::default()),
    ) {
        let text = to_string(&automaton, &WriteOptions::default());
        prop_assert_eq!(parse(&text).map(AnyAutomaton::alternating), Ok(automaton), "{}", text);
    }

    #[test]
    fn cut_texts_are_refused(automaton in arbitrary::automaton(), at in any::<prop::sample::Index>()) {
        let text = to_string(&automaton, &WriteOptions::default());
        let at = at.index(text.len() - 1);
        prop_assert_eq!(Reader::new(&text.as_bytes()[..at]).any(|r| r.is_ok()), false, "{}", text);
    }
}
