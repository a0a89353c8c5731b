//! Expressions compiled to instructions for a machine with an accumulator.
//!
//! Comparisons of a variable with a number, operands that are variables or elements of arrays, and
//! jumps over what cannot change the truth value any more are single instructions, so that the
//! usual guard takes one or two of them. A stack, of a depth that is known, holds left operands
//! whose right operands are no such simple ones.

use super::{Binary, Expr};
use crate::layout::{Array, Field};
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
    /// What was pushed is on the left.
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

/// What can be had in one step.
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
    word: u32,
    mask: u32,
    low: u32,
    /// The upper bound minus the lower one.
    span: u32,
    shift: u8,
    /// True if the field is to lie inside.
    inside: bool,
}

/// Programs that need no more than that use no memory but the machine's stack.
const SMALL: usize = 6;

impl Program {
    /// Compiles an expression.
    pub fn new(expression: &Expr) -> Self {
        let mut compiler = Compiler { code: Vec::new(), height: 0, highest: 0 };
        compiler.compile(expression);
        Program { instructions: compiler.code.into(), height: compiler.highest }
    }

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
        Ok(self.evaluate(state)? != 0)
    }

    /// The value; the error is small enough to be returned in registers.
    #[inline]
    pub(crate) fn run(&self, state: &[u32]) -> Result<i64, Box<Fault>> {
        if self.height <= SMALL {
            self.run_on(state, &mut [0; SMALL])
        } else {
            self.run_on(state, &mut vec![0; self.height])
        }
    }

    #[inline]
    fn run_on(&self, state: &[u32], stack: &mut [i64]) -> Result<i64, Box<Fault>> {
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
                Instruction::Element(array) => value = element(*array, value)?.get(state),
                Instruction::Lookup(table) => {
                    let found = usize::try_from(value).ok().and_then(|index| table.get(index));
                    value = *found.ok_or_else(|| out_of_range(value, table.len()))?;
                }
                Instruction::Table(field, table) => {
                    value = table[(field.get(state) - field.least()) as usize];
                }
                Instruction::Sum(constant, terms) => {
                    let sum = terms.iter().try_fold(*constant, |sum, (factor, field)| {
                        sum.checked_add(factor.checked_mul(field.get(state))?)
                    });
                    value = sum.ok_or_else(too_large)?;
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
                Instruction::Test(test) => value = i64::from(test.holds(state)),
                Instruction::UnlessTestJump(test, target) => {
                    if !test.holds(state) {
                        value = 0;
                        next = *target as usize;
                    }
                }
                Instruction::IfTestJump(test, target) => {
                    if test.holds(state) {
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
    fn value(&self, state: &[u32]) -> Result<i64, Box<Fault>> {
        match self {
            Operand::Constant(number) => Ok(*number),
            Operand::Value(field) => Ok(field.get(state)),
            Operand::Element(array, index, offset) => {
                Ok(element(*array, index.get(state) + i64::from(*offset))?.get(state))
            }
        }
    }

    /// The expression as an operand, if it is simple enough.
    fn new(expression: &Expr) -> Option<Operand> {
        match expression {
            Expr::Constant(number) => Some(Operand::Constant(*number)),
            Expr::Value(field) => Some(Operand::Value(*field)),
            Expr::Element(array, index) => match &**index {
                Expr::Constant(index) => {
                    let index = usize::try_from(*index).ok().filter(|index| *index < array.len());
                    index.map(|index| Operand::Value(array.element(index)))
                }
                Expr::Value(field) => Some(Operand::Element(*array, *field, 0)),
                Expr::Binary(op, left, right) => {
                    let (field, offset) = match (op, &**left, &**right) {
                        (Binary::Add, Expr::Value(field), Expr::Constant(offset))
                        | (Binary::Add, Expr::Constant(offset), Expr::Value(field)) => {
                            (field, *offset)
                        }
                        (Binary::Subtract, Expr::Value(field), Expr::Constant(offset)) => {
                            (field, offset.checked_neg()?)
                        }
                        _ => return None,
                    };
                    Some(Operand::Element(*array, *field, i32::try_from(offset).ok()?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn is_safe(&self) -> bool {
        !matches!(self, Operand::Element(..))
    }
}

impl Interval {
    #[inline]
    fn holds(&self, state: &[u32]) -> bool {
        let value = (state[self.word as usize] >> self.shift) & self.mask;
        (value.wrapping_sub(self.low) <= self.span) == self.inside
    }

    /// The comparison as an interval, if it is one of a variable and a number.
    fn new(op: Binary, left: &Expr, right: &Expr) -> Option<Interval> {
        let side = |expression: &Expr| Operand::new(expression);
        let (field, number, reversed) = match (side(left)?, side(right)?) {
            (Operand::Value(field), Operand::Constant(number)) => (field, number, false),
            (Operand::Constant(number), Operand::Value(field)) => (field, number, true),
            _ => return None,
        };
        let (least, greatest) = (field.least(), field.greatest());
        // The values for which the comparison holds, or does not hold.
        let (low, high, inside) = match (op, reversed) {
            (Binary::Equal, _) => (number, number, true),
            (Binary::NotEqual, _) => (number, number, false),
            (Binary::Less, false) => (least, number.saturating_sub(1), true),
            (Binary::LessOrEqual, false) => (least, number, true),
            (Binary::Less, true) => (number.saturating_add(1), greatest, true),
            (Binary::LessOrEqual, true) => (number, greatest, true),
            _ => return None,
        };
        let (low, high) = (low.max(least), high.min(greatest));
        let (low, span, inside) = match low <= high {
            true => ((low - least) as u32, (high - low) as u32, inside),
            // No value lies between the bounds: the opposite of all values.
            false => (0, u32::MAX, !inside),
        };
        let (word, mask, shift) = (field.word() as u32, field.mask(), field.shift() as u8);
        Some(Interval { word, mask, low, span, shift, inside })
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

impl Binary {
    /// The value of the operator for these operands.
    ///
    /// # Errors
    /// For a division by zero, and if the value does not fit in 64 bits.
    pub fn apply(self, left: i64, right: i64) -> Result<i64, Fault> {
        self.run(left, right).map_err(|fault| *fault)
    }

    #[inline]
    fn run(self, left: i64, right: i64) -> Result<i64, Box<Fault>> {
        Ok(match self {
            Binary::Add => left.checked_add(right).ok_or_else(too_large)?,
            Binary::Subtract => left.checked_sub(right).ok_or_else(too_large)?,
            Binary::Multiply => left.checked_mul(right).ok_or_else(too_large)?,
            Binary::Divide | Binary::Remainder if right == 0 => {
                return Err(division_by_zero(left));
            }
            Binary::Divide => left.checked_div(right).ok_or_else(too_large)?,
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

#[cold]
fn too_large() -> Box<Fault> {
    let message = "a number is too large: calculations have 64 bits".to_owned();
    Box::new(Fault::Undefined { action: None, message })
}

#[cold]
fn division_by_zero(dividend: i64) -> Box<Fault> {
    let message = format!("{dividend} is divided by zero");
    Box::new(Fault::Undefined { action: None, message })
}

struct Compiler {
    code: Vec<Instruction>,
    height: usize,
    highest: usize,
}

impl Compiler {
    /// Recurses as deep as the expression goes, which [`DEEPEST`](super::DEEPEST) limits.
    fn compile(&mut self, expression: &Expr) {
        if let Some(operand) = Operand::new(expression) {
            self.code.push(Instruction::Load(operand));
            return;
        }
        match expression {
            Expr::Constant(number) => {
                self.code.push(Instruction::Load(Operand::Constant(*number)));
            }
            Expr::Value(field) => self.code.push(Instruction::Load(Operand::Value(*field))),
            Expr::Element(array, index) => {
                self.compile(index);
                self.code.push(Instruction::Element(*array));
            }
            Expr::Lookup(table, index) => {
                self.compile(index);
                self.code.push(Instruction::Lookup(table.clone()));
            }
            Expr::Table(field, table) => {
                self.code.push(Instruction::Table(*field, table.clone()));
            }
            Expr::Sum(constant, terms) => {
                self.code.push(Instruction::Sum(*constant, terms.clone()));
            }
            Expr::Not(operand) => {
                self.compile(operand);
                self.code.push(Instruction::Not);
            }
            Expr::Complement(operand) => {
                self.compile(operand);
                self.code.push(Instruction::Complement);
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::All(operands) => self.short_cut(operands, true),
            Expr::Any(operands) => self.short_cut(operands, false),
        }
    }

    fn binary(&mut self, op: Binary, left: &Expr, right: &Expr) {
        if let Some(test) = Interval::new(op, left, right) {
            self.code.push(Instruction::Test(test));
            return;
        }
        if let Some(operand) = Operand::new(right) {
            self.compile(left);
            self.code.push(Instruction::Apply(op, operand));
            return;
        }
        // The left operand is evaluated first if it may be undefined.
        match Operand::new(left).filter(Operand::is_safe) {
            Some(operand) => {
                self.compile(right);
                self.code.push(Instruction::ApplyTo(operand, op));
            }
            None => {
                self.compile(left);
                self.code.push(Instruction::Push);
                self.height += 1;
                self.highest = self.highest.max(self.height);
                self.compile(right);
                self.height -= 1;
                self.code.push(Instruction::ApplyPushed(op));
            }
        }
    }

    /// Operands of which one may decide the value: a false one if all must be true, a true one
    /// otherwise.
    fn short_cut(&mut self, operands: &[Expr], all: bool) {
        let Some((last, others)) = operands.split_last() else {
            self.code.push(Instruction::Load(Operand::Constant(i64::from(all))));
            return;
        };
        let mut jumps = Vec::with_capacity(others.len());
        for operand in others {
            let start = self.code.len();
            self.compile(operand);
            // A test alone becomes one with a jump; the targets are known at the end.
            if !matches!(self.code[start..], [Instruction::Test(_)]) {
                self.code.push(Instruction::UnlessJump(0));
            }
            jumps.push(self.code.len() - 1);
        }
        self.compile(last);
        if !is_truth_value(last) {
            self.code.push(Instruction::Truth);
        }
        let end = self.code.len() as u32;
        for place in jumps {
            self.code[place] = match (&self.code[place], all) {
                (Instruction::Test(test), true) => Instruction::UnlessTestJump(*test, end),
                (Instruction::Test(test), false) => Instruction::IfTestJump(*test, end),
                (_, true) => Instruction::UnlessJump(end),
                (_, false) => Instruction::IfJump(end),
            };
        }
    }
}

/// True if the value is 0 or 1 in any case.
fn is_truth_value(expression: &Expr) -> bool {
    match expression {
        Expr::Not(_) | Expr::All(_) | Expr::Any(_) => true,
        Expr::Binary(op, ..) => {
            matches!(op, Binary::Less | Binary::LessOrEqual | Binary::Equal | Binary::NotEqual)
        }
        _ => false,
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
            Expr::Element(array, index) => {
                element(*array, value(index, state)?).map_err(|fault| *fault)?.get(state)
            }
            Expr::Lookup(table, index) => {
                let index = value(index, state)?;
                match table.get(usize::try_from(index).unwrap_or(usize::MAX)) {
                    Some(number) => *number,
                    None => return Err(*out_of_range(index, table.len())),
                }
            }
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
                inner.clone().prop_map(|index| Expr::Lookup(Arc::from([2, 7, 1]), Box::new(index))),
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
