//! The grouping of operators without parentheses, and the parentheses in output.

use super::*;

#[test]
fn spot_precedence() {
    assert_reads(
        Syntax::Spot,
        &[
            ("a -> b -> c", "a -> (b -> c)"),
            ("a <-> b -> c", "a <-> (b -> c)"),
            ("a -> b <-> c", "a -> (b <-> c)"),
            ("a -> b | c", "a -> (b | c)"),
            ("a | b -> c", "(a | b) -> c"),
            ("a | b xor c", "a | (b xor c)"),
            ("a xor b | c", "c | (a xor b)"),
            ("a xor b xor c", "c xor (a xor b)"),
            ("a xor b & c", "a xor (b & c)"),
            ("a & b | c & d", "(a & b) | (c & d)"),
            ("a & b U c", "a & (b U c)"),
            ("a U b & c", "c & (a U b)"),
            ("a U b U c", "a U (b U c)"),
            ("a U b R c W d M e", "a U (b R (c W (d M e)))"),
            ("!a U b", "!a U b"),
            ("F a U G b", "Fa U Gb"),
            ("X a & b", "b & Xa"),
            ("! a -> b", "!a -> b"),
            ("Fs a U b", "Fs a U b"),
            ("!(a U b)", "!(a U b)"),
            ("(a -> b) -> c", "(a -> b) -> c"),
            ("(a U b) U c", "(a U b) U c"),
            ("a & (b & (c & d)) & ((e))", "a & b & c & d & e"),
            ("(a | b) & (c | (d & e))", "(a | b) & (c | (d & e))"),
        ],
    );
}

#[test]
fn spin_precedence() {
    assert_reads(
        Syntax::Spin,
        &[
            ("a -> b -> c", "(a -> b) -> c"),
            ("a <-> b -> c", "(a <-> b) -> c"),
            ("a || b && c", "a | (b & c)"),
            ("a && b || c", "c | (a & b)"),
            ("a && b U c", "a & (b U c)"),
            ("a U b U c", "(a U b) U c"),
            ("a U b V c W d", "((a U b) R c) W d"),
            ("[] p U q", "Gp U q"),
            ("[] p && q", "q & Gp"),
            ("a U [] b U c && d", "d & ((a U Gb) U c)"),
            ("X p U q", "Xp U q"),
            ("! p U q", "!p U q"),
            ("![] p U q", "!Gp U q"),
            ("([] p) U q", "Gp U q"),
        ],
    );
}

#[test]
fn spin_is_written_unambiguously() {
    for (spot, spin) in [
        ("Ga U b", "([]a) U b"),
        ("!Ga U b", "(![]a) U b"),
        ("!a U !(b & c)", "!a U !(b && c)"),
        ("a -> (b -> c)", "a -> (b -> c)"),
        ("(a U b) U c", "(a U b) U c"),
        ("GFa -> GFb", "[]<>a -> []<>b"),
        ("!!a", "! !a"),
        ("XGa & Xb", "X b && X []a"),
        ("\"x > 3\" & !\"y@l\" & \"a b\"", "\"a b\" && (x > 3) && !y@l"),
        ("a M b", "!(!a W !b)"),
        ("a xor b", "!(a <-> b)"),
        ("Fs a | Gs b", "X <>a || X []b"),
        ("F(0) U 1", "(<>false) U true"),
        ("\"U\" R \"always\"", "\"U\" V \"always\""),
    ] {
        let formula: Formula = spot.parse().unwrap();
        assert_eq!(formula.display(Notation::Spin).to_string(), spin);
    }
}

#[test]
fn the_other_notations() {
    let formula: Formula = "G(p1 -> Fs(!a xor \"x > 3\")) & (b U X(0)) & c".parse().unwrap();
    let written = |notation| formula.display(notation).to_string();
    assert_eq!(written(Notation::Lbt), "& c & U b X f G i p1 X F ^ ! a \"x > 3\"");
    assert_eq!(written(Notation::Unicode), "c ∧ (b U ○⊥) ∧ □(p1 → Fs(¬a ⊕ \"x > 3\"))");
    assert_eq!(
        written(Notation::Latex),
        "c \\land (b \\mathbin{\\mathsf{U}} \\mathsf{X} \\bot) \\land \\mathsf{G}(p_{1} \\rightarrow \
         \\mathsf{F}_{\\mathsf{s}}(\\lnot a \\oplus \\mbox{x \\textgreater{} 3}))"
    );
    let full = formula.display(Notation::Spot).full_parentheses().to_string();
    assert_eq!(full, "c & (b U (X(0))) & (G(p1 -> (Fs((!a) xor \"x > 3\"))))");
}
