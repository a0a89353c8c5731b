//! Languages of states, and redirection of edges to states of the same language.
//!
//! The states of one language form a class. An edge may be redirected to another state of the class
//! in a lower component. A run is redirected only finitely often, so its marks still decide. States
//! that accept every word are merged.

use super::comparison::Comparison;
use super::table::{NONE, Table};
use crate::graph::FunctionGraph;
use crate::scc::numbered;

/// Returns the class of each state, numbered in order; two states are in the same class exactly if
/// their languages are equal. `None` if the steps do not suffice.
pub(crate) fn classes(table: &Table, steps: &mut usize) -> Option<Vec<u32>> {
    let differ = Comparison::new(table, table)?.differences(|l, r| l < r, steps)?;
    let mut class: Vec<u32> = vec![];
    let mut count = 0;
    for state in 0..table.states {
        let known = (0..state).find(|&other| !differ[other * table.states + state]);
        class.push(match known {
            Some(other) => class[other],
            None => {
                count += 1;
                count - 1
            }
        });
    }
    Some(class)
}

/// Merges the states that accept every word; returns whether the table changed.
pub(super) fn merge_universal(table: &mut Table, steps: &mut usize) -> Option<bool> {
    let universal = Table::universal(table.letters);
    let differ = Comparison::new(table, &universal)?.differences(|_, _| true, steps)?;
    let Some(sink) = differ.iter().position(|differ| !differ) else { return Some(false) };
    let accepted = table.condition().satisfying_marks().unwrap_or_default();
    let accepted = accepted.as_bits().unwrap_or(0);
    let before = table.clone();
    table.redirect(|state| if differ[state as usize] { state } else { sink as u32 });
    let row = table.row(sink as u32);
    table.next[row.clone()].fill(sink as u32);
    table.marks[row].fill(accepted);
    Some(*table != before)
}

/// Redirects edges to the lowest states with the same language; returns whether the table changed.
pub(super) fn redirect(table: &mut Table, class: &[u32]) -> bool {
    let component = components(table);
    let classes = class.iter().max().map_or(0, |last| *last as usize + 1);
    // Components are numbered bottom-up.
    let mut lowest = vec![NONE; classes];
    for state in 0..table.states {
        let best = &mut lowest[class[state] as usize];
        if *best == NONE || component[state] < component[*best as usize] {
            *best = state as u32;
        }
    }
    let mut changed = false;
    let mut place: Vec<u32> = (0..table.states as u32).collect();
    for (state, place) in place.iter_mut().enumerate() {
        let best = lowest[class[state] as usize];
        if component[best as usize] < component[state] {
            *place = best;
            changed = true;
        }
    }
    table.redirect(|state| place[state as usize]);
    changed
}

/// Returns the component of each reachable state, in reverse topological order; unreachable states
/// come last.
pub(super) fn components(table: &Table) -> Vec<u32> {
    let cells = |state| table.row(state).map(|cell| table.next[cell]);
    let graph = FunctionGraph::new(table.states, |state| cells(state).filter(|next| *next != NONE));
    numbered(&graph, table.states, [table.initial]).0
}
