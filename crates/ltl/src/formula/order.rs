//! The canonical order of formulas, for readable output.
//!
//! Literals come first, by name, a proposition right before its negation; then constants, then
//! other Boolean formulas, then temporal ones; within each group by size, then by operator, then
//! by operands from left to right. The order depends on the formulas alone, not on addresses or
//! on when they were built, so the same input gives the same output everywhere.

use super::Formula;
use crate::formula::Traits;
use crate::op::Op;
use std::cmp::Ordering;

impl Ord for Formula {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut left, mut right) = (self, other);
        loop {
            if left == right {
                return Ordering::Equal;
            }
            let by_root = by_root(left, right);
            if by_root.is_ne() {
                return by_root;
            }
            // Different formulas with the same operator and number of operands: the first different
            // operands decide. Unequal pointers mean unequal formulas, so the comparison follows
            // one path.
            let differing = left.children().iter().zip(right.children()).find(|(l, r)| l != r);
            match differing {
                Some((l, r)) => (left, right) = (l, r),
                // Constants and propositions have been ordered above.
                None => return Ordering::Equal,
            }
        }
    }
}

impl PartialOrd for Formula {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn by_root(left: &Formula, right: &Formula) -> Ordering {
    let by_group = group(left).cmp(&group(right));
    if by_group.is_ne() {
        return by_group;
    }
    if let (Some(l), Some(r)) = (literal(left), literal(right)) {
        return l.as_prop().cmp(&r.as_prop()).then(left.op().cmp(&right.op()));
    }
    left.size()
        .cmp(&right.size())
        .then(left.op().cmp(&right.op()))
        .then(left.children().len().cmp(&right.children().len()))
}

fn group(formula: &Formula) -> u8 {
    match formula.op() {
        _ if formula.is_literal() => 0,
        Op::True | Op::False => 1,
        _ if formula.is(Traits::BOOLEAN) => 2,
        _ => 3,
    }
}

/// The proposition of a literal.
fn literal(formula: &Formula) -> Option<&Formula> {
    match formula.op() {
        Op::Prop => Some(formula),
        Op::Not => formula.children().first().filter(|child| child.op() == Op::Prop),
        _ => None,
    }
}
