//! Propositions about sets of states: their syntax trees are walked, as
//! [over single states](super::PlainPropositions::holding), but numbers are linear sums.

use super::plain::PlainPropositions;
use super::syntax::{Comparison, Factor, Kind, Term};
use crate::plain::{Meaning, Step, Undefined};
use std::collections::BTreeMap;

/// Variables times factors, plus a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearSum {
    /// The number.
    pub constant: i64,
    /// For each variable its factor.
    pub terms: BTreeMap<usize, i64>,
}

/// Operations on sets of states, of which propositions are made.
pub trait Algebra {
    /// A set of states.
    type Truth: Clone;
    /// Returns all states, or none.
    fn constant(&mut self, truth: bool) -> Self::Truth;
    /// Returns the other states.
    fn not(&mut self, operand: Self::Truth) -> Self::Truth;
    /// Returns the states in both sets.
    fn and(&mut self, left: Self::Truth, right: Self::Truth) -> Self::Truth;
    /// Returns the states in which a sum is 0.
    fn is_zero(&mut self, sum: &LinearSum) -> Self::Truth;
    /// Returns the states in which a sum is below 0.
    fn is_negative(&mut self, sum: &LinearSum) -> Self::Truth;
    /// Returns the states that some of the named steps leave.
    fn fireable(&mut self, is_named: &dyn Fn(&Step) -> bool) -> Self::Truth;
    /// Returns the states that no step leaves.
    fn deadlock(&mut self) -> Self::Truth;
}

impl LinearSum {
    /// Adds another one, times a factor.
    fn add(&mut self, factor: i64, other: &LinearSum) -> Result<(), Undefined> {
        let times = |number: i64| number.checked_mul(factor).ok_or_else(too_large);
        let plus = |left: i64, right: i64| left.checked_add(right).ok_or_else(too_large);
        self.constant = plus(self.constant, times(other.constant)?)?;
        for (variable, number) in &other.terms {
            let sum = self.terms.entry(*variable).or_insert(0);
            *sum = plus(*sum, times(*number)?)?;
        }
        Ok(())
    }
}

fn too_large() -> Undefined {
    Undefined("a number needs more than 64 bits".to_owned())
}

fn not_linear() -> Undefined {
    Undefined("it is not linear".to_owned())
}

/// True if a term is a truth value by its form.
fn is_truth(term: &Term) -> bool {
    use Kind::{All, Any, Compare, Deadlock, Fireable, Iff, Implies, Not, Parity, Truth};
    let of_operands = matches!(&term.kind, All(_) | Any(_) | Implies(_) | Parity(_) | Iff(..));
    of_operands || matches!(&term.kind, Truth(_) | Deadlock | Fireable(_) | Not(_) | Compare(..))
}

