//! Acceptance conditions: which sets of marks, seen infinitely often, make a run accepting.

mod disjuncts;
mod named;
mod text;

pub use disjuncts::Disjunct;
pub use named::{Named, Parity, ParityKind};

use crate::marks::{Mark, Marks};

/// A positive Boolean combination of `Inf(m)` and `Fin(m)`: an Emerson–Lei condition.
///
/// Nested conjunctions and disjunctions are flat; the order of operands is kept, as formats and
/// named conditions rely on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Every run is accepting.
    True,
    /// No run is.
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
    /// The conjunction; neutral and absorbing constants are dropped, nested conjunctions opened.
    pub fn and(operands: impl IntoIterator<Item = Condition>) -> Self {
        Self::junction(operands, true)
    }

    /// The disjunction; neutral and absorbing constants are dropped, nested disjunctions opened.
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

    /// The condition that accepts exactly the runs that this one does not.
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

    /// The condition with other marks.
    pub fn map_marks(&self, mark: &impl Fn(Mark) -> Mark) -> Condition {
        self.replace(&|term| match term {
            Condition::Inf(m) => Condition::Inf(mark(*m)),
            Condition::Fin(m) => Condition::Fin(mark(*m)),
            other => other.clone(),
        })
    }

    /// The condition with each `Inf` and `Fin` replaced.
    pub fn replace(&self, term: &impl Fn(&Condition) -> Condition) -> Condition {
        match self {
            Condition::And(operands) => Condition::and(operands.iter().map(|c| c.replace(term))),
            Condition::Or(operands) => Condition::or(operands.iter().map(|c| c.replace(term))),
            Condition::True | Condition::False => self.clone(),
            Condition::Inf(_) | Condition::Fin(_) => term(self),
        }
    }

    /// The condition for runs that see none of these marks infinitely often.
    pub fn without(&self, marks: &Marks) -> Condition {
        self.replace(&|term| match term {
            Condition::Inf(m) if marks.contains(*m) => Condition::False,
            Condition::Fin(m) if marks.contains(*m) => Condition::True,
            other => other.clone(),
        })
    }

    /// The marks of `Inf` terms and those of `Fin` terms.
    pub fn inf_and_fin(&self) -> (Marks, Marks) {
        let (mut inf, mut fin) = (Marks::EMPTY, Marks::EMPTY);
        self.each_term(&mut |term| match term {
            Condition::Inf(m) => inf.insert(*m),
            Condition::Fin(m) => fin.insert(*m),
            _ => {}
        });
        (inf, fin)
    }

    /// All marks that the condition mentions.
    pub fn marks(&self) -> Marks {
        let (inf, fin) = self.inf_and_fin();
        &inf | &fin
    }

    /// A set of marks that satisfies the condition, if there is one.
    ///
    /// Marks that occur only as `Inf`, or only as `Fin`, cost nothing; for others both ways are
    /// tried, as the question is that of satisfiability.
    pub fn satisfying_marks(&self) -> Option<Marks> {
        let mut branches = vec![(self.clone(), Marks::EMPTY)];
        while let Some((condition, mut chosen)) = branches.pop() {
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

/// An acceptance condition over a declared number of marks, some of which it may not mention.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Acceptance {
    marks: u32,
    condition: Condition,
}

impl Acceptance {
    /// The condition over that many marks.
    ///
    /// # Panics
    /// If the condition mentions others.
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

    /// A set of marks that the condition rejects, the empty one if possible; `None` if it accepts
    /// all. See [`Condition::satisfying_marks`] for the cost.
    pub fn rejected_marks(&self) -> Option<Marks> {
        if !self.accepts(&Marks::EMPTY) {
            return Some(Marks::EMPTY);
        }
        self.condition.dual().satisfying_marks()
    }

    /// The condition that accepts exactly the runs that this one does not.
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
