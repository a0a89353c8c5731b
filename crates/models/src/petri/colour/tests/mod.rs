//! Coloured nets written for tests, and what must be refused.

mod errors;
mod token_game;

use super::{Limits, read};
use crate::petri::{Net, TransitionId};
use sempre_ltl::Error;

/// A PNML file with these declarations and this page.
pub(super) fn file(declarations: &str, page: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\n\
         <name><text>a net</text></name>\n\
         <declaration><structure><declarations>{declarations}</declarations></structure>\
         </declaration>\n<page id=\"page\">{page}</page></net></pnml>"
    )
}

/// A sort with these constants.
pub(super) fn enumeration(name: &str, constants: &[&str]) -> String {
    let each = |id: &&str| format!("<feconstant id=\"{id}\" name=\"{id}\"/>");
    let constants: String = constants.iter().map(each).collect();
    format!(
        "<namedsort id=\"{name}\"><cyclicenumeration>{constants}</cyclicenumeration></namedsort>"
    )
}

pub(super) fn product(name: &str, components: &[&str]) -> String {
    let each = |id: &&str| format!("<usersort declaration=\"{id}\"/>");
    let components: String = components.iter().map(each).collect();
    format!("<namedsort id=\"{name}\"><productsort>{components}</productsort></namedsort>")
}

pub(super) fn variable(name: &str, sort: &str) -> String {
    format!(
        "<variabledecl id=\"{name}\" name=\"{name}\"><usersort declaration=\"{sort}\"/></variabledecl>"
    )
}

pub(super) fn place(name: &str, sort: &str, initial: &str) -> String {
    let initial = if initial.is_empty() {
        String::new()
    } else {
        format!("<hlinitialMarking><structure>{initial}</structure></hlinitialMarking>")
    };
    format!(
        "<place id=\"{name}\"><type><structure><usersort declaration=\"{sort}\"/></structure></type>\
         {initial}</place>"
    )
}

pub(super) fn transition(name: &str, condition: &str) -> String {
    if condition.is_empty() {
        return format!("<transition id=\"{name}\"/>");
    }
    format!(
        "<transition id=\"{name}\"><condition><structure>{condition}</structure></condition>\
         </transition>"
    )
}

pub(super) fn arc(source: &str, target: &str, term: &str) -> String {
    format!(
        "<arc id=\"{source}-{target}\" source=\"{source}\" target=\"{target}\">\
         <hlinscription><structure>{term}</structure></hlinscription></arc>"
    )
}

/// The operator applied to these operands.
pub(super) fn apply(operator: &str, operands: &[String]) -> String {
    let operands: String =
        operands.iter().map(|operand| format!("<subterm>{operand}</subterm>")).collect();
    format!("<{operator}>{operands}</{operator}>")
}

pub(super) fn constant(name: &str) -> String {
    format!("<useroperator declaration=\"{name}\"/>")
}

pub(super) fn value_of(name: &str) -> String {
    format!("<variable refvariable=\"{name}\"/>")
}

pub(super) fn unfold(text: &str) -> Result<Net, Error> {
    read(text.as_bytes())?.unfold(&Limits::default())
}

fn place_names(net: &Net) -> Vec<&str> {
    net.places().map(|place| net.place_name(place)).collect()
}

fn transition_names(net: &Net) -> Vec<&str> {
    net.transitions().map(|transition| net.transition_name(transition)).collect()
}

#[test]
fn a_ring_unfolds() {
    // A token goes around; only stations it can come to are places, and `never` is none.
    let text = file(
        &(enumeration("S", &["a", "b", "c"]) + &variable("x", "S")),
        &(place("at", "S", &constant("b"))
            + &place("never", "S", "")
            + &transition("go", "")
            + &transition("stop", "")
            + &arc("at", "go", &value_of("x"))
            + &arc("go", "at", &apply("predecessor", &[value_of("x")]))
            + &arc("never", "stop", &value_of("x"))),
    );
    let net = unfold(&text).unwrap();
    assert_eq!(net.name(), Some("a net"));
    assert_eq!(place_names(&net), ["at(a)", "at(b)", "at(c)"]);
    assert_eq!(transition_names(&net), ["go(x=a)", "go(x=b)", "go(x=c)"]);
    let initial: Vec<u32> = net.places().map(|place| net.initial(place)).collect();
    assert_eq!(initial, [0, 1, 0]);
    let places: Vec<_> = net.places().collect();
    assert_eq!(net.inputs(TransitionId(0)), [(places[0], 1)]);
    assert_eq!(net.outputs(TransitionId(0)), [(places[2], 1)]);
    assert_eq!(net.place_group("at"), Some(&places[..]));
    assert_eq!(net.place_group("never"), Some(&[][..]));
    assert_eq!(net.transition_group("stop"), Some(&[][..]));
}

