//! The subformulas of a formula, numbered densely, each with its negation.

use rustc_hash::FxHashMap;
use sempre_ltl::{Formula, Op, Prop};
use std::ops::Not;

/// A subformula or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term(u32);

impl Term {
    fn new(formula: usize, negated: bool) -> Self {
        Term((formula as u32) << 1 | u32::from(negated))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    fn formula(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn negated_if(self, negated: bool) -> Self {
        Term(self.0 ^ u32::from(negated))
    }
}

impl Not for Term {
    type Output = Term;
    fn not(self) -> Term {
        self.negated_if(true)
    }
}

/// The shape of a term in negation normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Constant(bool),
    /// A proposition, by its number, and whether it is positive.
    Literal(usize, bool),
    And,
    Or,
    /// Both operands or none.
    Iff,
    Next,
    Finally,
    Globally,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

/// The largest number of propositions that are sorted by their names.
const MAX_SORTED: usize = 6;

pub(super) struct Closure {
    /// The formulas; each follows its operands.
    formulas: Vec<Formula>,
    operands: Vec<u32>,
    /// The end of the operands of a formula in `operands`; they start at the end of the previous
    /// ones.
    ends: Vec<u32>,
    /// The number of a proposition, for formulas that are one.
    prop: Vec<u32>,
    props: Vec<Prop>,
}

impl Closure {
    /// Collects the subformulas of a formula; `None` if it has strict operators.
    pub(super) fn new(root: &Formula) -> Option<Self> {
        let mut closure = Closure {
            formulas: vec![],
            operands: vec![],
            ends: vec![],
            prop: vec![],
            props: vec![],
        };
        let mut numbers: FxHashMap<Formula, u32> = FxHashMap::default();
        // The current formulas, with the number of their visited operands.
        let mut stack: Vec<(&Formula, usize)> = vec![(root, 0)];
        while let Some((formula, done)) = stack.last_mut() {
            let formula = *formula;
            if let Some(operand) = formula.children().get(*done) {
                *done += 1;
                if !numbers.contains_key(operand) {
                    stack.push((operand, 0));
                }
                continue;
            }
            stack.pop();
            if matches!(formula.op(), Op::StrictFinally | Op::StrictGlobally) {
                return None;
            }
            numbers.insert(formula.clone(), closure.formulas.len() as u32);
            closure.operands.extend(formula.children().iter().map(|operand| numbers[operand]));
            closure.ends.push(closure.operands.len() as u32);
            closure.prop.push(closure.props.len() as u32);
            closure.props.extend(formula.as_prop().cloned());
            closure.formulas.push(formula.clone());
        }
        closure.order_props();
        Some(closure)
    }

    /// Numbers the propositions in their own order, if they are few. Otherwise they keep the order of
    /// their first occurrence, in which those that occur together are near each other: diagrams of
    /// `(a1 -> !b1) & (a2 -> !b2) & …` are exponential if all a precede all b.
    fn order_props(&mut self) {
        if self.props.len() <= MAX_SORTED {
            let mut order: Vec<usize> = (0..self.props.len()).collect();
            order.sort_by(|&l, &r| self.props[l].cmp(&self.props[r]));
            let mut place = vec![0; order.len()];
            for (new, &old) in order.iter().enumerate() {
                place[old] = new as u32;
            }
            self.props = order.iter().map(|&old| self.props[old].clone()).collect();
            for (formula, prop) in self.formulas.iter().zip(&mut self.prop) {
                if formula.op() == Op::Prop {
                    *prop = place[*prop as usize];
                }
            }
        }
    }

    /// The propositions, in the order of variables of diagrams.
    pub(super) fn props(&self) -> &[Prop] {
        &self.props
    }

    /// Returns the formula itself.
    pub(super) fn root(&self) -> Term {
        Term::new(self.formulas.len() - 1, false)
    }

    /// The number of terms.
    pub(super) fn len(&self) -> usize {
        2 * self.formulas.len()
    }

    /// Returns all terms; each follows its operands.
    pub(super) fn terms(&self) -> impl DoubleEndedIterator<Item = Term> + use<> {
        (0..self.len() as u32).map(Term)
    }

    pub(super) fn shape(&self, term: Term) -> Shape {
        let negated = term.is_negated();
        let pick = |one: Shape, dual: Shape| if negated { dual } else { one };
        match self.formulas[term.formula()].op() {
            Op::True => Shape::Constant(!negated),
            Op::False => Shape::Constant(negated),
            Op::Prop => Shape::Literal(self.prop[term.formula()] as usize, !negated),
            // With one operand, both shapes are equivalent.
            Op::Not | Op::And => pick(Shape::And, Shape::Or),
            Op::Or | Op::Implies => pick(Shape::Or, Shape::And),
            Op::Iff | Op::Xor => Shape::Iff,
            Op::Next => Shape::Next,
            Op::Finally => pick(Shape::Finally, Shape::Globally),
            Op::Globally => pick(Shape::Globally, Shape::Finally),
            Op::Until => pick(Shape::Until, Shape::Release),
            Op::Release => pick(Shape::Release, Shape::Until),
            Op::WeakUntil => pick(Shape::WeakUntil, Shape::StrongRelease),
            Op::StrongRelease => pick(Shape::StrongRelease, Shape::WeakUntil),
            Op::StrictFinally | Op::StrictGlobally => {
                unreachable!("strict operators have been replaced")
            }
        }
    }

    /// The number of operands of a term.
    pub(super) fn arity(&self, term: Term) -> usize {
        let (start, end) = self.range(term);
        end - start
    }

    fn range(&self, term: Term) -> (usize, usize) {
        let formula = term.formula();
        let start = if formula == 0 { 0 } else { self.ends[formula - 1] };
        (start as usize, self.ends[formula] as usize)
    }

    /// Returns an operand of a term for its [shape](Closure::shape): negated where the negation of
    /// the term has moved inwards.
    pub(super) fn operand(&self, term: Term, place: usize) -> Term {
        let start = self.range(term).0;
        let operand = Term::new(self.operands[start + place] as usize, false);
        let negated = match self.formulas[term.formula()].op() {
            Op::Not => !term.is_negated(),
            Op::Implies => (place == 0) != term.is_negated(),
            // f xor g is f <-> !g.
            Op::Iff => place == 1 && term.is_negated(),
            Op::Xor => place == 1 && !term.is_negated(),
            _ => term.is_negated(),
        };
        operand.negated_if(negated)
    }

    /// The term as a formula.
    pub(super) fn formula(&self, term: Term) -> Formula {
        let formula = &self.formulas[term.formula()];
        if term.is_negated() {
            sempre_ltl::rewrite::nnf(&Formula::not(formula))
        } else {
            formula.clone()
        }
    }
}
