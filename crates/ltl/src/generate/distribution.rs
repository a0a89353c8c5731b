//! The expected numbers of operators in random formulas, and priorities that make all equal.
//!
//! From H. Tauriainen, Automated testing of Büchi automata translators for linear temporal logic
//! (HUT-TCS-A66, 2000), Appendix C, extended to leaves and to priorities without unary operators.
//! A formula with u unary and b binary operators has size u + 2b + 1 and b + 1 leaves. So |U| unary
//! and |B| binary operators with the same expected number of occurrences have (n - 1) / (|U| +
//! 2|B|) each, in formulas of size n.

use super::priorities::Priorities;
use super::random::MAX_SIZE;
use crate::{Arity, Error, Op};

/// The maximal size for which whole distributions are computed; the time grows with its fourth
/// power.
pub const MAX_DISTRIBUTION_SIZE: usize = 500;

/// The accuracy of the report's priority search: the expected numbers of unary and binary operators
/// differ by less than half of it.
pub const EPSILON: f64 = 2e-8;

/// The default limit on the steps of the priority search; the searches of
/// the report end within 24,000.
pub const SEARCH_LIMIT: u32 = 1_000_000;

/// The probabilities that determine the choice of one node.
struct Model {
    /// The probability that the operator in question is a leaf, the operator of a formula of size
    /// 2, and the root of a larger formula.
    leaf: f64,
    of_size_2: f64,
    root: f64,
    /// The probability that the root of a formula larger than 2 is unary, or binary.
    unary: f64,
    binary: f64,
    /// Without unary operators all sizes are odd.
    odd_only: bool,
}

impl Model {
    fn new(priorities: &Priorities, op: Op) -> Result<Self, Error> {
        let [leaves, unary, binary] = [
            priorities.total(priorities.leaves()),
            priorities.total(priorities.unary()),
            priorities.total(priorities.binary()),
        ];
        if leaves == 0 {
            return Err(Error::new("no kind of leaf has a positive priority"));
        }
        let own = f64::from(priorities.weight(op));
        let share = |total: u64, applies: bool| {
            if applies && total > 0 { own / total as f64 } else { 0.0 }
        };
        let any = unary + binary;
        let of_all = |part: u64| if any > 0 { part as f64 / any as f64 } else { 0.0 };
        Ok(Model {
            leaf: share(leaves, op.arity() == Arity::Leaf),
            of_size_2: share(unary, op.arity() == Arity::Unary),
            root: share(any, op.arity() != Arity::Leaf),
            unary: of_all(unary),
            binary: of_all(binary),
            odd_only: unary == 0,
        })
    }

    fn check(&self, size: usize, limit: usize) -> Result<(), Error> {
        if size == 0 {
            Err(Error::new("a formula has at least size 1"))
        } else if size > limit {
            Err(Error::new(format!("formula size {size} is over the limit of {limit}")))
        } else if size > 1 && self.unary + self.binary == 0.0 {
            Err(Error::new("no operator has a positive priority"))
        } else if self.odd_only && size.is_multiple_of(2) {
            Err(Error::new(format!(
                "without unary operators all formulas have odd sizes, so none has size {size}"
            )))
        } else {
            Ok(())
        }
    }

    /// The sizes that the left operand of a binary operator may have.
    fn splits(&self, size: usize) -> impl Iterator<Item = usize> {
        (1..size - 1).step_by(if self.odd_only { 2 } else { 1 })
    }

    fn expectations(&self, size: usize) -> Vec<f64> {
        let mut expected = vec![0.0; size + 1];
        expected[1] = self.leaf;
        if size >= 2 && !self.odd_only {
            expected[2] = self.of_size_2 + self.leaf;
        }
        // The sum of the expectations over the possible sizes of an operand.
        let mut sum = 0.0;
        let mut splits = 0.0;
        for n in 3..=size {
            let new = n - 2;
            if !self.odd_only || new % 2 == 1 {
                sum += expected[new];
                splits += 1.0;
            }
            if self.odd_only && n % 2 == 0 {
                continue;
            }
            expected[n] =
                self.root + self.unary * expected[n - 1] + self.binary * 2.0 / splits * sum;
        }
        expected
    }
}

