//! Evaluation on bit vectors: straight-line code for the distinct subformulas of a formula.
//!
//! The code is a list of operations on registers, each a bit vector over the positions. A register
//! is reused after its last use. The larger operand comes first (Sethi and Ullman, JACM 1970), and
//! conjunctions and disjunctions are accumulated. So for a formula without sharing the number of
//! registers is logarithmic in its size. Compilation takes O(distinct subformulas), evaluation
//! O(distinct subformulas × positions / 64).

use super::fixpoint::Shape;
use crate::{Arity, Formula, Op, Prop, Word};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A formula compiled for evaluation on many words.
///
/// ```
/// use sempre_ltl::{Word, semantics::Evaluator};
/// let evaluator = Evaluator::new(&"G F a".parse().unwrap());
/// assert!(evaluator.holds(&"b; cycle{b; a}".parse().unwrap()));
/// assert!(!evaluator.holds(&"a; a; cycle{b}".parse().unwrap()));
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    code: Vec<Instruction>,
    /// The propositions of the formula, in the order in which the code numbers them.
    props: Vec<Prop>,
    registers: usize,
    result: Operand,
}

/// `into := op(left, right)`; a unary operator only looks at `left`, a constant at neither.
#[derive(Clone, Copy, Debug)]
struct Instruction {
    op: Op,
    left: Operand,
    right: Operand,
    into: usize,
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Register(usize),
    /// The row of a proposition in the word.
    Row(usize),
}

impl Evaluator {
    /// Compiles a formula.
    pub fn new(formula: &Formula) -> Self {
        Compiler::new(formula).compile(formula)
    }

    /// True if the word satisfies the formula.
    pub fn holds(&self, word: &Word) -> bool {
        self.positions(word).contains(0)
    }

    /// The positions of the word at which the formula holds.
    pub fn positions(&self, word: &Word) -> Positions {
        let absent = vec![0; word.width()];
        let rows: Vec<&[u64]> =
            self.props.iter().map(|prop| word.row(prop).unwrap_or(&absent)).collect();
        let shape = Shape { len: word.len(), target: word.cycle_len() - 1 };
        let mut registers: Vec<Vec<u64>> = vec![vec![0; word.width()]; self.registers];
        for instruction in &self.code {
            let mut out = std::mem::take(&mut registers[instruction.into]);
            let vector = |operand| match operand {
                Operand::Register(register) => registers[register].as_slice(),
                Operand::Row(prop) => rows[prop],
            };
            let (left, right) = (instruction.left, instruction.right);
            execute(instruction.op, shape, &mut out, || vector(left), || vector(right));
            registers[instruction.into] = out;
        }
        let bits = match self.result {
            Operand::Register(register) => std::mem::take(&mut registers[register]),
            Operand::Row(prop) => rows[prop].to_vec(),
        };
        Positions { bits, prefix: word.prefix_len(), cycle: word.cycle_len() }
    }
}

fn execute<'v>(
    op: Op,
    shape: Shape,
    out: &mut [u64],
    left: impl Fn() -> &'v [u64],
    right: impl Fn() -> &'v [u64],
) {
    match op {
        Op::True => shape.constant(out, true),
        // Propositions are operands, not instructions.
        Op::False | Op::Prop => shape.constant(out, false),
        Op::Not => shape.pointwise1(out, left(), |f| !f),
        Op::And => shape.pointwise2(out, left(), right(), |f, g| f & g),
        Op::Or => shape.pointwise2(out, left(), right(), |f, g| f | g),
        Op::Implies => shape.pointwise2(out, left(), right(), |f, g| !f | g),
        Op::Iff => shape.pointwise2(out, left(), right(), |f, g| !(f ^ g)),
        Op::Xor => shape.pointwise2(out, left(), right(), |f, g| f ^ g),
        Op::Next => {
            out.copy_from_slice(left());
            shape.next(out);
        }
        Op::Finally => shape.finally(out, left()),
        Op::Globally => shape.globally(out, left()),
        Op::StrictFinally => {
            shape.finally(out, left());
            shape.next(out);
        }
        Op::StrictGlobally => {
            shape.globally(out, left());
            shape.next(out);
        }
        // f R g is g W (f & g), f M g is g U (f & g).
        Op::Until | Op::WeakUntil | Op::Release | Op::StrongRelease => {
            // Slices with the length of `out`, so that the loop needs no bounds checks.
            let (f, g) = (&left()[..out.len()], &right()[..out.len()]);
            match op {
                Op::Until => shape.until(out, |i| f[i], |i| g[i], false),
                Op::WeakUntil => shape.until(out, |i| f[i], |i| g[i], true),
                Op::StrongRelease => shape.until(out, |i| g[i], |i| f[i] & g[i], false),
                _ => shape.until(out, |i| g[i], |i| f[i] & g[i], true),
            }
        }
    }
}

