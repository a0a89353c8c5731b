//! Negation normal form: negations only before propositions, and no `->`, `<->`, `xor`.
//!
//! Linear in the number of distinct subformulas. The tree of the result can be exponentially
//! larger than that of a formula with nested `<->` or `xor`, as each of them needs both polarities
//! of its operands.

use crate::{Formula, Op, Traits};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// The negation normal form of a formula.
///
/// ```
/// use sempre_ltl::{Formula, rewrite::nnf};
/// let f: Formula = "!(a -> F(b W c))".parse().unwrap();
/// assert_eq!(nnf(&f).to_string(), "a & G(!b M !c)");
/// ```
pub fn nnf(formula: &Formula) -> Formula {
    Negations::new(Equivalences::Expand).of(formula, false)
}

/// The treatment of `<->` and `xor`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Equivalences {
    /// They are expanded into `&` and `|`.
    Expand,
    /// They stay, with operands without a negation at their root: the normal form is at most twice
    /// as large as the formula.
    Keep,
}

/// A subformula, and whether it is under an odd number of negations.
type Occurrence = (Formula, bool);

/// A cache of the normal forms of formulas and of their negations.
pub(super) struct Negations {
    equivalences: Equivalences,
    done: FxHashMap<Occurrence, Formula>,
}

impl Negations {
    pub(super) fn new(equivalences: Equivalences) -> Self {
        Negations { equivalences, done: FxHashMap::default() }
    }

    /// Returns the size of the cache.
    pub(super) fn len(&self) -> usize {
        self.done.len()
    }

    /// The normal form of the formula, or of its negation.
    pub(super) fn of(&mut self, formula: &Formula, negated: bool) -> Formula {
        let root = (formula.clone(), negated);
        if let Some(known) = self.known(&root) {
            return known;
        }
        let mut stack = vec![root.clone()];
        while let Some(top) = stack.last().cloned() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let mut operands = SmallVec::new();
            for need in self.needs(&top) {
                match self.known(&need) {
                    Some(operand) => operands.push(operand),
                    None => stack.push(need),
                }
            }
            if stack.len() == before {
                let result = assemble(&top, operands);
                self.done.insert(top, result);
                stack.pop();
            }
        }
        self.done[&root].clone()
    }

    /// Returns the normal form if the formula is in normal form or in the cache.
    fn known(&self, occurrence: &Occurrence) -> Option<Formula> {
        let (formula, negated) = occurrence;
        if !negated && formula.is(Traits::NNF) {
            return Some(formula.clone());
        }
        self.done.get(occurrence).cloned()
    }

    /// Returns the occurrences that the normal form of this one depends on.
    fn needs(&self, occurrence: &Occurrence) -> SmallVec<[Occurrence; 4]> {
        let (formula, negated) = occurrence;
        let of = |f: &Formula, negated: bool| (f.clone(), negated);
        match (formula.op(), formula.children()) {
            _ if junction(occurrence).is_some() => junction_operands(occurrence),
            (Op::Not, [child]) => smallvec![of(child, !negated)],
            (Op::Iff | Op::Xor, [left, right]) if self.equivalences == Equivalences::Keep => {
                smallvec![of(left, false), of(right, false)]
            }
            (Op::Iff | Op::Xor, [left, right]) => {
                smallvec![of(left, false), of(left, true), of(right, false), of(right, true)]
            }
            (_, children) => children.iter().map(|child| of(child, *negated)).collect(),
        }
    }
}

/// Returns `And` or `Or` if the normal form is a conjunction or disjunction of those of the
/// operands.
fn junction((formula, negated): &Occurrence) -> Option<Op> {
    let op = match formula.op() {
        Op::Implies => Op::Or,
        op @ (Op::And | Op::Or) => op,
        _ => return None,
    };
    if *negated { op.dual() } else { Some(op) }
}

