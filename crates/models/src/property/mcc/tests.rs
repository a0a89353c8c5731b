//! Files written for tests.

use super::*;
use proptest::prelude::*;
use sempre_ltl::Op;

/// Those that the files have.
const OPERATORS: [Op; 10] = [
    Op::True,
    Op::False,
    Op::Prop,
    Op::Not,
    Op::Next,
    Op::Finally,
    Op::Globally,
    Op::Until,
    Op::And,
    Op::Or,
];

fn file(formulas: &[String]) -> String {
    let each = formulas.iter().enumerate().map(|(index, formula)| {
        format!(
            "<property>\n<id>m-{index:02}</id>\n<description>a &lt; b</description>\n\
             <formula>{formula}</formula>\n</property>\n"
        )
    });
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n{}</property-set>",
        each.collect::<String>()
    )
}

fn formula(text: &str) -> String {
    let properties = read(&file(&[text.to_owned()])).unwrap();
    assert_eq!((properties.len(), properties[0].name.as_str()), (1, "m-00"));
    properties[0].formula.to_string()
}

fn fireable(names: &[&str]) -> String {
    let names = names.iter().map(|name| format!("<transition>{name}</transition>\n"));
    format!("<is-fireable>{}</is-fireable>", names.collect::<String>())
}

#[test]
fn temporal_operators() {
    let (a, b) = (fireable(&["a"]), fireable(&["b"]));
    let text = format!(
        "<all-paths><until><before><globally>{a}</globally></before><reach><next>\
         <negation>{b}</negation></next></reach></until></all-paths>"
    );
    assert_eq!(formula(&text), r#"G"fireable(a)" U X!"fireable(b)""#);
    let text = format!(
        "<all-paths><conjunction><disjunction>{a}<finally>{b}</finally></disjunction>\
         <conjunction>{a}<deadlock/></conjunction><true/></conjunction></all-paths>"
    );
    assert_eq!(
        formula(&text),
        r#"deadlock & "fireable(a)" & 1 & ("fireable(a)" | F"fireable(b)")"#
    );
}

#[test]
fn propositions_have_one_form() {
    assert_eq!(formula(&fireable(&["b", " a ", "b"])), r#""fireable(a, b)""#);
    assert_eq!(formula(&fireable(&["x-y", "it's", "and", "a&amp;b"])), {
        r#""fireable('a&b', 'and', 'it\\'s', 'x-y')""#
    });
    assert_eq!(formula(&fireable(&[])), "0");
    let count = |names: &[&str]| {
        let names = names.iter().map(|name| format!("<place>{name}</place>"));
        format!("<tokens-count>{}</tokens-count>", names.collect::<String>())
    };
    let constant = |value: u32| format!("<integer-constant>{value}</integer-constant>");
    let at_most = |left: String, right: String| format!("<integer-le>{left}{right}</integer-le>");
    assert_eq!(formula(&at_most(count(&["q", "p", "q"]), constant(3))), r#""p + q + q <= 3""#);
    assert_eq!(formula(&at_most(constant(3), count(&["p"]))), r#""3 <= p""#);
    assert_eq!(formula(&at_most(count(&["p"]), count(&["q 1"]))), r#""p <= 'q 1'""#);
    assert_eq!(formula(&at_most(constant(3), constant(2))), "0");
    assert_eq!(formula(&at_most(count(&["p"]), count(&["p"]))), "1");
}

#[test]
fn errors_have_places() {
    let refused = |text: &str| {
        let text = file(&[text.to_owned()]);
        let error = read(&text).unwrap_err();
        (text[error.span().unwrap()].to_owned(), error.to_string())
    };
    let expect = |text: &str, place: &str, message: &str| {
        assert_eq!(refused(text), (place.to_owned(), message.to_owned()));
    };
    let linear = "a formula of linear time speaks of all paths, once and around everything else";
    expect("<exists-path><true/></exists-path>", "<exists-path>", linear);
    expect("<all-paths><all-paths><true/></all-paths></all-paths>", "<all-paths>", linear);
    expect("<all-paths><next/></all-paths>", "<next/>", "the element takes one formula");
    expect(
        "<until><before><true/></before></until>",
        "<until>",
        "`until` takes `before` and `reach`",
    );
    expect(
        "<weak-until/>",
        "<weak-until/>",
        "`weak-until` is not known in formulas of linear time",
    );
    expect("<place>p</place>", "<place>", "a place is part of `tokens-count`");
    expect(
        "<integer-le><integer-constant>-1</integer-constant></integer-le>",
        "-1",
        "`-1` is not a number of tokens",
    );
    expect("<true/> and", "and", "a text between the parts of a formula");
    expect("", "<formula>", "the element takes one formula");
    let error = read("<pnml/>").unwrap_err();
    assert_eq!(error.to_string(), "no properties, expected the element `property-set`");
    assert_eq!(read("ď").unwrap_err().span(), Some(0..2));
    let text = file(&[fireable(&["t"])]);
    for end in 0..text.len() {
        let error = read(&text[..end]).unwrap_err();
        assert!(error.span().is_some_and(|span| span.end <= end), "{error}");
    }
}

#[test]
fn deep_formulas_need_no_stack() {
    for (open, close) in [
        ("<next>", "</next>"),
        ("<conjunction><true/>", "</conjunction>"),
        ("<conjunction><disjunction><true/>", "</disjunction><false/></conjunction>"),
        ("<until><before><true/></before><reach>", "</reach></until>"),
    ] {
        let depth = 20_000;
        let text = open.repeat(depth) + &fireable(&["t"]) + &close.repeat(depth);
        assert_eq!(read(&file(&[text])).unwrap().len(), 1);
    }
}

/// The text written for a formula is read as that formula.
fn xml(formula: &Formula) -> String {
    let below = || formula.children().iter().map(xml).collect::<Vec<String>>();
    let around = |tag: &str| format!("<{tag}>{}</{tag}>", below().concat());
    match formula.op() {
        Op::True => "<true/>".to_owned(),
        Op::False => "<false/>".to_owned(),
        Op::Prop => fireable(&[formula.as_prop().map_or("", |prop| prop.name())]),
        Op::Not => around("negation"),
        Op::Next => around("next"),
        Op::Finally => around("finally"),
        Op::Globally => around("globally"),
        Op::And => around("conjunction"),
        Op::Or => around("disjunction"),
        Op::Until => {
            let parts = below();
            format!("<until><before>{}</before><reach>{}</reach></until>", parts[0], parts[1])
        }
        other => unreachable!("{other:?} is not in the files"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn formulas_are_read_as_they_are(formula in sempre_ltl::arbitrary::formula_with(30, &OPERATORS)) {
        let read = read(&file(&[xml(&formula)])).unwrap();
        let expected = sempre_ltl::transform(&formula, |part| match part.as_prop() {
            Some(prop) => Formula::prop(format!("fireable({})", quoted(prop.name()))),
            None => part,
        });
        prop_assert_eq!(&read[0].formula, &expected);
    }
}
