//! Typed terms: sums of tuples for markings and inscriptions, and conditions for guards.
//!
//! Every multiset expression of a symmetric net is a sum, with positive and negative coefficients,
//! of tuples whose components are constants, variables (moved on by some steps) or sets of colours.
//! In this form it can be matched against a colour as well as evaluated.

use std::sync::Arc;

/// A tuple with a multiplicity.
#[derive(Clone, Debug)]
pub(super) struct Summand {
    pub(super) coefficient: i64,
    pub(super) tuple: Tuple,
}

/// The components of a tuple that have more than one value.
pub(super) type Tuple = Vec<Component>;

/// A component of a tuple: it adds `stride` times its digit to the number of the colour.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) stride: u32,
    /// The number of digits.
    pub(super) size: u32,
    pub(super) atom: Atom,
}

#[derive(Clone, Debug)]
pub(super) enum Atom {
    Constant(u32),
    /// The colour that comes `shift` steps after the value of the variable, in circles.
    Variable {
        index: u32,
        shift: u32,
    },
    /// All colours together.
    All,
    /// These colours together; there is at least one, and none twice.
    Subset(Arc<[u32]>),
}

impl Component {
    /// True if the component stands for several colours together.
    pub(super) fn is_set(&self) -> bool {
        matches!(self.atom, Atom::All | Atom::Subset(_))
    }

    /// The number of colours of the component.
    pub(super) fn set_size(&self) -> u32 {
        match &self.atom {
            Atom::Constant(_) | Atom::Variable { .. } => 1,
            Atom::All => self.size,
            Atom::Subset(colours) => colours.len() as u32,
        }
    }

    /// The digit, the `member`-th if there are several.
    #[inline]
    pub(super) fn digit(&self, values: &[u32], member: u32) -> u32 {
        match &self.atom {
            Atom::Constant(digit) => *digit,
            Atom::Variable { index, shift } => shifted(values[*index as usize], *shift, self.size),
            Atom::All => member,
            Atom::Subset(colours) => colours[member as usize],
        }
    }

    /// The weight of this component's digit in the number of a colour.
    #[inline]
    pub(super) fn digit_of(&self, colour: u32) -> u32 {
        colour / self.stride % self.size
    }
}

/// The colour that comes `shift` steps after another; both are below `size`.
#[inline]
pub(super) fn shifted(colour: u32, shift: u32, size: u32) -> u32 {
    let sum = u64::from(colour) + u64::from(shift);
    (if sum >= u64::from(size) { sum - u64::from(size) } else { sum }) as u32
}

/// The number of the colour of a tuple without sets.
#[inline]
pub(super) fn colour(tuple: &[Component], values: &[u32]) -> u32 {
    tuple.iter().map(|component| component.stride * component.digit(values, 0)).sum()
}

/// Calls `visit` with every colour of a tuple, until it returns false; true if it never did.
pub(super) fn colours(
    tuple: &[Component],
    values: &[u32],
    mut visit: impl FnMut(u32) -> bool,
) -> bool {
    if !tuple.iter().any(Component::is_set) {
        return visit(colour(tuple, values));
    }
    let mut members = vec![0; tuple.len()];
    loop {
        sempre_ltl::interrupt::poll();
        let each = tuple.iter().zip(&members);
        if !visit(each.map(|(part, member)| part.stride * part.digit(values, *member)).sum()) {
            return false;
        }
        let mut position = tuple.len();
        loop {
            if position == 0 {
                return true;
            }
            position -= 1;
            members[position] += 1;
            if members[position] < tuple[position].set_size() {
                break;
            }
            members[position] = 0;
        }
    }
}

/// True if the colour is one of those of the tuple.
pub(super) fn includes(tuple: &[Component], values: &[u32], colour: u32) -> bool {
    tuple.iter().all(|component| {
        let digit = component.digit_of(colour);
        match &component.atom {
            Atom::All => true,
            Atom::Subset(colours) => colours.contains(&digit),
            _ => component.digit(values, 0) == digit,
        }
    })
}

/// An instruction of a condition, which is evaluated on a stack of truth values.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Constant(bool),
    Compare(Comparison, Tuple, Tuple),
    And(u32),
    Or(u32),
    Not,
    Imply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

impl Instruction {
    /// The number of truth values that the instruction pops.
    fn operands(&self) -> usize {
        match self {
            Instruction::Constant(_) | Instruction::Compare(..) => 0,
            Instruction::And(count) | Instruction::Or(count) => *count as usize,
            Instruction::Not => 1,
            Instruction::Imply => 2,
        }
    }

    /// The variables it looks at.
    pub(super) fn variables(&self) -> impl Iterator<Item = u32> {
        let (left, right) = match self {
            Instruction::Compare(_, left, right) => (&left[..], &right[..]),
            _ => (&[][..], &[][..]),
        };
        variables(left).chain(variables(right))
    }
}

/// The variables of a tuple.
pub(super) fn variables(tuple: &[Component]) -> impl Iterator<Item = u32> {
    tuple.iter().filter_map(|component| match component.atom {
        Atom::Variable { index, .. } => Some(index),
        _ => None,
    })
}

/// Evaluates a condition; the stack is only room.
pub(super) fn holds(code: &[Instruction], values: &[u32], stack: &mut Vec<bool>) -> bool {
    stack.clear();
    for instruction in code {
        let operands = stack.len() - instruction.operands();
        let result = match instruction {
            Instruction::Constant(value) => *value,
            Instruction::Compare(comparison, left, right) => {
                comparison.holds(colour(left, values), colour(right, values))
            }
            Instruction::And(_) => stack[operands..].iter().all(|value| *value),
            Instruction::Or(_) => stack[operands..].iter().any(|value| *value),
            Instruction::Not => !stack[operands],
            Instruction::Imply => !stack[operands] || stack[operands + 1],
        };
        stack.truncate(operands);
        stack.push(result);
    }
    stack.pop().unwrap_or(true)
}

/// Splits a condition into conditions that must hold all, as many as possible.
pub(super) fn conjuncts(code: Vec<Instruction>) -> Vec<Vec<Instruction>> {
    // Where the operand that each instruction completes begins.
    let mut starts = Vec::with_capacity(code.len());
    let mut open: Vec<usize> = vec![];
    for (position, instruction) in code.iter().enumerate() {
        let operands = instruction.operands();
        let start = if operands == 0 { position } else { open[open.len() - operands] };
        open.truncate(open.len() - operands);
        open.push(start);
        starts.push(start);
    }
    let mut ranges = vec![];
    let mut pending: Vec<usize> = code.len().checked_sub(1).into_iter().collect();
    while let Some(last) = pending.pop() {
        if let Instruction::And(count) = code[last] {
            let mut end = last;
            for _ in 0..count {
                pending.push(end - 1);
                end = starts[end - 1];
            }
        } else {
            ranges.push(starts[last]..last + 1);
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges.into_iter().map(|range| code[range].to_vec()).collect()
}