#[test]
fn dots_ranges_and_partitions() {
    let range = "<finiteintrange start=\"-1\" end=\"1\"/>";
    let one = |value: i32| {
        format!("<finiteintrangeconstant value=\"{value}\">{range}</finiteintrangeconstant>")
    };
    let number = |value: u32, term: &str| {
        apply(
            "numberof",
            &[
                format!("<numberconstant value=\"{value}\"><positive/></numberconstant>"),
                term.to_owned(),
            ],
        )
    };
    let text = file(
        &("<namedsort id=\"dot\" name=\"Dot\"><dot/></namedsort>".to_owned()
            // Used before it is declared.
            + &product("RS", &["R", "S"])
            + &format!("<namedsort id=\"R\">{range}</namedsort>")
            + &enumeration("S", &["a", "b", "c"])
            + "<partition id=\"part\" name=\"part\"><usersort declaration=\"S\"/>\
               <partitionelement id=\"ends\" name=\"ends\"><useroperator declaration=\"a\"/>\
               <useroperator declaration=\"c\"/></partitionelement></partition>"
            + &variable("r", "R")),
        &(place(
            "p",
            "RS",
            &apply(
                "tuple",
                &[one(1), apply("add", &[constant("ends"), number(2, &constant("b"))])],
            ),
        ) + &place("q", "dot", &number(3, "<dotconstant/>"))
            + &transition("t", "")
            + &arc("p", "t", &apply("tuple", &[value_of("r"), constant("ends")]))
            + &arc("q", "t", &number(2, "<dotconstant/>"))),
    );
    let net = unfold(&text).unwrap();
    assert_eq!(place_names(&net), ["p(1,a)", "p(1,b)", "p(1,c)", "q"]);
    let initial: Vec<u32> = net.places().map(|place| net.initial(place)).collect();
    assert_eq!(initial, [1, 2, 1, 3]);
    assert_eq!(transition_names(&net), ["t(r=1)"]);
    let places: Vec<_> = net.places().collect();
    assert_eq!(net.inputs(TransitionId(0)), [(places[0], 1), (places[2], 1), (places[3], 2)]);
}

#[test]
fn bindings_that_move_the_same_tokens_are_one_transition() {
    let text = file(
        &(enumeration("S", &["a", "b", "c"]) + &variable("x", "S") + &variable("y", "S")),
        &(place("p", "S", "<all><usersort declaration=\"S\"/></all>")
            + &transition("t", "")
            + &arc("p", "t", &apply("add", &[value_of("y"), value_of("x")]))),
    );
    let net = unfold(&text).unwrap();
    let names = ["a,x=a", "a,x=b", "a,x=c", "b,x=b", "b,x=c", "c,x=c"];
    assert_eq!(transition_names(&net), names.map(|name| format!("t(y={name})")));
}

#[test]
fn deep_terms_need_no_stack() {
    let deep = |operator: &str, leaf: &str| {
        let depth = 100_000;
        let open = format!("<{operator}><subterm>").repeat(depth);
        open + leaf + &format!("</subterm></{operator}>").repeat(depth)
    };
    let text = file(
        &(enumeration("S", &["a", "b"]) + &variable("x", "S")),
        &(place("p", "S", &deep("add", &constant("a")))
            + &transition("t", &deep("not", &apply("equality", &[value_of("x"), constant("b")])))
            + &transition("u", &deep("and", &apply("equality", &[value_of("x"), constant("b")])))
            + &arc("p", "t", &deep("successor", &value_of("x")))
            + &arc("p", "u", &value_of("x"))),
    );
    let net = unfold(&text).unwrap();
    assert_eq!(transition_names(&net), Vec::<&str>::new());
}

#[test]
fn limits_are_obeyed() {
    let digits: Vec<String> = (0..100).map(|digit| format!("d{digit}")).collect();
    let digits: Vec<&str> = digits.iter().map(String::as_str).collect();
    let text = file(
        &(enumeration("D", &digits)
            + &product("DD", &["D", "D"])
            + &product("DDDD", &["DD", "DD"])
            + &variable("x", "DD")
            + &variable("y", "DD")
            + &variable("z", "DDDD")),
        &(place("p", "DD", "<all><usersort declaration=\"DD\"/></all>")
            + &place("q", "DDDD", "")
            + &transition("t", "")
            + &arc("p", "t", &value_of("x"))
            + &arc("p", "t", &value_of("y"))
            + &arc("t", "q", &apply("tuple", &[value_of("x"), value_of("y")]))
            + &arc("t", "q", &value_of("z"))),
    );
    let coloured = read(text.as_bytes()).unwrap();
    let unfold = |limits: Limits| coloured.unfold(&limits).unwrap_err().to_string();
    let none = Limits { places: usize::MAX, transitions: usize::MAX, arcs: usize::MAX };
    assert_eq!(
        unfold(Limits { places: 9_999, ..none }),
        "the net unfolds to more than 9999 places"
    );
    assert_eq!(
        unfold(Limits { transitions: 1_000, ..none }),
        "the net unfolds to more than 1000 transitions"
    );
    assert_eq!(unfold(Limits { arcs: 20_000, ..none }), "the net unfolds to more than 20000 arcs");
    let text = text.replace(">p<", "><").replace("<all><usersort declaration=\"DD\"/></all>", "");
    let empty = read(text.as_bytes()).unwrap().unfold(&none).unwrap();
    assert_eq!((empty.place_count(), empty.transition_count()), (1, 0));
}

#[test]
fn the_reader_of_all_nets_unfolds() {
    let text = file(
        &enumeration("S", &["a", "b"]),
        &(place("p", "S", &constant("a")) + &place("q", "dot", "")),
    );
    let net = crate::petri::pnml::read(text.as_bytes()).unwrap();
    assert_eq!(place_names(&net), ["p(a)"]);
    let error = crate::petri::pnml::read(text.replace("</pnml>", "").as_bytes()).unwrap_err();
    assert_eq!(error.message(), "the file ends while 1 elements are open");
}
