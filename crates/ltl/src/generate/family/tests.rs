use super::*;
use crate::{Op, Traits, rewrite::rename::canonical, transform};

fn instance(name: &str, n: u64) -> Formula {
    Family::by_name(name).unwrap().formula(n).unwrap()
}

#[test]
fn names_are_unique_and_sorted() {
    let mut names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    assert!(names.is_sorted());
    names.extend(FAMILIES.iter().flat_map(|family| family.aliases));
    names.sort();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(instance("and-gf", 3), instance("gh-c2", 3));
    assert!(Family::by_name("no-such-family").is_none());
}

#[test]
fn the_first_formulas_of_each_family() {
    let mut text = String::new();
    for family in Family::all() {
        for n in family.min..family.min + 3 {
            if !family.name.starts_with("kr-") {
                text += &format!("{}({n}) = {}\n", family.name, family.formula(n).unwrap());
            }
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_first_formulas_of_kupferman_and_rosenberg() {
    let mut text = String::new();
    for name in ["kr-n", "kr-nlogn"] {
        for n in 1..=3 {
            text += &format!("{name}({n})\n");
            for part in instance(name, n).children() {
                text += &format!("  {part}\n");
            }
        }
    }
    insta::assert_snapshot!(text);
}

/// Negation normal form for formulas in which implications have Boolean left sides.
fn without_implications(formula: &Formula) -> Formula {
    let step = |f: Formula| match (f.op(), f.children()) {
        (Op::Implies, [left, right]) => Formula::not(left) | right,
        (Op::Not, [inner]) => match inner.op() {
            Op::And => Formula::or(inner.children().iter().map(Formula::not)),
            Op::Or => Formula::and(inner.children().iter().map(Formula::not)),
            Op::Not => inner.children()[0].clone(),
            _ => f,
        },
        _ => f,
    };
    let mut formula = formula.clone();
    while !formula.is(Traits::NNF) {
        formula = transform(&formula, step);
    }
    formula
}

#[test]
fn published_instances() {
    let linear: Formula = "a & X(b | c | d) & (!d U (d & X((b | c) & XGa)))
        & F(a & X(!a & (((b & F(d & Fb)) | (c & F(d & Fc))) U a)))
        & G((!b & !c) | X(a & X(b | c | d | Ga))) & G((!b & !c) | (!a & !d))
        & G(!a | !d) & G(!b | !c)"
        .parse()
        .unwrap();
    assert_eq!(canonical(&without_implications(&instance("kr-n", 1))), canonical(&linear));

    let fixed: Formula = "a & X(b | c) & (!b U (b & X(c & XXGa)))
        & G(!c | X((d | e) & X(a & X(b | c | Ga))))
        & F(a & X(!a & ((!c | X((d & F(b & F(c & Xd))) | (e & F(b & F(c & Xe))))) U a)))
        & G((!a | !b) & (!a | !c) & (!a | !d) & (!a | !e) & (!b | !c) & (!b | !d) & (!b | !e)
            & (!c | !d) & (!c | !e) & (!d | !e))"
        .parse()
        .unwrap();
    assert_eq!(canonical(&without_implications(&instance("kr-nlogn", 1))), canonical(&fixed));
}

#[test]
fn large_numbers() {
    for family in Family::all() {
        let error = family.formula(1_000_000_000).unwrap_err();
        assert!(error.to_string().contains(family.name));
        let large = family.formula(family.max.min(1_000)).unwrap();
        assert!(large.dag_size() < 1_000_000, "{}", family.name);
        assert!(family.min == 0 || family.formula(0).is_err());
    }
    assert_eq!(instance("gh-u", 100_000).depth(), 99_999);
}
