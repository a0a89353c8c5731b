//! Relations on states, as one row of bits per state.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    /// Words per row.
    width: usize,
    rows: Vec<u64>,
}

impl Relation {
    /// The empty relation.
    pub(super) fn empty(states: usize) -> Self {
        let width = states.div_ceil(64);
        Relation { width, rows: vec![0; states * width] }
    }

    pub(super) fn holds(&self, left: usize, right: usize) -> bool {
        self.rows[left * self.width + right / 64] >> (right % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, left: usize, right: usize) {
        self.rows[left * self.width + right / 64] |= 1 << (right % 64);
    }

    pub(super) fn remove(&mut self, left: usize, right: usize) {
        self.rows[left * self.width + right / 64] &= !(1 << (right % 64));
    }

    /// Returns the states related to `left`, as bits.
    pub(super) fn row(&self, left: usize) -> &[u64] {
        &self.rows[left * self.width..(left + 1) * self.width]
    }

    pub(super) fn row_mut(&mut self, left: usize) -> &mut [u64] {
        &mut self.rows[left * self.width..(left + 1) * self.width]
    }

    /// True if the relation holds in both directions.
    pub(super) fn mutual(&self, left: usize, right: usize) -> bool {
        self.holds(left, right) && self.holds(right, left)
    }
}

/// Returns the positions of the set bits.
pub(super) fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(place, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                place * 64 + bit
            })
        })
    })
}
