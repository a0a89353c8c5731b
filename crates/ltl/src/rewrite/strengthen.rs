//! Stronger formulas, to detect vacuity: an occurrence of a subformula is replaced by the constant
//! that makes the formula hardest to satisfy.
//!
//! Kupferman and Vardi, *Vacuity detection in temporal model checking* (2003). The result implies the
//! formula. If a system satisfies the result too, the occurrence does not matter. An occurrence below
//! `<->` or `xor` has both polarities; these operators are expanded, and both copies are replaced.
//! Takes time linear in the depth of the occurrence.

use crate::{Formula, Op};

/// An occurrence of a subformula: the number of the operand to take at each node from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Occurrence(pub Vec<usize>);

impl Occurrence {
    /// Returns the subformula that occurs there.
    ///
    /// # Panics
    /// If the formula has no such operand.
    pub fn of<'a>(&self, formula: &'a Formula) -> &'a Formula {
        self.0.iter().fold(formula, |node, operand| &node.children()[*operand])
    }

    /// Returns the occurrence of the formula around it, and the number of the operand there.
    pub fn parent(&self) -> Option<(Occurrence, usize)> {
        let (last, path) = self.0.split_last()?;
        Some((Occurrence(path.to_vec()), *last))
    }

    /// True if the other one lies inside, or is the same.
    pub fn contains(&self, other: &Occurrence) -> bool {
        other.0.starts_with(&self.0)
    }
}

/// Returns all occurrences of subformulas, the outermost first; as many as the size of the formula.
pub fn occurrences(formula: &Formula) -> Vec<Occurrence> {
    let mut all = vec![(Occurrence::default(), formula)];
    let mut next = 0;
    while next < all.len() {
        let (occurrence, node) = all[next].clone();
        for (number, operand) in node.children().iter().enumerate() {
            let path = occurrence.0.iter().copied().chain([number]).collect();
            all.push((Occurrence(path), operand));
        }
        next += 1;
    }
    all.into_iter().map(|(occurrence, _)| occurrence).collect()
}

/// Replaces an occurrence by false if it is positive, by true if it is negative.
///
/// ```
/// use sempre_ltl::Formula;
/// use sempre_ltl::rewrite::{Occurrence, strengthen};
/// let formula: Formula = "G(request -> F grant)".parse().unwrap();
/// let grant = Occurrence(vec![0, 1, 0]);
/// assert_eq!(strengthen(&formula, &grant).to_string(), "G(request -> F(0))");
/// let request = Occurrence(vec![0, 0]);
/// assert_eq!(strengthen(&formula, &request).to_string(), "G(1 -> Fgrant)");
/// ```
///
/// # Panics
/// If the formula has no such operand.
pub fn strengthen(formula: &Formula, occurrence: &Occurrence) -> Formula {
    let mut nodes = vec![formula];
    for operand in &occurrence.0 {
        nodes.push(&nodes[nodes.len() - 1].children()[*operand]);
    }
    // The replacement if the node is positive, and if it is negative.
    let mut both = [Formula::ff(), Formula::tt()];
    for (node, operand) in nodes.iter().zip(&occurrence.0).rev() {
        let [positive, negative] = both;
        let with = |replacement: Formula| {
            let operands = node.children().iter().enumerate();
            node.with_children(operands.map(|(number, other)| match number == *operand {
                true => replacement.clone(),
                false => other.clone(),
            }))
        };
        both = match node.op() {
            Op::Not => [with(negative), with(positive)],
            Op::Implies if *operand == 0 => [with(negative), with(positive)],
            op @ (Op::Iff | Op::Xor) => {
                let other = &node.children()[1 - operand];
                let equal = |left: &Formula, right: &Formula| {
                    let there = Formula::implies(left.clone(), other.clone());
                    let back = Formula::implies(other.clone(), right.clone());
                    Formula::and([there, back])
                };
                let equals = [equal(&negative, &positive), equal(&positive, &negative)];
                match (op, equals) {
                    (Op::Iff, equals) => equals,
                    (_, [positive, negative]) => [Formula::not(negative), Formula::not(positive)],
                }
            }
            _ => [with(positive), with(negative)],
        };
    }
    let [positive, _] = both;
    positive
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::semantics::holds;
    use proptest::prelude::*;

    #[test]
    fn both_copies_of_an_equivalence_are_replaced() {
        let formula: Formula = "a <-> b".parse().unwrap();
        let left = formula.children().iter().position(|child| child.to_string() == "a").unwrap();
        let strong = strengthen(&formula, &Occurrence(vec![left]));
        assert_eq!(strong, "(1 -> b) & (b -> 0)".parse().unwrap());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn the_result_implies_the_formula(
            formula in arbitrary::formula(10), word in arbitrary::word(5),
        ) {
            for occurrence in occurrences(&formula) {
                let strong = strengthen(&formula, &occurrence);
                prop_assert!(!holds(&strong, &word) || holds(&formula, &word), "{}", strong);
                // Whatever stands there instead, it is weaker than the constant.
                if let Some((around, _)) = occurrence.parent() {
                    let stronger = strengthen(&formula, &around);
                    prop_assert!(!holds(&stronger, &word) || holds(&strong, &word));
                }
            }
        }
    }
}
