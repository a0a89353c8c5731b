//! Every spelling of every operator, and the tokens of words.

use super::*;
use crate::Prop;

#[test]
fn spot_operators() {
    for (spellings, spot) in [
        ("!a ~a ¬a", "!a"),
        ("()a ○a ◯a Xa", "Xa"),
        ("<>a ◇a ⋄a ♢a Fa", "Fa"),
        ("[]a □a ⬜a ◻a Ga", "Ga"),
        ("true TRUE True 1 ⊤", "1"),
        ("false FALSE False 0 ⊥", "0"),
        ("a&b a&&b a/\\b a∧b", "a & b"),
        ("a|b a||b a\\/b a∨b", "a | b"),
        ("a->b a-->b a=>b a→b a⇒b a⟶b a⟹b", "a -> b"),
        ("a<->b a<-->b a<=>b a↔b a⇔b a⟷b a⟺b", "a <-> b"),
        ("a^b a⊕b (a)xor(b)", "a xor b"),
        ("(a)R(b) (a)V(b)", "a R b"),
        ("(a)U(b)", "a U b"),
        ("(a)W(b)", "a W b"),
        ("(a)M(b)", "a M b"),
        ("Fs(a)", "Fs a"),
        ("Gs!a Gs¬a Gs~a", "Gs !a"),
    ] {
        for spelling in spellings.split(' ') {
            assert_eq!(read(spelling, Syntax::Spot), spot, "for {spelling}");
        }
    }
}

#[test]
fn spot_words() {
    assert_reads(
        Syntax::Spot,
        &[
            ("GFa", "GFa"),
            ("G F a", "GFa"),
            ("XXXa", "XXXa"),
            ("FOO", "FOO"),
            ("Gtrue", "G(1)"),
            ("FALSE", "0"),
            ("XFALSE", "X(0)"),
            ("G_x", "G_x"),
            ("aUb", "aUb"),
            ("a U b", "a U b"),
            ("Uber U b", "Uber U b"),
            ("xor1 xor xor2", "xor1 xor xor2"),
            ("P0@CS & a.b", "P0@CS & a.b"),
            ("été", "été"),
            ("Fété", "Fété"),
            ("\u{a0}a\u{2003}& \n\t b", "a & b"),
        ],
    );
    let prop = |text: &str| parse(text, Syntax::Spot).unwrap().as_prop().cloned();
    for name in ["F1", "X0", "G2a", "aUb", "truex", "Uber", "Rs", "_", "."] {
        assert_eq!(prop(name), Some(Prop::new(name)));
    }
    let depth = |text: &str| parse(text, Syntax::Spot).unwrap().depth();
    assert_eq!([depth("FOO"), depth("G_x"), depth("GFs"), depth("GGs")], [1, 1, 2, 2]);
}

#[test]
fn strict_operators_need_an_operand() {
    let strict = Formula::strict_finally;
    for (text, formula) in [
        ("Fs", Formula::finally("s")),
        ("(Fs)", Formula::finally("s")),
        ("Fs U b", Formula::until(Formula::finally("s"), "b")),
        ("Fs xor b", Formula::xor(Formula::finally("s"), "b")),
        ("Fs <-> b", Formula::iff(Formula::finally("s"), "b")),
        ("Fs -> b", Formula::implies(Formula::finally("s"), "b")),
        ("Fs a", strict("a".into())),
        ("Fs Fs", strict(Formula::finally("s"))),
        ("Fs Fs s", strict(strict("s".into()))),
        ("FFs a", Formula::finally(strict("a".into()))),
        ("Fs \"U\"", strict("U".into())),
        ("Fs ⊤", strict(Formula::tt())),
        ("Fs 0", strict(Formula::ff())),
        ("Fs ()a", strict(Formula::next("a"))),
        ("Fs <>a", strict(Formula::finally("a"))),
        ("Fs Urgent", strict("Urgent".into())),
        ("Fss", Formula::finally("ss")),
    ] {
        assert_eq!(parse(text, Syntax::Spot), Ok(formula), "for {text}");
    }
}

#[test]
fn bounded_operators_are_expanded() {
    assert_reads(
        Syntax::Spot,
        &[
            ("X[0]a", "a"),
            ("X[3]a", "XXXa"),
            ("GX[2]a", "GXXa"),
            ("F[2..4]a", "XX(a | X(a | Xa))"),
            ("F[2:4]a", "XX(a | X(a | Xa))"),
            ("F[2,4]a", "XX(a | X(a | Xa))"),
            ("F [ 2 to 4 ] a", "XX(a | X(a | Xa))"),
            ("G[0..1]a", "a & Xa"),
            ("G[1..1]a", "Xa"),
            ("F[1..]a", "XFa"),
            ("F[1:]a", "XFa"),
            ("G[2..$]a", "XXGa"),
            ("G[2:inf]a", "XXGa"),
            ("F[0..1]a U b", "(a | Xa) U b"),
            ("X[]a", "XGa"),
            ("G[][]a", "GGGa"),
        ],
    );
}

