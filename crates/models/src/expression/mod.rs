//! Expressions over the variables of a packed state, and their [compilation](Program).

mod operators;
mod program;

pub use program::Program;
pub(crate) use program::element;

use crate::layout::{Array, Field, Footprint};
use std::sync::Arc;

/// An expression whose names have been resolved to places in the state. Truth values are 0 and 1;
/// everything else than 0 counts as true.
///
/// Readers limit how deep expressions nest ([`DEEPEST`]), so that functions over them may recurse.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Constant(i64),
    /// The value of a variable.
    Value(Field),
    /// The value of an element of an array.
    Element(Array, Box<Expr>),
    /// The entry of a table at an index, which may be out of range.
    Lookup(Arc<[i64]>, Box<Expr>),
    /// The entry of a table at the value of a variable.
    Table(Field, Arc<[i64]>),
    /// A number plus variables times factors.
    Sum(i64, Box<[(i64, Field)]>),
    /// 1 if the operand is 0, and 0 otherwise.
    Not(Box<Expr>),
    /// All bits inverted.
    Complement(Box<Expr>),
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// 1 if all operands are true.
    All(Box<[Expr]>),
    /// 1 if one of the operands is true.
    Any(Box<[Expr]>),
}

/// How deep expressions may nest.
pub const DEEPEST: usize = 200;

/// An operator with two operands. What does not fit in 64 bits is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    /// Towards zero; a division by zero is a fault.
    Divide,
    /// With the sign of the dividend; a division by zero is a fault.
    Remainder,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

impl Expr {
    /// `left op right`.
    pub fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// Adds what the expression reads. Recurses as deep as it nests, which readers limit.
    pub fn read(&self, footprint: &mut Footprint) {
        match self {
            Expr::Constant(_) => {}
            Expr::Value(field) | Expr::Table(field, _) => footprint.add(*field),
            Expr::Element(array, index) => {
                footprint.add_array(*array);
                index.read(footprint);
            }
            Expr::Lookup(_, operand) | Expr::Not(operand) | Expr::Complement(operand) => {
                operand.read(footprint);
            }
            Expr::Sum(_, terms) => terms.iter().for_each(|(_, field)| footprint.add(*field)),
            Expr::Binary(_, left, right) => {
                left.read(footprint);
                right.read(footprint);
            }
            Expr::All(operands) | Expr::Any(operands) => {
                operands.iter().for_each(|operand| operand.read(footprint));
            }
        }
    }
}
