//! Evaluation of formulas on a fixed set of words in parallel. It distinguishes most formulas, at
//! the cost of a few instructions per operator.
//!
//! There are 64 lassos of eight positions, and a word starts at each position. A machine word holds
//! eight lassos, a byte each, with cycles of equal length.

use sempre_ltl::Op;
use sempre_ltl::generate::Rng;

/// By machine word, the start of the cycles of its lassos.
const CYCLE_STARTS: [u32; 8] = [7, 7, 6, 6, 5, 4, 2, 0];

const FIRST_POSITIONS: u64 = 0x0101_0101_0101_0101;

/// The positions of all lassos at which a formula holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Samples([u64; CYCLE_STARTS.len()]);

impl Samples {
    const ALL: Samples = Samples([u64::MAX; CYCLE_STARTS.len()]);
    const NONE: Samples = Samples([0; CYCLE_STARTS.len()]);

    /// The positions at which a constant holds.
    pub(super) fn constant(value: bool) -> Self {
        if value { Self::ALL } else { Self::NONE }
    }

    /// Random positions: in some lassos all or none, in others few, half or most of them.
    pub(super) fn random(rng: &mut Rng) -> Self {
        Samples(std::array::from_fn(|_| {
            u64::from_le_bytes(std::array::from_fn(|_| {
                let bits = rng.bits().to_le_bytes();
                match bits[0] % 8 {
                    0 => 0,
                    1 => u8::MAX,
                    2 | 3 => bits[1] & bits[2] & bits[3],
                    4 | 5 => bits[1] | bits[2] | bits[3],
                    _ => bits[1],
                }
            }))
        }))
    }

    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Samples(self.0.map(f))
    }

    fn zip(self, other: Samples, f: impl Fn(u64, u64) -> u64) -> Self {
        Samples(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn and(self, other: Samples) -> Self {
        self.zip(other, |l, r| l & r)
    }

    fn or(self, other: Samples) -> Self {
        self.zip(other, |l, r| l | r)
    }

    fn not(self) -> Self {
        self.map(|word| !word)
    }

    /// Returns the predecessors of these positions.
    fn next(self) -> Self {
        Samples(std::array::from_fn(|i| {
            let word = self.0[i];
            let around = (word >> CYCLE_STARTS[i] & FIRST_POSITIONS) << 7;
            (word >> 1 & !(FIRST_POSITIONS << 7)) | around
        }))
    }

    /// Computes the fixpoint of r = now | (stay & next r) from `start`, the empty or the full set.
    fn fixpoint(start: Samples, now: Samples, stay: Samples) -> Self {
        let mut result = start;
        loop {
            let next = now.or(stay.and(result.next()));
            if next == result {
                return result;
            }
            result = next;
        }
    }

    /// Returns the positions at which a formula holds, from those of its operands.
    ///
    /// # Panics
    /// If it is a proposition.
    pub(super) fn of(op: Op, operands: &[Samples]) -> Self {
        match (op, operands) {
            (Op::True, _) => Self::ALL,
            (Op::False, _) => Self::NONE,
            (Op::Not, [f]) => f.not(),
            (Op::Next, [f]) => f.next(),
            (Op::Finally, [f]) => Self::fixpoint(Self::NONE, *f, Self::ALL),
            (Op::StrictFinally, [f]) => Self::fixpoint(Self::NONE, *f, Self::ALL).next(),
            (Op::Globally, [f]) => Self::fixpoint(Self::ALL, Self::NONE, *f),
            (Op::StrictGlobally, [f]) => Self::fixpoint(Self::ALL, Self::NONE, *f).next(),
            (Op::Implies, [f, g]) => f.not().or(*g),
            (Op::Iff, [f, g]) => f.zip(*g, |l, r| !(l ^ r)),
            (Op::Xor, [f, g]) => f.zip(*g, |l, r| l ^ r),
            (Op::Until, [f, g]) => Self::fixpoint(Self::NONE, *g, *f),
            (Op::WeakUntil, [f, g]) => Self::fixpoint(Self::ALL, *g, *f),
            (Op::Release, [f, g]) => Self::fixpoint(Self::ALL, f.and(*g), *g),
            (Op::StrongRelease, [f, g]) => Self::fixpoint(Self::NONE, f.and(*g), *g),
            (Op::And, _) => operands.iter().fold(Self::ALL, |l, r| l.and(*r)),
            (Op::Or, _) => operands.iter().fold(Self::NONE, |l, r| l.or(*r)),
            (op, _) => unreachable!("{op:?} with {} operands", operands.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;
    use sempre_ltl::generate::Rng;
    use sempre_ltl::semantics::Evaluator;
    use sempre_ltl::{Formula, Prop, Word, arbitrary};

    proptest! {
        /// On each of the lassos, samples agree with the semantics.
        #[test]
        fn samples_are_right(f in arbitrary::formula(12), seed: u64) {
            let mut rng = Rng::new(seed);
            let props = ["a", "b", "c"].map(Prop::new);
            let values = [0; 3].map(|_| Samples::random(&mut rng));
            let mut samples: FxHashMap<Formula, Samples> = FxHashMap::default();
            for g in f.subformulas() {
                let value = match g.as_prop() {
                    Some(prop) => values[props.iter().position(|p| p == prop).unwrap()],
                    None => {
                        let operands: Vec<Samples> =
                            g.children().iter().map(|child| samples[child]).collect();
                        Samples::of(g.op(), &operands)
                    }
                };
                samples.insert(g, value);
            }
            let evaluator = Evaluator::new(&f);
            for (word, start) in CYCLE_STARTS.iter().enumerate() {
                for lasso in 0..8 {
                    let holds = |samples: &Samples, position: usize| {
                        samples.0[word] >> (8 * lasso + position) & 1 == 1
                    };
                    let letter = |position: usize| {
                        (0..3).map(|prop| u64::from(holds(&values[prop], position)) << prop).sum()
                    };
                    let letters: Vec<u64> = (0..8).map(letter).collect();
                    let (prefix, cycle) = letters.split_at(*start as usize);
                    let lasso = Word::from_valuations(props.clone(), prefix, cycle).unwrap();
                    let positions = evaluator.positions(&lasso);
                    for position in 0..8 {
                        prop_assert_eq!(holds(&samples[&f], position), positions.contains(position));
                    }
                }
            }
        }
    }
}
