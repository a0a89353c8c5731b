//! Invariants for every property file: the reader does not panic, its errors lie within the
//! text, and the formulas it reads can be written and read again.

use sempre_ltl::Formula;
use sempre_models::property::mcc;

/// Panics if the text shows an error in the reader.
pub(crate) fn check(text: &str) {
    match mcc::read(text) {
        Ok(properties) => {
            for property in properties {
                let written = property.formula.to_string();
                assert_eq!(written.parse::<Formula>().as_ref(), Ok(&property.formula));
            }
        }
        Err(error) => {
            let span = error.span().expect("every error has a place");
            assert!(text.get(span).is_some(), "{error} is not in the text");
            assert!(!error.message().is_empty());
        }
    }
}
