//! Tables with aligned columns.

use std::fmt;

/// Rows of texts; the first column is aligned to the left, the others to the right.
#[derive(Default)]
pub(super) struct Table(Vec<Vec<String>>);

impl Table {
    /// A table with these headings.
    pub(super) fn new<T: Into<String>>(headings: impl IntoIterator<Item = T>) -> Self {
        Table(vec![headings.into_iter().map(Into::into).collect()])
    }

    pub(super) fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.0.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.0.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.0 {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                match column {
                    0 => line.push_str(&format!("  {cell:<0$}", widths[0])),
                    _ => line.push_str(&format!("  {cell:>0$}", widths[column])),
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
