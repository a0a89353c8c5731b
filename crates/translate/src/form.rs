//! Equivalent formulas with smaller automata.
//!
//! The simplifier makes formulas small. Some larger formulas have smaller automata, because they
//! determine when to decide, or allow states to be shared:
//!
//! - `F(b & e)` ≡ `!b U (b & e)` and `f U (b & e)` ≡ `(f & !b) U (b & e)` for a Boolean formula b
//!   and a pure eventuality e, which holds at the first b if it holds at a later one. So no guess
//!   is needed. The dual law is also used.
//! - `F f | q` ≡ `F(f | q)` for a formula q that is both a pure eventuality and a pure
//!   universality: one state waits for both.
//! - `X f | q` ≡ `X(f | q)` for such a q: the choice between them is postponed.

use sempre_ltl::rewrite::nnf;
use sempre_ltl::rewrite::simplify::Simplifier;
use sempre_ltl::{Formula, Op, Traits, transform};

/// Rewrites a simplified formula to an equivalent one for which constructions give smaller
/// automata.
pub fn translatable(formula: &Formula, simplifier: &mut Simplifier) -> Formula {
    let decided = transform(formula, decided);
    let decided = if decided == *formula { decided } else { simplifier.simplify(&decided) };
    transform(&decided, |f| postponed(joined(f)))
}

/// Rewrites `f U (b & e)` to `(f & !b) U (b & e)`, and the dual.
fn decided(formula: Formula) -> Formula {
    let (op, left, right) = match (formula.op(), formula.children()) {
        (Op::Finally, [g]) => (Op::Until, Formula::tt(), g),
        (Op::Globally, [g]) => (Op::Release, Formula::ff(), g),
        (Op::Until | Op::Release, [f, g]) => (formula.op(), f.clone(), g),
        _ => return formula,
    };
    let (inner, join, pure) = match op {
        Op::Until => (Op::And, Op::And, Traits::EVENTUAL),
        _ => (Op::Or, Op::Or, Traits::UNIVERSAL),
    };
    if right.op() != inner {
        return formula;
    }
    let operands = || right.children().iter();
    let boolean: Vec<Formula> = operands().filter(|f| f.is(Traits::BOOLEAN)).cloned().collect();
    let fits = operands().all(|f| f.is(Traits::BOOLEAN) || f.is(pure));
    if boolean.is_empty() || !fits {
        return formula;
    }
    let not_yet = nnf(&Formula::not(Formula::new(inner, boolean)));
    let left = if left.op().arity() == sempre_ltl::Arity::Leaf && left.op() != Op::Prop {
        not_yet
    } else {
        Formula::new(join, [left, not_yet])
    };
    Formula::new(op, [left, right.clone()])
}

/// Rewrites `F f | q` to `F(f | q)`.
fn joined(formula: Formula) -> Formula {
    let is_pure = |f: &Formula| f.is(Traits::EVENTUAL | Traits::UNIVERSAL);
    let is_finally = |f: &Formula| f.op() == Op::Finally;
    let operands = formula.children();
    if formula.op() != Op::Or || !operands.iter().any(is_finally) || !operands.iter().any(is_pure) {
        return formula;
    }
    let (waiting, rest): (Vec<Formula>, Vec<Formula>) =
        operands.iter().cloned().partition(|f| is_finally(f) || is_pure(f));
    let waiting = waiting.into_iter().map(|f| match f.op() {
        Op::Finally => f.children()[0].clone(),
        _ => f,
    });
    let waiting = Formula::finally(Formula::or(waiting));
    Formula::or(rest.into_iter().chain([waiting]))
}

/// Rewrites `X f | q` to `X(f | q)`.
fn postponed(formula: Formula) -> Formula {
    let is_pure = |f: &Formula| f.is(Traits::EVENTUAL | Traits::UNIVERSAL);
    // The part that stays at each position, if there is a later part.
    let mut staying: Vec<Vec<Formula>> = vec![];
    let mut last = formula;
    loop {
        let operands = last.children();
        let is_next = |f: &Formula| f.op() == Op::Next;
        if last.op() != Op::Or || !operands.iter().any(is_next) || !operands.iter().any(is_pure) {
            break;
        }
        let (later, rest): (Vec<Formula>, Vec<Formula>) =
            operands.iter().cloned().partition(|f| is_next(f) || is_pure(f));
        last = Formula::or(later.into_iter().map(|f| match f.op() {
            Op::Next => f.children()[0].clone(),
            _ => f,
        }));
        staying.push(rest);
    }
    staying
        .into_iter()
        .rev()
        .fold(last, |later, rest| Formula::or(rest.into_iter().chain([Formula::next(&later)])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_ltl::arbitrary;
    use sempre_ltl::rewrite::simplify::Level;
    use sempre_ltl::semantics::holds;

    fn form(text: &str) -> String {
        let mut simplifier = Simplifier::new(Level::default());
        let formula = simplifier.simplify(&text.parse().unwrap());
        translatable(&formula, &mut simplifier).to_string()
    }

    #[test]
    fn forms() {
        assert_eq!(form("F(a & Fb)"), "!a U (a & Fb)");
        assert_eq!(form("G(a | Gb)"), "!a R (a | Gb)");
        assert_eq!(form("c U (a & Fb)"), "(!a & c) U (a & Fb)");
        assert_eq!(form("G!a | F(a & Fb)"), "!a W (a & Fb)");
        assert_eq!(form("FGa | GFb"), "F(Ga | GFb)");
        assert_eq!(form("c | XX(a | GFb)"), "c | XX(a | GFb)");
        assert_eq!(form("a U b"), "a U b");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn forms_are_equivalent(f in arbitrary::formula(12), word in arbitrary::word(5)) {
            let mut simplifier = Simplifier::new(Level::default());
            let simple = simplifier.simplify(&f);
            prop_assert_eq!(holds(&translatable(&simple, &mut simplifier), &word), holds(&f, &word));
        }
    }
}
