//! The operand stack that all parsers share.
//!
//! A chain of `&` or `|` is a list of operands on the stack until another operator needs it. Then
//! it becomes one n-ary formula. So `a & b & c …` takes time linear in its length (besides sorting)
//! for any nesting: to the left, to the right, through parentheses.

use crate::{Arity, Formula, Op};

/// A stack of operands; each is one formula, or the pending operands of one `&` or `|`.
#[derive(Default)]
pub(super) struct Operands {
    /// The formulas of all operands, one operand after the other.
    formulas: Vec<Formula>,
    groups: Vec<Group>,
}

struct Group {
    /// The start of the formulas of the operand.
    start: usize,
    /// The operator to be applied to them; `None` for one formula.
    pending: Option<Op>,
}

impl Operands {
    pub(super) fn push(&mut self, formula: Formula) {
        self.groups.push(Group { start: self.formulas.len(), pending: None });
        self.formulas.push(formula);
    }

    /// The formula on top, with its pending operator applied.
    pub(super) fn pop(&mut self) -> Formula {
        let group = self.groups.pop().expect("an operator is reduced after its operands");
        match group.pending {
            Some(op) => Formula::new(op, self.formulas.drain(group.start..)),
            None => self.formulas.pop().expect("a group has a formula"),
        }
    }

    /// Call it between the two operands of a binary operator: the left one is on top.
    pub(super) fn begin_right(&mut self, op: Op) {
        let pending = self.groups.last().and_then(|group| group.pending);
        if pending.is_some_and(|pending| pending != op) {
            let left = self.pop();
            self.push(left);
        }
    }

    /// Replaces the topmost operand by the formula made of it.
    fn map(&mut self, apply: impl FnOnce(Formula) -> Formula) {
        let operand = self.pop();
        self.push(apply(operand));
    }

    /// Replaces the two topmost operands by the formula made of them.
    pub(super) fn combine(&mut self, apply: impl FnOnce(Formula, Formula) -> Formula) {
        let right = self.pop();
        self.map(|left| apply(left, right));
    }

    /// Applies an operator to the topmost operands.
    pub(super) fn apply(&mut self, op: Op) {
        match op.arity() {
            Arity::Leaf => self.push(Formula::new(op, [])),
            Arity::Unary => self.map(|operand| Formula::new(op, [operand])),
            Arity::Binary => self.combine(|left, right| Formula::new(op, [left, right])),
            Arity::Nary => {
                if self.groups.last().is_some_and(|right| right.pending != Some(op)) {
                    self.map(|right| right);
                }
                // The formulas of both operands are already adjacent.
                self.groups.pop();
                if let Some(left) = self.groups.last_mut() {
                    left.pending = Some(op);
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The formula that remains when all operators are applied.
    pub(super) fn finish(mut self) -> Formula {
        self.pop()
    }
}
