//! Strategies for property tests, with shrinking: small random formulas and words.
//!
//! Available to other crates' tests with the feature `proptest`.

use crate::{Formula, Op, Prop, Word};
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

/// Words over the propositions `a`, `b`, `c`, with up to `max` letters in the prefix and 1 to
/// `max` in the cycle.
pub fn word(max: usize) -> impl Strategy<Value = Word> {
    word_over(["a", "b", "c"], max)
}

/// Words over these (distinct, at most 64) propositions, with up to `max` letters in the prefix and
/// 1 to `max` in the cycle. They shrink towards few letters with few true propositions.
pub fn word_over<P: Into<Prop>>(
    props: impl IntoIterator<Item = P>,
    max: usize,
) -> impl Strategy<Value = Word> {
    let props: Vec<Prop> = props.into_iter().map(Into::into).collect();
    let letters = 0..=u64::MAX.checked_shr(64 - props.len() as u32).unwrap_or(0);
    let prefix = prop::collection::vec(letters.clone(), 0..=max);
    let cycle = prop::collection::vec(letters, 1..=max.max(1));
    (prefix, cycle).prop_map(move |(prefix, cycle)| {
        Word::from_valuations(props.clone(), &prefix, &cycle).expect("the letters fit")
    })
}
