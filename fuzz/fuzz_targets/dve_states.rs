//! Invariants for every text that is given to the DVE reader.

use sempre_models::dve::{DveSystem, parse};
use sempre_models::{Names, Successors, System, VariableId};

/// How many states are explored.
const MOST: usize = 50;

/// Panics if the text shows an error in the reader, or in the first states of its model.
pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let dve = match parse(text) {
        Ok(dve) => dve,
        Err(error) => {
            assert!(error.span().is_none_or(|span| text.get(span).is_some()), "{error:?}");
            return;
        }
    };
    let system = DveSystem::new(&dve);
    let mut expander = system.expander();
    let mut successors = Successors::new(system.words());
    let Ok(mut states) = system.initial() else { return };
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        next += 1;
        for variable in (0..system.variable_count().min(100) as u32).map(VariableId) {
            system.variable_name(variable);
            system.value_text(&state, variable);
        }
        successors.clear();
        if expander.expand(&state, &mut successors).is_err() {
            return;
        }
        for (action, successor) in successors.iter() {
            assert!(!system.action_name(action).is_empty());
            if states.len() < MOST {
                states.push(successor.into());
            }
        }
    }
}
