//! Invariants for every text that is given to the reader of propositions.

use sempre_models::System;
use sempre_models::dve::{self, DveSystem};
use sempre_models::proposition::Propositions;

/// A model with names of all kinds: numbers, arrays, states of processes, actions.
const MODEL: &str = "byte x = 1; int y; byte a[3] = {1, 2, 3};
    process P { byte z; state s, t; init s; trans s -> t { guard x < 2; effect x = x + 1; }; }
    system async;";

/// Errors lie within the text, and what is read has a value or a fault.
pub(crate) fn check(input: &str) {
    let dve = dve::parse(MODEL).expect("a model");
    let system = DveSystem::new(&dve);
    match Propositions::compile(&system, [input]) {
        Ok(propositions) => {
            let mut expander = system.expander();
            for state in system.initial().expect("initial values have a meaning") {
                if let Ok(valuation) = propositions.valuation(&mut *expander, &state) {
                    assert!(valuation <= 1);
                }
            }
        }
        Err(error) => {
            assert!(error.span().is_none_or(|span| input.get(span).is_some()), "{error:?}");
        }
    }
}
