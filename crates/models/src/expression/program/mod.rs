//! Expressions compiled to instructions for a machine with an accumulator.
//!
//! Comparisons of a variable with a number, operands that are variables or elements of arrays, and
//! jumps over what cannot change the truth value any more are single instructions, so that the
//! usual guard takes one or two of them. A stack, of a depth that is known, holds left operands
//! whose right operands are no such simple ones.

mod compile;

use super::Binary;
use super::operators::too_large;
use crate::layout::{Array, Field};
use crate::partial::Memory;
use crate::system::Fault;
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
    /// How high the stack grows.
    height: usize,
}

#[derive(Clone, Debug)]
enum Instruction {
    Load(Operand),
    /// The accumulator becomes what the operator makes of it and the operand.
    Apply(Binary, Operand),
    /// The same with the operand on the left.
    ApplyTo(Operand, Binary),
    Push,
    /// The pushed value is on the left.
    ApplyPushed(Binary),
    Element(Array),
    Lookup(Arc<[i64]>),
    Table(Field, Arc<[i64]>),
    Sum(i64, Box<[(i64, Field)]>),
    Not,
    Complement,
    /// The accumulator becomes 0 or 1.
    Truth,
    /// Jumps with 0 if the accumulator is 0.
    UnlessJump(u32),
    /// Jumps with 1 if the accumulator is not 0.
    IfJump(u32),
    Test(Interval),
    /// Jumps with 0 if the test fails.
    UnlessTestJump(Interval, u32),
    /// Jumps with 1 if the test succeeds.
    IfTestJump(Interval, u32),
}

/// An operand available in one step.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Constant(i64),
    Value(Field),
    /// The element whose index is the value of the field, plus a number.
    Element(Array, Field, i32),
}

/// Whether a field lies between two bounds: a comparison with a number.
#[derive(Clone, Copy, Debug)]
struct Interval {
    field: Field,
    low: u32,
    /// The upper bound minus the lower one.
    span: u32,
    /// True if the field is to lie inside.
    inside: bool,
}

/// Programs that need no more than that use no memory but the machine's stack.
const SMALL: usize = 6;

impl Program {
    /// The value of the expression in that state.
    ///
    /// # Errors
    /// If the expression divides by zero, or an index is out of range.
    pub fn evaluate(&self, state: &[u32]) -> Result<i64, Fault> {
        self.run(state).map_err(|fault| *fault)
    }

    /// True if the value of the expression is not 0.
    ///
    /// # Errors
    /// As for [`Program::evaluate`].
    #[inline]
    pub fn holds(&self, state: &[u32]) -> Result<bool, Fault> {
        // Most propositions are a comparison with a number, or a name.
        match &*self.instructions {
            [Instruction::Test(test)] => test.holds(state).map_err(|fault| *fault),
            [Instruction::Load(Operand::Value(field))] => Ok(field.get(state) != 0),
            _ => Ok(self.evaluate(state)? != 0),
        }
    }

    /// True if the expression may have no value in some state. Sums are not expected to exceed 64
    /// bits.
    pub(crate) fn may_fault(&self) -> bool {
        use Binary::{Divide, Multiply, Remainder, ShiftLeft};
        let is_partial =
            |operator: &Binary| matches!(operator, Divide | Remainder | Multiply | ShiftLeft);
        let is_element = |operand: &Operand| matches!(operand, Operand::Element(..));
        self.instructions.iter().any(|instruction| match instruction {
            Instruction::Load(operand) => is_element(operand),
            Instruction::Apply(operator, operand) | Instruction::ApplyTo(operand, operator) => {
                is_partial(operator) || is_element(operand)
            }
            Instruction::ApplyPushed(operator) => is_partial(operator),
            Instruction::Element(_) | Instruction::Lookup(_) | Instruction::Table(..) => true,
            _ => false,
        })
    }

