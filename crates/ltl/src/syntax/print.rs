//! Writing formulas, with an explicit stack: time is linear in the length of the text.
//!
//! The text is that of the parse tree. A formula with shared subformulas can be exponentially
//! smaller than its text; [`Formula::size`] returns the size of the tree.

use super::notation::{self, Notation};
use crate::{Arity, Formula, Op};
use std::fmt;

/// A formula to be written in some notation; made by [`Formula::display`].
///
/// ```
/// use sempre_ltl::{Formula, syntax::Notation};
/// let f: Formula = "G(a -> X F !b)".parse().unwrap();
/// assert_eq!(f.display(Notation::Spot).to_string(), "G(a -> XF!b)");
/// assert_eq!(f.display(Notation::Spot).full_parentheses().to_string(), "G(a -> (X(F(!b))))");
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct Printed<'a> {
    formula: &'a Formula,
    notation: Notation,
    full: bool,
}

impl Formula {
    /// The formula written in this notation.
    pub fn display(&self, notation: Notation) -> Printed<'_> {
        Printed { formula: self, notation, full: false }
    }
}

impl Printed<'_> {
    /// Puts parentheses around every operand but propositions and constants.
    pub fn full_parentheses(self) -> Self {
        Printed { full: true, ..self }
    }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer =
            Printer { notation: self.notation, full: self.full, out, buffer: String::new() };
        printer.print(self.formula)?;
        printer.flush()
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(Notation::Spot).fmt(out)
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

struct Printer<'p, 'f> {
    notation: Notation,
    full: bool,
    out: &'p mut fmt::Formatter<'f>,
    /// The output buffer: formulas consist of tiny pieces, which are not worth a call each.
    buffer: String,
}

const BUFFER: usize = 1 << 13;

/// The parts not yet written.
enum Task<'a> {
    Formula {
        formula: &'a Formula,
        parentheses: bool,
    },
    /// The operands from `next` on, each after the operator.
    Operands {
        of: &'a Formula,
        next: usize,
    },
    Close,
}

impl Printer<'_, '_> {
    fn print(&mut self, formula: &Formula) -> fmt::Result {
        let mut tasks = vec![Task::Formula { formula, parentheses: false }];
        while let Some(task) = tasks.pop() {
            if self.buffer.len() >= BUFFER {
                self.flush()?;
            }
            match task {
                Task::Close => self.buffer.push(')'),
                Task::Formula { formula, parentheses } => {
                    if parentheses {
                        self.buffer.push('(');
                        tasks.push(Task::Close);
                    }
                    self.begin(formula, &mut tasks);
                }
                Task::Operands { of, next } => {
                    let operands = of.children();
                    if self.notation.is_prefix() {
                        // a & b & c is & a & b c.
                        if next + 1 < operands.len() {
                            self.buffer.push(' ');
                            self.buffer.push_str(self.notation.operator(of.op()));
                        }
                        self.buffer.push(' ');
                    } else {
                        self.buffer.push_str(self.notation.operator(of.op()));
                    }
                    self.operand(of, next, &mut tasks);
                }
            }
        }
        Ok(())
    }

    /// Writes the beginning of a formula, up to its first operand.
    fn begin<'a>(&mut self, formula: &'a Formula, tasks: &mut Vec<Task<'a>>) {
        let op = formula.op();
        match op.arity() {
            Arity::Leaf if op == Op::Prop => {
                if let Some(prop) = formula.as_prop() {
                    self.buffer.push_str(&self.notation.prop(prop));
                }
            }
            Arity::Leaf => self.buffer.push_str(self.notation.operator(op)),
            Arity::Unary => {
                self.buffer.push_str(self.notation.operator(op));
                let [operand] = formula.children() else { return };
                self.operand_of_unary(op, operand, tasks);
            }
            Arity::Binary | Arity::Nary => {
                if self.notation.is_prefix() {
                    self.buffer.push_str(self.notation.operator(op));
                    self.buffer.push(' ');
                } else if self.notation.is_negated(op) {
                    self.buffer.push_str("!(");
                    tasks.push(Task::Close);
                }
                self.operand(formula, 0, tasks);
            }
        }
    }

    fn operand_of_unary<'a>(&mut self, op: Op, operand: &'a Formula, tasks: &mut Vec<Task<'a>>) {
        let parentheses = self.parentheses(op, operand);
        if !parentheses && self.notation.is_apart(op, operand.op()) {
            self.buffer.push(' ');
        }
        tasks.push(Task::Formula { formula: operand, parentheses });
    }

    fn operand<'a>(&mut self, of: &'a Formula, index: usize, tasks: &mut Vec<Task<'a>>) {
        if index + 1 < of.children().len() {
            tasks.push(Task::Operands { of, next: index + 1 });
        }
        let operand = &of.children()[index];
        if of.op() == Op::StrongRelease && self.notation.is_negated(of.op()) {
            if self.full || notation::is_loose(operand) {
                self.buffer.push('(');
                tasks.push(Task::Close);
            }
            self.buffer.push('!');
            self.operand_of_unary(Op::Not, operand, tasks);
        } else {
            let parentheses = self.parentheses(of.op(), operand);
            tasks.push(Task::Formula { formula: operand, parentheses });
        }
    }

    /// True if the operand of this operator needs (or should have) parentheses.
    fn parentheses(&self, op: Op, operand: &Formula) -> bool {
        self.notation.needs_parentheses(op, operand)
            || (self.full && !self.notation.is_prefix() && operand.op().arity() != Arity::Leaf)
    }

    fn flush(&mut self) -> fmt::Result {
        self.out.write_str(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
