//! Growth of the vectors in which states lie.
//!
//! They grow by a quarter, not by their own size: what is allocated in advance counts as used
//! memory, and large vectors are moved by the operating system without being copied.

/// How many elements a vector grows by at least.
const LEAST_GROWTH: usize = 1 << 10;

/// Makes place for `more` elements of which `width` belong together.
#[inline]
pub(super) fn reserve<T>(rows: &mut Vec<T>, more: usize, width: usize) {
    if rows.capacity() - rows.len() < more {
        rows.reserve_exact(growth(rows.len(), more, width));
    }
}

/// The capacity after [`reserve`].
pub(super) fn capacity_with<T>(rows: &Vec<T>, more: usize, width: usize) -> usize {
    if rows.capacity() - rows.len() < more {
        rows.len() + growth(rows.len(), more, width)
    } else {
        rows.capacity()
    }
}

fn growth(len: usize, more: usize, width: usize) -> usize {
    (len / 4).max(LEAST_GROWTH).max(more).next_multiple_of(width)
}
