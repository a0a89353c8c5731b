//! Rows of numbers, packed into as few bits as their columns need, and an index of them.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A column: its least value, and the bits of a row that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The least value.
    pub least: i64,
    /// The number of bits, at most 64.
    pub bits: u32,
    word: usize,
    shift: u32,
}

impl Column {
    /// Returns the difference between the greatest and the least value.
    pub fn mask(self) -> u64 {
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
    pub fn count(&self) -> usize {
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
}

/// An index of the rows of a table. Among equal rows, it always finds the same one.
#[derive(Default)]
pub struct Index(HashTable<u32>);

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|word| hasher.write_u64(*word));
    // Neighbouring states differ by a few small summands, which one multiplication does not
    // scatter.
    let hash = hasher.finish();
    let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ hash >> 29
}

impl Index {
    /// Returns an index of all rows.
    pub fn of(rows: &Rows) -> Self {
        let mut index = Index(HashTable::with_capacity(rows.count()));
        for row in 0..rows.count() {
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
