//! Merging of states of the same language and component, by trial.
//!
//! Inside a component, states of the same language cannot always be merged, because the state may
//! record the marks seen. So each pair is tried, with the marks of either or of both. The merge
//! stays if the language of the whole automaton is unchanged, which is decided exactly.

use super::comparison::Comparison;
use super::residuals::components;
use super::table::{NONE, Table};
use sempre_ltl::interrupt;

/// The marks on the outgoing edges of a merged state.
#[derive(Clone, Copy)]
enum Row {
    Own,
    Both,
    Shared,
}

/// The marks on the redirected edges.
#[derive(Clone, Copy)]
enum Entry {
    Same,
    With(u64),
    Without(u64),
}

/// Returns the table with one state less if some pair of states can be merged, given the classes of
/// states by language. `steps` limits the work.
pub(super) fn merge(table: &Table, class: &[u32], steps: &mut usize) -> Option<Table> {
    let component = components(table);
    let states = table.states as u32;
    let mut entries = vec![Entry::Same];
    let all = table.condition().marks().as_bits().unwrap_or(0);
    for mark in (0..64).map(|bit| 1u64 << bit).filter(|mark| all & mark != 0) {
        interrupt::poll();
        entries.extend([Entry::With(mark), Entry::Without(mark)]);
    }
    for kept in 0..states {
        for gone in 0..states {
            let (k, g) = (kept as usize, gone as usize);
            let related = k != g && class[k] == class[g] && component[k] == component[g];
            if !related || component[k] == NONE {
                continue;
            }
            for &entry in &entries {
                for row in [Row::Own, Row::Both, Row::Shared] {
                    interrupt::poll();
                    let candidate = merged(table, kept, gone, row, entry);
                    // Both are trimmed: states that the candidate leaves out are not visited.
                    if Comparison::new(&candidate, table)?.equivalent(steps)? {
                        return Some(candidate);
                    }
                }
            }
        }
    }
    None
}

fn merged(table: &Table, kept: u32, gone: u32, row: Row, entry: Entry) -> Table {
    let mut merged = table.clone();
    for (next, marks) in merged.next.iter().zip(&mut merged.marks) {
        if *next == gone {
            match entry {
                Entry::Same => {}
                Entry::With(mark) => *marks |= mark,
                Entry::Without(mark) => *marks &= !mark,
            }
        }
    }
    let theirs = merged.marks[merged.row(gone)].to_vec();
    let own = merged.row(kept);
    for (marks, theirs) in merged.marks[own].iter_mut().zip(theirs) {
        match row {
            Row::Own => {}
            Row::Both => *marks |= theirs,
            Row::Shared => *marks &= theirs,
        }
    }
    merged.redirect(|state| if state == gone { kept } else { state });
    merged
}
