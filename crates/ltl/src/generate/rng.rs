//! The source of all randomness: PCG XSL RR 128/64 (O'Neill 2014), and the required draws.
//!
//! The draws from the generator's bits are implemented here, so that a seed gives the same
//! formulas, automata and structures on every machine and with every version of our dependencies.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng as _;

/// A random number generator; its numbers depend only on the seed.
///
/// ```
/// use sempre_ltl::generate::Rng;
/// let mut rng = Rng::new(42);
/// let dice: Vec<u64> = (0..5).map(|_| 1 + rng.below(6)).collect();
/// assert_eq!(dice, [1, 4, 1, 1, 6]);
/// ```
#[derive(Clone, Debug)]
pub struct Rng(Pcg64);

/// The stream constant of the reference implementation of PCG.
const STREAM: u128 = 0x0a02_bdbf_7bb3_c0a7_ac28_fa16_a64a_bf96;

impl Rng {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Self {
        // Seeds are often small numbers: spread their bits over the whole state.
        let (high, low) = (scramble(seed), scramble(seed ^ 0x6a09_e667_f3bc_c909));
        Rng(Pcg64::new(u128::from(high) << 64 | u128::from(low), STREAM))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound - 1`, each with the same probability; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Lemire, Fast random integer generation in an interval (TOMACS 2019): the high half of
        // bits × bound is the result; it is drawn again in the few cases that would bias it.
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let biased = bound.wrapping_neg() % bound;
            while (product as u64) < biased {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// Returns an index of a list with `len` elements; 0 if the list is empty.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// True with this probability (never for 0 or less, always for 1 or more).
    pub fn chance(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// A number from 0 to 1, which itself is never drawn.
    pub fn fraction(&mut self) -> f64 {
        // 53 bits fill the mantissa exactly.
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A position of a list of weights, each with a probability proportional to its weight;
    /// `None` if all weights are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        if total == 0 {
            return None;
        }
        let mut drawn = self.below(total);
        weights.iter().position(|&weight| match drawn.checked_sub(u64::from(weight)) {
            Some(rest) => {
                drawn = rest;
                false
            }
            None => true,
        })
    }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
fn scramble(seed: u64) -> u64 {
    let mut bits = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut rng = Rng::new(0);
        assert_eq!(
            [(); 3].map(|()| rng.bits()),
            [6801247811457682195, 3313677140755627765, 3547411469471163268]
        );
    }

    #[test]
    fn every_number_below_the_bound_is_as_likely() {
        let mut rng = Rng::new(1);
        let mut seen = [0_u32; 7];
        for _ in 0..70_000 {
            seen[rng.index(7)] += 1;
        }
        // Five standard deviations of the binomial distribution are 463.
        assert!(seen.iter().all(|&count| count.abs_diff(10_000) < 463), "{seen:?}");
    }

    #[test]
    fn bounds_near_the_word_size_stay_in_range() {
        let mut rng = Rng::new(2);
        for bound in [1, 2, u64::MAX / 2 + 2, u64::MAX] {
            assert!((0..1000).all(|_| rng.below(bound) < bound));
        }
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn chances_and_weights() {
        let mut rng = Rng::new(3);
        assert!((0..100).all(|_| !rng.chance(0.0) && rng.chance(1.0)));
        let hits = (0..10_000).filter(|_| rng.chance(0.25)).count();
        assert!(hits.abs_diff(2500) < 217, "{hits}");
        let mut seen = [0_u32; 3];
        for _ in 0..10_000 {
            seen[rng.weighted(&[1, 0, 3]).unwrap()] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!(seen[0].abs_diff(2500) < 217, "{seen:?}");
        assert_eq!(rng.weighted(&[0, 0]), None);
    }
}
