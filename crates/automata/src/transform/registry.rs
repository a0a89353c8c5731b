//! Collections of rows.

use super::{Transformation, rows};
use crate::Error;
use sempre_ltl::nearest;

/// Transformations by name, in the order of help texts.
#[derive(Clone, Debug)]
pub struct Registry {
    rows: Vec<&'static Transformation>,
}

impl Registry {
    /// Returns the transformations of this library.
    pub fn built_in() -> Self {
        Registry { rows: rows::ALL.to_vec() }
    }

    /// Adds a row at the end; replaces one of the same name.
    #[must_use]
    pub fn with(mut self, row: &'static Transformation) -> Self {
        match self.rows.iter().position(|known| known.name == row.name) {
            Some(place) => self.rows[place] = row,
            None => self.rows.push(row),
        }
        self
    }

    /// Returns all rows.
    pub fn rows(&self) -> &[&'static Transformation] {
        &self.rows
    }

    /// Finds the row with a name.
    ///
    /// # Errors
    /// If there is none; the error suggests similar names.
    pub fn find(&self, name: &str) -> Result<&'static Transformation, Error> {
        let found = self.rows.iter().find(|row| row.name == name);
        found.copied().ok_or_else(|| {
            let error = Error::new(format!("there is no transformation `{name}`"));
            match nearest::expectation(name, self.rows.iter().map(|row| row.name)) {
                Some(near) => error.expected(near),
                None => error,
            }
        })
    }
}

impl Default for Registry {
    fn default() -> Self {
        Registry::built_in()
    }
}
