//! Acceptance conditions: which sets of marks, seen infinitely often, make a run accepting.

mod disjuncts;
mod named;
mod text;

pub use disjuncts::Disjunct;
pub use named::{Named, Parity, ParityKind};

use crate::marks::{Mark, Marks};

/// A positive Boolean combination of `Inf(m)` and `Fin(m)`: an Emerson–Lei condition.
///
/// Nested conjunctions and disjunctions are flat. Operands keep their order, because formats and
/// named conditions rely on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// Every run is accepting.
    True,
    /// No run is accepting.
    False,
    /// The mark is seen infinitely often.
    Inf(Mark),
    /// The mark is seen finitely often.
    Fin(Mark),
    /// All of these hold.
    And(Vec<Condition>),
    /// One of these holds.
    Or(Vec<Condition>),
}

impl Condition {
    /// Builds a conjunction without neutral and absorbing constants; flattens nested conjunctions.
    pub fn and(operands: impl IntoIterator<Item = Condition>) -> Self {
        Self::junction(operands, true)
    }

    /// Builds a disjunction without neutral and absorbing constants; flattens nested disjunctions.
    pub fn or(operands: impl IntoIterator<Item = Condition>) -> Self {
        Self::junction(operands, false)
    }

    fn junction(operands: impl IntoIterator<Item = Condition>, conjunction: bool) -> Self {
        let (neutral, absorbing) = match conjunction {
            true => (Condition::True, Condition::False),
            false => (Condition::False, Condition::True),
        };
        let mut flat = vec![];
        for operand in operands {
            match operand {
                operand if operand == absorbing => return absorbing,
                operand if operand == neutral => {}
                Condition::And(nested) if conjunction => flat.extend(nested),
                Condition::Or(nested) if !conjunction => flat.extend(nested),
                operand => flat.push(operand),
            }
        }
        match flat.len() {
            0 => neutral,
            1 => flat.remove(0),
            _ if conjunction => Condition::And(flat),
            _ => Condition::Or(flat),
        }
    }

    /// True if a run that sees exactly these marks infinitely often is accepting.
    pub fn accepts(&self, infinitely_often: &Marks) -> bool {
        match self {
            Condition::True => true,
            Condition::False => false,
            Condition::Inf(mark) => infinitely_often.contains(*mark),
            Condition::Fin(mark) => !infinitely_often.contains(*mark),
            Condition::And(operands) => operands.iter().all(|c| c.accepts(infinitely_often)),
            Condition::Or(operands) => operands.iter().any(|c| c.accepts(infinitely_often)),
        }
    }

    /// Returns the condition with the operands in one order, whatever their order was.
    fn sorted(&self) -> Condition {
        let sort = |operands: &[Condition]| {
            let mut sorted: Vec<Condition> = operands.iter().map(Condition::sorted).collect();
            sorted.sort_unstable();
            sorted
        };
        match self {
            Condition::And(operands) => Condition::And(sort(operands)),
            Condition::Or(operands) => Condition::Or(sort(operands)),
            term => term.clone(),
        }
    }

    /// Returns the condition that accepts exactly the runs that this one rejects.
    pub fn dual(&self) -> Condition {
        match self {
            Condition::True => Condition::False,
            Condition::False => Condition::True,
            Condition::Inf(mark) => Condition::Fin(*mark),
            Condition::Fin(mark) => Condition::Inf(*mark),
            Condition::And(operands) => Condition::or(operands.iter().map(Condition::dual)),
            Condition::Or(operands) => Condition::and(operands.iter().map(Condition::dual)),
        }
    }

    /// Replaces each mark.
    pub fn map_marks(&self, mark: &impl Fn(Mark) -> Mark) -> Condition {
        self.replace(&|term| match term {
            Condition::Inf(m) => Condition::Inf(mark(*m)),
            Condition::Fin(m) => Condition::Fin(mark(*m)),
            other => other.clone(),
        })
    }

    /// Replaces each `Inf` and `Fin` term.
    pub fn replace(&self, term: &impl Fn(&Condition) -> Condition) -> Condition {
        match self {
            Condition::And(operands) => Condition::and(operands.iter().map(|c| c.replace(term))),
            Condition::Or(operands) => Condition::or(operands.iter().map(|c| c.replace(term))),
            Condition::True | Condition::False => self.clone(),
            Condition::Inf(_) | Condition::Fin(_) => term(self),
        }
    }