/// The expected number of occurrences of an operator (or kind of leaf) in a random formula of
/// this size; (C.11), computed by a recurrence in linear time.
///
/// ```
/// use sempre_ltl::{Op, generate::{Priorities, distribution}};
/// let priorities = Priorities::none().adjusted("X=1, U=1, ap=1").unwrap();
/// // X a, then X X a or a U a:
/// assert_eq!(distribution::expected(&priorities, Op::Next, 2), Ok(1.0));
/// assert_eq!(distribution::expected(&priorities, Op::Next, 3), Ok(1.0));
/// assert_eq!(distribution::expected(&priorities, Op::Until, 3), Ok(0.5));
/// ```
pub fn expected(priorities: &Priorities, op: Op, size: usize) -> Result<f64, Error> {
    let model = Model::new(priorities, op)?;
    model.check(size, MAX_SIZE)?;
    Ok(model.expectations(size)[size])
}

/// The probabilities that a random formula of this size has exactly 0, 1, 2, … occurrences of an
/// operator (or kind of leaf); (C.10), from the smallest size up.
pub fn probabilities(priorities: &Priorities, op: Op, size: usize) -> Result<Vec<f64>, Error> {
    let model = Model::new(priorities, op)?;
    model.check(size, MAX_DISTRIBUTION_SIZE)?;
    let is_unary = op.arity() == Arity::Unary;
    let is_binary = matches!(op.arity(), Arity::Binary | Arity::Nary);
    // table[n][k]: a formula of size n has k occurrences.
    let mut table: Vec<Vec<f64>> = vec![vec![], vec![1.0 - model.leaf, model.leaf]];
    for n in 2..=size {
        let mut row = vec![0.0; n + 1];
        // The probabilities that the root is this unary or binary operator, or another one.
        let (this_unary, unary) = match n {
            2 => (model.of_size_2, if model.odd_only { 0.0 } else { 1.0 }),
            _ => (if is_unary { model.root } else { 0.0 }, model.unary),
        };
        let other_unary = unary - this_unary;
        if unary > 0.0 {
            for (k, p) in table[n - 1].iter().enumerate() {
                row[k] += other_unary * p;
                row[k + 1] += this_unary * p;
            }
        }
        if n > 2 && model.binary > 0.0 {
            let this_binary = if is_binary { model.root } else { 0.0 };
            let other_binary = model.binary - this_binary;
            let splits = model.splits(n).count() as f64;
            for left in model.splits(n) {
                for (i, p) in table[left].iter().enumerate() {
                    for (j, q) in table[n - 1 - left].iter().enumerate() {
                        let both = p * q / splits;
                        row[i + j] += other_binary * both;
                        row[i + j + 1] += this_binary * both;
                    }
                }
            }
        }
        table.push(row);
    }
    Ok(table.swap_remove(size))
}

