//! Hashes words by folded multiplication: the upper half of the 128-bit product of two 64-bit
//! numbers is combined with the lower half, so that each input bit affects all result bits.

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd1b5_4a32_d192_ed03;

/// Multiplies and folds.
#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product >> 64) as u64 ^ product as u64
}

/// Returns the hash of a pair of words.
#[inline]
pub(crate) fn pair(pair: u64) -> u64 {
    fold(fold(pair ^ FIRST, SECOND), FIRST)
}

/// Returns the hash of a state; the same in all runs and on all machines.
#[inline]
pub fn hash(state: &[u32]) -> u64 {
    let (pairs, rest) = state.as_chunks::<2>();
    let mut sum = FIRST;
    for &[low, high] in pairs {
        sum = fold(sum ^ (u64::from(low) | u64::from(high) << 32), SECOND);
    }
    if let [last] = rest {
        sum = fold(sum ^ u64::from(*last), SECOND);
    }
    fold(sum, FIRST)
}
