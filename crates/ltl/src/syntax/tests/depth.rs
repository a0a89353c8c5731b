//! Long and deeply nested formulas: no recursion, no quadratic time.

use super::*;

/// Reads the text, writes the formula in all notations, and reads each of them again.
fn survives(text: &str, syntax: Syntax) -> Formula {
    let formula = parse(text, syntax).unwrap();
    for (notation, syntax) in [
        (Notation::Spot, Syntax::Spot),
        (Notation::Spin, Syntax::Spin),
        (Notation::Lbt, Syntax::Lbt),
        (Notation::Unicode, Syntax::Spot),
    ] {
        let text = formula.display(notation).to_string();
        assert!(parse(&text, syntax).as_ref() == Ok(&formula), "in {notation}");
    }
    formula.display(Notation::Latex).to_string();
    formula
}

const DEEP: usize = 100_000;

#[test]
fn a_million_parentheses() {
    let n = 1_000_000;
    let text = "(".repeat(n) + "a" + &")".repeat(n);
    assert_eq!(parse(&text, Syntax::Spot), Ok(Formula::prop("a")));
    assert_eq!(parse(&text, Syntax::Spin), Ok(Formula::prop("a")));
    let error = parse(&text[1..], Syntax::Spot).unwrap_err();
    assert_eq!(error.span(), Some(2 * n - 1..2 * n));
}

#[test]
fn deep_nesting_in_every_direction() {
    let n = DEEP;
    for text in [
        "!".repeat(n) + "a",
        "X".repeat(n) + "a",
        "GF!".repeat(n / 3) + "a",
        "Fs ".repeat(n) + "a",
        "a U (".repeat(n) + "b" + &")".repeat(n),
        "(".repeat(n) + "a" + &" U b)".repeat(n),
        "a U ".repeat(n) + "b",
        "a -> ".repeat(n) + "b",
        "a & (b | (".repeat(n / 2) + "c" + &"))".repeat(n / 2),
    ] {
        let formula = parse(&text, Syntax::Spot).unwrap();
        let written = formula.to_string();
        assert!(parse(&written, Syntax::Spot) == Ok(formula));
    }
    let deep = survives(&("X ".repeat(n) + "a"), Syntax::Lbt);
    assert_eq!(deep.depth() as usize, n);
    survives(&("U a ".repeat(n) + "b"), Syntax::Lbt);
    survives(&("[](a -> (".repeat(n) + "b" + &"))".repeat(n)), Syntax::Spin);
}

#[test]
fn a_million_operators() {
    let n = 1_000_000;
    let formula = parse(&("GX!".repeat(n / 3) + "Xa"), Syntax::Spot).unwrap();
    assert_eq!(formula.to_string().len(), n + 1);
}

#[test]
fn long_conjunctions_however_nested() {
    let n = 200_000;
    let name = |i: usize| format!("p{}", i % 1000);
    let flat = (0..n).map(name).collect::<Vec<_>>().join(" & ");
    let formula = survives(&flat, Syntax::Spot);
    assert_eq!(formula.children().len(), n);
    let left =
        "(".repeat(n - 1) + "p0" + &(1..n).map(|i| format!("&{})", name(i))).collect::<String>();
    let right: String = (0..n - 1).map(|i| format!("({}&", name(i))).collect();
    let right = right + &name(n - 1) + &")".repeat(n - 1);
    let prefix: String = (0..n - 1).map(|i| format!("& {} ", name(i))).collect();
    let prefix = prefix + &name(n - 1);
    let prefix_left =
        "&".repeat(n - 1) + &(0..n).map(|i| format!(" {}", name(i))).collect::<String>();
    for (text, syntax) in [
        (left, Syntax::Spot),
        (right, Syntax::Spot),
        (prefix, Syntax::Lbt),
        (prefix_left, Syntax::Lbt),
    ] {
        assert!(parse(&text, syntax).as_ref() == Ok(&formula));
    }
}

#[test]
fn a_long_text() {
    // 10 MB; the subformulas are shared, so that the test is about the text.
    let part = "G(request -> F(grant U (a | !b))) & X";
    let text = part.repeat(10_000_000 / part.len()) + "c";
    let formula = parse(&text, Syntax::Spot).unwrap();
    assert!(formula.to_string().len() > 9_000_000);
    assert!(parse(&(text + " )"), Syntax::Auto).is_err());
}

#[test]
fn a_long_name() {
    let name = "x".repeat(10_000_000);
    let formula = parse(&name, Syntax::Auto).unwrap();
    assert_eq!(formula.to_string(), name);
    let quoted = format!("\"{}\"", " ".repeat(1_000_000));
    assert_eq!(parse(&quoted, Syntax::Auto).unwrap().to_string(), quoted);
}