/// A unary and a binary priority such that in formulas of this size, each of the given unary and
/// binary operators has (nearly) the same expected number of occurrences: the search of (C.2).
///
/// Starting from priorities 1 and 2, the search raises the priority of the rarer kind by one until
/// the expected numbers differ by less than `epsilon / 2`; it is an error if that takes more than
/// `limit` steps (for some arguments there is no solution). Each step takes time linear in the
/// size.
///
/// ```
/// use sempre_ltl::generate::distribution::{EPSILON, SEARCH_LIMIT, tune};
/// assert_eq!(tune(3, 4, 5, EPSILON, SEARCH_LIMIT), Ok((3667, 13443)));
/// ```
pub fn tune(
    unary_operators: usize,
    binary_operators: usize,
    size: usize,
    epsilon: f64,
    limit: u32,
) -> Result<(u32, u32), Error> {
    if unary_operators == 0 || binary_operators == 0 {
        return Err(Error::new("the search needs at least one unary and one binary operator"));
    }
    if !(1..=MAX_SIZE).contains(&size) {
        return Err(Error::new(format!("formula size {size} is not from 1 to {MAX_SIZE}")));
    }
    let (unaries, binaries) = (unary_operators as f64, binary_operators as f64);
    let (mut unary, mut binary) = (1_u32, 2_u32);
    for _ in 0..=limit {
        let (weight_unary, weight_binary) = (f64::from(unary), f64::from(binary));
        let total = unaries * weight_unary + binaries * weight_binary;
        let model = |of_size_2: f64, root: f64| Model {
            leaf: 0.0,
            of_size_2,
            root,
            unary: unaries * weight_unary / total,
            binary: binaries * weight_binary / total,
            odd_only: false,
        };
        let difference = model(1.0 / unaries, weight_unary / total).expectations(size)[size]
            - model(0.0, weight_binary / total).expectations(size)[size];
        if difference.abs() < epsilon / 2.0 {
            return Ok((unary, binary));
        }
        if difference < 0.0 {
            unary = unary.saturating_add(1);
        } else {
            binary = binary.saturating_add(1);
        }
    }
    Err(Error::new(format!(
        "no priorities found in {limit} steps for {unary_operators} unary and \
         {binary_operators} binary operators in formulas of size {size}; \
         for some sizes there are none"
    )))
}

/// Priorities that make all these operators equally frequent in formulas of this size, found by
/// [`tune`] with the report's accuracy; leaves have the report's priorities.
pub fn tuned(operators: &[Op], size: usize) -> Result<Priorities, Error> {
    let once = Priorities::common(operators, 1, 1);
    let (unaries, binaries) = (once.unary().count(), once.binary().count());
    let (unary, binary) = tune(unaries, binaries, size, EPSILON, SEARCH_LIMIT)?;
    Ok(Priorities::common(operators, unary, binary))
}

#[cfg(test)]
mod tests {
    use super::super::OperatorSet;
    use super::*;

