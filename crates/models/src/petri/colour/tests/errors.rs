//! Errors in a coloured net are reported once, with their place.

use super::*;

/// The net with two sorts, two variables, a place, a transition and an arc, of which a part is
/// replaced by something else; the part of the text that is to blame, and what is said.
fn refused(part: &str, other: &str) -> (String, String) {
    let text = file(
        &(enumeration("S", &["a", "b"]) + &enumeration("T", &["c", "d"]) + &variable("x", "S")),
        &(place("p", "S", &constant("a"))
            + &transition("t", &apply("equality", &[value_of("x"), constant("b")]))
            + &arc("p", "t", &value_of("x"))),
    );
    assert!(unfold(&text).is_ok());
    assert!(text.contains(part), "{part}");
    let text = text.replacen(part, other, 1);
    let error = unfold(&text).expect_err(&text);
    (text[error.span().expect("a place")].to_owned(), error.to_string())
}

fn check(part: &str, other: &str, blamed: &str, message: &str) {
    let (place, said) = refused(part, other);
    assert_eq!((place.as_str(), said.as_str()), (blamed, message));
}

#[test]
fn unknown_names() {
    check(
        "<useroperator declaration=\"a\"/>",
        "<useroperator declaration=\"z\"/>",
        "<useroperator declaration=\"z\"/>",
        "there is no constant `z` (did you mean `a`, `b` or `c`?)",
    );
    check(
        "<usersort declaration=\"S\"/></structure>",
        "<usersort declaration=\"SS\"/></structure>",
        "<usersort declaration=\"SS\"/>",
        "there is no sort `SS` (did you mean `S`?)",
    );
    check(
        "refvariable=\"x\"",
        "refvariable=\"variable\"",
        "<variable refvariable=\"variable\"/>",
        "there is no variable `variable`",
    );
    check(
        "target=\"t\"",
        "target=\"tt\"",
        "<arc id=\"p-t\" source=\"p\" target=\"tt\">",
        "there is no node `tt` (did you mean `t`?)",
    );
}

#[test]
fn wrong_sorts() {
    check(
        "<useroperator declaration=\"a\"/>",
        "<useroperator declaration=\"c\"/>",
        "<useroperator declaration=\"c\"/>",
        "a term of the sort {c, .., d}, expected {a, .., b}",
    );
    check(
        "<useroperator declaration=\"b\"/>",
        "<useroperator declaration=\"d\"/>",
        "<equality>",
        "a comparison with the sort {c, .., d}, expected {a, .., b}",
    );
    check(
        "<useroperator declaration=\"b\"/>",
        "<all><usersort declaration=\"S\"/></all>",
        "<equality>",
        "this compares two colours, not multisets",
    );
    check(
        "<useroperator declaration=\"a\"/>",
        "<variable refvariable=\"x\"/>",
        "<variable refvariable=\"x\"/>",
        "an initial marking with a variable, `x`",
    );
    check(
        "<equality>",
        "<equality><subterm><or/></subterm>",
        "<equality>",
        "this compares two colours",
    );
    check(
        "<hlinscription><structure><variable refvariable=\"x\"/></structure></hlinscription>",
        "",
        "<arc id=\"p-t\" source=\"p\" target=\"t\">",
        "the arc has no inscription",
    );
    check(
        "<type><structure><usersort declaration=\"S\"/></structure></type>",
        "",
        "<place id=\"p\">",
        "the place `p` has no sort, expected `type`",
    );
}

#[test]
fn wrong_declarations() {
    check(
        "<cyclicenumeration>",
        "<cyclicenumeration><feconstant id=\"c\" name=\"c\"/>",
        "<feconstant id=\"c\" name=\"c\"/>",
        "a second declaration of `c`",
    );
    check(
        "<namedsort id=\"T\">",
        "<namedsort id=\"S\"/><namedsort id=\"T\">",
        "<namedsort id=\"S\"/>",
        "a second declaration of `S`",
    );
    check(
        "<namedsort id=\"T\">",
        "<namedsort id=\"U\"><productsort><usersort declaration=\"V\"/></productsort></namedsort>\
         <namedsort id=\"V\"><productsort><usersort declaration=\"U\"/></productsort></namedsort>\
         <namedsort id=\"T\">",
        "<usersort declaration=\"U\"/>",
        "the sort `U` is part of itself",
    );
    check(
        "<namedsort id=\"T\">",
        "<namedsort id=\"U\"><finiteintrange start=\"0\" end=\"4294967295\"/></namedsort>\
         <namedsort id=\"T\">",
        "<finiteintrange start=\"0\" end=\"4294967295\"/>",
        "the sort has 2^32 colours or more",
    );
    check(
        "<namedsort id=\"T\">",
        "<namedsort id=\"U\"><string/></namedsort><namedsort id=\"T\">",
        "<string/>",
        "`string` is not known in symmetric nets",
    );
    check(
        "<feconstant id=\"a\" name=\"a\"/><feconstant id=\"b\" name=\"b\"/>",
        "",
        "<cyclicenumeration>",
        "the enumeration has no constants",
    );
    check(
        "<transition id=\"t\">",
        "<transition id=\"p\"/><transition id=\"t\">",
        "<transition id=\"p\"/>",
        "a second node `p`",
    );
}

#[test]
fn wrong_numbers() {
    check(
        "<structure><variable refvariable=\"x\"/></structure>",
        "<structure><subtract><subterm><variable refvariable=\"x\"/></subterm>\
         <subterm><useroperator declaration=\"b\"/></subterm>\
         <subterm><useroperator declaration=\"b\"/></subterm></subtract></structure>",
        "<subtract>",
        "the term takes more of a colour away than there is",
    );
    check(
        "<useroperator declaration=\"a\"/>",
        "<numberof><subterm><numberconstant value=\"-1\"/></subterm><subterm>\
         <useroperator declaration=\"a\"/></subterm></numberof>",
        "<numberconstant value=\"-1\"/>",
        "the number is negative or too large",
    );
}

#[test]
fn broken_files() {
    let text = file(&enumeration("S", &["a"]), &place("p", "S", ""));
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let Err(error) = read(&text.as_bytes()[..end]) else {
            assert!(text[end..].starts_with("</pnml>") || "</pnml>".contains(&text[end..]));
            continue;
        };
        assert!(error.span().is_some_and(|span| span.end <= end), "{error}");
    }
}
