//! Uniform random formulas: each formula of a given size is equally likely.
//!
//! Counts formulas of each size by dynamic programming, then draws from the root down, each choice
//! with the number of formulas that it leaves. Formulas are counted as they are stored: operands of
//! `&` and `|` are a flat multiset, those of `<->` and `xor` a pair without order. Counts are
//! floating-point numbers, exact up to 2^53 and with a relative error of about 10^-14 beyond.
//! Cubic in the size.

use super::super::rng::Rng;
use crate::{Arity, Error, Formula, Op};

/// The maximal size; most sets of operators have too many formulas long before.
const MAX_SIZE: usize = 500;

/// Draws formulas, all with the same probability.
#[derive(Clone, Debug)]
pub(super) struct Uniform {
    leaves: Vec<Formula>,
    ops: Vec<Op>,
    /// By size, the number of formulas with each operator as root; the last is that of leaves.
    roots: Vec<Vec<f64>>,
    /// By size, the number of formulas.
    total: Vec<f64>,
    /// By operator: for an operator with any number of operands, the multisets of operands.
    operands: Vec<Vec<Vec<f64>>>,
}

impl Uniform {
    /// Counts all formulas of up to this size over these leaves and operators.
    pub(super) fn new(leaves: Vec<Formula>, ops: Vec<Op>, size: usize) -> Result<Self, Error> {
        if size > MAX_SIZE {
            return Err(Error::new(format!(
                "uniform random formulas have at most size {MAX_SIZE}"
            )));
        }
        let rows = ops.iter().map(|op| match op.arity() {
            // Without elements there is the empty multiset only.
            Arity::Nary => vec![[vec![1.0], vec![0.0; size + 1]].concat()],
            _ => vec![],
        });
        let mut counts = Uniform {
            operands: rows.collect(),
            leaves,
            ops,
            roots: vec![vec![]],
            total: vec![0.0],
        };
        for current in 1..=size {
            crate::interrupt::poll();
            counts.extend(current);
            if !counts.total[current].is_finite() {
                return Err(Error::new(format!(
                    "there are too many formulas of size {current} to draw from them uniformly; \
                     use smaller sizes"
                )));
            }
        }
        Ok(counts)
    }

    /// The number of formulas of this size.
    #[cfg(test)]
    pub(super) fn count(&self, size: usize) -> f64 {
        self.total[size]
    }

    /// Counts the formulas of the next size.
    fn extend(&mut self, size: usize) {
        // Operands have sizes of at least 1, and with their operator the given size.
        let pairs = |weight: &dyn Fn(usize, usize) -> f64| -> f64 {
            (1..size.saturating_sub(1)).map(|left| weight(left, size - 1 - left)).sum()
        };
        let total = &self.total;
        let mut row: Vec<f64> = vec![];
        for (op, operands) in self.ops.iter().zip(&self.operands) {
            row.push(match op.arity() {
                Arity::Leaf => 0.0,
                Arity::Unary => total[size - 1],
                Arity::Binary if op.is_commutative() => {
                    pairs(&|left, right| unordered(total, left, right))
                }
                Arity::Binary => pairs(&|left, right| total[left] * total[right]),
                // Each operand counts with one operator; one operand alone is none.
                Arity::Nary if size >= 3 => operands[size - 2][size + 1],
                Arity::Nary => 0.0,
            });
        }
        row.push(if size == 1 { self.leaves.len() as f64 } else { 0.0 });
        self.total.push(row.iter().sum());
        for (place, operands) in self.operands.iter_mut().enumerate() {
            let Some(fewer) = operands.last() else { continue };
            let elements = self.total[size] - row[place];
            let more = (0..fewer.len()).map(|sum| {
                let most = sum / (size + 1);
                (0..=most).map(|n| multisets(elements, n) * fewer[sum - n * (size + 1)]).sum()
            });
            let more = more.collect();
            operands.push(more);
        }
        self.roots.push(row);
    }

    /// Draws a formula of this size. There must be one.
    pub(super) fn draw(&self, size: usize, rng: &mut Rng) -> Formula {
        self.draw_except(size, None, rng)
    }

