//! Rows of numbers, packed into as few bits as their columns need, and an index of them.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A column: its least value, and its bits in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The least value.
    pub least: i64,
    /// The number of bits.
    pub bits: u32,
    word: usize,
    shift: u32,
}

impl Column {
    fn mask(self) -> u64 {
        if self.bits == 0 { 0 } else { u64::MAX >> (64 - self.bits) }
    }
}

/// Rows of packed numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    columns: Vec<Column>,
    /// The number of words of a row; at least one.
    width: usize,
    words: Vec<u64>,
}

impl Rows {
    /// Makes an empty table with these least values and numbers of bits, of at most 64 each.
    pub fn new(columns: impl IntoIterator<Item = (i64, u32)>) -> Self {
        let (mut word, mut free) = (0, 64);
        let place = |(least, bits): (i64, u32)| {
            if bits > free {
                (word, free) = (word + 1, 64);
            }
            free -= bits;
            let shift = if bits == 0 { 0 } else { 64 - free - bits };
            Column { least, bits, word, shift }
        };
        let columns = columns.into_iter().map(place).collect();
        Rows { columns, width: word + 1, words: Vec::new() }
    }

    /// Returns the columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the number of rows.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// Returns the memory of the rows.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }

    /// Packs numbers into words.
    ///
    /// # Errors
    /// The first column that is too narrow.
    pub fn pack(&self, numbers: &[i64], packed: &mut Vec<u64>) -> Result<(), usize> {
        packed.clear();
        packed.resize(self.width, 0);
        for (place, (column, number)) in self.columns.iter().zip(numbers).enumerate() {
            let offset = number.wrapping_sub(column.least) as u64;
            if *number < column.least || offset & !column.mask() != 0 {
                return Err(place);
            }
            packed[column.word] |= offset << column.shift;
        }
        Ok(())
    }

    /// Returns the numbers of a row.
    pub fn unpack(&self, row: usize, numbers: &mut Vec<i64>) {
        let words = self.row(row);
        let number = |column: &Column| {
            let offset = words[column.word] >> column.shift & column.mask();
            column.least.wrapping_add(offset as i64)
        };
        numbers.clear();
        numbers.extend(self.columns.iter().map(number));
    }

    /// Adds a packed row.
    pub fn push(&mut self, packed: &[u64]) {
        self.words.extend_from_slice(packed);
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.width..][..self.width]
    }

    /// Returns the same rows with a column that also has room for a number.
    pub fn widened(&self, column: usize, number: i64) -> Rows {
        let Column { least, bits, .. } = self.columns[column];
        let greatest = least.saturating_add_unsigned(self.columns[column].mask());
        // Without bits there may be rows with the least value, or no row at all.
        let first = self.words.is_empty() && bits == 0;
        let (low, high) = if first { (number, number) } else { (least, greatest) };
        let (low, high) = (low.min(number), high.max(number));
        let needed = 64 - (high.wrapping_sub(low) as u64).leading_zeros();
        let of = |(place, old): (usize, &Column)| match place == column {
            true => (low, needed),
            false => (old.least, old.bits),
        };
        let mut wider = Rows::new(self.columns.iter().enumerate().map(of));
        wider.words.reserve(self.len() * wider.width);
        let (mut numbers, mut packed) = (Vec::new(), Vec::new());
        for row in 0..self.len() {
            self.unpack(row, &mut numbers);
            let fits = wider.pack(&numbers, &mut packed);
            debug_assert!(fits.is_ok(), "a column only became wider");
            wider.push(&packed);
        }
        wider
    }

    /// Returns the rows in this order.
    pub fn ordered(&self, order: &[u32]) -> Rows {
        let mut words = Vec::with_capacity(order.len() * self.width);
        order.iter().for_each(|row| words.extend_from_slice(self.row(*row as usize)));
        Rows { columns: self.columns.clone(), width: self.width, words }
    }
}

/// An index of the rows of a table, which differ.
#[derive(Default)]
pub struct Index(HashTable<u32>);

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

impl Index {
    /// Returns an index of all rows.
    pub fn of(rows: &Rows) -> Self {
        let mut index = Index(HashTable::with_capacity(rows.len()));
        for row in 0..rows.len() {
            index.insert(rows, row as u32);
        }
        index
    }

    /// Returns the number of a row.
    pub fn find(&self, rows: &Rows, packed: &[u64]) -> Option<u32> {
        self.0.find(hash(packed), |row| rows.row(*row as usize) == packed).copied()
    }

    /// Adds a row of the table.
    pub fn insert(&mut self, rows: &Rows, row: u32) {
        let of = |row: &u32| hash(rows.row(*row as usize));
        self.0.insert_unique(of(&row), row, of);
    }

    /// Returns the memory of the index.
    pub fn bytes(&self) -> usize {
        self.0.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Rows are what was packed, whatever the numbers and the order of widening.
        #[test]
        fn rows_keep_their_numbers(
            rows in prop::collection::vec(prop::collection::vec(
                prop_oneof![-2i64..3, any::<i64>(), Just(i64::MIN), Just(i64::MAX)], 3), 0..20)
        ) {
            let mut table = Rows::new([(0, 0); 3]);
            let mut packed = Vec::new();
            for row in &rows {
                while let Err(column) = table.pack(row, &mut packed) {
                    table = table.widened(column, row[column]);
                }
                table.push(&packed);
            }
            prop_assert_eq!(table.len(), rows.len());
            let mut numbers = Vec::new();
            for (number, row) in rows.iter().enumerate() {
                table.unpack(number, &mut numbers);
                prop_assert_eq!(&numbers, row);
            }
        }
    }
}
