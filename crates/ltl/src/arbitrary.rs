//! Strategies for property tests, with shrinking: small random formulas and words.
//!
//! Available to other crates' tests with the feature `proptest`.

use crate::{Formula, Op};
use proptest::prelude::*;

/// Formulas over the propositions `a`, `b`, `c` with every operator, up to about `size` nodes.
pub fn formula(size: u32) -> impl Strategy<Value = Formula> {
    formula_with(size, &Op::ALL)
}

/// Formulas over `a`, `b`, `c` whose operators (leaves included) are among `ops`.
pub fn formula_with(size: u32, ops: &[Op]) -> impl Strategy<Value = Formula> + use<> {
    let leaf = {
        let mut leaves: Vec<(u32, Formula)> = vec![];
        if ops.contains(&Op::Prop) {
            leaves.extend(["a", "b", "c"].map(|name| (6, Formula::prop(name))));
        }
        leaves.extend(ops.contains(&Op::True).then(|| (1, Formula::tt())));
        leaves.extend(ops.contains(&Op::False).then(|| (1, Formula::ff())));
        prop::strategy::Union::new_weighted(leaves.into_iter().map(|(w, f)| (w, Just(f))).collect())
    };
    let inner: Vec<Op> =
        ops.iter().copied().filter(|op| op.arity() != crate::Arity::Leaf).collect();
    leaf.prop_recursive(8, size, 2, move |operand| {
        (prop::sample::select(inner.clone()), operand.clone(), operand).prop_map(
            |(op, left, right)| match op.arity() {
                crate::Arity::Unary => Formula::new(op, [left]),
                _ => Formula::new(op, [left, right]),
            },
        )
    })
}
