//! Expressions compiled to instructions for a stack machine.

use super::{Binary, Expr};
use crate::layout::{Array, Field};
use crate::system::Fault;
use smallvec::SmallVec;
use std::sync::Arc;

/// An expression in a form that is evaluated fast.
///
/// ```
/// use sempre_models::expression::{Binary, Expr, Program};
/// use sempre_models::layout::Layout;
/// let mut layout = Layout::default();
/// let x = layout.field(0, 7);
/// let twice = Expr::binary(Binary::Multiply, Expr::Constant(2), Expr::Value(x));
/// let mut state = vec![0; layout.words()];
/// x.set(&mut state, 3);
/// assert_eq!(Program::new(&twice).evaluate(&state), Ok(6));
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    instructions: Box<[Instruction]>,
}

#[derive(Clone, Debug)]
enum Instruction {
    Push(i64),
    Load(Field),
    Element(Array),
    Table(Field, Arc<[i64]>),
    Sum(i64, Box<[(i64, Field)]>),
    Not,
    Complement,
    /// Replaces the top by 0 or 1.
    Truth,
    Binary(Binary),
    /// Jumps and keeps a 0 if the top is 0; drops it otherwise.
    UnlessJump(u32),
    /// Jumps and keeps a 1 if the top is not 0; drops it otherwise.
    IfJump(u32),
}

impl Program {
    /// Compiles an expression.
    pub fn new(expression: &Expr) -> Self {
        let mut instructions = Vec::new();
        compile(expression, &mut instructions);
        Program { instructions: instructions.into() }
    }

    /// The value of the expression in that state.
    ///
    /// # Errors
    /// If the expression divides by zero, or an index is out of range.
    pub fn evaluate(&self, state: &[u32]) -> Result<i64, Fault> {
        let mut stack: SmallVec<[i64; 16]> = SmallVec::new();
        let mut next = 0;
        while let Some(instruction) = self.instructions.get(next) {
            next += 1;
            match instruction {
                Instruction::Push(number) => stack.push(*number),
                Instruction::Load(field) => stack.push(field.get(state)),
                Instruction::Element(array) => {
                    let index = pop(&mut stack);
                    stack.push(element(*array, index)?.get(state));
                }
                Instruction::Table(field, table) => {
                    stack.push(table[(field.get(state) - field.least()) as usize]);
                }
                Instruction::Sum(constant, terms) => {
                    stack.push(terms.iter().fold(*constant, |sum, (factor, field)| {
                        sum.wrapping_add(factor.wrapping_mul(field.get(state)))
                    }))
                }
                Instruction::Not => {
                    let value = pop(&mut stack);
                    stack.push(i64::from(value == 0));
                }
                Instruction::Truth => {
                    let value = pop(&mut stack);
                    stack.push(i64::from(value != 0));
                }
                Instruction::Complement => {
                    let value = pop(&mut stack);
                    stack.push(!value);
                }
                Instruction::Binary(op) => {
                    let right = pop(&mut stack);
                    let left = pop(&mut stack);
                    stack.push(op.apply(left, right)?);
                }
                Instruction::UnlessJump(target) => {
                    if pop(&mut stack) == 0 {
                        stack.push(0);
                        next = *target as usize;
                    }
                }
                Instruction::IfJump(target) => {
                    if pop(&mut stack) != 0 {
                        stack.push(1);
                        next = *target as usize;
                    }
                }
            }
        }
        Ok(pop(&mut stack))
    }

    /// True if the value of the expression is not 0.
    ///
    /// # Errors
    /// As for [`Program::evaluate`].
    #[inline]
    pub fn holds(&self, state: &[u32]) -> Result<bool, Fault> {
        Ok(self.evaluate(state)? != 0)
    }
}

fn pop(stack: &mut SmallVec<[i64; 16]>) -> i64 {
    stack.pop().expect("an operand for each operator")
}

fn element(array: Array, index: i64) -> Result<Field, Fault> {
    match usize::try_from(index) {
        Ok(index) if index < array.len() => Ok(array.element(index)),
        _ => {
            let length = array.len();
            let message = format!("the index {index} is out of range: there are {length} elements");
            Err(Fault::Undefined { action: None, message })
        }
    }
}

impl Binary {
    /// The value of the operator for these operands.
    ///
    /// # Errors
    /// For a division by zero.
    pub fn apply(self, left: i64, right: i64) -> Result<i64, Fault> {
        Ok(match self {
            Binary::Add => left.wrapping_add(right),
            Binary::Subtract => left.wrapping_sub(right),
            Binary::Multiply => left.wrapping_mul(right),
            Binary::Divide | Binary::Remainder if right == 0 => {
                let message = format!("{left} is divided by zero");
                return Err(Fault::Undefined { action: None, message });
            }
            Binary::Divide => left.wrapping_div(right),
            Binary::Remainder => left.wrapping_rem(right),
            Binary::Less => i64::from(left < right),
            Binary::LessOrEqual => i64::from(left <= right),
            Binary::Equal => i64::from(left == right),
            Binary::NotEqual => i64::from(left != right),
            Binary::BitAnd => left & right,
            Binary::BitOr => left | right,
            Binary::BitXor => left ^ right,
            Binary::ShiftLeft => left.wrapping_shl(right as u32),
            Binary::ShiftRight => left.wrapping_shr(right as u32),
        })
    }
}

