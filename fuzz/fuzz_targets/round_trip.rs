//! Invariants for every text: the parsers do not panic, their errors lie within the text, and
//! a formula that one of them reads is the same after being written in any notation and read again,
//! with all its propositions in places of the text.

use sempre_ltl::{Formula, Notation, Op, Syntax, syntax, transform};

/// Formulas whose text would be longer are not written: sharing makes exponential texts possible.
const LARGEST: u64 = 10_000;

/// Panics if the text shows an error in the parsers or printers.
pub(crate) fn check(text: &str) {
    for syntax in Syntax::ALL {
        match syntax::parse(text, syntax) {
            Ok(formula) if formula.size() <= LARGEST => check_formula(&formula),
            Ok(_) => {}
            Err(error) => {
                let span = error.span().expect("every parse error has a place");
                assert!(text.get(span.clone()).is_some(), "{span:?} is no part of the text");
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// Panics if the formula changes on its way through some notation.
pub(crate) fn check_formula(formula: &Formula) {
    for notation in Notation::ALL {
        let printed = formula.display(notation);
        let Some(syntax) = syntax_of(notation) else {
            printed.to_string();
            continue;
        };
        let expected = expressible(formula, notation);
        for text in [printed.to_string(), printed.full_parentheses().to_string()] {
            match syntax::parse(&text, syntax) {
                Ok(read) => {
                    assert_eq!(read, expected, "in {notation}: {text:?}");
                    for prop in read.props().iter() {
                        let place = syntax::find_proposition(&text, syntax, prop.name());
                        let found = place.and_then(|place| text.get(place));
                        assert!(found.is_some(), "{prop:?} is nowhere in {text:?}");
                    }
                }
                Err(error) => panic!("cannot read {text:?} in {notation} again: {error:?}"),
            }
        }
    }
}

/// The syntax in which texts in this notation can be read.
fn syntax_of(notation: Notation) -> Option<Syntax> {
    match notation {
        Notation::Spot | Notation::Unicode => Some(Syntax::Spot),
        Notation::Spin => Some(Syntax::Spin),
        Notation::Lbt => Some(Syntax::Lbt),
        Notation::Latex => None,
    }
}

/// The formula with the operators that the notation lacks replaced by their definitions.
fn expressible(formula: &Formula, notation: Notation) -> Formula {
    let (spin, lbt) = (notation == Notation::Spin, notation == Notation::Lbt);
    transform(formula, |f| match (f.op(), f.children()) {
        (Op::StrictFinally, [g]) if spin || lbt => Formula::next(Formula::finally(g)),
        (Op::StrictGlobally, [g]) if spin || lbt => Formula::next(Formula::globally(g)),
        (Op::Xor, [g, h]) if spin => Formula::not(Formula::iff(g, h)),
        (Op::StrongRelease, [g, h]) if spin => {
            Formula::not(Formula::weak_until(Formula::not(g), Formula::not(h)))
        }
        _ => f,
    })
}