    /// The value; the error is small enough to be returned in registers.
    #[inline]
    pub(crate) fn run<M: Memory + ?Sized>(&self, state: &M) -> Result<i64, Box<Fault>> {
        if self.height <= SMALL {
            self.run_on(state, &mut [0; SMALL])
        } else {
            self.run_on(state, &mut vec![0; self.height])
        }
    }

    #[inline]
    fn run_on<M: Memory + ?Sized>(&self, state: &M, stack: &mut [i64]) -> Result<i64, Box<Fault>> {
        let (mut value, mut height, mut next) = (0, 0, 0);
        while let Some(instruction) = self.instructions.get(next) {
            next += 1;
            match instruction {
                Instruction::Load(operand) => value = operand.value(state)?,
                Instruction::Apply(op, operand) => value = op.run(value, operand.value(state)?)?,
                Instruction::ApplyTo(operand, op) => {
                    value = op.run(operand.value(state)?, value)?
                }
                Instruction::Push => {
                    stack[height] = value;
                    height += 1;
                }
                Instruction::ApplyPushed(op) => {
                    height -= 1;
                    value = op.run(stack[height], value)?;
                }
                Instruction::Element(array) => {
                    value = state.get(element(*array, value)?)?;
                }
                Instruction::Lookup(table) => {
                    let found = usize::try_from(value).ok().and_then(|index| table.get(index));
                    value = *found.ok_or_else(|| out_of_range(value, table.len()))?;
                }
                Instruction::Table(field, table) => {
                    value = table[state.raw(*field)? as usize];
                }
                Instruction::Sum(constant, terms) => {
                    value = *constant;
                    for (factor, field) in terms {
                        let product = factor.checked_mul(state.get(*field)?);
                        let sum = product.and_then(|product| value.checked_add(product));
                        value = sum.ok_or_else(too_large)?;
                    }
                }
                Instruction::Not => value = i64::from(value == 0),
                Instruction::Truth => value = i64::from(value != 0),
                Instruction::Complement => value = !value,
                Instruction::UnlessJump(target) => {
                    if value == 0 {
                        next = *target as usize;
                    }
                }
                Instruction::IfJump(target) => {
                    if value != 0 {
                        value = 1;
                        next = *target as usize;
                    }
                }
                Instruction::Test(test) => value = i64::from(test.holds(state)?),
                Instruction::UnlessTestJump(test, target) => {
                    if !test.holds(state)? {
                        value = 0;
                        next = *target as usize;
                    }
                }
                Instruction::IfTestJump(test, target) => {
                    if test.holds(state)? {
                        value = 1;
                        next = *target as usize;
                    }
                }
            }
        }
        Ok(value)
    }
}

impl Operand {
    #[inline]
    fn value<M: Memory + ?Sized>(&self, state: &M) -> Result<i64, Box<Fault>> {
        match self {
            Operand::Constant(number) => Ok(*number),
            Operand::Value(field) => state.get(*field),
            Operand::Element(array, index, offset) => {
                state.get(element(*array, state.get(*index)? + i64::from(*offset))?)
            }
        }
    }
}

impl Interval {
    #[inline]
    fn holds<M: Memory + ?Sized>(&self, state: &M) -> Result<bool, Box<Fault>> {
        let value = state.raw(self.field)?;
        Ok((value.wrapping_sub(self.low) <= self.span) == self.inside)
    }
}

/// The place of an element.
#[inline]
pub(crate) fn element(array: Array, index: i64) -> Result<Field, Box<Fault>> {
    match usize::try_from(index) {
        Ok(index) if index < array.len() => Ok(array.element(index)),
        _ => Err(out_of_range(index, array.len())),
    }
}

#[cold]
fn out_of_range(index: i64, length: usize) -> Box<Fault> {
    let message = format!("the index {index} is out of range: there are {length} elements");
    Box::new(Fault::Undefined { action: None, message })
}

#[cfg(test)]
mod tests;
