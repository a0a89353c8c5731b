//! From expressions to instructions.

use super::{Instruction, Interval, Operand, Program};
use crate::expression::{Binary, Expr};

impl Program {
    /// Compiles an expression.
    pub fn new(expression: &Expr) -> Self {
        let mut compiler = Compiler { code: Vec::new(), height: 0, highest: 0 };
        compiler.compile(expression);
        Program { instructions: compiler.code.into(), height: compiler.highest }
    }
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

impl Operand {
    /// The expression as an operand, if it is simple enough.
    pub(super) fn new(expression: &Expr) -> Option<Operand> {
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
    /// The comparison as an interval, if it is one of a variable and a number.
    pub(super) fn new(op: Binary, left: &Expr, right: &Expr) -> Option<Interval> {
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
        Some(Interval { field, low, span, inside })
    }
}
