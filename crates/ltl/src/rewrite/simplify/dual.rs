//! Duality: negating both sides of a law, and its metavariables, gives another law.
//!
//! `F(f & q) ≡ F f & q` turns into `G(f | q) ≡ G f | q`. Rules are written once and used on both
//! sides.

use crate::{Formula, Op, Traits};

/// The side on which a rule is used: as written, or with every operator replaced by its dual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    AsWritten,
    Dual,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [Side::AsWritten, Side::Dual];

    /// Returns the operator on this side for a rule written with `op`.
    pub(super) fn op(self, op: Op) -> Op {
        match (self, op) {
            (Side::AsWritten, _) => op,
            (Side::Dual, Op::Iff) => Op::Xor,
            (Side::Dual, Op::Xor) => Op::Iff,
            (Side::Dual, _) => op.dual().unwrap_or(op),
        }
    }

    /// True if the formula has the trait that the rule requires; the dual side exchanges pure
    /// eventuality and pure universality.
    pub(super) fn is(self, formula: &Formula, traits: Traits) -> bool {
        formula.is(match self {
            Side::AsWritten => traits,
            Side::Dual if traits == Traits::EVENTUAL => Traits::UNIVERSAL,
            Side::Dual if traits == Traits::UNIVERSAL => Traits::EVENTUAL,
            Side::Dual => traits,
        })
    }

    /// The constant, true becoming false on the dual side.
    pub(super) fn constant(self, value: bool) -> Formula {
        Formula::constant(value == (self == Side::AsWritten))
    }

    /// The formula with the operator for `op`.
    pub(super) fn build(self, op: Op, operands: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::new(self.op(op), operands)
    }

    /// The operands if the formula has the operator for `op`.
    pub(super) fn operands(self, formula: &Formula, op: Op) -> Option<&[Formula]> {
        (formula.op() == self.op(op)).then(|| formula.children())
    }

    /// The operand if the formula has the unary operator for `op`.
    pub(super) fn operand(self, formula: &Formula, op: Op) -> Option<&Formula> {
        match self.operands(formula, op) {
            Some([operand]) => Some(operand),
            _ => None,
        }
    }
}
