use super::*;
use crate::arbitrary;
use proptest::prelude::*;

fn spot(text: &str) -> String {
    parse(text, Syntax::Spot).unwrap().to_string()
}

#[test]
fn first_formulas() {
    for (text, printed) in [
        ("G(a->F b)", "G(a -> Fb)"),
        ("GFa", "GFa"),
        ("a&b|c", "c | (a & b)"),
        ("a U b U c", "a U (b U c)"),
        ("FOO", "FOO"),
        ("F1", "F1"),
        ("X(0)", "X(0)"),
        ("Fs a", "Fs a"),
        ("GFs", "GFs"),
        ("GFs(a)", "GFs a"),
        ("F[1..2]a", "X(a | Xa)"),
        ("\"U\" U \"a b\"", "\"U\" U \"a b\""),
        ("!!a", "!!a"),
    ] {
        assert_eq!(spot(text), printed);
    }
}

proptest! {
    #[test]
    fn roundtrip(f in arbitrary::formula(30)) {
        prop_assert_eq!(parse(&f.to_string(), Syntax::Spot), Ok(f.clone()));
        let full = f.display(Notation::Spot).full_parentheses().to_string();
        prop_assert_eq!(parse(&full, Syntax::Spot), Ok(f));
    }
}
