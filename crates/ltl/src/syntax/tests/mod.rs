mod depth;
mod errors;
mod precedence;
mod spellings;

use super::*;

/// Reads the text in this syntax and writes it in Spot's.
fn read(text: &str, syntax: Syntax) -> String {
    match parse(text, syntax) {
        Ok(formula) => formula.to_string(),
        Err(error) => panic!("cannot read {text:?}: {error:?}"),
    }
}

fn assert_reads(syntax: Syntax, table: &[(&str, &str)]) {
    for (text, spot) in table {
        assert_eq!(read(text, syntax), *spot, "for {text:?}");
    }
}

#[test]
fn names_of_syntaxes_and_notations_read_back() {
    for syntax in Syntax::ALL {
        assert_eq!(syntax.to_string().parse(), Ok(syntax));
    }
    for notation in Notation::ALL {
        assert_eq!(notation.to_string().parse(), Ok(notation));
    }
    let error = "smv".parse::<Syntax>().unwrap_err();
    assert_eq!(error.expectation(), Some("auto, spot, spin, lbt"));
    assert!("smv".parse::<Notation>().is_err());
}

#[test]
fn auto_tries_infix_then_prefix() {
    assert_reads(
        Syntax::Auto,
        &[
            ("a U b", "a U b"),
            ("U a b", "a U b"),
            ("& p0 ! p1", "p0 & !p1"),
            ("G i a F b", "G(a -> Fb)"),
            ("[]<>p", "GFp"),
            // A formula in both: Spot's syntax wins.
            ("t", "t"),
            ("! p0", "!p0"),
        ],
    );
    // The error refers to the syntax that the text resembles.
    let error = |text: &str| text.parse::<Formula>().unwrap_err();
    assert_eq!(error("U a").expectation(), Some("an operand of `U`"));
    assert_eq!(error("| a").expectation(), Some("an operand of `|`"));
    assert_eq!(error("a U").expectation(), Some("a formula"));
    assert_eq!(error("a b").span(), Some(2..3));
}
