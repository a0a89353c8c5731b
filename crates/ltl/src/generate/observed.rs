//! The numbers of operators in given formulas, to compare with the expected ones.

use crate::{Arity, Formula, Op};

/// The numbers of operators (and kinds of leaves) that were observed in formulas.
///
/// ```
/// use sempre_ltl::{Op, generate::observed::Observed};
/// let mut observed = Observed::default();
/// observed.add(&"a U (b & c & X b)".parse().unwrap());
/// observed.add(&"X a".parse().unwrap());
/// assert_eq!(observed.mean(Op::And), 1.0);
/// assert_eq!(observed.histogram(Op::Next), [0, 2]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Observed {
    formulas: usize,
    /// By operator, the number of formulas with one occurrence, with two, and so on.
    counts: [Vec<usize>; Op::ALL.len()],
}

impl Observed {
    /// Adds a formula. A conjunction of n operands has n - 1 occurrences of `&`.
    pub fn add(&mut self, formula: &Formula) {
        self.formulas += 1;
        let mut numbers = [0; Op::ALL.len()];
        let mut stack = vec![formula];
        while let Some(node) = stack.pop() {
            numbers[node.op() as usize] += match node.op().arity() {
                Arity::Nary => node.children().len().saturating_sub(1),
                _ => 1,
            };
            stack.extend(node.children());
        }
        for (number, counts) in numbers.into_iter().zip(&mut self.counts) {
            if let Some(place) = usize::checked_sub(number, 1) {
                if counts.len() <= place {
                    counts.resize(place + 1, 0);
                }
                counts[place] += 1;
            }
        }
    }

    /// Returns the number of formulas.
    pub fn formulas(&self) -> usize {
        self.formulas
    }

    /// Returns the mean number of occurrences in a formula; 0 without formulas.
    pub fn mean(&self, op: Op) -> f64 {
        let counts = self.counts[op as usize].iter().enumerate();
        let sum: usize = counts.map(|(place, count)| (place + 1) * count).sum();
        sum as f64 / self.formulas.max(1) as f64
    }

    /// Returns the number of formulas with 0, 1, 2, … occurrences.
    pub fn histogram(&self, op: Op) -> Vec<usize> {
        let counts = &self.counts[op as usize];
        let with: usize = counts.iter().sum();
        [self.formulas - with].into_iter().chain(counts.iter().copied()).collect()
    }

    /// Compares the histogram with the probabilities of 0, 1, 2, … occurrences. Numbers of
    /// occurrences for which fewer than five formulas are expected count together. The distance is
    /// infinite if an impossible number was observed.
    pub fn chi_squared(&self, op: Op, probabilities: &[f64]) -> ChiSquared {
        let histogram = self.histogram(op);
        let length = histogram.len().max(probabilities.len());
        let (mut value, mut cells) = (0.0, 0);
        let (mut seen, mut wanted) = (0.0, 0.0);
        let mut left: f64 = self.formulas as f64;
        for number in 0..length {
            let probability = probabilities.get(number).copied().unwrap_or(0.0);
            let expected = probability * self.formulas as f64;
            let count = histogram.get(number).copied().unwrap_or(0);
            if count > 0 && probability <= 0.0 {
                value = f64::INFINITY;
            }
            seen += count as f64;
            wanted += expected;
            left -= expected;
            // The rest must be enough for the last cell.
            let is_last = number + 1 == length;
            if is_last || (wanted >= 5.0 && left >= 5.0) {
                if wanted > 0.0 {
                    value += (seen - wanted) * (seen - wanted) / wanted;
                    cells += 1;
                }
                (seen, wanted) = (0.0, 0.0);
            }
        }
        ChiSquared { value, freedom: usize::saturating_sub(cells, 1) }
    }
}

/// The distance of observed numbers from expected ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquared {
    /// The sum of squared differences, each divided by the expected number.
    pub value: f64,
    /// The degrees of freedom.
    pub freedom: usize,
}

impl ChiSquared {
    /// Returns the distance from the mean of the χ² distribution, in its standard deviations; 0 for
    /// a constant that is as expected.
    pub fn deviations(self) -> f64 {
        let freedom = self.freedom as f64;
        match self.freedom {
            0 if self.value < 1e-6 => 0.0,
            0 => f64::INFINITY,
            _ => (self.value - freedom) / (2.0 * freedom).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::random::RandomFormulas;
    use crate::generate::{OperatorSet, Priorities, distribution};

    fn observed(priorities: &Priorities, size: usize, count: usize) -> Observed {
        let formulas = RandomFormulas::over_numbered(3).size(size).priorities(priorities.clone());
        let mut observed = Observed::default();
        for formula in formulas.seed(7).generate().unwrap().take(count) {
            observed.add(&formula.unwrap());
        }
        observed
    }

    #[test]
    fn random_formulas_follow_the_exact_distribution() {
        for size in [2, 5, 9, 12] {
            let priorities = match size {
                2 => Priorities::equal(3),
                _ => Priorities::report(OperatorSet::Op2, size).unwrap(),
            };
            let observed = observed(&priorities, size, 4000);
            assert_eq!(observed.formulas(), 4000);
            for op in Op::ALL.into_iter().filter(|op| priorities.weight(*op) > 0) {
                let exact = distribution::probabilities(&priorities, op, size).unwrap();
                let chi = observed.chi_squared(op, &exact);
                assert!(chi.deviations() < 5.0, "{op:?}, size {size}: {chi:?}");
                let expected = distribution::expected(&priorities, op, size).unwrap();
                let squares: f64 = exact.iter().enumerate().map(|(k, p)| (k * k) as f64 * p).sum();
                let error = ((squares - expected * expected).max(0.0) / 4000.0).sqrt();
                let distance = (observed.mean(op) - expected).abs();
                assert!(distance <= 4.0 * error + 1e-9, "{op:?}, size {size}: {distance}");
            }
        }
    }

    #[test]
    fn another_distribution_is_noticed() {
        let report = Priorities::report(OperatorSet::Op2, 9).unwrap();
        let observed = observed(&Priorities::common(OperatorSet::Op2.operators(), 1, 1), 9, 4000);
        let exact = distribution::probabilities(&report, Op::Next, 9).unwrap();
        assert!(observed.chi_squared(Op::Next, &exact).deviations() > 20.0);
        // An operator that cannot occur.
        assert_eq!(observed.chi_squared(Op::Next, &[1.0]).value, f64::INFINITY);
        assert_eq!(observed.chi_squared(Op::Xor, &[1.0]).deviations(), 0.0);
    }
}
