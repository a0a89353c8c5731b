//! Automata scripts: the example of the format, letters as propositions, errors with their places.

use super::{read, written};
use crate::formats::{Format, Reader, ats};
use crate::{Automaton, Marks, Named, complement, language};

const SOME_B: &str = r#"// at least one b
NestedWordAutomaton some_b = (
  callAlphabet = { }, internalAlphabet = { "x:=x-1" "b" }, returnAlphabet = { },
  states = { "s 0" f }, initialStates = { "s 0" }, finalStates = { f },
  callTransitions = { },
  internalTransitions = { ("s 0" "x:=x-1" "s 0") ("s 0" b "s 0") ("s 0" "b" f) (f "x:=x-1" f) (f b f) },
  returnTransitions = { } );
"#;

#[test]
fn the_example() {
    let automaton = read(SOME_B);
    assert_eq!((automaton.state_count(), automaton.edge_count()), (2, 3));
    assert_eq!(automaton.name(), Some("some_b"));
    assert_eq!(*automaton.acceptance(), Named::Buchi.acceptance());
    assert_eq!(ats::letters(&automaton).unwrap(), ["x:=x-1", "b"]);
    let text = written(&automaton, Format::Ats).unwrap();
    assert_eq!(text.matches('(').count(), 6);
    assert!(text.contains(r#"internalAlphabet = { "x:=x-1" b }"#), "{text}");
    assert!(text.contains(r#"("s 0" b f)"#), "{text}");
    let again = read(&text);
    assert_eq!(written(&again, Format::Ats).unwrap(), text);
    assert!(language::equivalent(&automaton, &again));
}

#[test]
fn letters_survive_hoa() {
    let hoa = written(&read(SOME_B), Format::Hoa).unwrap();
    assert!(hoa.contains(r#"letters: "x:=x-1" "b""#), "{hoa}");
    assert_eq!(ats::letters(&read(&hoa)).unwrap().len(), 2);
}

#[test]
fn words_over_no_letters_are_left_out() {
    let text = "FiniteAutomaton f = (alphabet = {a b c}, states = {s}, initialStates = {s}, \
                finalStates = {s}, transitions = {(s a s) (s b s) (s c s)});";
    let automaton = read(text);
    assert_eq!(automaton.alphabet().props().len(), 2);
    let complement = complement::complement(&automaton);
    // The fourth code is no letter: words with it are in no language.
    assert!(language::is_universal(&automaton) && complement.edge_count() > 0);
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    let (state, all) = (builder.add_state(), automaton.alphabet().tt());
    builder.initial(state).edge(state, all, Marks::EMPTY, state);
    let everything = builder.build();
    assert!(language::equivalent(&automaton, &everything));
    assert!(language::equivalent(&everything, &automaton));
    let complement = ats::restricted(complement, &automaton);
    assert!(crate::emptiness::accepting_run(&complement).is_none());
    assert_eq!(ats::letters(&complement).unwrap(), ["a", "b", "c"]);
}

#[test]
fn automata_without_letters_get_the_names_of_valuations() {
    let hoa = r#"HOA: v1 States: 1 Start: 0 AP: 2 "p" "q" Acceptance: 1 Inf(0) --BODY--
        State: 0 {0} [0] 0 --END--"#;
    let text = written(&read(hoa), Format::Ats).unwrap();
    assert!(text.contains(r#"{ "!p&!q" "p&!q" "!p&q" "p&q" }"#), "{text}");
    assert!(text.contains(r#"(s0 "p&!q" s0)"#) && text.contains(r#"(s0 "p&q" s0)"#), "{text}");
    let generalized = read("HOA: v1 States: 0 AP: 0 Acceptance: 2 Inf(0)&Inf(1) --BODY-- --END--");
    let refused = "automata scripts have Büchi automata with marks on states";
    assert_eq!(written(&generalized, Format::Ats), Err(refused.to_owned()));
}

#[test]
fn other_statements_are_skipped() {
    let text =
        format!("{SOME_B}\n// all\nprint(some_b, \"(\");\n{SOME_B}assert(true);\n1 0 0 1 -1 -1\n");
    let read: Vec<_> = Reader::new(text.as_bytes()).map(|read| read.unwrap().format).collect();
    assert_eq!(read, [Format::Ats, Format::Ats, Format::Lbtt]);
    let script = format!("print(numberOfStates(x));\n{SOME_B}");
    let read = crate::formats::read(script.as_bytes(), Some(Format::Ats)).unwrap();
    assert_eq!(read.filter(Result::is_ok).count(), 1);
}

#[test]
fn errors_of_scripts() {
    let define = |items: &str| format!("NestedWordAutomaton a = (\n{items});");
    let alphabet = "internalAlphabet = {x}, states = {s}";
    for (text, wanted) in [
        ("NestedWordAutomaton".to_owned(), "1:20: unexpected end of the input"),
        ("PetriNet p = (alphabet = {a});".to_owned(), "1:1: `PetriNet` is not supported"),
        (" RabinAutomaton r = (states = {a});".to_owned(), "1:2: `RabinAutomaton` is not"),
        ("NestedWordAutomaton = (".to_owned(), "1:21: unexpected `=`"),
        ("NestedWordAutomaton a (".to_owned(), "1:23: unexpected `(`"),
        (define("places = {}"), "2:1: unknown list `places`"),
        (define("states = {}, states = {}"), "2:14: the list `states` occurs twice"),
        (define("states {}"), "2:8: unexpected `{`"),
        (define("states = {,}"), "2:11: unexpected `,`"),
        (define("states = {a b"), "2:14: unexpected `)`"),
        (define("states = {(a b c)}"), "2:11: unexpected `(`"),
        (define("states = {\"a}"), "2:11: unterminated name"),
        (define("states = {\"a\\x\"}"), "2:11: unterminated name"),
        (define("callAlphabet = {c}"), "2:17: calls and returns are not supported"),
        (define("returnAlphabet = {c}"), "2:19: calls and returns are not supported"),
        (define("callTransitions = {(a b c)}"), "2:20: calls and returns are not supported"),
        (define("internalTransitions = {(s x)}"), "2:28: unexpected `)`"),
        (define("internalTransitions = {(s x s s)}"), "2:31: unexpected `s`"),
        (define("internalTransitions = {s}"), "2:24: unexpected `s`"),
        (define("initialStates = {s}"), "2:18: unknown state `s`"),
        (define("finalStates = {s}"), "2:16: unknown state `s`"),
        (
            define(&format!("{alphabet},\ninternalTransitions = {{(s y s)}}")),
            "3:24: unknown letter",
        ),
        (define(&format!("{alphabet},\ninternalTransitions = {{(t x s)}}")), "3:24: unknown state"),
        ("NestedWordAutomaton a = (states = {}) /* x".to_owned(), "1:39: unterminated comment"),
        ("NestedWordAutomaton a = (states = {})".to_owned(), "1:38: unexpected end of the input"),
    ] {
        let error = Reader::new(text.as_bytes()).next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with(wanted), "{error} instead of {wanted} in {text}");
    }
}
