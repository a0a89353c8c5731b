//! The form in which the constructions read formulas.

use sempre_ltl::{Formula, Op, rewrite, transform};

/// The formula in negation normal form and without the strict operators, which are `X` before the
/// other ones. Linear in the number of distinct subformulas.
pub(crate) fn normal_form(formula: &Formula) -> Formula {
    transform(&rewrite::nnf(formula), |f| match (f.op(), f.children()) {
        (Op::StrictFinally, [body]) => Formula::next(Formula::finally(body)),
        (Op::StrictGlobally, [body]) => Formula::next(Formula::globally(body)),
        _ => f,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_ltl::{Traits, arbitrary, semantics};

    proptest! {
        #[test]
        fn it_means_the_same(f in arbitrary::formula(15), word in arbitrary::word(4)) {
            let normal = normal_form(&f);
            prop_assert!(normal.is(Traits::NNF));
            let strict = [Op::StrictFinally, Op::StrictGlobally];
            prop_assert!(normal.subformulas().all(|g| !strict.contains(&g.op())));
            prop_assert_eq!(semantics::holds(&normal, &word), semantics::holds(&f, &word));
        }
    }
}
