//! Languages of parsed automata, compared with formulas on words and by hand.

use super::{accepts, read, shown, words};
use crate::formats::Reader;
use crate::{Automaton, Named};
use sempre_ltl::{Formula, Prop, Syntax, semantics, syntax};

fn has_language_of(automaton: &Automaton, formula: &Formula) {
    let mut props: Vec<Prop> = formula.props();
    props.extend(automaton.alphabet().props().iter().cloned());
    props.sort();
    props.dedup();
    for word in words(&props) {
        let wanted = semantics::holds(formula, &word);
        assert_eq!(accepts(automaton, &word), wanted, "{formula} on {word}\n{}", shown(automaton));
    }
}

/// Claims printed by Spin 6.5.2, and claims in the styles of other programs and of people. Their
/// comments are the formulas.
#[test]
fn claims_have_the_languages_of_their_formulas() {
    let mut claims = 0;
    for read in Reader::new(include_bytes!("claims.pml").as_slice()) {
        let automaton = read.unwrap_or_else(|error| panic!("{error}")).automaton;
        let automaton = automaton.nondeterministic().expect("no universal branching");
        let formula = match automaton.name() {
            Some("dead") => "p",
            name => name.expect("a formula"),
        };
        let formula = syntax::parse(formula, Syntax::Spin).expect("a formula");
        has_language_of(&automaton, &formula);
        assert!(automaton.is_state_based());
        claims += 1;
    }
    assert_eq!(claims, 19);
}

#[test]
fn claims_have_the_right_structure() {
    let claim = "never { /* p U q */\nT0_init:\n\tdo\n\
        \t:: atomic { ((q)) -> assert(!((q))) }\n\t:: ((p)) -> goto T0_init\n\tod;\n\
        accept_all:\n\tskip\n}\n";
    assert_eq!(shown(&read(claim)), "initial [0]\n0 q 1 {}\n0 p 0 {}\n1 1 1 {0}");
    assert_eq!(read(claim).name(), Some("p U q"));

    // The end of a claim is a state only if it is reachable.
    assert_eq!(shown(&read("never { a: b: false; }")), "initial [0]");
    assert_eq!(shown(&read("never { (x > 3) }")), "initial [0]\n0 \"x > 3\" 1 {}\n1 1 1 {0}");
    let labels = "never { accept_init: T0_init: if :: (1) -> goto accept_init fi }";
    assert_eq!(shown(&read(labels)), "initial [0]\n0 1 0 {0}");
}

#[test]
fn lbtt_has_sets_on_states_and_transitions() {
    let states = read("2 1 7 1 -1 9 p0 7 ! p0 -1 9 0 0 -1 9 t -1");
    assert_eq!(shown(&states), "initial [0]\n0 p0 1 {}\n0 !p0 0 {}\n1 1 1 {0}");
    has_language_of(&states, &"F p0".parse().expect("a formula"));

    let transitions = read("1 2t 0 1 0 0 -1 p0 0 1 -1 p1 0 -1 t -1");
    assert_eq!(shown(&transitions), "initial [0]\n0 p0 0 {0}\n0 p1 0 {1}\n0 1 0 {}");
    has_language_of(&transitions, &"GF p0 & GF p1".parse().expect("a formula"));

    let both = read("1 2st 0 1 5 -1 0 3 -1 p0 -1");
    assert_eq!(shown(&both), "initial [0]\n0 p0 0 {0 1}");

    // Without sets every run is accepting; with one empty set none is.
    has_language_of(&read("1 0 0 1 -1 0 p0 -1"), &"G p0".parse().expect("a formula"));
    has_language_of(&read("1 1 0 1 -1 0 p0 -1"), &"0".parse().expect("a formula"));
    has_language_of(&read("0 0"), &"0".parse().expect("a formula"));
}

#[test]
fn guards_of_lbtt_are_formulas_in_prefix_syntax() {
    let automaton = read("1 0s 0 1 -1\n0 & ! p0 | i p1\n  p2 ^ \"x > 3\" e p1 f\n-1");
    let wanted = "!p0 & ((p1 -> p2) | (\"x > 3\" xor (p1 <-> 0)))".parse().expect("a formula");
    let alphabet = automaton.alphabet();
    assert_eq!(automaton.edges()[0].label, alphabet.from_formula(&wanted).expect("a label"));
    // False guards read nothing.
    assert_eq!(read("1 0 0 1 -1 0 & p0 ! p0 -1").edge_count(), 0);
}

fn dstar(kind: &str, first: &str, second: &str) -> String {
    format!(
        "{kind} v2 explicit\nComment: \"example\"\nStates: 2\nAcceptance-Pairs: 1\nStart: 0\n\
        AP: 1 \"a\"\n---\nState: 0\nAcc-Sig:{first}\n0\n1\nState: 1 \"seen\"\nAcc-Sig:{second}\n0\n1\n"
    )
}

#[test]
fn dstar_has_pairs() {
    for (kind, first, second, formula) in [
        ("DRA", "", " +0", "GFa"),
        ("DRA", " +0", "", "GF!a"),
        ("DRA", " -0", " +0", "FGa"),
        ("DRA", " -0", "", "0"),
        ("DRA", " +0 -0", " -0 +0", "0"),
        ("DSA", "", "", "1"),
        ("DSA", " +0", "", "FGa"),
        ("DSA", " +0", " -0", "GFa"),
        ("DSA", " +0", " +0", "0"),
        ("DSA", " +0 -0", " +0", "GF!a"),
    ] {
        let automaton = read(&dstar(kind, first, second));
        assert!(automaton.is_deterministic() && automaton.is_complete());
        let named = if kind == "DRA" { Named::Rabin(1) } else { Named::Streett(1) };
        assert_eq!(Named::of(automaton.acceptance()), Some(named));
        assert_eq!(automaton.name(), Some("example"));
        assert_eq!(automaton.state_name(crate::StateId::new(1)), Some("seen"));
        // The marks of a state are seen on its outgoing edges; the shift by one letter is
        // irrelevant.
        has_language_of(&automaton, &formula.parse().expect("a formula"));
    }
}

#[test]
fn dstar_lists_successors_by_valuation() {
    let text = "DRA v2 explicit States: 3 Acceptance-Pairs: 1 Start: 2 AP: 2 \"a\" \"b\" ---\n\
        State: 2 Acc-Sig: 0 1 2 1\nState: 0 Acc-Sig: +0 0 0 0 0\nState: 1 Acc-Sig: 1 1 1 1";
    let wanted = "initial [2]\n0 1 0 {1}\n1 1 1 {}\n2 !a & !b 0 {}\n2 a 1 {}\n2 !a & b 2 {}";
    assert_eq!(shown(&read(text)), wanted);
}
