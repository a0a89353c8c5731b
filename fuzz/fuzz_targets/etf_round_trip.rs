//! Invariants for every text that is given to the reader of tables of transitions.

use sempre_models::etf::{EtfSystem, parse, write};
use sempre_models::proposition::Propositions;
use sempre_models::{Names, Scope, Successors, System, VariableId};

/// How many states are explored.
const MOST: usize = 50;

/// Errors lie within the text, what is read stays the same when it is written and read again, and
/// its states have successors, which by one table after the other are the same.
pub(crate) fn check(input: &str) {
    let etf = match parse(input) {
        Ok(etf) => etf,
        Err(error) => {
            assert!(!error.message().is_empty());
            assert!(error.span().is_none_or(|span| input.get(span).is_some()), "{error:?}");
            return;
        }
    };
    let written = write(&etf);
    assert_eq!(parse(&written).expect("what was written is read"), etf);

    let system = EtfSystem::new(etf);
    let mut propositions = Propositions::default();
    for name in system.value_names().iter().take(10) {
        let quoted = sempre_models::proposition::quoted(name);
        propositions.push(&system, &quoted).expect("a name of the model is a proposition");
    }
    let mut expander = system.expander();
    let mut successors = Successors::new(system.words());
    let mut states = system.initial().expect("an initial state");
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        next += 1;
        for variable in (0..system.variable_count().min(100) as u32).map(VariableId) {
            system.value_text(&state, variable);
        }
        propositions.valuation(&mut *expander, &state).expect("labels have values");
        successors.clear();
        expander.expand(&state, &mut successors).expect("tables have no faults");
        for (action, successor) in successors.iter() {
            assert!(system.action_names().contains(&system.action_name(action)));
            if states.len() < MOST {
                states.push(successor.into());
            }
        }
        assert_eq!(expander.is_deadlock(&state), Ok(successors.is_empty()));
    }
}