/// Recurses as deep as the expression goes, which [`DEEPEST`](super::DEEPEST) limits.
fn compile(expression: &Expr, code: &mut Vec<Instruction>) {
    match expression {
        Expr::Constant(number) => code.push(Instruction::Push(*number)),
        Expr::Value(field) => code.push(Instruction::Load(*field)),
        Expr::Element(array, index) => {
            compile(index, code);
            code.push(Instruction::Element(*array));
        }
        Expr::Table(field, table) => code.push(Instruction::Table(*field, table.clone())),
        Expr::Sum(constant, terms) => code.push(Instruction::Sum(*constant, terms.clone())),
        Expr::Not(operand) => {
            compile(operand, code);
            code.push(Instruction::Not);
        }
        Expr::Complement(operand) => {
            compile(operand, code);
            code.push(Instruction::Complement);
        }
        Expr::Binary(op, left, right) => {
            compile(left, code);
            compile(right, code);
            code.push(Instruction::Binary(*op));
        }
        Expr::All(operands) => compile_short_cut(operands, 1, Instruction::UnlessJump, code),
        Expr::Any(operands) => compile_short_cut(operands, 0, Instruction::IfJump, code),
    }
}

/// Operands of which one may decide the value; `neutral` if there are none.
fn compile_short_cut(
    operands: &[Expr],
    neutral: i64,
    jump: fn(u32) -> Instruction,
    code: &mut Vec<Instruction>,
) {
    let Some((last, others)) = operands.split_last() else {
        code.push(Instruction::Push(neutral));
        return;
    };
    let mut jumps = Vec::with_capacity(others.len());
    for operand in others {
        compile(operand, code);
        jumps.push(code.len());
        code.push(jump(0));
    }
    compile(last, code);
    code.push(Instruction::Truth);
    let end = code.len() as u32;
    for place in jumps {
        code[place] = jump(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use proptest::prelude::*;

    /// The value by the definition.
    fn value(expression: &Expr, state: &[u32]) -> Result<i64, Fault> {
        Ok(match expression {
            Expr::Constant(number) => *number,
            Expr::Value(field) => field.get(state),
            Expr::Element(array, index) => element(*array, value(index, state)?)?.get(state),
            Expr::Table(field, table) => table[field.get(state) as usize],
            Expr::Sum(constant, terms) => {
                terms.iter().map(|(factor, field)| factor * field.get(state)).sum::<i64>()
                    + constant
            }
            Expr::Not(operand) => i64::from(value(operand, state)? == 0),
            Expr::Complement(operand) => !value(operand, state)?,
            Expr::Binary(op, left, right) => op.apply(value(left, state)?, value(right, state)?)?,
            Expr::All(operands) => {
                for operand in operands {
                    if value(operand, state)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Expr::Any(operands) => {
                for operand in operands {
                    if value(operand, state)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
        })
    }

    fn expressions() -> impl Strategy<Value = Expr> {
        let mut layout = Layout::default();
        let (x, y, a) = (layout.field(0, 3), layout.field(-5, 10), layout.array(0, 7, 4));
        let leaf = prop_oneof![
            (-4i64..5).prop_map(Expr::Constant),
            Just(Expr::Value(x)),
            Just(Expr::Value(y)),
            Just(Expr::Table(x, Arc::from([3, 1, 4, 1]))),
            Just(Expr::Sum(2, Box::new([(3, x), (-1, y)]))),
        ];
        let ops = [
            Binary::Add,
            Binary::Subtract,
            Binary::Multiply,
            Binary::Divide,
            Binary::Remainder,
            Binary::Less,
            Binary::LessOrEqual,
            Binary::Equal,
            Binary::NotEqual,
            Binary::BitAnd,
            Binary::BitOr,
            Binary::BitXor,
            Binary::ShiftLeft,
            Binary::ShiftRight,
        ];
        leaf.prop_recursive(5, 30, 4, move |inner| {
            prop_oneof![
                inner.clone().prop_map(move |index| Expr::Element(a, Box::new(index))),
                inner.clone().prop_map(|operand| Expr::Not(Box::new(operand))),
                inner.clone().prop_map(|operand| Expr::Complement(Box::new(operand))),
                (prop::sample::select(ops.to_vec()), inner.clone(), inner.clone())
                    .prop_map(|(op, left, right)| Expr::binary(op, left, right)),
                prop::collection::vec(inner.clone(), 0..4).prop_map(|all| Expr::All(all.into())),
                prop::collection::vec(inner, 0..4).prop_map(|any| Expr::Any(any.into())),
            ]
        })
    }

    proptest! {
        #[test]
        fn programs_compute_what_expressions_say(
            expression in expressions(),
            words in prop::collection::vec(any::<u32>(), 3),
        ) {
            prop_assert_eq!(Program::new(&expression).evaluate(&words), value(&expression, &words));
        }
    }
}
