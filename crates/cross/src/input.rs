//! Random formulas, a new one for each round.
//!
//! The formula of a round depends on the seed, the number of the round and the distribution: on
//! nothing that happened in other rounds, and neither on the structures nor on who takes part. So
//! rounds can be skipped, repeated and shared among machines.

use crate::config::FormulaConfig;
use crate::structures::sub_seed;
use sempre_ltl::generate::random::Generator;
use sempre_ltl::generate::{OperatorSet, Priorities, Rng, distribution};
use sempre_ltl::{Arity, Error, Formula, Op};
use std::ops::RangeInclusive;

/// Keeps the formulas of a seed apart from the structures of the same one.
const FORMULAS: u64 = 0x5851_f42d_4c95_7f2d;

/// The sizes for which the report has priorities (Table C.1).
const REPORTED: RangeInclusive<usize> = 5..=12;

/// The random formulas of all rounds.
pub struct RandomRounds {
    /// The sizes that are drawn, and what draws a formula of each.
    generators: Vec<(usize, Generator)>,
    /// The expected number of each operator in a formula.
    expected: Vec<(Op, f64)>,
    seed: u64,
}

impl RandomRounds {
    /// The formulas of a set-up.
    ///
    /// # Errors
    /// If sizes, propositions and priorities contradict each other.
    pub fn new(config: &FormulaConfig) -> Result<Self, Error> {
        let props = config.propositions.props().map_err(Error::new)?;
        let sizes = sizes(&config.size).map_err(Error::new)?;
        let mut generators = vec![];
        let mut sums = vec![0.0; Op::ALL.len()];
        for size in sizes.clone() {
            let priorities = priorities(config, size, props.len())?;
            let has_unary = Op::ALL
                .into_iter()
                .any(|op| op.arity() == Arity::Unary && priorities.weight(op) > 0);
            // Without unary operators, there are formulas of odd sizes only.
            if has_unary || size % 2 == 1 || sizes.end() == sizes.start() {
                let generator = Generator::new(props.iter().cloned(), &priorities)?;
                // Sizes that cannot be drawn are refused before the first round.
                generator.formula(size, &mut Rng::new(0))?;
                generators.push((size, generator));
                for op in Op::ALL.into_iter().filter(|op| priorities.weight(*op) > 0) {
                    sums[op as usize] += distribution::expected(&priorities, op, size)?;
                }
            }
        }
        // Each size is equally likely.
        let means = sums.into_iter().map(|sum: f64| sum / generators.len() as f64);
        let expected = Op::ALL.into_iter().zip(means).filter(|(_, mean)| *mean > 0.0).collect();
        Ok(RandomRounds { generators, expected, seed: config.seed })
    }

    /// Returns the expected number of each operator in a formula.
    pub fn expected(&self) -> &[(Op, f64)] {
        &self.expected
    }

    /// The formula of a round.
    ///
    /// # Errors
    /// None for those sizes that were accepted in the beginning.
    pub fn formula(&self, round: usize) -> Result<Formula, Error> {
        let mut rng = Rng::new(sub_seed(self.seed ^ FORMULAS, round as u64));
        let (size, generator) = &self.generators[rng.index(self.generators.len())];
        generator.formula(*size, &mut rng)
    }
}

/// The largest random formula; what translates it is exponential.
const LARGEST: usize = 10_000;

/// The sizes that a text such as `12` or `5..12` stands for.
fn sizes(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |part: &str| {
        let number = part.trim().parse::<usize>().ok().filter(|n| (1..=LARGEST).contains(n));
        number.ok_or_else(|| format!("`{text}` is no size: a number up to {LARGEST}, or A..B"))
    };
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let (low, high) = (number(low)?, number(high.strip_prefix('=').unwrap_or(high))?);
    if low > high { Err(format!("the range {text} is empty")) } else { Ok(low..=high) }
}

fn priorities(config: &FormulaConfig, size: usize, props: usize) -> Result<Priorities, Error> {
    let set = match config.preset.as_deref() {
        None => None,
        Some("op1") => Some(OperatorSet::Op1),
        Some("op2") => Some(OperatorSet::Op2),
        Some(other) => {
            return Err(Error::new(format!("there is no preset `{other}`")).expected("op1 or op2"));
        }
    };
    let priorities = match set {
        None => Priorities::equal(props),
        Some(set) if REPORTED.contains(&size) => Priorities::report(set, size)?,
        Some(set) => distribution::tuned(set.operators(), size)?,
    };
    match &config.priorities {
        Some(changes) => priorities.adjusted(changes),
        None => Ok(priorities),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Propositions;

    fn rounds(size: &str, preset: Option<&str>, seed: u64) -> Result<RandomRounds, Error> {
        RandomRounds::new(&FormulaConfig {
            size: size.to_owned(),
            preset: preset.map(ToOwned::to_owned),
            propositions: Propositions::Number(5),
            seed,
            ..FormulaConfig::default()
        })
    }

    #[test]
    fn each_round_has_its_formula() {
        let (first, again) = (rounds("5..9", None, 3).unwrap(), rounds("5..9", None, 3).unwrap());
        let other = rounds("5..9", None, 4).unwrap();
        let formula = |of: &RandomRounds, round| of.formula(round).unwrap();
        let backwards: Vec<Formula> = (1..50).rev().map(|n| formula(&again, n)).collect();
        let mut differ = 0;
        for n in 1..50 {
            let drawn = formula(&first, n);
            assert!((5..=9).contains(&drawn.size()), "{drawn}");
            assert_eq!(drawn, backwards[49 - n]);
            differ += usize::from(drawn != formula(&other, n));
        }
        assert!(differ > 40);
    }

    #[test]
    fn presets_have_their_operators() {
        let op1 = rounds("5..12", Some("op1"), 0).unwrap();
        for n in 1..100 {
            let formula = op1.formula(n).unwrap();
            let known = OperatorSet::Op1.operators();
            let fine = |op: Op| op.arity() == Arity::Leaf || known.contains(&op);
            assert!(formula.subformulas().all(|part| fine(part.op())), "{formula}");
        }
        assert!(rounds("5", Some("op3"), 0).is_err());
    }

    #[test]
    fn sizes_without_formulas_are_refused() {
        for size in ["", "0", "9..5", "a", "5..", "99999999999"] {
            assert!(rounds(size, None, 0).is_err(), "{size}");
        }
        let binary_only = |size: &str| {
            RandomRounds::new(&FormulaConfig {
                size: size.to_owned(),
                priorities: Some("!=0,X=0,F=0,G=0".to_owned()),
                ..FormulaConfig::default()
            })
        };
        assert!(binary_only("4").is_err());
        let odd = binary_only("4..7").unwrap();
        assert!((1..20).all(|n| odd.formula(n).unwrap().size() % 2 == 1));
    }
}