    /// Restricts the condition to runs that see none of these marks infinitely often.
    pub fn without(&self, marks: &Marks) -> Condition {
        self.replace(&|term| match term {
            Condition::Inf(m) if marks.contains(*m) => Condition::False,
            Condition::Fin(m) if marks.contains(*m) => Condition::True,
            other => other.clone(),
        })
    }

    /// Returns the marks of `Inf` terms and those of `Fin` terms.
    pub fn inf_and_fin(&self) -> (Marks, Marks) {
        let (mut inf, mut fin) = (Marks::EMPTY, Marks::EMPTY);
        self.each_term(&mut |term| match term {
            Condition::Inf(m) => inf.insert(*m),
            Condition::Fin(m) => fin.insert(*m),
            _ => {}
        });
        (inf, fin)
    }

    /// Returns all marks that occur in the condition.
    pub fn marks(&self) -> Marks {
        let (inf, fin) = self.inf_and_fin();
        &inf | &fin
    }

    /// Returns a set of marks that satisfies the condition; `None` if it is unsatisfiable.
    ///
    /// Linear if each mark occurs only as `Inf` or only as `Fin`; exponential in the number of
    /// marks that occur as both.
    pub fn satisfying_marks(&self) -> Option<Marks> {
        let mut branches = vec![(self.clone(), Marks::EMPTY)];
        while let Some((condition, mut chosen)) = branches.pop() {
            sempre_ltl::interrupt::poll();
            let (inf, fin) = condition.inf_and_fin();
            let (both, only_inf) = (&inf & &fin, &inf - &fin);
            chosen |= &only_inf;
            if condition.accepts(&chosen) {
                return Some(chosen);
            }
            let decide = |condition: &Condition, mark: Mark, seen: bool| {
                condition.replace(&|term| match term {
                    Condition::Inf(m) if *m == mark => Condition::constant(seen),
                    Condition::Fin(m) if *m == mark => Condition::constant(!seen),
                    other => other.clone(),
                })
            };
            if let Some(mark) = both.iter().next() {
                let mut with = chosen.clone();
                with.insert(mark);
                branches.push((decide(&condition, mark, true), with));
                branches.push((decide(&condition, mark, false), chosen));
            }
        }
        None
    }

    fn constant(value: bool) -> Condition {
        if value { Condition::True } else { Condition::False }
    }

    /// Visits each `Inf`, `Fin` and constant.
    pub(crate) fn each_term(&self, visit: &mut impl FnMut(&Condition)) {
        match self {
            Condition::And(operands) | Condition::Or(operands) => {
                operands.iter().for_each(|operand| operand.each_term(visit));
            }
            term => visit(term),
        }
    }
}

/// An acceptance condition over a declared number of marks; marks need not occur in the condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Acceptance {
    marks: u32,
    condition: Condition,
}

impl Acceptance {
    /// Creates a condition over `marks` marks.
    ///
    /// # Panics
    /// If a mark of the condition is not below `marks`.
    pub fn new(marks: u32, condition: Condition) -> Self {
        let last = condition.marks().last();
        assert!(last.is_none_or(|last| last < marks), "mark {last:?} of {marks}");
        Acceptance { marks, condition }
    }

    /// The number of marks.
    pub fn marks(&self) -> u32 {
        self.marks
    }

    /// The condition.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// True if a run that sees exactly these marks infinitely often is accepting.
    pub fn accepts(&self, infinitely_often: &Marks) -> bool {
        self.condition.accepts(infinitely_often)
    }

    /// Returns a set of marks that the condition rejects, the empty set if possible; `None` if it
    /// accepts all sets. See [`Condition::satisfying_marks`] for the cost.
    pub fn rejected_marks(&self) -> Option<Marks> {
        if !self.accepts(&Marks::EMPTY) {
            return Some(Marks::EMPTY);
        }
        self.condition.dual().satisfying_marks()
    }

    /// Returns the condition that accepts exactly the runs that this one rejects.
    pub fn dual(&self) -> Acceptance {
        Acceptance { marks: self.marks, condition: self.condition.dual() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn satisfying_marks_satisfy(acceptance in arbitrary::acceptance(4)) {
            let condition = acceptance.condition();
            let wanted = (0..16).any(|set| condition.accepts(&Marks::from_bits(set)));
            let found = condition.satisfying_marks();
            prop_assert_eq!(found.is_some(), wanted);
            prop_assert!(found.is_none_or(|marks| condition.accepts(&marks)));
        }
    }
}
