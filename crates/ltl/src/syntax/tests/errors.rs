//! The message and the position of each syntax error.

use super::*;
use std::ops::Range;

/// The message, the place and the expectation for a text.
fn assert_fails(syntax: Syntax, table: &[(&str, Range<usize>, &str, &str)]) {
    for (text, span, message, expected) in table {
        let error = parse(text, syntax).unwrap_err();
        assert_eq!(error.message(), *message, "for {text:?}");
        assert_eq!(error.span(), Some(span.clone()), "for {text:?}");
        assert_eq!(error.expectation().unwrap_or(""), *expected, "for {text:?}");
    }
}

const OPERATOR: &str = "a binary operator or the end of the formula";
const QUOTES: &str = "; a proposition such as \"x >= 1\" needs its quotes";
const NAME: &str = "a name that starts with a letter, or quotes around it";

#[test]
fn spot_errors() {
    assert_fails(
        Syntax::Spot,
        &[
            ("", 0..0, "empty formula", "a formula"),
            (" \n ", 0..3, "empty formula", "a formula"),
            ("(", 1..1, "unexpected end of the formula", "a formula"),
            ("a &", 3..3, "unexpected end of the formula", "a formula"),
            ("!", 1..1, "unexpected end of the formula", "a formula"),
            (")", 0..1, "unexpected `)`", "a formula"),
            ("(a", 0..1, "unbalanced parenthesis opened here", "a `)`"),
            ("((a) & (b)", 0..1, "unbalanced parenthesis opened here", "a `)`"),
            ("(a) & (b", 6..7, "unbalanced parenthesis opened here", "a `)`"),
            ("a)", 1..2, "unbalanced `)`", OPERATOR),
            ("a & )", 4..5, "unexpected `)`", "a formula"),
            ("a & | b", 4..5, "unexpected `|`", "a formula"),
            ("U", 0..1, "unexpected `U`", "a formula"),
            ("a b", 2..3, "unexpected `b`", OPERATOR),
            ("(a b)", 3..4, "unexpected `b`", "a binary operator or `)`"),
            ("a !b", 2..3, "unexpected `!`", OPERATOR),
            ("a (b)", 2..3, "unexpected `(`", OPERATOR),
            ("a \"b c\"", 2..7, "unexpected `\\\"b c\\\"`", OPERATOR),
            ("(a) % b", 4..5, "unknown operator `%`", &format!("{OPERATOR}{QUOTES}")),
            ("% b", 0..1, "unknown operator `%`", "a formula"),
            ("(a == b", 0..1, "unbalanced parenthesis opened here", "a `)`"),
            ("a < b < c", 6..7, "unknown operator `<`", &format!("{OPERATOR}{QUOTES}")),
            ("a <", 3..3, "unexpected end of the formula", "a number, a name or `(`"),
            ("a + (b", 6..6, "unexpected end of the formula", "`)`"),
            ("a[b", 3..3, "unexpected end of the formula", "`]`"),
            ("a & 'b", 4..6, "the quoted name does not end", "`'`"),
            (
                "!a == 1",
                1..7,
                "`!` applies to the first operand of the expression only",
                "parentheses around it",
            ),
            ("(1) <= a", 4..6, "unknown operator `<=`", &format!("{OPERATOR}{QUOTES}")),
            ("Gf(a)", 2..3, "unexpected `(`", &format!("{OPERATOR}{QUOTES}")),
            ("é ∘ b", 3..6, "unknown operator `∘`", OPERATOR),
            ("a \u{0} b", 2..3, "unknown operator `\\0`", OPERATOR),
            ("a & 2b", 4..6, "`2b` cannot be the name of a proposition", NAME),
            ("@", 0..1, "`@` cannot be the name of a proposition", NAME),
            ("a & \"b", 4..6, "unterminated quoted proposition", "a closing `\"`"),
            ("\"b\\\"", 0..4, "unterminated quoted proposition", "a closing `\"`"),
            (
                "F[3..2]a",
                1..7,
                "the lower bound is greater than the upper bound",
                "the smaller bound first",
            ),
            ("X[100001]a", 2..8, "the bound is too large", "at most 100000"),
            ("G[0..99999999999999999999]a", 5..25, "the bound is too large", "at most 100000"),
            ("F[2]a", 3..4, "unexpected `]`", "`..` and an upper bound"),
            ("F[a..2]a", 2..3, "unexpected `a`", "a number"),
            ("F[1..2", 6..6, "unexpected end of the formula", "`]`"),
            ("F[1..b]a", 5..6, "unexpected `b`", "a number, or `]`"),
            ("X[1..2]a", 3..4, "unexpected `.`", "`]`"),
            ("(a)[1]", 3..4, "unknown operator `[`", OPERATOR),
        ],
    );
}

