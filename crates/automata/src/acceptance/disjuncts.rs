//! The disjunctive normal form of acceptance conditions.

use super::Condition;
use crate::marks::Marks;
use sempre_ltl::interrupt;

/// A conjunction of terms: `Fin` of some marks, and `Inf` of others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Disjunct {
    /// The marks to be seen finitely often.
    pub fin: Marks,
    /// The marks to be seen infinitely often; none of them is in `fin`.
    pub inf: Marks,
}

impl Disjunct {
    const TRUE: Disjunct = Disjunct { fin: Marks::EMPTY, inf: Marks::EMPTY };

    /// Returns the conjunction of both; `None` if they contradict each other.
    fn and(&self, other: &Disjunct) -> Option<Disjunct> {
        let joined = Disjunct { fin: &self.fin | &other.fin, inf: &self.inf | &other.inf };
        joined.fin.is_disjoint(&joined.inf).then_some(joined)
    }

    /// True if every set of marks that satisfies `self` satisfies `other`, judged by the terms
    /// alone.
    fn implies(&self, other: &Disjunct) -> bool {
        other.fin.is_subset(&self.fin) && other.inf.is_subset(&self.inf)
    }

    /// True if a run that sees exactly these marks infinitely often satisfies the disjunct.
    pub fn accepts(&self, infinitely_often: &Marks) -> bool {
        self.inf.is_subset(infinitely_often) && self.fin.is_disjoint(infinitely_often)
    }
}

impl Condition {
    /// Returns the disjunctive normal form: no disjunct contradicts itself or implies another. The
    /// list is empty for false, and has one disjunct without terms for true.
    ///
    /// The number of disjuncts can be exponential, as for Streett conditions.
    ///
    /// ```
    /// use sempre_automata::Named;
    /// assert_eq!(Named::Rabin(3).acceptance().condition().disjuncts().len(), 3);
    /// assert_eq!(Named::Streett(3).acceptance().condition().disjuncts().len(), 8);
    /// ```
    pub fn disjuncts(&self) -> Vec<Disjunct> {
        let set = |mark: u32| Marks::from_iter([mark]);
        match self {
            Condition::True => vec![Disjunct::TRUE],
            Condition::False => vec![],
            Condition::Inf(mark) => vec![Disjunct { inf: set(*mark), ..Disjunct::TRUE }],
            Condition::Fin(mark) => vec![Disjunct { fin: set(*mark), ..Disjunct::TRUE }],
            Condition::Or(operands) => {
                let mut all = vec![];
                operands.iter().flat_map(Condition::disjuncts).for_each(|d| absorb(&mut all, d));
                all
            }
            Condition::And(operands) => {
                let mut all = vec![Disjunct::TRUE];
                for operand in operands {
                    let right = operand.disjuncts();
                    let mut product = vec![];
                    for left in &all {
                        let joined = right.iter().filter_map(|right| left.and(right));
                        joined.for_each(|joined| absorb(&mut product, joined));
                    }
                    all = product;
                }
                all
            }
        }
    }

    /// Returns an upper bound of the number of [`disjuncts`](Condition::disjuncts) in linear time;
    /// saturates.
    pub fn disjunct_count(&self) -> usize {
        match self {
            Condition::False => 0,
            Condition::True | Condition::Inf(_) | Condition::Fin(_) => 1,
            Condition::Or(operands) => {
                operands.iter().map(Condition::disjunct_count).fold(0, usize::saturating_add)
            }
            Condition::And(operands) => {
                operands.iter().map(Condition::disjunct_count).fold(1, usize::saturating_mul)
            }
        }
    }
}

/// Adds a disjunct unless it implies a present one, and removes those that imply it.
fn absorb(all: &mut Vec<Disjunct>, new: Disjunct) {
    interrupt::poll();
    if all.iter().any(|known| new.implies(known)) {
        return;
    }
    all.retain(|known| !known.implies(&new));
    all.push(new);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_disjunction_is_the_condition(acceptance in arbitrary::acceptance(4)) {
            let disjuncts = acceptance.condition().disjuncts();
            for set in 0..16 {
                let marks = Marks::from_bits(set);
                let accepted = disjuncts.iter().any(|disjunct| disjunct.accepts(&marks));
                prop_assert_eq!(accepted, acceptance.accepts(&marks));
            }
            prop_assert!(disjuncts.len() <= acceptance.condition().disjunct_count());
            for (place, one) in disjuncts.iter().enumerate() {
                prop_assert!(one.fin.is_disjoint(&one.inf));
                let related = |two: &Disjunct| one.implies(two) || two.implies(one);
                prop_assert!(!disjuncts.iter().skip(place + 1).any(related));
            }
        }
    }
}
