//! Computes the minimal and maximal values of variables in the states of a store.

use crate::store::{StateId, Store};
use sempre_ltl::interrupt;
use sempre_models::{System, VariableId};

/// The range of a variable; both ends occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The minimal value.
    pub least: i64,
    /// The maximal value.
    pub greatest: i64,
}

/// Returns the bounds of all variables, in one pass over the states; `None` if there is no state.
pub fn bounds<'a, T: Store + 'a>(
    system: &dyn System,
    stores: impl IntoIterator<Item = &'a T>,
) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    let names = system.names();
    let variables = 0..names.variable_count() as u32;
    let mut state = vec![0; system.words()];
    for store in stores {
        for id in 0..store.len() as u32 {
            interrupt::poll();
            store.get(StateId(id), &mut state);
            let values =
                variables.clone().map(|variable| names.value(&state, VariableId(variable)));
            if bounds.is_empty() {
                bounds.extend(values.map(|value| Bound { least: value, greatest: value }));
                continue;
            }
            for (bound, value) in bounds.iter_mut().zip(values) {
                bound.least = bound.least.min(value);
                bound.greatest = bound.greatest.max(value);
            }
        }
    }
    bounds
}
