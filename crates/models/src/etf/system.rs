//! Tables as systems. A hash of the bits that a table reads finds its rows, so the successors of a
//! state take time linear in the number of tables and of successors.

use super::model::{Etf, Table};
use crate::description::Description;
use crate::layout::{Field, Footprint, Layout};
use crate::model::{Source, Width};
use crate::system::{
    ActionId, Demand, Events, Expander, Fault, Names, Successors, System, VariableId,
};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The system of a model in the enumerated table format. Its variables are the slots, its events
/// the tables, and its actions the different labels of edges; without labels, the tables.
pub struct EtfSystem {
    pub(super) etf: Arc<Etf>,
    pub(super) fields: Vec<Field>,
    words: usize,
    tables: Vec<Compiled>,
    pub(super) actions: Vec<String>,
}

/// A table over packed states.
struct Compiled {
    footprint: Footprint,
    /// The bits of the columns, by word.
    bits: Vec<(usize, u32)>,
    /// For each content of these words, the rows.
    index: FxHashMap<Box<[u32]>, Range<u32>>,
    /// For each row, the new bits of the columns, word by word.
    after: Vec<u32>,
    actions: Vec<ActionId>,
}

impl EtfSystem {
    /// Compiles a model.
    ///
    /// # Panics
    /// If it violates the invariants of [`Etf`].
    pub fn new(etf: impl Into<Arc<Etf>>) -> Self {
        let etf = etf.into();
        let mut greatest = etf.initial.clone();
        for table in &etf.tables {
            for (_, after, _) in etf.rows(table) {
                for (column, number) in table.columns.iter().zip(after) {
                    greatest[*column] = greatest[*column].max(*number);
                }
            }
        }
        let mut layout = Layout::default();
        let fields: Vec<Field> =
            greatest.iter().map(|greatest| layout.field(0, i64::from(*greatest))).collect();
        let words = layout.words();
        let mut actions = Actions::default();
        let tables = (etf.tables.iter().enumerate())
            .map(|(number, table)| compile(&etf, number, table, &fields, words, &mut actions))
            .collect();
        EtfSystem { etf: etf.clone(), fields, words, tables, actions: actions.names }
    }

    /// Returns the model.
    pub fn etf(&self) -> &Etf {
        &self.etf
    }

    /// The place of a slot in states.
    pub(super) fn field_of(&self, slot: usize) -> Field {
        self.fields[slot]
    }
}

/// The actions so far.
#[derive(Default)]
struct Actions {
    names: Vec<String>,
    numbers: FxHashMap<Vec<u32>, u32>,
}

impl Actions {
    /// Returns the action with these labels, or of the table with this number if there are none.
    fn of(&mut self, etf: &Etf, labels: &[u32], table: usize) -> ActionId {
        let key = if labels.is_empty() { vec![table as u32] } else { labels.to_vec() };
        let names = &mut self.names;
        ActionId(*self.numbers.entry(key).or_insert_with(|| {
            let values = labels.iter().zip(&etf.labels);
            let texts: Vec<_> =
                values.map(|(value, label)| etf.value_text(label.sort, *value)).collect();
            names.push(match texts.is_empty() {
                true => format!("trans {}", table + 1),
                false => texts.join(", "),
            });
            (names.len() - 1) as u32
        }))
    }
}

fn compile(
    etf: &Etf,
    number: usize,
    table: &Table,
    fields: &[Field],
    words: usize,
    actions: &mut Actions,
) -> Compiled {
    let columns: Vec<Field> = table.columns.iter().map(|column| fields[*column]).collect();
    let mut footprint = Footprint::default();
    let mut masks = vec![0; words];
    for field in &columns {
        footprint.add(*field);
        masks[field.word()] |= field.mask() << field.shift();
    }
    let bits: Vec<(usize, u32)> =
        masks.iter().copied().enumerate().filter(|(_, mask)| *mask != 0).collect();
    let mut state = vec![0; words];
    let mut packed = |numbers: &[u32]| -> Box<[u32]> {
        for (field, number) in columns.iter().zip(numbers) {
            field.set(&mut state, i64::from(*number));
        }
        bits.iter().map(|(word, mask)| state[*word] & mask).collect()
    };
    let mut rows = Vec::new();
    for (before, after, labels) in etf.rows(table) {
        // Numbers beyond a field are never reached.
        let fits = |(field, number): (&Field, &u32)| i64::from(*number) <= field.greatest();
        if columns.iter().zip(before).all(fits) {
            let action = actions.of(etf, labels, number);
            rows.push((packed(before), packed(after), action));
        }
    }
    // Stable, so that rows with equal keys stay in the order of the file.
    rows.sort_by(|one, other| one.0.cmp(&other.0));
    let mut index: FxHashMap<Box<[u32]>, Range<u32>> = FxHashMap::default();
    let (mut after, mut names) = (Vec::new(), Vec::new());
    for (number, (before, row, action)) in (0..).zip(rows) {
        index.entry(before).or_insert(number..number).end = number + 1;
        after.extend(row);
        names.push(action);
    }
    Compiled { footprint, bits, index, after, actions: names }
}

