//! The normal form of formulas for constructions.

use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Label};
use sempre_ltl::{Formula, Op, interrupt, rewrite, transform};

/// Returns the formula in negation normal form, with strict operators as `X` before the others.
/// Linear in the number of distinct subformulas.
pub(crate) fn normal_form(formula: &Formula) -> Formula {
    transform(&rewrite::nnf(formula), |f| match (f.op(), f.children()) {
        (Op::StrictFinally, [body]) => Formula::next(Formula::finally(body)),
        (Op::StrictGlobally, [body]) => Formula::next(Formula::globally(body)),
        _ => f,
    })
}

/// Returns the label of a Boolean formula in normal form over the propositions of the alphabet.
pub(crate) fn label(formula: &Formula, alphabet: &Alphabet) -> Label {
    let mut labels: FxHashMap<Formula, Label> = FxHashMap::default();
    let mut last = alphabet.tt();
    for f in formula.subformulas() {
        interrupt::poll();
        let operands = || f.children().iter().map(|child| labels[child]);
        last = match f.op() {
            Op::True => alphabet.tt(),
            Op::False => alphabet.ff(),
            Op::Prop => {
                let index = f.as_prop().and_then(|prop| alphabet.index_of(prop));
                alphabet.prop(index.unwrap_or_else(|| unreachable!("no such proposition: {f}")))
            }
            Op::Not => operands().fold(alphabet.tt(), |_, operand| alphabet.not(operand)),
            Op::And => operands().fold(alphabet.tt(), |l, r| alphabet.and(l, r)),
            Op::Or => operands().fold(alphabet.ff(), |l, r| alphabet.or(l, r)),
            op => unreachable!("{op:?} in a Boolean formula in normal form"),
        };
        labels.insert(f, last);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_ltl::{Traits, arbitrary, semantics};

    const BOOLEAN: [Op; 9] =
        [Op::True, Op::False, Op::Prop, Op::Not, Op::Implies, Op::Iff, Op::Xor, Op::And, Op::Or];

    proptest! {
        #[test]
        fn it_means_the_same(f in arbitrary::formula(15), word in arbitrary::word(4)) {
            let normal = normal_form(&f);
            prop_assert!(normal.is(Traits::NNF));
            let strict = [Op::StrictFinally, Op::StrictGlobally];
            prop_assert!(normal.subformulas().all(|g| !strict.contains(&g.op())));
            prop_assert_eq!(semantics::holds(&normal, &word), semantics::holds(&f, &word));
        }

        #[test]
        fn labels_are_the_formulas(f in arbitrary::formula_with(15, &BOOLEAN)) {
            let alphabet = Alphabet::new(["c", "a", "b"]).unwrap();
            prop_assert_eq!(label(&normal_form(&f), &alphabet), alphabet.from_formula(&f).unwrap());
        }
    }
}