#[test]
fn quoted_propositions() {
    for syntax in [Syntax::Spot, Syntax::Spin, Syntax::Lbt] {
        for (text, name) in [
            (r#""""#, ""),
            (r#""a > 3""#, "a > 3"),
            (r#""U""#, "U"),
            (r#""\"\\\n\r\t""#, "\"\\\n\r\t"),
            (r#""a\b""#, "ab"),
            ("\"a\nb\"", "a\nb"),
        ] {
            assert_eq!(parse(text, syntax), Ok(Formula::prop(name)), "for {text}");
        }
    }
}

#[test]
fn spin_operators() {
    assert_reads(
        Syntax::Spin,
        &[
            ("[]<>!X p", "GF!Xp"),
            ("always eventually p", "GFp"),
            ("next p", "Xp"),
            ("p until q", "p U q"),
            ("p stronguntil q", "p U q"),
            ("p U q", "p U q"),
            ("p weakuntil q", "p W q"),
            ("p W q", "p W q"),
            ("p release q", "p R q"),
            ("p V q", "p R q"),
            ("p implies q", "p -> q"),
            ("p -> q", "p -> q"),
            ("p equivalent q", "p <-> q"),
            ("p <-> q", "p <-> q"),
            ("p && q /\\ r", "p & q & r"),
            ("p || q \\/ r", "p | q | r"),
            ("true && false", "1 & 0"),
            ("1 || 0", "1 | 0"),
            ("~p", "!p"),
            // No letters but U, V, W, X are operators.
            ("M && R", "\"M\" & \"R\""),
            ("Xp", "\"Xp\""),
        ],
    );
    for name in ["F", "G", "M", "R", "Xp", "GFa", "xor", "Fs"] {
        assert_eq!(parse(name, Syntax::Spin), Ok(Formula::prop(name)));
    }
}

#[test]
fn spin_expressions_are_propositions() {
    for (text, name) in [
        ("x>3", "x > 3"),
        ("( x > 3 )", "x > 3"),
        ("arr[ 2 ]==1", "arr[2] == 1"),
        ("p@label", "p@label"),
        ("P[1] : y . z", "P[1]:y.z"),
        ("len(q)<3", "len(q) < 3"),
        ("f( a,b ) != g()", "f(a, b) != g()"),
        ("(x+1)*2 >= y<<1", "(x + 1) * 2 >= y << 1"),
        ("((x)) > 3", "((x)) > 3"),
        ("-x < - -y", "-x < --y"),
        ("x <- 1", "x < -1"),
        ("a[b[c]]%2 == 0", "a[b[c]] % 2 == 0"),
        ("F(a > b)", "F(a > b)"),
        ("3 > 2", "3 > 2"),
        ("(a > b) == (c > d)", "(a > b) == (c > d)"),
    ] {
        assert_eq!(parse(text, Syntax::Spin), Ok(Formula::prop(name)), "for {text}");
    }
    assert_reads(
        Syntax::Spin,
        &[
            ("[] (x > 3 -> <> y == 0)", "G(\"x > 3\" -> F\"y == 0\")"),
            ("x > 3 U y@end", "\"x > 3\" U y@end"),
            ("X x == 1 && !(y == 2)", "!\"y == 2\" & X\"x == 1\""),
            ("!len(q) && !a[1]", "!\"a[1]\" & !\"len(q)\""),
            ("((a) > 1 && b)", "\"(a) > 1\" & b"),
        ],
    );
}

#[test]
fn lbt_operators() {
    assert_reads(
        Syntax::Lbt,
        &[
            ("t", "1"),
            ("f", "0"),
            ("p0", "p0"),
            ("!p0", "!p0"),
            ("X F G p1", "XFGp1"),
            ("& a & b c", "a & b & c"),
            ("&|a b|c d", "(a | b) & (c | d)"),
            ("i a b", "a -> b"),
            ("e a b", "a <-> b"),
            ("^ a b", "a xor b"),
            ("U a b", "a U b"),
            ("V a b", "a R b"),
            ("R a b", "a R b"),
            ("W a b", "a W b"),
            ("M a b", "a M b"),
            ("B a b", "!(!a U b)"),
            ("U Xp0 GFa", "\"Xp0\" U \"GFa\""),
            ("U\n\"a b\"\tta", "\"a b\" U ta"),
        ],
    );
}

/// Expressions over variables need no quotes where they can be nothing else.
#[test]
fn comparisons_without_quotes() {
    for (text, quoted) in [
        ("G(last < 2)", r#"G "last < 2""#),
        ("Gx<2 & y", r#"(G "x < 2") & y"#),
        ("a -> x >= 1", r#"a -> "x >= 1""#),
        ("x = 1 <-> y != 2", r#""x = 1" <-> "y != 2""#),
        ("x==y U z", r#""x == y" U z"#),
        ("1 <= x /\\ 0", r#""1 <= x" & 0"#),
        ("P0 == critical || P0@idle", r#""P0 == critical" | P0@idle"#),
        ("x + 2 * (y - 1) > -3 -> b", r#""x + 2 * (y - 1) > -3" -> b"#),
        ("!a[1] & a[i + 1] == 2", r#"!"a[1]" & "a[i + 1] == 2""#),
        ("'my place' & 'it\\'s' > 1", r#""'my place'" & "'it\\'s' > 1""#),
        ("G(fireable(t,'to x') => X !fired(t))", r#"G("fireable(t, 'to x')" -> X !"fired(t)")"#),
        ("F1 < 2", r#""F1 < 2""#),
        ("a <-> b", "a <-> b"),
        ("a => b --> c", "a -> (b -> c)"),
    ] {
        assert_eq!(parse(text, Syntax::Spot), parse(quoted, Syntax::Spot), "{text}");
        assert!(parse(text, Syntax::Spot).is_ok(), "{text}");
    }
}
