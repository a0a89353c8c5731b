//! The sizes of classic tableaux on random formulas, beside those that were published.
//!
//! H. Tauriainen, Automated testing of Büchi automata translators for linear temporal logic
//! (HUT-TCS-A66, 2000), Tables 6.10 and 6.11: the mean numbers of states and transitions over 1,000
//! random formulas of each size, the initial state included, a transition being an edge with its
//! label. The report gives no seeds, and whole numbers only.

use super::translate;
use sempre_ltl::Error;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};

/// The sizes of formulas in the report's tables.
pub const FORMULA_SIZES: std::ops::RangeInclusive<usize> = 5..=12;

/// The mean numbers of states and transitions by formula size, over the operators OP1: Table 6.10,
/// column LTL2AUT(GPVW).
pub const TABLE_6_10: [(u32, u32); 8] =
    [(5, 8), (6, 11), (7, 14), (8, 17), (10, 25), (11, 29), (14, 48), (15, 59)];

/// The mean numbers of states and transitions by formula size, over the operators OP2: Table 6.11,
/// column LTL2AUT(GPVW).
pub const TABLE_6_11: [(u32, u32); 8] =
    [(6, 9), (7, 12), (8, 16), (10, 23), (12, 30), (16, 45), (19, 60), (23, 80)];

/// What the report found for formulas of that size; `None` if it did not try.
pub fn published(operators: OperatorSet, size: usize) -> Option<(u32, u32)> {
    let table = match operators {
        OperatorSet::Op1 => &TABLE_6_10,
        OperatorSet::Op2 => &TABLE_6_11,
    };
    size.checked_sub(*FORMULA_SIZES.start()).and_then(|row| table.get(row)).copied()
}

/// A mean, and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean of the sample.
    pub value: f64,
    /// The standard deviation of such means, estimated from the sample.
    pub error: f64,
}

impl Mean {
    /// The mean of a sample of two or more.
    fn of(sample: &[f64]) -> Self {
        let count = sample.len() as f64;
        let value = sample.iter().sum::<f64>() / count;
        let squares: f64 = sample.iter().map(|x| (x - value).powi(2)).sum();
        Mean { value, error: (squares / (count - 1.0) / count).sqrt() }
    }

    /// True if the mean differs from the published one of 1,000 others, a rounded number, by at
    /// most this part of it or by three standard errors.
    pub fn agrees_with(&self, published: u32, tolerance: f64) -> bool {
        let published = f64::from(published);
        (self.value - published).abs() <= 0.5 + (tolerance * published).max(3.0 * self.error)
    }
}

/// The mean numbers of states and transitions over that many random formulas of the report's
/// distribution: operators by Table C.1, five propositions, and constants with probability 0.1.
///
/// # Errors
/// If the report has no formulas of that size.
pub fn measure(
    operators: OperatorSet,
    size: usize,
    count: usize,
    seed: u64,
) -> Result<(Mean, Mean), Error> {
    let priorities = Priorities::report(operators, size)?;
    let formulas =
        RandomFormulas::over_numbered(5).size(size).priorities(priorities).seed(seed).generate()?;
    let (mut states, mut edges) = (vec![], vec![]);
    for formula in formulas.take(count) {
        let automaton = translate(&formula?);
        states.push(automaton.state_count() as f64);
        edges.push(automaton.edge_count() as f64);
    }
    Ok((Mean::of(&states), Mean::of(&edges)))
}
