//! Growth of the vectors of states.
//!
//! They grow by an eighth instead of doubling: spare capacity counts as used memory, and the
//! operating system moves large vectors without copying.

/// The minimal growth of a vector, in elements.
const LEAST_GROWTH: usize = 1 << 10;

/// Appends a state. Narrow ones are copied word by word, which is faster than a call.
#[inline]
pub(crate) fn append(states: &mut Vec<u32>, state: &[u32]) {
    match *state {
        [first] => states.push(first),
        [first, second] => states.extend_from_slice(&[first, second]),
        [first, second, third] => states.extend_from_slice(&[first, second, third]),
        [first, second, third, fourth] => {
            states.extend_from_slice(&[first, second, third, fourth]);
        }
        _ => states.extend_from_slice(state),
    }
}

/// Reserves memory for `more` elements in rows of `width`.
#[inline]
pub(crate) fn reserve<T>(rows: &mut Vec<T>, more: usize, width: usize) {
    if rows.capacity() - rows.len() < more {
        rows.reserve_exact(growth(rows.len(), more, width));
    }
}

/// Returns the capacity after [`reserve`].
pub(super) fn capacity_with<T>(rows: &Vec<T>, more: usize, width: usize) -> usize {
    if rows.capacity() - rows.len() < more {
        rows.len() + growth(rows.len(), more, width)
    } else {
        rows.capacity()
    }
}

fn growth(len: usize, more: usize, width: usize) -> usize {
    (len / 8).max(LEAST_GROWTH).max(more).next_multiple_of(width)
}