    /// Draws a formula of this size whose root is another operator.
    fn draw_except(&self, size: usize, excluded: Option<usize>, rng: &mut Rng) -> Formula {
        let weight = |place: usize| match Some(place) == excluded {
            true => 0.0,
            false => self.roots[size][place],
        };
        let place = choose((0..=self.ops.len()).map(weight), rng);
        let Some(&op) = self.ops.get(place) else {
            return self.leaves[rng.index(self.leaves.len())].clone();
        };
        match op.arity() {
            Arity::Unary | Arity::Leaf => Formula::new(op, [self.draw(size - 1, rng)]),
            Arity::Nary => Formula::new(op, self.draw_operands(place, size, rng)),
            Arity::Binary => {
                let commutative = op.is_commutative();
                let weights = (1..size - 1).map(|left| match commutative {
                    true => unordered(&self.total, left, size - 1 - left),
                    false => self.total[left] * self.total[size - 1 - left],
                });
                let left = 1 + choose(weights, rng);
                let right = size - 1 - left;
                if commutative && left == right {
                    return Formula::new(op, self.draw_multiset(None, left, 2, rng));
                }
                Formula::new(op, [self.draw(left, rng), self.draw(right, rng)])
            }
        }
    }

    /// Draws the operands of an operator that takes any number of them.
    fn draw_operands(&self, place: usize, size: usize, rng: &mut Rng) -> Vec<Formula> {
        let mut operands = vec![];
        let mut sum = size + 1;
        for class in (1..=size - 2).rev() {
            let elements = self.total[class] - self.roots[class][place];
            let rest = &self.operands[place][class - 1];
            let weights = (0..=sum / (class + 1))
                .map(|n| multisets(elements, n) * rest[sum - n * (class + 1)]);
            let count = choose(weights, rng);
            sum -= count * (class + 1);
            operands.extend(self.draw_multiset(Some(place), class, count, rng));
        }
        operands
    }

    /// Draws a multiset of formulas of one size: first the number of different formulas,
    /// then these, then how often each occurs.
    fn draw_multiset(
        &self,
        excluded: Option<usize>,
        size: usize,
        count: usize,
        rng: &mut Rng,
    ) -> Vec<Formula> {
        if count == 0 {
            return vec![];
        }
        let elements = self.total[size] - excluded.map_or(0.0, |place| self.roots[size][place]);
        let weights = (1..=count).map(|different| {
            choices(elements, different) * choices((count - 1) as f64, different - 1)
        });
        let different = 1 + choose(weights, rng);
        let mut drawn: Vec<Formula> = vec![];
        while drawn.len() < different {
            let formula = self.draw_except(size, excluded, rng);
            if !drawn.contains(&formula) {
                drawn.push(formula);
            }
        }
        // The places among the others after which the next formula begins.
        let mut cuts: Vec<usize> = vec![];
        for place in 1..count {
            let (left, needed) = (count - place, different - 1 - cuts.len());
            if rng.below(left as u64) < needed as u64 {
                cuts.push(place);
            }
        }
        cuts.push(count);
        let mut start = 0;
        let mut multiset = vec![];
        for (formula, end) in drawn.iter().zip(cuts) {
            multiset.extend((start..end).map(|_| formula.clone()));
            start = end;
        }
        multiset
    }
}

/// The number of pairs of formulas of these sizes without order, counted once for both orders.
fn unordered(total: &[f64], left: usize, right: usize) -> f64 {
    match left.cmp(&right) {
        std::cmp::Ordering::Less => total[left] * total[right],
        std::cmp::Ordering::Equal => multisets(total[left], 2),
        std::cmp::Ordering::Greater => 0.0,
    }
}

/// The number of multisets with `count` of these elements.
fn multisets(elements: f64, count: usize) -> f64 {
    (0..count).map(|i| i as f64).fold(1.0, |all, i| all * (elements + i) / (i + 1.0))
}

/// The number of sets with `count` of these elements.
fn choices(elements: f64, count: usize) -> f64 {
    (0..count).map(|i| i as f64).fold(1.0, |all, i| all * (elements - i).max(0.0) / (i + 1.0))
}

/// Draws a position with a probability proportional to its weight; not all are 0.
fn choose(weights: impl Iterator<Item = f64> + Clone, rng: &mut Rng) -> usize {
    let total: f64 = weights.clone().sum();
    let mut rest = rng.fraction() * total;
    let mut last = 0;
    for (place, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        last = place;
        if rest < weight {
            break;
        }
        rest -= weight;
    }
    last
}
