//! The names that propositions about a model can use.

use super::model::Declaration;
use super::system::EtfSystem;
use crate::expression::{Binary, Expr};
use crate::layout::Field;
use crate::system::{ActionId, Actions, Meaning, Scope};

/// The limit on combinations of numbers for which a function becomes one table.
const LARGEST: u64 = 1 << 12;

impl Scope for EtfSystem {
    fn resolve(&self, name: &str) -> Option<Meaning> {
        let etf = &self.etf;
        if let Some(slot) = etf.slots.iter().position(|slot| slot.name == name) {
            return Some(Meaning::Value(Expr::Value(self.fields[slot])));
        }
        let map = etf.maps.iter().find(|map| map.label.name == name)?;
        Some(Meaning::Value(self.function(&map.columns, map.rows())))
    }

    fn fireable(&self, name: &str) -> Option<Expr> {
        if !self.actions.iter().any(|action| action == name) {
            return None;
        }
        let tables = self.rows_of(name);
        let any = tables
            .iter()
            .map(|(columns, rows)| self.function(columns, rows.iter().map(|row| (*row, 1))));
        Some(Expr::Any(any.collect()))
    }

    fn fired(&self, name: &str) -> Option<Actions> {
        let named = (0..).zip(&self.actions).filter(|(_, action)| *action == name);
        let actions: Vec<ActionId> = named.map(|(number, _)| ActionId(number)).collect();
        (!actions.is_empty()).then(|| actions.into_iter().collect())
    }

    fn value_names(&self) -> Vec<String> {
        self.declarations().map(|declaration| declaration.name.clone()).collect()
    }

    fn action_names(&self) -> Vec<String> {
        self.actions.clone()
    }

    fn constant(&self, variable: &str, value: &str) -> Option<i64> {
        let declaration = self.declarations().find(|declaration| declaration.name == variable)?;
        let values = &self.etf.sorts[declaration.sort?].values;
        values.iter().position(|other| **other == *value.as_bytes()).map(|place| place as i64)
    }

    fn constants(&self, variable: &str) -> Vec<String> {
        let declaration = self.declarations().find(|declaration| declaration.name == variable);
        let values = declaration.and_then(|declaration| declaration.sort);
        let values = values.map_or(&[][..], |sort| &self.etf.sorts[sort].values);
        values.iter().map(|value| String::from_utf8_lossy(value).into_owned()).collect()
    }
}

impl EtfSystem {
    /// Slots, and then state labels.
    fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.etf.slots.iter().chain(self.etf.maps.iter().map(|map| &map.label))
    }

    /// The values of rows for the numbers in columns, and 0 where no row applies.
    fn function<'r>(
        &self,
        columns: &[usize],
        rows: impl Iterator<Item = (&'r [u32], u32)>,
    ) -> Expr {
        let fields: Vec<Field> = columns.iter().map(|column| self.fields[*column]).collect();
        let fits = |numbers: &[u32]| {
            fields.iter().zip(numbers).all(|(field, number)| i64::from(*number) <= field.greatest())
        };
        let rows = rows.filter(|(numbers, _)| fits(numbers));
        let mut size: u64 = 1;
        let mut terms = Vec::with_capacity(fields.len());
        for field in &fields {
            terms.push((size as i64, *field));
            size = size.saturating_mul(u64::from(field.mask()) + 1);
            if size > LARGEST {
                return sum_of_rows(&fields, rows);
            }
        }
        let mut values = vec![0; size as usize];
        for (numbers, value) in rows {
            let place =
                terms.iter().zip(numbers).map(|((factor, _), number)| factor * i64::from(*number));
            values[place.sum::<i64>() as usize] = i64::from(value);
        }
        Expr::Lookup(values.into(), Box::new(Expr::Sum(0, terms.into())))
    }
}

/// Each value times whether one of its rows applies; at most one row applies.
fn sum_of_rows<'r>(fields: &[Field], rows: impl Iterator<Item = (&'r [u32], u32)>) -> Expr {
    let equal = |(field, number): (&Field, &u32)| {
        let number = Expr::Constant(i64::from(*number));
        Expr::binary(Binary::Equal, Expr::Value(*field), number)
    };
    let mut by_value: Vec<(u32, Vec<Expr>)> = Vec::new();
    for (numbers, value) in rows.filter(|(_, value)| *value != 0) {
        let row = Expr::All(fields.iter().zip(numbers).map(equal).collect());
        match by_value.iter_mut().find(|(other, _)| *other == value) {
            Some((_, rows)) => rows.push(row),
            None => by_value.push((value, vec![row])),
        }
    }
    let mut sums: Vec<Expr> = (by_value.into_iter())
        .map(|(value, rows)| {
            let applies = Expr::Any(rows.into());
            Expr::binary(Binary::Multiply, Expr::Constant(i64::from(value)), applies)
        })
        .collect();
    // Added in pairs, so that the sum is not as deep as there are values.
    while sums.len() > 1 {
        let mut rest = sums.into_iter();
        let mut pairs = Vec::new();
        while let Some(first) = rest.next() {
            pairs.push(match rest.next() {
                Some(second) => Expr::binary(Binary::Add, first, second),
                None => first,
            });
        }
        sums = pairs;
    }
    sums.pop().unwrap_or(Expr::Constant(0))
}
