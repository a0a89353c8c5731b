//! The contents of a file.

use std::borrow::Cow;

/// A model in the enumerated table format.
///
/// Invariants, for results of [`parse`](super::parse) and others: there is a slot; there are
/// as many initial numbers as slots; columns are slots, and go up; rows are complete; sorts are
/// those of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Etf {
    /// The slots of a state. Their names differ.
    pub slots: Vec<Declaration>,
    /// The labels of edges.
    pub labels: Vec<Declaration>,
    /// The sorts, with their values.
    pub sorts: Vec<Sort>,
    /// The initial state.
    pub initial: Vec<u32>,
    /// The parts of the transition relation.
    pub tables: Vec<Table>,
    /// The state labels.
    pub maps: Vec<Map>,
}

/// A slot or a label, and what its numbers mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// How it is called.
    pub name: String,
    /// Its place in the list of sorts; without one, a number is a number.
    pub sort: Option<usize>,
}

/// Values, which numbers stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// How it is called.
    pub name: String,
    /// The bytes of the values, which differ. Numbers beyond them have no other meaning.
    pub values: Vec<Box<[u8]>>,
}

/// A part of the transition relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The slots that it reads and writes.
    pub columns: Vec<usize>,
    /// For each row the numbers before in these slots, those after, and the labels.
    pub rows: Vec<u32>,
}

/// A state label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// Its value, as a number.
    pub label: Declaration,
    /// The slots on which it depends.
    pub columns: Vec<usize>,
    /// For each row the numbers in these slots, and that of the label.
    pub rows: Vec<u32>,
}

impl Etf {
    /// The rows of a table, each as the numbers before, those after, and the labels.
    pub fn rows<'t>(
        &self,
        table: &'t Table,
    ) -> impl ExactSizeIterator<Item = (&'t [u32], &'t [u32], &'t [u32])> + use<'t> {
        let (columns, labels) = (table.columns.len(), self.labels.len());
        // A row over no slots and without labels has no numbers: the relation is then one step
        // that changes nothing.
        let width = 2 * columns + labels;
        let count = table.rows.len().checked_div(width).unwrap_or(1);
        (0..count).map(move |row| {
            let (before, rest) = table.rows[row * width..][..width].split_at(columns);
            let (after, labels) = rest.split_at(columns);
            (before, after, labels)
        })
    }

    /// A number of a sort, as people know it.
    pub fn value_text(&self, sort: Option<usize>, number: u32) -> Cow<'_, str> {
        match sort.and_then(|sort| self.sorts[sort].values.get(number as usize)) {
            Some(bytes) => String::from_utf8_lossy(bytes),
            None => number.to_string().into(),
        }
    }
}

impl Map {
    /// The rows, each as the numbers in the columns, and that of the label.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (&[u32], u32)> {
        let width = self.columns.len() + 1;
        self.rows.chunks_exact(width).map(move |row| (&row[..width - 1], row[width - 1]))
    }
}
