//! Tables as comma-separated values: raw rows, published figures, tables of collections.

use anyhow::{Context, Result, bail};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Rows of cells under named columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Makes an empty table.
    pub fn new<T: AsRef<str>>(columns: impl IntoIterator<Item = T>) -> Self {
        let columns = columns.into_iter().map(|column| column.as_ref().to_owned()).collect();
        Table { columns, rows: vec![] }
    }

    /// Parses a text whose first line names the columns and whose cells are separated by
    /// `separator`; cells may be in double quotes. Drops an incomplete last line of an interrupted
    /// run.
    ///
    /// # Errors
    /// If a line has another number of cells than the first one, or a quote is not closed.
    pub fn parse(text: &str, separator: char) -> Result<Self> {
        let mut lines = records(text, separator)?.into_iter();
        let columns = lines.next().context("the table is empty")?.1;
        let mut rows = vec![];
        for (line, cells) in lines {
            if cells.len() != columns.len() {
                bail!("line {line} has {} cells, not {}", cells.len(), columns.len());
            }
            rows.push(cells);
        }
        Ok(Table { columns, rows })
    }

    /// Reads a file: tab-separated if its name ends in `.tsv`.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and if the file cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let separator = if path.extension().is_some_and(|e| e == "tsv") { '\t' } else { ',' };
        let text = std::fs::read_to_string(path);
        let table = text.map_err(Into::into).and_then(|text| Self::parse(&text, separator));
        table.with_context(|| path.display().to_string())
    }

    /// Returns the names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> + Clone {
        self.rows.iter().map(|cells| Row { columns: &self.columns, cells })
    }

    /// Returns the row with this number, from 0.
    pub fn row(&self, number: usize) -> Option<Row<'_>> {
        self.rows.get(number).map(|cells| Row { columns: &self.columns, cells })
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row, which must have a cell for each column.
    pub fn push(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len(), "{cells:?}");
        self.rows.push(cells);
    }

    /// Returns the first row with these cells.
    pub fn find(&self, cells: &[(&str, &str)]) -> Option<Row<'_>> {
        self.rows().find(|row| cells.iter().all(|(column, text)| row.text(column) == *text))
    }

    /// Returns the distinct texts of a column, in the order of their occurrence.
    pub fn distinct(&self, column: &str) -> Vec<&str> {
        let mut seen: FxHashMap<&str, ()> = FxHashMap::default();
        let texts = self.rows().map(|row| row.text(column));
        texts.filter(|text| seen.insert(text, ()).is_none()).collect()
    }
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    columns: &'a [String],
    cells: &'a [String],
}

impl<'a> Row<'a> {
    /// Returns the text in a column; empty if there is no such column.
    pub fn text(&self, column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column);
        place.and_then(|place| self.cells.get(place)).map_or("", String::as_str)
    }

    /// Returns the number in a column, if there is one.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok()
    }

    /// Returns all cells.
    pub fn cells(&self) -> &'a [String] {
        self.cells
    }
}

/// Splits a text into numbered lines of cells.
fn records(text: &str, separator: char) -> Result<Vec<(usize, Vec<String>)>> {
    let (mut records, mut cells, mut cell) = (vec![], vec![], String::new());
    let (mut line, mut is_quoted) = (1, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() => is_quoted = true,
            '\n' if !is_quoted => {
                cells.push(std::mem::take(&mut cell));
                records.push((line, std::mem::take(&mut cells)));
                line += 1;
            }
            '\r' if !is_quoted && letters.peek() == Some(&'\n') => {}
            letter if letter == separator && !is_quoted => cells.push(std::mem::take(&mut cell)),
            letter => cell.push(letter),
        }
    }
    if is_quoted {
        bail!("a quote is not closed in line {line}");
    }
    Ok(records)
}

/// Returns a line of comma-separated values, with its line break.
pub fn line<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let mut line = String::new();
    for (place, cell) in cells.into_iter().enumerate() {
        let cell = cell.as_ref();
        if place > 0 {
            line.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            line.push_str(&format!("\"{}\"", cell.replace('"', "\"\"")));
        } else {
            line.push_str(cell);
        }
    }
    line.push('\n');
    line
}

/// Makes the cells of a row from displayable values.
#[macro_export]
macro_rules! cells {
    ($($value:expr),* $(,)?) => { vec![$($value.to_string()),*] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let rows =
            [["formula", "note"], ["a U b", "x,y"], ["\"x > 3\" & b", "two\nlines"], ["", "z"]];
        // An empty first cell must keep its separator.
        let text: String = rows.iter().map(line).collect();
        let table = Table::parse(&text, ',').unwrap();
        assert_eq!(table.columns(), rows[0]);
        let read: Vec<&[String]> = table.rows().map(|row| row.cells()).collect();
        assert_eq!(read, rows[1..]);
        assert_eq!(table.find(&[("note", "z")]).unwrap().text("formula"), "");
    }

    #[test]
    fn a_line_without_its_end_is_left_out() {
        let table = Table::parse("a,b\n1,2\n3", ',').unwrap();
        assert_eq!(table.len(), 1);
        assert_eq!(table.rows().next().unwrap().number("b"), Some(2.0));
    }

    #[test]
    fn bad_tables_are_refused_with_their_line() {
        let error = |text| Table::parse(text, ',').unwrap_err().to_string();
        assert_eq!(error("a,b\n1,2\n3\n"), "line 3 has 1 cells, not 2");
        assert_eq!(error("a,b\n1,\"2\n"), "a quote is not closed in line 2");
        assert_eq!(error(""), "the table is empty");
    }

    #[test]
    fn distinct_texts_keep_their_order() {
        let table = Table::parse("m\nb\na\nb\n", ',').unwrap();
        assert_eq!(table.distinct("m"), ["b", "a"]);
    }
}