impl Compiled {
    /// Returns the rows that apply to a state.
    fn rows(&self, state: &[u32], key: &mut Vec<u32>) -> Range<u32> {
        key.clear();
        key.extend(self.bits.iter().map(|(word, mask)| state[*word] & mask));
        self.index.get(&key[..]).cloned().unwrap_or(0..0)
    }

    /// Appends the successors of this table.
    #[inline]
    fn fire(&self, state: &[u32], key: &mut Vec<u32>, successors: &mut Successors) {
        let rows = self.rows(state, key);
        for row in rows.start as usize..rows.end as usize {
            let next = successors.push_copy(self.actions[row], state);
            let after = &self.after[row * self.bits.len()..];
            for ((word, mask), after) in self.bits.iter().zip(after) {
                next[*word] = next[*word] & !mask | after;
            }
        }
    }
}

impl System for EtfSystem {
    fn words(&self) -> usize {
        self.words
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        let mut state = vec![0; self.words].into_boxed_slice();
        for (field, number) in self.fields.iter().zip(&self.etf.initial) {
            field.set(&mut state, i64::from(*number));
        }
        Ok(vec![state])
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(Lookup { system: self, key: Vec::with_capacity(self.words) })
    }

    fn names(&self) -> &dyn Names {
        self
    }

    fn events(&self) -> Option<&dyn Events> {
        Some(self)
    }
}

/// The expander: looks rows up in all tables.
struct Lookup<'a> {
    system: &'a EtfSystem,
    key: Vec<u32>,
}

impl Expander for Lookup<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        for table in &self.system.tables {
            table.fire(state, &mut self.key, successors);
        }
        Ok(())
    }

    fn is_deadlock(&mut self, state: &[u32]) -> Result<bool, Fault> {
        Ok(self.system.tables.iter().all(|table| table.rows(state, &mut self.key).is_empty()))
    }
}

impl Events for EtfSystem {
    fn event_count(&self) -> usize {
        self.tables.len()
    }

    fn footprint(&self, event: usize) -> Footprint {
        self.tables[event].footprint.clone()
    }

    fn fire(&self, event: usize, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        self.tables[event].fire(state, &mut Vec::with_capacity(self.words), successors);
        Ok(())
    }

    fn demands(&self, event: usize) -> Option<Vec<Demand>> {
        // An event that reads nothing is always enabled, and changes nothing.
        self.tables[event].bits.is_empty().then(Vec::new)
    }

    fn field(&self, variable: VariableId) -> Option<Field> {
        Some(self.fields[variable.0 as usize])
    }
}

impl Names for EtfSystem {
    fn action_name(&self, action: ActionId) -> String {
        self.actions[action.0 as usize].clone()
    }

    fn variable_count(&self) -> usize {
        self.fields.len()
    }

    fn variable_name(&self, variable: VariableId) -> String {
        self.etf.slots[variable.0 as usize].name.clone()
    }

    fn value(&self, state: &[u32], variable: VariableId) -> i64 {
        self.fields[variable.0 as usize].get(state)
    }

    fn value_text(&self, state: &[u32], variable: VariableId) -> String {
        let slot = &self.etf.slots[variable.0 as usize];
        self.etf.value_text(slot.sort, self.value(state, variable) as u32).into_owned()
    }
}

impl EtfSystem {
    /// Returns, for each table, its columns and the old numbers of rows with an action of this
    /// name.
    pub(super) fn rows_of(&self, name: &str) -> Vec<(&[usize], Vec<&[u32]>)> {
        let mut found = Vec::new();
        for (number, table) in self.etf.tables.iter().enumerate() {
            let is_named = |labels: &[u32]| match labels {
                [] => {
                    name.strip_prefix("trans ").and_then(|rest| rest.parse().ok())
                        == Some(number + 1)
                }
                labels => {
                    let values = labels.iter().zip(&self.etf.labels);
                    let texts: Vec<_> = values
                        .map(|(value, label)| self.etf.value_text(label.sort, *value))
                        .collect();
                    texts.join(", ") == name
                }
            };
            let rows: Vec<&[u32]> = (self.etf.rows(table))
                .filter(|(_, _, labels)| is_named(labels))
                .map(|(before, ..)| before)
                .collect();
            if !rows.is_empty() {
                found.push((&table.columns[..], rows));
            }
        }
        found
    }
}

impl Source for Etf {
    fn system(self: Arc<Self>, _: Width) -> Arc<dyn System> {
        Arc::new(EtfSystem::new(self))
    }

    fn describe(&self) -> Description {
        EtfSystem::new(self.clone()).describe()
    }
}