/// Returns the operands of a conjunction or disjunction, including those of nested ones: building
/// each level of a chain of implications would take quadratic space. Repeated operands are dropped;
/// otherwise shared subformulas would make the result exponential.
fn junction_operands(root: &Occurrence) -> SmallVec<[Occurrence; 4]> {
    let nested = |f: &Formula| matches!(f.op(), Op::Not | Op::Implies | Op::And | Op::Or);
    if root.0.op() != Op::Implies && !root.0.children().iter().any(nested) {
        return root.0.children().iter().map(|child| (child.clone(), root.1)).collect();
    }
    let mut seen: FxHashSet<Occurrence> = FxHashSet::default();
    let mut operands = SmallVec::new();
    let mut stack = vec![root.clone()];
    while let Some(occurrence) = stack.pop() {
        if !seen.insert(occurrence.clone()) {
            continue;
        }
        let (formula, negated) = &occurrence;
        match (formula.op(), formula.children()) {
            (Op::Not, [child]) => stack.push((child.clone(), !negated)),
            (Op::Implies, [left, right]) if junction(&occurrence) == junction(root) => {
                stack.extend([(right.clone(), *negated), (left.clone(), !negated)]);
            }
            (_, children) if junction(&occurrence) == junction(root) => {
                stack.extend(children.iter().map(|child| (child.clone(), *negated)));
            }
            _ => operands.push(occurrence),
        }
    }
    operands
}

fn assemble(occurrence: &Occurrence, operands: SmallVec<[Formula; 4]>) -> Formula {
    let (formula, negated) = occurrence;
    match (formula.op(), &operands[..]) {
        (Op::Prop, _) => {
            if *negated {
                Formula::not(formula)
            } else {
                formula.clone()
            }
        }
        _ if junction(occurrence).is_some() => {
            Formula::new(junction(occurrence).unwrap_or(Op::And), operands)
        }
        (Op::Not, [operand]) => operand.clone(),
        (op @ (Op::Iff | Op::Xor), [left, right]) => {
            equivalence((op == Op::Xor) != *negated, left, right)
        }
        (op @ (Op::Iff | Op::Xor), [left, not_left, right, not_right]) => {
            if (op == Op::Xor) != *negated {
                (left & not_right) | (not_left & right)
            } else {
                (left & right) | (not_left & not_right)
            }
        }
        (op, _) => {
            let op = if *negated { op.dual().unwrap_or(op) } else { op };
            Formula::new(op, operands)
        }
    }
}

/// Returns `left <-> right`, or `left xor right` if `different`, without negations at the operands'
/// roots.
fn equivalence(mut different: bool, left: &Formula, right: &Formula) -> Formula {
    let mut bare = |f: &Formula| match (f.op(), f.children()) {
        (Op::Not, [child]) => {
            different = !different;
            child.clone()
        }
        _ => f.clone(),
    };
    let (left, right) = (bare(left), bare(right));
    if different { Formula::xor(left, right) } else { Formula::iff(left, right) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arbitrary, semantics};
    use proptest::prelude::*;

    #[test]
    fn negations_end_up_before_propositions() {
        for (formula, expected) in [
            ("!!a", "a"),
            ("!(a U b)", "!a R !b"),
            ("!(a M b)", "!a W !b"),
            ("!X(a & !b)", "X(!a | b)"),
            ("!Fs a", "Gs !a"),
            ("a <-> Fb", "(a & Fb) | (!a & G!b)"),
            ("!(a xor b)", "(a & b) | (!a & !b)"),
            ("!1", "0"),
        ] {
            let formula: Formula = formula.parse().unwrap();
            assert_eq!(nnf(&formula), expected.parse().unwrap(), "{formula}");
        }
    }

    #[test]
    fn deep_formulas_do_not_exhaust_the_stack() {
        let mut f = Formula::prop("a");
        for _ in 0..100_000 {
            f = Formula::not(Formula::next(f));
        }
        assert!(nnf(&f).is(Traits::NNF));
        let chain = (0..100_000).fold(Formula::prop("a"), |f, i| {
            Formula::implies(Formula::next(Formula::prop(format!("b{i}"))), f)
        });
        assert_eq!(nnf(&chain).children().len(), 100_001);
    }

    proptest! {
        #[test]
        fn the_language_stays((f, word) in (arbitrary::formula(30), arbitrary::word(4))) {
            let expanded = nnf(&f);
            prop_assert!(expanded.is(Traits::NNF));
            prop_assert_eq!(semantics::holds(&f, &word), semantics::holds(&expanded, &word));
            let mut negations = Negations::new(Equivalences::Keep);
            let kept = negations.of(&f, false);
            prop_assert_eq!(semantics::holds(&f, &word), semantics::holds(&kept, &word));
            prop_assert!(kept.size() <= 2 * f.size());
            let negation = negations.of(&f, true);
            prop_assert_eq!(semantics::holds(&f, &word), !semantics::holds(&negation, &word));
        }
    }
}