impl PlainPropositions<'_> {
    /// Returns the states in which the proposition of a number holds.
    ///
    /// # Errors
    /// If it compares numbers that are no linear sums of variables.
    pub fn on_sets<A: Algebra>(
        &self,
        number: usize,
        algebra: &mut A,
    ) -> Result<A::Truth, Undefined> {
        self.truth_on_sets(&self.terms[number], algebra)
    }

    /// Recurses as deep as the term nests, which the reader limits.
    fn truth_on_sets<A: Algebra>(&self, term: &Term, a: &mut A) -> Result<A::Truth, Undefined> {
        Ok(match &term.kind {
            Kind::Truth(truth) => a.constant(*truth),
            Kind::Deadlock => a.deadlock(),
            Kind::Fireable(names) => {
                a.fireable(&|step| names.iter().any(|(name, _)| self.steps[name](step)))
            }
            Kind::Not(operand) => {
                let operand = self.truth_on_sets(operand, a)?;
                a.not(operand)
            }
            Kind::All(terms) => {
                let mut all = a.constant(true);
                for term in terms {
                    let one = self.truth_on_sets(term, a)?;
                    all = a.and(all, one);
                }
                all
            }
            Kind::Any(terms) => {
                let mut none = a.constant(true);
                for term in terms {
                    let one = self.truth_on_sets(term, a)?;
                    let other = a.not(one);
                    none = a.and(none, other);
                }
                a.not(none)
            }
            // Not all others without the last one.
            Kind::Implies(terms) => {
                let mut broken = a.constant(true);
                for (place, term) in terms.iter().enumerate() {
                    let mut one = self.truth_on_sets(term, a)?;
                    if place + 1 == terms.len() {
                        one = a.not(one);
                    }
                    broken = a.and(broken, one);
                }
                a.not(broken)
            }
            Kind::Parity(terms) => {
                let mut odd = a.constant(false);
                for term in terms {
                    let one = self.truth_on_sets(term, a)?;
                    odd = differing(odd, one, a);
                }
                odd
            }
            Kind::Iff(left, right) => {
                let (left, right) = (self.truth_on_sets(left, a)?, self.truth_on_sets(right, a)?);
                let differing = differing(left, right, a);
                a.not(differing)
            }
            Kind::Compare(comparison, left, right) => {
                self.comparison_on_sets(*comparison, left, right, a)?
            }
            _ => {
                let zero = a.is_zero(&self.linear(term)?);
                a.not(zero)
            }
        })
    }

    fn comparison_on_sets<A: Algebra>(
        &self,
        comparison: Comparison,
        left: &Term,
        right: &Term,
        a: &mut A,
    ) -> Result<A::Truth, Undefined> {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let is_order = !matches!(comparison, Equal | NotEqual);
        if is_truth(left) || is_truth(right) {
            // A name beside a truth value counts as one, but not in an order.
            let counts = |term: &Term| is_truth(term) || matches!(term.kind, Kind::Name(_));
            if is_order || !counts(left) || !counts(right) {
                return Err(Undefined("it compares a truth value with a number".to_owned()));
            }
            let (left, right) = (self.truth_on_sets(left, a)?, self.truth_on_sets(right, a)?);
            let differing = differing(left, right, a);
            return Ok(if comparison == Equal { a.not(differing) } else { differing });
        }
        // The difference of the smaller and the greater side.
        let (less, greater) = match comparison {
            Greater | LessOrEqual => (right, left),
            _ => (left, right),
        };
        let mut difference = self.linear(less)?;
        difference.add(-1, &self.linear(greater)?)?;
        let truth = match comparison {
            Equal | NotEqual => a.is_zero(&difference),
            Less | Greater | GreaterOrEqual | LessOrEqual => a.is_negative(&difference),
        };
        let is_negated = matches!(comparison, NotEqual | GreaterOrEqual | LessOrEqual);
        Ok(if is_negated { a.not(truth) } else { truth })
    }

    /// Returns the value of a term as a linear sum.
    fn linear(&self, term: &Term) -> Result<LinearSum, Undefined> {
        let mut sum = LinearSum::default();
        match &term.kind {
            Kind::Number(number) => sum.constant = *number,
            Kind::Name(name) => match self.meanings.get(name) {
                Some(Meaning::Sum(variables)) => {
                    for variable in variables {
                        let terms = BTreeMap::from([(*variable, 1)]);
                        sum.add(1, &LinearSum { constant: 0, terms })?;
                    }
                }
                _ => return Err(not_linear()),
            },
            Kind::Negative(operand) => sum.add(-1, &self.linear(operand)?)?,
            Kind::Sum(terms) => {
                for (minus, term) in terms {
                    sum.add(if *minus { -1 } else { 1 }, &self.linear(term)?)?;
                }
            }
            Kind::Product(first, others) => {
                sum = self.linear(first)?;
                for (factor, term) in others {
                    let other = self.linear(term)?;
                    let (number, rest) = match (sum.terms.is_empty(), other.terms.is_empty()) {
                        _ if *factor != Factor::Times => return Err(not_linear()),
                        (_, true) => (other.constant, sum),
                        (true, _) => (sum.constant, other),
                        _ => return Err(not_linear()),
                    };
                    sum = LinearSum::default();
                    sum.add(number, &rest)?;
                }
            }
            _ => return Err(not_linear()),
        }
        Ok(sum)
    }
}

/// Returns the states in exactly one of two sets.
fn differing<A: Algebra>(left: A::Truth, right: A::Truth, a: &mut A) -> A::Truth {
    let (not_left, not_right) = (a.not(left.clone()), a.not(right.clone()));
    let (both, none) = (a.and(left, right), a.and(not_left, not_right));
    let (not_both, some) = (a.not(both), a.not(none));
    a.and(not_both, some)
}
