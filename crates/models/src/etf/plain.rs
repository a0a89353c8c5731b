//! Tables of transitions by the letter: every row of every table is tried.

use super::model::{Declaration, Etf};
use crate::plain::{Meaning, NamedSteps, Plain, Step, Undefined};
use rustc_hash::FxHashMap;

/// A model in the enumerated table format, executed row by row.
pub struct PlainEtf<'a> {
    etf: &'a Etf,
    /// For each table and row, the number of its action: rows with the same labels share one.
    actions: Vec<Vec<u32>>,
    names: Vec<String>,
}

impl<'a> PlainEtf<'a> {
    /// Numbers the actions of a model.
    pub fn new(etf: &'a Etf) -> Self {
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut names = Vec::new();
        let mut actions = Vec::new();
        for (number, table) in etf.tables.iter().enumerate() {
            let mut own = Vec::new();
            for (_, _, labels) in etf.rows(table) {
                let key = if labels.is_empty() { vec![number as u32] } else { labels.to_vec() };
                own.push(*numbers.entry(key).or_insert_with(|| {
                    let texts: Vec<_> = (labels.iter().zip(&etf.labels))
                        .map(|(value, label)| etf.value_text(label.sort, *value))
                        .collect();
                    names.push(match texts.is_empty() {
                        true => format!("trans {}", number + 1),
                        false => texts.join(", "),
                    });
                    names.len() as u32 - 1
                }));
            }
            actions.push(own);
        }
        PlainEtf { etf, actions, names }
    }

    /// The slots, then the state labels.
    fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.etf.slots.iter().chain(self.etf.maps.iter().map(|map| &map.label))
    }
}

impl Plain for PlainEtf<'_> {
    fn variables(&self) -> Vec<String> {
        self.etf.slots.iter().map(|slot| slot.name.clone()).collect()
    }

    fn initial(&self) -> Vec<Vec<i64>> {
        vec![self.etf.initial.iter().map(|number| i64::from(*number)).collect()]
    }

    fn successors(
        &self,
        state: &[i64],
        visit: &mut dyn FnMut(&Step, &[i64]),
    ) -> Result<(), Undefined> {
        let mut next = state.to_vec();
        for (table, actions) in self.etf.tables.iter().zip(&self.actions) {
            for ((before, after, _), action) in self.etf.rows(table).zip(actions) {
                let mut slots = table.columns.iter().zip(before);
                if !slots.all(|(slot, number)| state[*slot] == i64::from(*number)) {
                    continue;
                }
                for (slot, number) in table.columns.iter().zip(after) {
                    next[*slot] = i64::from(*number);
                }
                visit(&Step::by(*action), &next);
                next.copy_from_slice(state);
            }
        }
        Ok(())
    }

    fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some(slot) = self.etf.slots.iter().position(|slot| slot.name == name) {
            return Some(Meaning::Sum(vec![slot]));
        }
        let map = self.etf.maps.iter().find(|map| map.label.name == name)?;
        let entry = |(numbers, value): (&[u32], u32)| {
            (numbers.iter().map(|number| i64::from(*number)).collect(), i64::from(value))
        };
        Some(Meaning::Function(map.columns.clone(), map.rows().map(entry).collect()))
    }

    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        let declaration = self.declarations().find(|declaration| declaration.name == name)?;
        let values = &self.etf.sorts[declaration.sort?].values;
        values.iter().position(|other| **other == *value.as_bytes()).map(|place| place as i64)
    }

    fn steps(&self, name: &str) -> Option<NamedSteps<'_>> {
        if !self.names.iter().any(|known| known == name) {
            return None;
        }
        let name = name.to_owned();
        Some(Box::new(move |step| self.names[step.transitions[0] as usize] == name))
    }

    fn transition_count(&self) -> usize {
        self.names.len()
    }
}