#[test]
fn bounded_operators_have_a_common_limit() {
    let message = "the bounded operators up to here make too large a formula";
    let many = "F[0..50000]a & ".repeat(20) + "b";
    assert_eq!(parse(&many, Syntax::Spot).unwrap_err().message(), message);
    let wide = format!("X F[0..50000]({}a)", "b | c | ".repeat(20));
    let error = parse(&wide, Syntax::Spot).unwrap_err();
    assert_eq!((error.message(), error.span()), (message, Some(2..3)));
    assert!(parse("F[0..100000]G[0..100000]X[100000]a", Syntax::Spot).is_ok());
}

#[test]
fn spin_errors() {
    assert_fails(
        Syntax::Spin,
        &[
            ("", 0..0, "empty formula", "a formula"),
            ("(p", 0..1, "unbalanced parenthesis opened here", "a `)`"),
            ("p & q", 2..3, "the bitwise `&` is not supported", "the logical `&&`"),
            ("p | q", 2..3, "the bitwise `|` is not supported", "the logical `||`"),
            ("p ^ q", 2..3, "unknown operator `^`", OPERATOR),
            ("p q", 2..3, "unexpected `q`", "a logical operator"),
            ("(p && q) > 3", 9..10, "unexpected `>`", "a logical operator"),
            ("p && ]", 5..6, "unexpected `]`", "a formula"),
            ("3", 0..1, "the number `3` is no formula", "a comparison"),
            ("x >", 3..3, "unexpected end of the formula", "an expression"),
            ("a[1 && p", 4..6, "unexpected `&&`", "`]`"),
            ("len(q", 5..5, "unexpected end of the formula", "`)`"),
            ("p@3", 2..3, "unexpected `3`", "an expression"),
            (
                "!x == 3",
                1..7,
                "`!` applies to the first operand of the expression only",
                "parentheses around it",
            ),
        ],
    );
}

#[test]
fn lbt_errors() {
    assert_fails(
        Syntax::Lbt,
        &[
            ("", 0..0, "empty formula", "a formula"),
            ("& a", 3..3, "unexpected end of the formula", "an operand of `&`"),
            ("U a ! ", 6..6, "unexpected end of the formula", "an operand of `!`"),
            ("& a b c", 6..7, "unexpected `c`", "the end of the formula"),
            ("& a (b)", 4..5, "unknown operator `(`", "an operator or a proposition"),
            ("& a 3", 4..5, "`3` cannot be the name of a proposition", NAME),
            ("∧ a b", 0..3, "unknown operator `∧`", "an operator or a proposition"),
            ("! \"a", 2..4, "unterminated quoted proposition", "a closing `\"`"),
        ],
    );
}

#[test]
fn long_text_is_cut_in_messages() {
    let text = format!("a {}", "b".repeat(1000));
    let message = parse(&text, Syntax::Spot).unwrap_err().message().to_owned();
    assert_eq!(message, format!("unexpected `{}…`", "b".repeat(30)));
}
