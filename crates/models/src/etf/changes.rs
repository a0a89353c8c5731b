//! The changes of observed propositions by the rows of tables: the letters of automata over changes.

use super::model::Etf;
use super::system::EtfSystem;
use crate::proposition::Propositions;
use crate::system::{Names, System};
use sempre_ltl::Error;

/// Whether a row changes the truth of a proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Never.
    No,
    /// Always.
    Yes,
    /// That depends on slots that the table does not have.
    Depends,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowChanges {
    /// The number of the table, from 1.
    pub table: usize,
    /// The slots that it has, with the values before and after.
    pub slots: Vec<(String, String, String)>,
    /// The labels of the edge.
    pub labels: Vec<String>,
    /// For each proposition whether it changes.
    pub changes: Vec<Change>,
}

/// Computes which of the propositions each row changes. Takes time linear in the tables.
///
/// # Errors
/// If a proposition has no meaning in the model, is about deadlocks or steps, or divides by zero.
pub fn changesets(system: &EtfSystem, propositions: &[&str]) -> Result<Vec<RowChanges>, Error> {
    let compiled = Propositions::compile(system as &dyn Names, propositions.iter().copied())?;
    if compiled.is_about_deadlocks() || compiled.is_about_steps() {
        return Err(Error::new("only propositions about the slots of states can be observed here"));
    }
    let etf: &Etf = system.etf();
    let fault = |fault: crate::Fault| Error::new(fault.to_string());
    let initial = system.initial().map_err(fault)?.remove(0);
    let mut rows = Vec::new();
    for (number, table) in etf.tables.iter().enumerate() {
        // The slots of a proposition that the table does not have decide nothing, or too much.
        let is_known: Vec<bool> = (0..propositions.len())
            .map(|proposition| {
                let footprint = compiled.footprint(proposition);
                let others = (0..etf.slots.len()).filter(|slot| !table.columns.contains(slot));
                others.into_iter().all(|slot| !footprint.touches(system.field_of(slot)))
            })
            .collect();
        for (before, after, labels) in etf.rows(table) {
            let fits = |numbers: &[u32]| {
                let fields = table.columns.iter().map(|slot| system.field_of(*slot));
                fields.zip(numbers).all(|(field, number)| i64::from(*number) <= field.greatest())
            };
            if !fits(before) {
                continue;
            }
            let holding = |numbers: &[u32]| {
                let mut state = initial.clone();
                for (slot, number) in table.columns.iter().zip(numbers) {
                    system.field_of(*slot).set(&mut state, i64::from(*number));
                }
                compiled.holding(&state, false).map_err(fault)
            };
            let changed = holding(before)? ^ holding(after)?;
            let writes = |proposition: usize| {
                let footprint = compiled.footprint(proposition);
                let columns = table.columns.iter().zip(before.iter().zip(after));
                columns.into_iter().any(|(slot, (before, after))| {
                    before != after && footprint.touches(system.field_of(*slot))
                })
            };
            let change = |proposition: usize| match is_known[proposition] {
                true if changed >> proposition & 1 == 1 => Change::Yes,
                false if writes(proposition) => Change::Depends,
                _ => Change::No,
            };
            let slot = |(place, slot): (usize, &usize)| {
                let declaration = &etf.slots[*slot];
                let text = |number| etf.value_text(declaration.sort, number).into_owned();
                (declaration.name.clone(), text(before[place]), text(after[place]))
            };
            let label = |(label, number): (&super::Declaration, &u32)| {
                etf.value_text(label.sort, *number).into_owned()
            };
            rows.push(RowChanges {
                table: number + 1,
                slots: table.columns.iter().enumerate().map(slot).collect(),
                labels: etf.labels.iter().zip(labels).map(label).collect(),
                changes: (0..propositions.len()).map(change).collect(),
            });
        }
    }
    Ok(rows)
}
