//! Feeds any text to the DVE reader, and explores some states of what is a model.

#![no_main]

mod dve_states;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| dve_states::check(bytes));