/// A set of positions of a lasso word.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Positions {
    /// Bit 0 is the last position.
    bits: Vec<u64>,
    prefix: usize,
    cycle: usize,
}

impl Positions {
    /// True if the position, of the infinite word, is in the set.
    pub fn contains(&self, position: usize) -> bool {
        let beyond = position.saturating_sub(self.prefix);
        let position = position.min(self.prefix) + beyond % self.cycle;
        let bit = self.prefix + self.cycle - 1 - position;
        self.bits[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// The positions of prefix and cycle that are in the set, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.prefix + self.cycle).filter(|&position| self.contains(position))
    }

    /// Returns the number of positions of prefix and cycle in the set.
    pub fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl std::fmt::Debug for Positions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

struct Compiler {
    /// The number of remaining uses of each subformula as an operand.
    uses: FxHashMap<Formula, usize>,
    /// The location of the value of a computed subformula.
    values: FxHashMap<Formula, Operand>,
    free: Vec<usize>,
    evaluator: Evaluator,
}

/// A formula whose operands are being compiled.
struct Frame {
    formula: Formula,
    /// The operands still to be computed (and, of an n-ary operator, combined), last first.
    pending: SmallVec<[Formula; 2]>,
    accumulated: Option<Accumulator>,
}

/// The operands of an n-ary operator that have been combined so far.
#[derive(Clone)]
enum Accumulator {
    One(Formula),
    /// Several, in a register of this frame.
    Register(usize),
}

impl Frame {
    fn new(formula: &Formula) -> Self {
        let mut pending: SmallVec<[Formula; 2]> = formula.children().into();
        pending.sort_by_key(Formula::size);
        Frame { formula: formula.clone(), pending, accumulated: None }
    }
}

impl Compiler {
    fn new(formula: &Formula) -> Self {
        let mut uses: FxHashMap<Formula, usize> = FxHashMap::default();
        uses.insert(formula.clone(), 1);
        for subformula in formula.subformulas() {
            for child in subformula.children() {
                *uses.entry(child.clone()).or_default() += 1;
            }
        }
        let evaluator =
            Evaluator { code: vec![], props: vec![], registers: 0, result: Operand::Row(0) };
        Compiler { uses, values: FxHashMap::default(), free: vec![], evaluator }
    }

    fn compile(mut self, root: &Formula) -> Evaluator {
        let mut stack = vec![Frame::new(root)];
        while let Some(frame) = stack.last_mut() {
            if let Some(child) = frame.pending.last() {
                if !self.values.contains_key(child) {
                    let child = Frame::new(child);
                    stack.push(child);
                } else if let Some(child) = frame.pending.pop()
                    && frame.formula.op().arity() == Arity::Nary
                {
                    frame.accumulated = Some(match frame.accumulated.take() {
                        None => Accumulator::One(child),
                        Some(so_far) => self.accumulate(frame.formula.op(), &so_far, &child),
                    });
                }
            } else if let Some(frame) = stack.pop() {
                let value = self.value(&frame);
                self.evaluator.result = value;
                self.values.insert(frame.formula, value);
            }
        }
        self.evaluator
    }

    /// Computes a formula whose operands have been computed.
    fn value(&mut self, frame: &Frame) -> Operand {
        if let Some(prop) = frame.formula.as_prop() {
            self.evaluator.props.push(prop.clone());
            return Operand::Row(self.evaluator.props.len() - 1);
        }
        match &frame.accumulated {
            Some(Accumulator::One(operand)) => self.values[operand],
            Some(Accumulator::Register(register)) => Operand::Register(*register),
            None => {
                let children = frame.formula.children();
                let operand = |i: usize| children.get(i).map(|child| self.values[child]);
                // Constants have no operands, and their instruction reads none.
                let left = operand(0).unwrap_or(Operand::Row(0));
                let right = operand(1).unwrap_or(left);
                let into = self.emit(frame.formula.op(), left, right);
                for child in children {
                    self.consume(child);
                }
                Operand::Register(into)
            }
        }
    }

    fn accumulate(&mut self, op: Op, so_far: &Accumulator, child: &Formula) -> Accumulator {
        let left = match so_far {
            Accumulator::One(first) => self.values[first],
            Accumulator::Register(register) => Operand::Register(*register),
        };
        let into = self.emit(op, left, self.values[child]);
        match so_far {
            Accumulator::One(first) => self.consume(first),
            Accumulator::Register(register) => self.free.push(*register),
        }
        self.consume(child);
        Accumulator::Register(into)
    }

    /// Adds an instruction, and returns the register of its result, which differs from its
    /// operands.
    fn emit(&mut self, op: Op, left: Operand, right: Operand) -> usize {
        let into = self.free.pop().unwrap_or_else(|| {
            self.evaluator.registers += 1;
            self.evaluator.registers - 1
        });
        self.evaluator.code.push(Instruction { op, left, right, into });
        into
    }

    /// Frees the register of an operand after its last use.
    fn consume(&mut self, operand: &Formula) {
        if let Some(uses) = self.uses.get_mut(operand) {
            *uses -= 1;
            if let (0, Operand::Register(register)) = (*uses, self.values[operand]) {
                self.free.push(register);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers(formula: &Formula) -> usize {
        Evaluator::new(formula).registers
    }

    #[test]
    fn registers_are_used_again() {
        let leaf = |i: usize| Formula::next(Formula::prop(["a", "b", "c"][i % 3]));
        let deep =
            |op: fn(Formula, Formula) -> Formula| (0..10_000).fold(leaf(0), |f, i| op(leaf(i), f));
        assert!(registers(&deep(Formula::until)) <= 6);
        assert!(registers(&deep(|f, g| Formula::until(g, f))) <= 6);
        assert!(registers(&deep(|f, g| Formula::next(f & g))) <= 6);
        let wide = Formula::or((0..10_000).map(|i| Formula::next(Formula::prop(format!("p{i}")))));
        assert!(registers(&wide) <= 3);
        let balanced = (0..10).fold(leaf(0), |f, _| Formula::until(&f, Formula::next(&f)));
        assert!(registers(&balanced) <= 4);
        assert_eq!(registers(&Formula::prop("a")), 0);
    }

    #[test]
    fn the_results_of_shared_operands_survive() {
        // X a is needed first and last.
        let next = Formula::next("a");
        let mut f = next.clone();
        for _ in 0..20 {
            f = Formula::until(&f, &next) & Formula::next(Formula::not(&f) | &next);
        }
        let word: Word = "a; 1; cycle{a; a; 1}".parse().unwrap();
        let table = super::super::restricted::results(&f, &word);
        let positions = Evaluator::new(&f).positions(&word);
        for i in 0..word.len() {
            assert_eq!(Some(positions.contains(i)), table.value(&f, i));
        }
    }
}