    fn mean(distribution: &[f64]) -> f64 {
        distribution.iter().enumerate().map(|(k, p)| k as f64 * p).sum()
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    /// Equation (C.10) literally, for an operator that is not a leaf; `k = 0` first.
    fn by_definition(priorities: &Priorities, op: Op, k: usize, n: usize) -> f64 {
        let p = |k, n| by_definition(priorities, op, k, n);
        let unary = op.arity() == Arity::Unary;
        let own = f64::from(priorities.weight(op));
        let all_unary = priorities.total(priorities.unary()) as f64;
        let all_binary = priorities.total(priorities.binary()) as f64;
        let total = all_unary + all_binary;
        if k == 0 {
            return 1.0 - (1..n).map(|j| p(j, n)).sum::<f64>();
        }
        if k >= n || n == 1 {
            return 0.0;
        }
        if n == 2 {
            return if unary { own / all_unary } else { 0.0 };
        }
        let convolution = |x: usize| {
            let splits = (1..=n - 2).flat_map(|m| (0..=x).map(move |i| (m, i)));
            splits.map(|(m, i)| p(i, m) * p(x - i, n - m - 1)).sum::<f64>() / (n - 2) as f64
        };
        let (other_unary, other_binary) =
            if unary { (all_unary - own, all_binary) } else { (all_unary, all_binary - own) };
        let this = if unary { p(k - 1, n - 1) } else { convolution(k - 1) };
        (own * this + other_unary * p(k, n - 1) + other_binary * convolution(k)) / total
    }

    #[test]
    fn the_table_follows_the_definition() {
        let priorities = Priorities::none().adjusted("X=2,G=1,U=3,&=1,ap=1").unwrap();
        for op in [Op::Next, Op::Until, Op::And, Op::Release] {
            for n in 1..=5 {
                let table = probabilities(&priorities, op, n).unwrap();
                for (k, &p) in table.iter().enumerate() {
                    assert!(close(p, by_definition(&priorities, op, k, n)), "{op:?} {k} {n}");
                }
            }
        }
    }

    #[test]
    fn distributions_sum_to_one_and_have_the_expected_mean() {
        let cases = [
            (Priorities::equal(3), 1),
            (Priorities::equal(3), 2),
            (Priorities::equal(3), 15),
            (Priorities::report(OperatorSet::Op2, 12).unwrap(), 12),
            (Priorities::none().adjusted("U=1,|=5,ap=2,true=1").unwrap(), 15),
            (Priorities::none().adjusted("X=1,!=5,ap=2,true=1").unwrap(), 14),
        ];
        for (priorities, size) in cases {
            let mut nodes = 0.0;
            for op in Op::ALL {
                let distribution = probabilities(&priorities, op, size).unwrap();
                assert!(close(distribution.iter().sum(), 1.0), "{op:?} {size}");
                let expected = expected(&priorities, op, size).unwrap();
                assert!(close(mean(&distribution), expected), "{op:?} {size}");
                nodes += expected;
            }
            assert!(close(nodes, size as f64));
        }
    }

    #[test]
    fn table_c1_is_reproduced() {
        for set in [OperatorSet::Op1, OperatorSet::Op2] {
            for size in 5..=12 {
                let found = tuned(set.operators(), size).unwrap();
                assert_eq!(found, Priorities::report(set, size).unwrap(), "{set:?} {size}");
            }
        }
    }

    #[test]
    fn tuned_priorities_reach_the_closed_form() {
        for (set, operators) in [(OperatorSet::Op1, 11.0), (OperatorSet::Op2, 16.0)] {
            for size in 5..=12 {
                let priorities = Priorities::report(set, size).unwrap();
                for &op in set.operators() {
                    let expected = expected(&priorities, op, size).unwrap();
                    assert!((expected - (size as f64 - 1.0) / operators).abs() < EPSILON);
                }
            }
        }
    }

    #[test]
    fn published_values() {
        let digits = |values: &[f64]| -> Vec<String> {
            values.iter().map(|value| format!("{value:.6}")).collect()
        };
        let tuned = Priorities::report(OperatorSet::Op1, 5).unwrap();
        let unary = probabilities(&tuned, Op::Finally, 5).unwrap();
        let expected_digits = ["0.698482", "0.240005", "0.060969", "0.000484", "0.000060"];
        assert_eq!(digits(&unary[..5]), expected_digits);
        let binary = probabilities(&tuned, Op::Until, 5).unwrap();
        assert_eq!(digits(&binary[..3]), ["0.665079", "0.306206", "0.028715"]);
        // Equal priorities favour unary operators.
        let equal = Priorities::common(OperatorSet::Op2.operators(), 1, 1);
        assert_eq!(format!("{:.4}", expected(&equal, Op::Next, 12).unwrap()), "1.0196");
        assert_eq!(format!("{:.4}", expected(&equal, Op::And, 12).unwrap()), "0.5768");
    }

    #[test]
    fn bad_requests_are_refused() {
        let priorities = Priorities::equal(1);
        assert!(expected(&priorities, Op::Next, 0).is_err());
        assert!(expected(&priorities, Op::Next, usize::MAX).is_err());
        assert!(probabilities(&priorities, Op::Next, 501).is_err());
        assert!(expected(&Priorities::none(), Op::Next, 3).is_err());
        let no_unary = Priorities::none().adjusted("U=1,ap=1").unwrap();
        assert!(expected(&no_unary, Op::Until, 4).is_err());
        assert!(tune(0, 4, 5, EPSILON, SEARCH_LIMIT).is_err());
        assert!(tune(3, 4, 0, EPSILON, SEARCH_LIMIT).is_err());
        insta::assert_snapshot!(tune(3, 4, 2, EPSILON, 100).unwrap_err(), @"no priorities found in 100 steps for 3 unary and 4 binary operators in formulas of size 2; for some sizes there are none");
    }
}
